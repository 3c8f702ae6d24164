"""What a format reader hands on: a `Draft`, and the few guesses that several formats need.

A reader of a format knows blocks in reading order and what the file says of itself (its title, DOI,
year). It knows nothing of sentences or of the paper's one text: `papers.blocks.assemble` does that.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vivavoce.papers.blocks import Block
from vivavoce.records import Hidden, Page, PaperWarning, ScanLine

NO_TEXT = "the file holds no text"
"""`Draft.unreadable` of a file that opens and has nothing to read."""

REFERENCES = re.compile(
    r"\W*(?:(?:section |chapter )?(?:[\d.]+|[IVX]+\b)\W*\s*)?"
    r"(?:ref\s?erences?(?:[ ,]+(?:and|&)[ ,]+(?:notes|further reading|bibliography|literature))?"
    r"(?: cited| list)?|bibliography(?: and references)?|literature(?: cited| references)?|cited "
    r"(?:literature|references)|"
    r"works cited|selected (?:references|bibliography)|notes and references|"
    r"r[eé]f[eé]rences?(?: bibliographiques)?|refer[eê]ncias?(?: "
    r"bibliogr[aá]ficas)?|bibliograf[ií]a|bibliographie|"
    r"literatur(?:verzeichnis|a|e)?|quellen(?:verzeichnis)?|riferimenti(?: bibliografici)?|bibliografia|"
    r"literatuur(?:lijst)?|kirjallisuus|referenser|litteratur|pi[sś]miennictwo|"
    r"список литературы|литература|参考文献|參考文獻|文献|참고\s?문헌)"
    r"\s*(?:\(\d+\))?\s*[:.]?",
    re.IGNORECASE,
)
"""A heading (the whole of it) that opens the list of references."""

_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>|]+)")
_REPOSITORIES = ("10.5281/", "10.5061/", "10.6084/", "10.17605/", "10.7910/")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"\b(?:(?P<iso>(?:19|20)\d\d)-\d\d(?:-\d\d)?|{_MONTH}(?:\s+\d{{1,2}})?,?\s+(?P<year>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"(?:abstract|summary)\s*[:.]?", re.IGNORECASE)
_FRONT_WORDS = 60
"""A longer paragraph below the title is no line of authors, an affiliation or a notice."""


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
    warnings: tuple[PaperWarning, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    scans: tuple[int, ...] = ()
    """Pages that only OCR can read, and that it has not read."""
    places: tuple[ScanLine, ...] = ()
    """Where the text that was read by OCR stands."""
    journal: str = ""


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


def date_year(text: str) -> int | None:
    """The year of the first date that is written out: 2025-05-03, 3 May 2025, May 3, 2025, May 2025."""
    match = _DATE.search(text)
    return int(match["iso"] or match["year"]) if match else None


def mark_front(blocks: list[Block]) -> list[Block]:
    """The same blocks, with authors, affiliations and notices below the title as `front` blocks.

    That is what stands between the title and the abstract's heading. Where another heading comes first,
    it is the lines right below the title that look like names."""
    start = next((at for at, item in enumerate(blocks) if item.kind == "title"), -1) + 1
    end = next((at for at in range(start, len(blocks)) if blocks[at].kind == "heading"), 0)
    abstract = end and _ABSTRACT.fullmatch(blocks[end].text)
    marked = list(blocks)
    for at in range(start, end) if start else ():
        item = blocks[at]
        if item.kind == "prose" and (_is_names(item.text) or (abstract and _is_short(item.text))):
            marked[at] = replace(item, kind="front")
        elif item.kind != "front":
            break
    return marked


def _is_short(text: str) -> bool:
    return len(text.split()) <= _FRONT_WORDS


def _is_names(text: str) -> bool:
    """Authors, or an affiliation: mostly capitalised words, and no sentence."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1]
    capitals = sum(word[0].isupper() for word in words)
    return _is_short(text) and not text.endswith((".", "?", "!", ":")) and 2 <= capitals > len(words) / 2


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


def hidden_warning(hidden: Iterable[Hidden]) -> tuple[PaperWarning, ...]:
    """One warning for all the text that nobody sees; none when there is no such text."""
    found = list(hidden)
    if not found:
        return ()
    reasons = ", ".join(sorted({item.reason for item in found}))
    return (PaperWarning("hidden_text", f"hidden text ({reasons}) was set aside and not read"),)
