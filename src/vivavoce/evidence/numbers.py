"""Finds numbers in a piece of a paper: value, unit, what they count; ranges, number words, powers of ten.

Numbers that are none of the paper's facts are left out: citations, figures and tables, years of references,
versions, addresses.
"""

import re
from dataclasses import dataclass

from vivavoce.evidence.links import links

_WORDS = (
    {
        word: number
        for number, word in enumerate(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "  # noqa: SIM905
            "sixteen seventeen eighteen nineteen twenty".split()
        )
    }
    | {
        word: 10 * number
        for number, word in enumerate(["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 3)
    }
    | {"hundred": 100, "thousand": 1000, "million": 10**6, "once": 1, "twice": 2, "half": 0.5, "dozen": 12}
)
_ONES = "|".join(
    word for word, number in _WORDS.items() if number < 100 and word not in ("once", "half", "dozen")
)
_WORD_NUMBER = (
    rf"(?:(?:{_ONES})(?:[- ](?:{_ONES}))?(?: (?:hundred|thousand|million))?(?: and (?:{_ONES}))?|once|twice"
    "|half)"
)
_DIGITS = (
    r"(?:\d{1,3}(?:[,\u2009\u202f]\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?: \d{3}){2,}(?!\d)|\d{1,3} 000(?!\d)|"
    r"\d+(?:[.·]\d+)?|\.\d+)"
)
_POWER = r"(?:\s?[×x*·]\s?10\s?\^?\s?[-−–⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+|[eE][-−–+]?\d+)"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_NUMBER = rf"(?:[-−–](?=\d)(?<![\w)]))?{_DIGITS}{_POWER}?"
_SCALE = r"(?:\s(?:hundred|thousand|million|billion))?"
_UNITS = (
    r"%|‰|per\s?cent|percent(?:age points?)?|°\s?[CF]|º\s?C|℃|[-\s]?fold\b|"
    r"(?:×|x)\s?g\b|rpm\b|"
    r"(?:μ|µ|m|n|k|c|p|M|G|d)?(?:mol|M|g|m|l|L|s|V|A|W|J|Pa|Hz|Da|eV|N|F|S|Ω|bp|B|b|T)(?:[²³]|\^?[-−]?[123])?"
    r"(?:\s?[/·]\s?(?:μ|µ|m|n|k|c|p)?(?:mol|M|g|m|l|L|s|min|h|hr|day|d|kg|cm|mm|ml|mL|W|A)[²³]?\b"
    r"|\s(?:μ|µ|m|n|k|c|p)?(?:g|m|l|L|s|min|h|kg|cm|mm|ml|mL|mol|W|A|K)\s?[-−–⁻][123¹²³]\b)*(?!\w)|"
    r"mm\s?Hg\b|mg/d[lL]\b|IU(?:/\w+)?\b|U/m[lL]\b|K\b(?=[\s,.;)])|pH units?\b|Å(?:[²³23])?|Å\b|"
    r"(?:milli|micro|nano|kilo|centi)?(?:met(?:er|re)|gram|lit(?:er|re)|second|volt|watt|hertz|molar)s?\b|"
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|months?|mo|years?|yrs?|yr)\b|"
    r"(?:pixels?|px|epochs?|iterations?|layers?|steps?|GB|MB|TB|kb|Mb|kDa|ha|acres?|miles?|feet|ft|"
    r"inch(?:es)?)\b|"
    r"(?:US)?\$|€|£|USD\b|EUR\b|times\b|cycles?\b|cells/m[lL]\b|°"
)
_UNIT = re.compile(rf"\s?-?(?:{_UNITS})")
_PATTERN = re.compile(rf"(?P<a>(?<![\w.,/·]){_NUMBER}{_SCALE}|\b{_WORD_NUMBER}\b)", re.IGNORECASE)
_TO = re.compile(rf"(?P<dash>\s?[-–—−~]\s?|\sto\s|\sand\s|\sup to\s)(?P<b>{_NUMBER})")
_SPREAD = re.compile(rf"\s?(?:±|\+/-)\s?{_DIGITS}")
_BY = re.compile(rf"(?:\s?(?:×|x|by)\s?{_DIGITS})+(?![\w.])")
_BEFORE_NOT = re.compile(
    r"(?:\b(?:fig(?:ure)?s?|tables?|sections?|sec|eq(?:uation)?s?|refs?|references?|appendix|chapter|box|"
    r"movies?|"
    r"videos?|supplementary|files?|version|ver|grant|no|panel|page|pp|vol|issue|supplement|step|ID|#)\.?\s?"
    r"|\bS|#|\d\.)$",
    re.IGNORECASE,
)
_CITATION = re.compile(
    r"\[[\d,;\s–-]+\]|\(\d{1,3}(?:[,;–-]\s?\d{1,3})*\)|(?<![\d.])\d+(?:\.\d+){2,}|"
    r"\((?:[^()]*\bet al\.?[^()]*|[A-Z][^()\d]*,? (?:19|20)\d\d[a-z]?(?:;[^()]*)?)\)"
)
"""Citations, numbers of equations, and versions."""
_STOP = frozenset(
    "and or of in on at by for from to with was were is are the a an per each which that than as "  # noqa: SIM905
    "using after before during over between within were had have has not but while when where "
    "respectively versus vs via into under among".split()
)


@dataclass(frozen=True, slots=True)
class Number:
    value: int | float | str
    """A range or dimensions stay words: "5–10", "224 × 224"."""
    unit: str
    of: str
    """The words behind it, which say what it counts."""
    start: int
    end: int
    """Of the number with its unit."""


def numbers(text: str) -> list[Number]:
    """The numbers in a text, in their order."""
    hidden = _hidden(text)
    found: list[Number] = []
    at = 0
    while match := _PATTERN.search(text, at):
        at = match.end()
        if any(a <= match.start() < b for a, b in hidden) or _BEFORE_NOT.search(text[: match.start()]):
            continue
        value = _value(match["a"])
        if value is None:
            continue
        end = match.end()
        shown: int | float | str = value
        if spread := _SPREAD.match(text, end):
            end = spread.end()
        unit = _UNIT.match(text, end)
        if by := _BY.match(text, end):
            end = by.end()
            shown = " ".join(text[match.start() : end].split())
            unit = _UNIT.match(text, end)
        elif match["a"][-1].isdigit() and (to := _range(text, match.start(), end, unit)):
            end = to.end()
            shown = f"{match['a'].strip()}–{to['b'].strip()}"
            unit = _UNIT.match(text, end) or unit
        if unit:
            end = max(end, unit.end())
        name = unit[0].strip(" -") if unit else ""
        found.append(Number(shown, name, _counted(text, end), match.start(), end))
        at = max(at, end)
    return found


def _range(text: str, start: int, end: int, unit: re.Match[str] | None) -> re.Match[str] | None:
    """The second end of a range; "18% to 56%" is one, "10 mice and 12 rats" and "5 and 7" are two numbers."""
    if re.search(r"\bfrom\s$", text[:start], re.IGNORECASE):
        return None  # what changes "from 3 to 5" has two values
    direct = _TO.match(text, end)
    if direct and direct["dash"].strip() != "and":
        return direct
    later = _TO.match(text, unit.end()) if unit else None
    between = re.search(r"\bbetween\s$", text[:start], re.IGNORECASE) is not None
    if direct and between:
        return direct
    return later if later and (later["dash"].strip() in ("-", "–", "—", "−", "to") or between) else None


def _value(text: str) -> int | float | None:
    plain = text.strip().lower()
    if plain[:1].isalpha():
        return _worded(plain)
    scale = 1
    for word in ("hundred", "thousand", "million", "billion"):
        if plain.endswith(word):
            plain = plain.removesuffix(word).strip()
            scale = {"billion": 10**9}.get(word) or int(_WORDS[word])
    plain = (
        re.sub(r"[, \u2009\u202f](?=\d{3})", "", plain).replace("·", ".").replace("−", "-").replace("–", "-")
    )
    power = re.fullmatch(r"(-?[\d.]+)\s?[×x*.]\s?10\s?\^?\s?(-?)([\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", plain)
    try:
        if power:
            raised = power[2] + power[3].translate(_RAISED)
            return float(f"{power[1]}e{raised}")
        number = float(plain) * scale
    except (ValueError, OverflowError):
        return None
    whole = number.is_integer() and "e" not in plain and ("." not in plain or scale > 1)
    return int(number) if whole else number


def _worded(plain: str) -> int | float | None:
    total: float = 0
    for word in re.split(r"[- ]", plain):
        if word == "and":
            continue
        number = _WORDS.get(word)
        if number is None:
            return None
        total = total * number if number >= 100 and total else total + number
    return int(total) if float(total).is_integer() else total


def _hidden(text: str) -> list[tuple[int, int]]:
    """Where numbers say nothing: in addresses and citations."""
    spans = [(link.start, link.end) for link in links(text)]
    return [*spans, *((m.start(), m.end()) for m in _CITATION.finditer(text))]


def _counted(text: str, end: int) -> str:
    """Up to three words behind a number."""
    words: list[str] = []
    for match in re.finditer(r"\s([A-Za-zÀ-ÿ][\w'’-]*)|(\S)", text[end : end + 60]):
        if match[2] or match[1].lower() in _STOP:
            break
        words.append(match[1])
        if len(words) == 3:
            break
    return " ".join(words)
