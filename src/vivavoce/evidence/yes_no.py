"""Does a quote say yes or no? By whether it denies what the question asks: "no augmentation was applied"."""

import re

from vivavoce.evidence.wordings import stems

_NEGATION = re.compile(
    r"\b(?:no|not|never|none|neither|nor|cannot|without|unable|fail(?:s|ed|ure)?(?= to| in)?|lack(?:s|ed|"
    r"ing)?|"
    r"absence of|absent|nobody|nothing|rather than|instead of|open-label|irrespective of|regardless of|"
    r"un(?:likely|necessary|available|affected|changed|"
    r"blinded|altered|successful|able|detectable|known|clear|related)|independent(?:ly)? of|"
    r"non-?significant(?:ly)?|insignificant(?:ly)?|excluded|impossible|exempt(?:ed)?|"
    r"waived?|in vain|hardly|little (?:change|effect|difference|evidence)|only)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:not only|no(?:t)? (?:more|less|fewer|later|longer) than|whether or not|no\.\s?\d|"
    r"not to mention|if not|"
    r"not surprising(?:ly)?|no doubt|not just|not necessarily)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(r"\b(?:only|excluded|rather than|instead of)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[;:]\s|,\s(?:but|and|while|whereas|which|although|though|however)\s|\s(?:but|whereas|although|"
    r"however)\s"
)
_ASKED_NO = re.compile(r"\b(?:not|no|without|never|fail(?:ed)? to|lack)\b|\w+n['’]t\b", re.IGNORECASE)
REACH = 60
"""Characters after a negation in which it denies something."""


def denial(question: str, text: str) -> tuple[int, int] | None:
    """Where the text denies what the question asks; none when it does not."""
    harmless = [(m.start(), m.end()) for m in _HARMLESS.finditer(text)]
    asked = stems(question)
    best: tuple[float, int, int] | None = None
    for match in _NEGATION.finditer(text):
        if any(a <= match.start() < b for a, b in harmless):
            continue
        start, end = _clause(text, match.start())
        about = len(asked & stems(text[start:end]))
        near = len(asked & stems(text[match.start() : match.end() + REACH]))
        weight = about + near - (1.5 if _WEAK.fullmatch(match[0]) else 0)
        if (best is None or weight > best[0]) and weight > -1:
            best = (weight, match.start(), end)
    return (best[1], best[2]) if best else None


def says_yes(question: str, text: str) -> tuple[bool, int, int]:
    """Yes or no by the words alone, and where they stand."""
    found = denial(question, text)
    asked_for_no = _ASKED_NO.search(question) is not None
    if found:
        return asked_for_no, *found
    return True, 0, len(text)


def _clause(text: str, at: int) -> tuple[int, int]:
    """The clause around a place."""
    cuts = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= at)
    end = min((cut for cut in cuts if cut > at), default=len(text))
    return start, end
