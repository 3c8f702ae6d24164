"""Quotes -> values, by the question's kind. Every value stands in a quote, and says where.

`code` is the one way in, for every reader: patterns and the vocabulary find what a value of the kind may be,
and `Signals` of a network, where there are any, say which of these answers. Without them, what is nearest to
the question's own words does.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from vivavoce.evidence import choosing, lists, names, yes_no
from vivavoce.evidence.dates import dates
from vivavoce.evidence.links import links
from vivavoce.evidence.numbers import numbers
from vivavoce.evidence.signals import NOTHING, Marks, Signals
from vivavoce.evidence.wordings import asked_thing, nearness, stems
from vivavoce.records import Coded, Evidence, Question
from vivavoce.vocabulary import extended, repository_of

MOST = 12
"""Values of one answer."""
MOST_TEXTS = 3
"""Pieces of text that one answer is coded as."""
LIKELY = 0.5
"""The chance from which a candidate of the right form is kept, beside the best one."""
NAMED = 0.3
"""The chance from which a name of the vocabulary is kept."""
_NO_PLACE = re.compile(r"orcid\.org/|creativecommons\.org/|mailto:", re.IGNORECASE)
"""Links of people and licences: no place where anything of a study is kept."""
_TRIM = " \t\n,;:.·'\"“”‘’"


def code(question: Question, evidence: Sequence[Evidence], said: Signals = NOTHING) -> tuple[Coded, ...]:
    """The values in the quotes; best first."""
    quotes = [e.quote for e in evidence]
    if not quotes:
        return ()
    if question.kind == "choice":
        return choosing.choose(question, quotes, said)
    return tuple(_distinct(_CODERS[question.kind](question, quotes, said)))[:MOST]


def _distinct(found: Sequence[Coded]) -> list[Coded]:
    kept: dict[tuple[str, str], Coded] = {}
    for coded in found:
        kept.setdefault((str(coded.name or coded.value).lower(), coded.unit), coded)
    return list(kept.values())


# By form: candidates, and which of them answers


def _links(_: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    found = []
    for n, quote in enumerate(quotes):
        for link in links(quote):
            if _NO_PLACE.search(link.text):
                continue
            name = repository_of(link.text) if link.kind == "accession" else ""
            found.append(Coded(link.text, "", "", name, n, link.start, link.end))
    if any(said.marks):
        return _marked(found, said, NAMED)
    return found


def _numbers(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    found = [
        Coded(number.value, number.unit, number.of, "", n, number.start, number.end)
        for n, quote in enumerate(quotes)
        for number in numbers(quote)
    ]
    if any(said.marks):
        return _marked(found, said, LIKELY)
    wanted = _wanted_units(question.text)
    asked = stems(question.text)

    def fit(coded: Coded) -> float:
        quote = quotes[coded.quote or 0]
        near = nearness(asked, quote, coded.start, coded.end)
        unit = 0.0
        if wanted is not None:
            unit = 1.5 if wanted(coded) else -0.5
        return near + unit - 0.5 * (coded.quote or 0)

    best = sorted(found, key=lambda coded: -fit(coded))
    return best[:1]


def _dates(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    found = [
        Coded(date.text, "", "", date.iso, n, date.start, date.end)
        for n, quote in enumerate(quotes)
        for date in dates(quote)
    ]
    if any(said.marks):
        return _marked(found, said, LIKELY) or _texts(question, quotes, said)
    asked = stems(question.text)
    return sorted(
        found,
        key=lambda c: (
            -nearness(asked, quotes[c.quote or 0], c.start, c.end)
            - 0.5 * ("/" in c.name)
            + 0.5 * (c.quote or 0)
        ),
    )[:1]


def _marked(found: Sequence[Coded], said: Signals, least: float) -> list[Coded]:
    """The candidates that the marks speak for; at least the best one."""

    def chance(coded: Coded) -> float:
        marks = said.of_quote(coded.quote or 0)
        return marks.chance(coded.start, coded.end) if marks else 0.0

    ranked = sorted(found, key=lambda coded: (-chance(coded), coded.quote or 0, coded.start))
    return [coded for n, coded in enumerate(ranked) if n == 0 or chance(coded) >= least]


_UNITS: tuple[tuple[str, str], ...] = (
    (r"temperature|how (?:hot|cold|warm)|degrees", r"°|℃|K$"),
    (
        r"how long|duration|time|hours?|minutes?|days?|weeks?|months?|how (?:soon|fast)|interval|period|age\b"
        r"|old\b|years?",
        r"^(?:s|ms|sec\w*|seconds?|min\w*|h|hr\w*|hours?|d|days?|weeks?|wks?|months?|mo|years?|yrs?|yr)$",
    ),
    (r"percent\w*|share|proportion|fraction|rate\b|how much (?:better|higher|lower)", r"%|per\s?cent|‰"),
    (r"concentration|molar|how concentrated", r"M$|g/|mol|%"),
    (r"dose|dosage", r"g|IU|mol|M$"),
    (r"voltage|potential", r"V$"),
    (r"speed|rpm|spun|centrifug\w*", r"rpm|g$|m/|/s|s"),
    (r"pressure", r"Pa|bar|mm\s?Hg|psi"),
    (r"frequency|sampling rate", r"Hz"),
    (r"weight|mass|heavy", r"g$|Da$"),
    (
        r"size|length|distance|diameter|width|thick\w*|depth|height|resolution|far\b",
        r"^(?:[kcmnμµ]?m|Å\d?|px|pixels?|[kM]?bp|feet|ft|miles?|inch\w*)",
    ),
    (r"memory|ram\b", r"B$"),
    (r"cost|price|paid", r"\$|€|£|USD|EUR"),
    (r"epochs?", r"epochs?"),
)


def _wanted_units(question: str) -> Callable[[Coded], bool] | None:
    """What unit a question asks for, by its words."""
    lower = question.lower()
    if re.search(r"\bhow many\b|\bnumber of\b|\bsample size\b", lower):
        for asked, unit in _UNITS:
            if re.search(rf"how many (?:{asked})", lower):
                return lambda coded: re.search(unit, coded.unit) is not None
        counted = stems(lower)
        return lambda coded: (
            not coded.unit and bool(counted & stems(coded.of) or isinstance(coded.value, int))
        )
    for asked, unit in _UNITS:
        if re.search(rf"\b(?:{asked})", lower):
            return lambda coded: re.search(unit, coded.unit) is not None
    return None


# Yes or no


def _yes_no(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    logits = [said.yes_of(n) for n in range(len(quotes))]
    known = [(abs(logit), n) for n, logit in enumerate(logits) if logit is not None]
    if known:
        n = max(known, key=lambda pair: (pair[0], -pair[1]))[1]
        answer = (logits[n] or 0.0) >= 0
        _, start, end = yes_no.says_yes(question.text, quotes[n])
    else:
        n = 0
        answer, start, end = yes_no.says_yes(question.text, quotes[0])
    if marks := said.of_quote(n):
        runs = marks.runs()
        start, end = _trimmed(quotes[n], *runs[0]) if runs else (start, end)
    return [Coded("yes" if answer else "no", "", "", "", n, start, end)]


# Names and texts


def _software(question: Question, quotes: Sequence[str], _: Signals) -> list[Coded]:
    known = extended(question.vocabulary)
    return [coded for n, quote in enumerate(quotes) for coded in names.software(quote, n, known)]


def _hardware(question: Question, quotes: Sequence[str], _: Signals) -> list[Coded]:
    known = extended(question.vocabulary)
    return [coded for n, quote in enumerate(quotes) for coded in names.hardware(quote, n, known)]


def _named(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    """What the vocabulary knows of the things that the question asks for."""
    known = extended(question.vocabulary)
    kinds = known.asked_for(asked_thing(question.text))
    if "hardware" in kinds:
        return _hardware(question, quotes, said)
    if "software" in kinds:
        return _software(question, quotes, said)
    found = [coded for n, quote in enumerate(quotes) for coded in names.things(quote, n, known, kinds)]
    return _marked(found, said, NAMED) if any(said.marks) and found else found


def _texts(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    """What the vocabulary knows of what is asked for; else the answering words as the marks have them."""
    if found := _named(question, quotes, said):
        return found
    pieces = [piece for n in range(len(quotes)) for piece in _pieces(quotes[n], n, said.of_quote(n))]
    ranked = sorted(pieces, key=lambda piece: -piece[0])
    best = [coded for n, (chance, coded) in enumerate(ranked) if n == 0 or chance >= LIKELY]
    return sorted(best[:MOST_TEXTS], key=lambda coded: (coded.quote or 0, coded.start))


def _items(question: Question, quotes: Sequence[str], said: Signals) -> list[Coded]:
    pieces = [piece for n in range(len(quotes)) for piece in _pieces(quotes[n], n, said.of_quote(n))]
    if pieces:
        likely = [coded for chance, coded in pieces if chance >= LIKELY]
        whole = likely or [max(pieces, key=lambda piece: piece[0])[1]]
        return [
            Coded(_words(quotes[c.quote or 0], a, b), "", "", "", c.quote, a, b)
            for c in whole
            for a, b in lists.split(quotes[c.quote or 0], c.start, c.end)
        ]
    if found := _named(question, quotes, said):
        return found
    spans = lists.listed(question.text, quotes[0])
    return [Coded(_words(quotes[0], a, b), "", "", "", 0, a, b) for a, b in spans]


def _pieces(quote: str, n: int, marks: Marks | None) -> list[tuple[float, Coded]]:
    if marks is None:
        return []
    found = []
    for run in marks.runs():
        start, end = _trimmed(quote, *run)
        if start < end:
            coded = Coded(_words(quote, start, end), "", "", "", n, start, end)
            found.append((marks.chance(start, end), coded))
    return found


def _trimmed(quote: str, start: int, end: int) -> tuple[int, int]:
    """Whole words, without punctuation around them and with their parentheses closed."""
    while start > 0 and quote[start - 1].isalnum() and quote[start : start + 1].isalnum():
        start -= 1
    while end < len(quote) and quote[end - 1 : end].isalnum() and quote[end].isalnum():
        end += 1
    while start < end and quote[start] in _TRIM + ")]":
        start += 1
    while end > start and quote[end - 1] in _TRIM + "([":
        end -= 1
    inside = quote[start:end]
    if inside.count("(") == inside.count(")") + 1 and quote[end : end + 1] == ")":
        end += 1
    elif inside.endswith(")") and inside.count(")") > inside.count("("):
        end -= 1
    return start, end


def _words(quote: str, start: int, end: int) -> str:
    return " ".join(quote[start:end].split())


_CODERS: dict[str, Callable[[Question, Sequence[str], Signals], list[Coded]]] = {
    "text": _texts,
    "list": _items,
    "link": _links,
    "number": _numbers,
    "date": _dates,
    "yes_no": _yes_no,
    "software": _software,
    "hardware": _hardware,
}


def said_values(
    question: Question,
    values: Sequence[str | int | float],
    evidence: Sequence[Evidence],
    known: Sequence[Coded] = (),
) -> tuple[Coded, ...]:
    """Values that somebody gave, with where each stands: as a reader found it, or as the quotes have it. One
    that stands nowhere keeps no place."""
    own = [*known, *code(question, evidence)]
    found = [_said(value, evidence, own) for value in values]
    if question.kind in ("choice", "yes_no") and evidence:  # a code stands for the first quote as a whole
        whole = (0, 0, len(evidence[0].quote))
        found = [Coded(c.value, "", "", "", *whole) if c.quote is None else c for c in found]
    return tuple(found)


def _said(value: str | int | float, evidence: Sequence[Evidence], own: Sequence[Coded]) -> Coded:
    for coded in own:
        same = str(coded.value).casefold() == str(value).casefold()
        there = coded.quote is not None and coded.quote < len(evidence)
        if same and there and coded.end <= len(evidence[coded.quote or 0].quote):
            return replace(coded, value=value)
    for n, e in enumerate(evidence):
        at = e.quote.casefold().find(str(value).casefold())
        if at >= 0 and str(value) not in ("yes", "no"):
            return Coded(value, "", "", "", n, at, at + len(str(value)))
    return Coded(value)
