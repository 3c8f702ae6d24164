"""Notices that are published like papers, and say something about another one: corrections, retractions,
expressions of concern. Read as a paper, a notice reports nothing; so each is named.

A file tells by its metadata (JATS), by its title, or by a line at its head. Papers on the subject
("Correction
for attenuation in ...") have such words in their titles, too, so the word alone counts for short texts only.
"""

import re
from collections.abc import Sequence

from vivavoce.records import PaperWarning, Sentence, WarningKind

SHORT_WORDS = 2_500
"""A notice has fewer words than this, even with a table that is set right."""
HEAD_SENTENCES = 12
"""Where a line such as "Erratum" stands, if the title doesn't say it."""

_CORRECTION = (
    r"correction|corrigend(?:um|a)|errat(?:um|a)|addendum|berichtigung|korrektur|rectificatif|fe de erratas?"
    r"|errata corrige|amendment"
)
_RETRACTION = r"retraction|retracted|withdrawal|withdrawn|retra[cç]t[aç][cç][aã]o|retracci[oó]n"
_CONCERN = r"(?:editorial )?expressions? of (?:editorial )?concern|editorial note of concern"
_WHOSE = r"(?:author|authors|publisher|editorial|journal|notice of|statement of|partial|full)['’]?s?\s+"
_SORTS: tuple[tuple[WarningKind, str], ...] = (
    ("concern", _CONCERN),
    ("retraction", _RETRACTION),
    ("correction", _CORRECTION),
)
_TITLED = {
    kind: re.compile(
        rf"\W*(?:{_WHOSE})?(?:{words})(?:\s+(?:note|notice|article|statement|paper))?\s*"
        rf"(?P<mark>[:\]–—]|-\s|(?:to|for|of|zu|à|au|del?|in)\s*[:“\"‘'«]|$)",
        re.IGNORECASE,
    )
    for kind, words in _SORTS
}
_WORDED = {
    kind: re.compile(
        rf"\W*(?:{_WHOSE})?(?:{words})(?:\s+(?:note|notice|article|statement))?\s+(?:to|for|of|zu|à)\b",
        re.IGNORECASE,
    )
    for kind, words in _SORTS
}
_HEADED = {
    kind: re.compile(
        rf"\W*(?:{_WHOSE})?(?:{words})(?:\s+(?:note|notice|article|statement))?(?:\s+(?:to|for))?\W*",
        re.IGNORECASE,
    )
    for kind, words in _SORTS
}
_SAID: dict[WarningKind, str] = {
    "correction": "this is a correction of another paper, not the paper itself",
    "retraction": "this is a retraction, or a paper that was retracted",
    "concern": "this is an expression of concern about another paper",
}
TYPES: dict[str, WarningKind] = {
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "addendum": "correction",
    "err": "correction",
    "partial-retraction": "retraction",
    "retraction": "retraction",
    "retracted-article": "retraction",
    "ret": "retraction",
    "rem": "retraction",
    "withdrawal": "retraction",
    "expression-of-concern": "concern",
    "concern": "concern",
}
"""What files say of themselves: JATS's `article-type`, and the codes of publishers."""


def by_type(article_type: str) -> PaperWarning | None:
    """The warning for a notice by what the file calls itself."""
    name = article_type.strip().lower().replace("_", "-").replace(" ", "-")
    kind = TYPES.get(name)
    return PaperWarning(kind, f"{_SAID[kind]} (article type “{article_type.strip()}”)") if kind else None


def by_words(title: str, sentences: Sequence[Sentence]) -> PaperWarning | None:
    """The warning for a notice by its title, or by a line at its head."""
    short = sum(len(sentence.text.split()) for sentence in sentences) < SHORT_WORDS
    for kind, _ in _SORTS:
        titled = _TITLED[kind].match(title)
        if titled or (short and _WORDED[kind].match(title)):
            return PaperWarning(kind, f"{_SAID[kind]} (its title: “{_short(title)}”)")
    for sentence in sentences[:HEAD_SENTENCES]:
        if sentence.kind not in ("front", "heading", "title") or len(sentence.text) > 60:
            continue
        for kind, _ in _SORTS:
            if _HEADED[kind].fullmatch(sentence.text) and (short or kind == "retraction"):
                return PaperWarning(kind, f"{_SAID[kind]} (it is headed “{_short(sentence.text)}”)")
    return None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"
