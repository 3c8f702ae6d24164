"""Plain text, such as `pdftotext` writes it -> `Draft`.

Paragraphs end at blank lines, pages at form feeds. Lines are joined, and words broken at their ends made
whole (`papers.hyphens`); a paragraph that a page break cuts in a sentence goes on over it. A short line
that stands like a heading and looks like one is a heading. A file may also be the prompt of a retrieval
pipeline with a model's reply behind it: then only the retrieved context is the paper's.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vivavoce.papers.blocks import Block, Run
from vivavoce.papers.cleaning import clean, decode, unscramble
from vivavoce.papers.draft import NO_TEXT, REFERENCES, Draft, find_doi
from vivavoce.papers.hyphens import join, vocabulary
from vivavoce.records import Kind, Page, PaperWarning

PROMPT = PaperWarning(
    "retrieved_pieces",
    "the file is a prompt with retrieved pieces of a paper, not the whole paper: "
    "only those pieces were read, not the question and the model's answer",
)

_FRAME = re.compile(
    r"\s*Use the following pieces of context to answer the (?:user's )?question.*?\n[ \t]*\n", re.DOTALL
)
_QUESTION = re.compile(r"^[ \t]*Question:[ \t]*(%INSTRUCTIONS)?", re.MULTILINE)
_ANSWER = re.compile(r"^[ \t]*Helpful Answer:", re.MULTILINE)
_NAMES = re.compile(
    r"""(?:[\dIVX]+(?:\.\d+)*\.?\s+)? (?:
    abstract | summary | highlights | introduction | background | related\ works? | preliminaries
    | (?:materials?|data|subjects?)\ and\ methods? | methods?(?:\ and\ materials?)? | methodology
    | experiments? | experimental\ (?:setup|design|settings?) | implementation\ details
    | results?(?:\ and\ discussions?)? | discussions?(?:\ and\ conclusions?)? | conclusions? | limitations
    | (?:data|code|software|resource)(?:\ and\ (?:data|code|software|materials?))?
      \ (?:availability|accessibility)(?:\ statement)?
    | availability\ of\ (?:data|code)[\w ]* | acknowledge?ments? | funding | author\ contributions?
    | ethics\ (?:statement|declarations?) | (?:competing|conflicts?\ of)\ interests?
    | supplementary\ (?:materials?|information|data) | appendi(?:x|ces)(?:\ [A-Z\d])? | nomenclature
    ) \s*[:.]?""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.|[A-H]\.(?:\d\.?)*)\s+[A-Z][^.!?;]*[^.!?;:,\s]"
)
_CAPITALS = re.compile(r"(?:[\dIVX]+(?:\.\d+)*\.?\s+)?[^\W\d_a-z][^\d_a-z.,;]*")
_ITEM = re.compile(r"\s*(?:[•▪●■◦○‣⁃*\ue000-\uf8ff]|[-–](?=\s+[^\W\d]))\s*\S")
_ENTRY = re.compile(r"\s*(?:\[\d{1,3}\]|\d{1,3}\.)\s+\S")
_AUTHOR = re.compile(r"\s*[^\W\d_a-z][\w'’-]+(?: [A-Z][\w'’-]+)?,? (?:[A-Z]\.|[A-Z]{1,2}[,.])")
_BROKEN = re.compile(r"(?:\S*[^\w-])?([^\W_]+(?:-[^\W_]+)*)-")
_NUMBER = re.compile(r"\A\s*\d{1,4}[ \t]*\n|\n[ \t]*\d{1,4}\s*\Z")
"""A page's number, alone on its first or last line."""
_LONGEST_WORD = 200
"""Characters of a line's end, or its beginning, that are looked at as a word."""
_BEGINNING = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_OPEN_END = re.compile(r".*[^.!?:;\"”»)\]\s]\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A paragraph or heading as it stands on one page."""

    kind: Kind
    page: int
    text: str


def read(data: bytes) -> Draft:
    """The paper in a text file."""
    text = unscramble(decode(data)).replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"\u00ad[ \t]*\n[ \t]*", "", text)
    paper = _context(text)
    warnings = () if paper is None else (PROMPT,)
    if paper is None:
        paper = text
    words = vocabulary(paper)
    sheets = paper.rstrip("\f\n ").split("\f")
    if len(sheets) > 1:
        sheets = [_NUMBER.sub("", sheet) for sheet in sheets]
    pieces = list(_pieces(sheets, words))
    title = "" if warnings else _title(pieces)
    if title:
        pieces[0] = replace(pieces[0], kind="title")
    blocks = tuple(_blocks(pieces, words))
    return Draft(
        format="text",
        blocks=blocks,
        title=title,
        doi=find_doi(" ".join(piece.text for piece in pieces if piece.kind != "reference")[:5000]),
        pages=tuple(Page(number, 0, 0) for number in range(1, len(sheets) + 1)),
        unreadable="" if blocks else NO_TEXT,
        warnings=warnings,
    )


def _context(text: str) -> str | None:
    """The retrieved context in a prompt; None if the text is no prompt."""
    frame = _FRAME.match(text)
    if not frame:
        return None
    answer = _ANSWER.search(text, frame.end())
    questions = list(_QUESTION.finditer(text, frame.end(), answer.start() if answer else len(text)))
    end = next((found for found in questions if found[1]), questions[-1] if questions else answer)
    return text[frame.end() : end.start()] if end else text[frame.end() :]


def _pieces(sheets: Iterable[str], words: Mapping[str, int]) -> Iterator[_Piece]:
    """The paragraphs and headings of all pages. Entries of lists begin paragraphs."""
    kind: Kind = "prose"
    for page, sheet in enumerate(sheets, 1):
        lines = sheet.split("\n")
        paragraph: list[str] = []
        for at, line in enumerate(lines):
            before = lines[at - 1].rstrip() if at else ""
            after = lines[at + 1].strip() if at + 1 < len(lines) else ""
            heading = _is_heading(line.strip(), before, after, kind)
            if paragraph and (heading or not line.strip() or _is_entry(line, before, kind)):
                yield _Piece(kind, page, _joined(paragraph, words))
                paragraph = []
            if heading:
                yield _Piece("heading", page, clean(line))
                kind = "reference" if REFERENCES.fullmatch(line.strip()) else "prose"
            elif line.strip():
                paragraph.append(line)
        if paragraph:
            yield _Piece(kind, page, _joined(paragraph, words))


def _is_entry(line: str, before: str, kind: Kind) -> bool:
    """Whether a line begins an entry: of a list in the text, or of the list of references."""
    if kind != "reference":
        return bool(_ITEM.match(line) or (_ENTRY.match(line) and before.endswith((".", ";", ":"))))
    return bool(_ENTRY.match(line) or (_AUTHOR.match(line) and before[-1:] in ".)/0123456789"))


def _is_heading(line: str, before: str, after: str, kind: Kind) -> bool:
    if not 3 < len(line) <= 100 or (before.strip() and not before.endswith((".", "!", "?", ":"))):
        return False
    if _NAMES.fullmatch(line) or REFERENCES.fullmatch(line):
        return True
    if len(line.split()) > 12 or after[:1].islower():
        return False
    if _NUMBERED.fullmatch(line):
        return kind != "reference" and not _ENTRY.match(after) and not _ENTRY.match(before)
    alone = not before.strip() and (not after or not _CAPITALS.fullmatch(after))
    long = any(len(word) > 4 for word in line.split()) or len(line.replace(" ", "")) > 7
    return alone and long and _CAPITALS.fullmatch(line) is not None


def _joined(lines: Iterable[str], words: Mapping[str, int]) -> str:
    """Lines as one, with single spaces and whole words."""
    parts: list[str] = []
    for line in filter(None, map(clean, lines)):
        if parts:
            parts[-1] = _over_end(parts[-1], line, words)
        parts.append(line)
    return "".join(parts)


def _over_end(text: str, following: str, words: Mapping[str, int]) -> str:
    """The text up to a line's end, such that the following line can be put right behind it."""
    token = text[-_LONGEST_WORD:].rpartition(" ")[2]
    start = _BEGINNING.match(following, 0, _LONGEST_WORD)
    broken = _BROKEN.fullmatch(token) if start else None
    if not broken or not start:
        return text + " "
    if "://" in token or "www." in token:
        return text
    if start[0] in ("and", "or"):
        return text + " "  # pre- and post-processing
    return text[:-1] + join(broken[1], start[0], words)


def _title(pieces: list[_Piece]) -> str:
    """The first paragraph, if it looks like a title."""
    if len(pieces) < 2:
        return ""
    text = pieces[0].text
    if _NAMES.fullmatch(text) or not text[:1].isupper() or text.endswith((".", ",", ";", ":", "-")):
        return ""
    unlike = ". " in text or "@" in text or find_doi(text)
    return text if 3 <= len(text.split()) <= 30 and not unlike else ""


def _blocks(pieces: list[_Piece], words: Mapping[str, int]) -> Iterator[Block]:
    """Pieces as blocks, with paragraphs that go on over a page's end put together."""
    runs: list[Run] = []
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        if after is not None and _goes_on(piece, after):
            runs.append(Run(_over_end(piece.text, after.text, words), piece.page))
            continue
        yield Block(piece.kind, (*runs, Run(piece.text, piece.page)))
        runs = []


def _goes_on(piece: _Piece, after: _Piece) -> bool:
    same = piece.kind == after.kind and piece.kind in ("prose", "reference")
    return (
        same
        and piece.page < after.page
        and after.text[:1].islower()
        and bool(_OPEN_END.fullmatch(piece.text))
    )
