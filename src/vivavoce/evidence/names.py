"""Finds named things in a piece of a paper by the vocabulary: software with its version, hardware with how
many of it, and anything else that the vocabulary has a name for."""

import re
from collections.abc import Iterable

from vivavoce.evidence.links import links
from vivavoce.evidence.numbers import numbers
from vivavoce.records import Coded
from vivavoce.vocabulary import Mention, Vocabulary

_VERSION = re.compile(
    r"(?:\s(?:software|package|library|toolbox|statistics|statistical software|environment|program|"
    r"Statistics|"
    r"for \w+|SE|Software|programming language|language|suite))*"
    r"(?:\s?[,(\[]\s?(?:[A-Z][\w .]{0,40},\s)?|\s)?(?:(?:[Vv]ersion|[Vv]er\.?|[Rr]elease|[Vv])\.?\s?)?"
    r"(?P<number>R?20\d\d[ab](?!\w)|\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|post|dev|alpha|beta|a|b)\d*)?(?![\w%])|"
    r"(?<=[Vv]ersion )\d+(?![\w.]*\w)|(?<=[Vv]\. )\d+\b|(?<=[\s(][Vv])\d+\b|"
    r"(?<=\w\s)\d{1,2}(?=[\s,.;)](?!\d)))"
)
_NAME = (
    r"(?:[A-Z][\w+#.\-]*|[a-z]+[A-Z\d][\w\-]*|python|keras|numpy|scipy|pandas|caffe|cuda|cudnn|torch|sklearn)"
)
_UNKNOWN_VERSION = re.compile(
    rf"\b(?P<name>{_NAME}(?:\s[A-Z][\w+#\-]*)?)"
    r"(?:\s(?:software|package|library|program|toolbox))?"
    r"(?:\s*[,(\[]?\s*(?:[Vv]ersion|[Vv]er\.|[Vv]\.?|[Rr]elease)\s*|\s*[(\[]?v\.?|\s)"
    r"(?P<number>\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|post|dev|alpha|beta|a|b)\d*)?)(?![\w%])(?!\s?(?:%|mm|cm|"
    r"m\b|s\b))"
)
_UNKNOWN_NAME = re.compile(
    r"\b(?P<name>[A-Z][\w+#.-]*(?:\s[A-Z][\w+#.-]*){0,3})\s(?:software|package|program|toolbox|library|"
    r"plugin)\b"
)
_NOT_SOFTWARE = re.compile(
    r"^(?:Table|Fig|Figure|Section|Sect|Eq|Equation|Chapter|Appendix|Ref|Page|Sec|Step|Supplementary|The|"
    r"A|An|"
    r"This|These|All|In|We|Our|For|Using|Statistical|Analysis|Software|Image|Version)\b\.?",
    re.IGNORECASE,
)
_GENERIC = frozenset({"memory", "GPU", "computing cluster", "NVIDIA GPU"})
_TIMES = re.compile(r"^(?:\sGPUs?|\sgraphics cards?|\scards?)?\s?\(?[×x]\s?(?P<count>\d{1,3})\b")


def software(text: str, quote: int, known: Vocabulary) -> list[Coded]:
    """Software, each with its version where the text has one; in the order of the text, each once."""
    taken = [(link.start, link.end) for link in links(text)]
    found: dict[str, Coded] = {}
    for mention in known.mentions(text, ["software"]):
        if _overlaps(mention.start, mention.end, taken):
            continue
        version = _VERSION.match(text, mention.end)
        end = version.end() if version else mention.end
        taken.append((mention.start, end))
        words = text[mention.start : mention.end]
        value = f"{words} {version['number']}" if version else words
        name = f"{mention.name} {version['number']}" if version else mention.name
        _keep(found, Coded(value, "", "", name, quote, mention.start, end))
    for pattern in (_UNKNOWN_VERSION, _UNKNOWN_NAME):
        for match in pattern.finditer(text):
            if _overlaps(match.start(), match.end(), taken) or _NOT_SOFTWARE.match(match["name"]):
                continue
            taken.append((match.start(), match.end()))
            number = match.groupdict().get("number")
            value = f"{match['name']} {number}" if number else match["name"]
            _keep(found, Coded(value, "", "", "", quote, match.start(), match.end()))
    return sorted(found.values(), key=lambda coded: coded.start)


def _keep(found: dict[str, Coded], coded: Coded) -> None:
    """Once each; with its version rather than without."""
    bare = re.sub(r" [R\d][\d.]*\w*$", "", coded.name or str(coded.value)).lower()
    if bare not in found or len(str(coded.value)) > len(str(found[bare].value)) + 1:
        found[bare] = coded


def hardware(text: str, quote: int, known: Vocabulary) -> list[Coded]:
    """Hardware, each with how many of it: "NVIDIA TITAN Xp x 3"."""
    mentions = known.mentions(text, ["hardware"])
    counts = numbers(text)
    found: dict[str, Coded] = {}
    for mention in mentions:
        if mention.name == "GPU" and len(mentions) > 1:
            continue  # says no more than the others
        words = text[mention.start : mention.end]
        start, end, count = mention.start, mention.end, 1
        if times := _TIMES.match(text[mention.end :]):
            count, end = int(times["count"]), mention.end + times.end()
        elif mention.name != "memory":
            before = [
                n
                for n in counts
                if n.end <= mention.start
                and re.fullmatch(r"\s?(?:[×x]\s?)?(?:\w+-core\s)?", text[n.end : mention.start])
            ]
            if (
                before
                and isinstance(before[-1].value, int)
                and not before[-1].unit
                and 0 < before[-1].value <= 4096
            ):
                start, count = before[-1].start, before[-1].value
        value = f"{words} x {count}" if count > 1 else words
        found.setdefault(words.lower(), Coded(value, "", "", mention.name, quote, start, end))
    return list(found.values())


def things(text: str, quote: int, known: Vocabulary, kinds: Iterable[str]) -> list[Coded]:
    """Anything of these kinds that the vocabulary has a name for."""
    taken = [(link.start, link.end) for link in links(text)]
    found: dict[str, Coded] = {}
    for mention in known.mentions(text, kinds):
        if not _overlaps(mention.start, mention.end, taken):
            words = text[mention.start : mention.end]
            found.setdefault(
                _key(mention, words), Coded(words, "", "", mention.name, quote, mention.start, mention.end)
            )
    return list(found.values())


def _key(mention: Mention, words: str) -> str:
    """ResNet-50 and ResNet-101 are two things; "CNN" and "convolutional neural network" are one."""
    return f"{mention.name} {''.join(c for c in words if c.isdigit())}".lower()


def _overlaps(start: int, end: int, taken: Iterable[tuple[int, int]]) -> bool:
    return any(start < b and end > a for a, b in taken)
