"""What a file is, and what was found in it: for people who look before they ask."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vivavoce.papers.legibility import judge
from vivavoce.records import Paper, Sentence, WarningKind

STATEMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "data availability",
        re.compile(r"data\b.{0,40}(?:availab|access|sharing|deposit)|availab\w+ of data", re.I),
    ),
    (
        "code availability",
        re.compile(r"(?:code|software)\b.{0,30}availab|availab\w+ of (?:code|software)", re.I),
    ),
    (
        "funding",
        re.compile(
            r"\bfund(?:ing|ed|ers?)\b|financial (?:support|disclosure)|supported by (?:a )?grant", re.I
        ),
    ),
    ("ethics", re.compile(r"\bethic(?:s|al)\b|informed consent|institutional review board", re.I)),
    ("competing interests", re.compile(r"(?:competing|conflicts? of) (?:financial )?interest", re.I)),
    ("acknowledgements", re.compile(r"^\W*acknowledge?ments?\b", re.I)),
)
"""Statements that reviewers look for, and the words by which their headings or sentences are known."""
_NOTICES: dict[WarningKind, str] = {
    "correction": "correction",
    "retraction": "retraction",
    "concern": "expression of concern",
    "landing_page": "landing page",
    "search_results": "search results",
    "script_page": "script page",
    "no_full_text": "abstract",
    "not_prose": "table or list",
}
_THESIS = re.compile(
    r"\b(?:ph\.?\s?d\.?|doctoral|master(?:['’]?s)?|bachelor(?:['’]?s)?|diploma)\s+(?:thesis|dissertation)|"
    r"\b(?:thesis|dissertation)\s+(?:submitted|presented)|submitted (?:in partial fulfil|for the degree)|"
    r"inaugural-?dissertation|th[èe]se\s+de\s+doctorat|tesis doctoral|praca magisterska",
    re.IGNORECASE,
)
LONG_PAGES = 40
"""A thesis has at least so many pages."""
SLIDE_WORDS = 90
"""Words on a slide, at most, on average."""


@dataclass(frozen=True, slots=True)
class Description:
    kind: str
    """article, thesis, slides, correction, retraction, landing page, ...; empty for a file without text."""
    language: str
    words: int
    sections: tuple[str, ...]
    """The headings that were found."""
    references: int
    """Entries of the list of references."""
    statements: tuple[str, ...]
    """Which of the statements that reviewers look for are there."""
    hidden_share: float
    """Of all letters in the file, those that nobody sees."""
    hidden_reasons: tuple[str, ...]


def describe(paper: Paper) -> Description:
    """What a paper is, and what was found in it."""
    sentences = paper.sentences
    hidden = sum(len(item.text) for item in paper.hidden)
    language = judge(
        " ".join(s.text for s in sentences if s.kind not in ("reference", "front", "figure"))
    ).language
    return Description(
        kind=_kind(paper) if sentences else "",
        language=language if sentences else "",
        words=sum(len(s.text.split()) for s in sentences),
        sections=tuple(s.text for s in sentences if s.kind == "heading"),
        references=sum(s.kind == "reference" for s in sentences),
        statements=tuple(_statements(sentences)),
        hidden_share=hidden / max(1, hidden + len(paper.text)),
        hidden_reasons=tuple(sorted({item.reason for item in paper.hidden})),
    )


def _kind(paper: Paper) -> str:
    for warning in paper.warnings:
        if warning.kind in _NOTICES:
            return _NOTICES[warning.kind]
    pages = [page for page in paper.pages if page.width]
    head = " ".join(s.text for s in paper.sentences[:60])
    if len(pages) >= LONG_PAGES and _THESIS.search(head):
        return "thesis"
    wide = sum(page.width > 1.2 * page.height for page in pages)
    words = sum(len(s.text.split()) for s in paper.sentences)
    if len(pages) > 2 and wide > 0.8 * len(pages) and words < SLIDE_WORDS * len(pages):
        return "slides"
    return "article"


def _statements(sentences: Sequence[Sentence]) -> Iterator[str]:
    for name, words in STATEMENTS:
        if any(
            words.search(s.text)
            for s in sentences
            if s.kind == "heading"
            or (s.kind in ("prose", "footnote", "front") and name != "acknowledgements")
        ):
            yield name
