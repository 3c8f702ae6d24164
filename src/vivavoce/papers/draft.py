"""What a format reader hands on: a `Draft`, and the few guesses that several formats need.

A reader of a format knows blocks in reading order and what the file says of itself (its title, DOI,
year). It knows nothing of sentences or of the paper's one text: `papers.blocks.assemble` does that.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vivavoce.papers.blocks import Block
from vivavoce.papers.view import ScanLine
from vivavoce.records import Hidden, Page

NO_TEXT = "the file holds no text"
"""`Draft.unreadable` of a file that opens and has nothing to read."""

REFERENCES = re.compile(
    r"(?:[\dIVX]+\.?\s+)?(?:references(?: and notes| cited)?|bibliography|literature(?: cited)?|works cited)"
    r"\s*[:.]?",
    re.IGNORECASE,
)
"""A heading (the whole of it) that opens the list of references."""

_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>|]+)")
_REPOSITORIES = ("10.5281/", "10.5061/", "10.6084/", "10.17605/", "10.7910/")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")


@dataclass(frozen=True, slots=True)
class Draft:
    """What a format reader knows of a file: its blocks in reading order, and what it says of itself."""

    format: str
    blocks: tuple[Block, ...]
    title: str = ""
    doi: str = ""
    year: int | None = None
    pages: tuple[Page, ...] = ()
    """Empty when the format has none: the assembler gives one page of size 0."""
    unreadable: str = ""
    warnings: tuple[str, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    scans: tuple[int, ...] = ()
    """Pages that only OCR can read, and that it has not read."""
    places: tuple[ScanLine, ...] = ()
    """Where the text that was read by OCR stands."""


def find_doi(text: str) -> str:
    """The first DOI in the text, bare and in lower case, leaving out those of data repositories."""
    for match in _DOI.finditer(text):
        doi = match[1].rstrip(".,;:)]}").lower()
        if not doi.startswith(_REPOSITORIES):
            return doi
    return ""


def find_year(text: str) -> int | None:
    """The first year in the text, such as that of a date in any notation."""
    match = _YEAR.search(text)
    return int(match[1]) if match else None


def mark_references(blocks: Iterable[Block]) -> list[Block]:
    """The same blocks, with the prose under a heading such as "References" as `reference` blocks."""
    inside = False
    marked = []
    for item in blocks:
        if item.kind == "heading":
            inside = REFERENCES.fullmatch(item.text) is not None
        elif inside and item.kind == "prose":
            item = replace(item, kind="reference")
        marked.append(item)
    return marked


def hidden_warning(hidden: Iterable[Hidden]) -> tuple[str, ...]:
    """One warning for all the text that nobody sees; none when there is no such text."""
    found = list(hidden)
    if not found:
        return ()
    reasons = ", ".join(sorted({item.reason for item in found}))
    return (f"The file holds hidden text ({reasons}); it was set aside and not read.",)
