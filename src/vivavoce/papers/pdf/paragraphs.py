"""Lines -> paragraphs: runs of lines that belong together by their place and their type.

Breaking too often is harmless: what breaks inside a sentence is joined again later (`flow`), over
columns, pages and whatever stands between. Joining what does not belong together is not, so every
doubt breaks.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vivavoce.papers.draft import REFERENCES
from vivavoce.papers.pdf.letters import compose
from vivavoce.papers.pdf.margins import PageLines
from vivavoce.papers.pdf.text import Cell, Line
from vivavoce.records import Kind

ENDS = re.compile(r"[.!?:;][\"'”’)\]]*(?:\s?\[?\d[\d,–-]*\]?)?$")
DISPLAY_TYPE = 12.5
"""Type of this size, in points, is set for titles and not for text."""
EQUATION = re.compile(r"=.*\(\d{1,2}[a-z]?\)$")
"""A line that is a numbered equation."""
BULLET = re.compile(r"^(?:[•●▪■◦‣∙·*–—-]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)")
NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,4}\.|[A-H]\.)\s*\|?\s+[A-Z“\"(]")
"""A heading that begins with its number."""
SUBNUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z]")
KNOWN = re.compile(
    r"^(?:\d{1,2}\.?\s*\|?\s*)?(?:abstract|summary|introduction|background|related works?|methods?|"
    r"methodology|materials? (?:and|&) methods?|methods? (?:and|&) materials?|"
    r"experimental(?: setup| design)?|experiments?|results?(?: and discussions?)?|discussions?|conclusions?|"
    r"(?:discussion|conclusions?) and .{3,40}|acknowledge?ments?|author(?:s?['’ ́]*s?)? contributions?|"
    r"contributions|funding|(?:data|code|software)(?:,? (?:and|&) (?:data|code|software|materials?))? "
    r"(?:availability|accessibility|archiving)(?: statement)?|availability of (?:data|code)[\w ]{0,40}|"
    r"(?:competing|conflicts?(?: of)?) interests?(?: statement)?|declarations?|ethics(?: statement)?|"
    r"keywords|key words|appendix(?: [a-z0-9])?|appendices|supplementary (?:materials?|information|data)|"
    r"supporting information|additional information|references|abbreviations|highlights|"
    r"publisher['’]s note|open practices|study area|limitations|future work|"
    r"implementation(?: details)?)\W*$",
    re.IGNORECASE,
)
"""The names that headings of papers have everywhere."""


@dataclass(slots=True)
class Paragraph:
    lines: list[Line]
    kind: Kind = "prose"
    x0: float = 0.0
    x1: float = 0.0
    size: float = 0.0
    """Of its longest line."""
    reading: str = ""
    """For a table's row: with its headers."""

    @classmethod
    def of(cls, line: Line) -> "Paragraph":
        return cls([line], "prose", line.x0, line.x1, line.size)

    def add(self, line: Line) -> None:
        if len(line.text) > len(self.lines[0].text):
            self.size = line.size
        self.lines.append(line)
        self.x0 = min(self.x0, line.x0)
        self.x1 = max(self.x1, line.x1)

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def length(self) -> int:
        return sum(len(line.text) for line in self.lines)


def paragraphs(pages: Iterable[PageLines]) -> list[Paragraph]:
    """The pages' lines, in their order, as paragraphs."""
    mended = [mend(page.lines) for page in pages]
    pitch = _pitch(mended)
    found: list[Paragraph] = []
    for lines in mended:
        current: Paragraph | None = None
        for line in lines:
            if current is not None and _continues(current, line, pitch):
                current.add(line)
            else:
                current = Paragraph.of(line)
                found.append(current)
    return found


def _pitch(pages: Iterable[Sequence[Line]]) -> float:
    """From line to line in most of the paper: manuscripts are set wide."""
    steps: Counter[float] = Counter()
    for lines in pages:
        for a, b in pairwise(lines):
            if 0 < b.base - a.base < 50 and len(b.text) > 30:
                steps[round(b.base - a.base)] += 1
    return steps.most_common(1)[0][0] if steps else 0.0


def mend(lines: Sequence[Line]) -> list[Line]:
    """Puts together what is one line on the page but several in the text layer, as around a
    superscript, and drops a line that is drawn twice in the same place."""
    mended: list[Line] = []
    drawn: set[tuple[str, int, int]] = set()
    for line in lines:
        spot = (line.text, round(line.x0 / 3), round(line.base / 3))
        if spot in drawn:
            continue
        drawn.add(spot)
        if mended and abs(mended[-1].base - line.base) < line.size and _same_line(mended[-1], line):
            mended[-1] = _put_together(mended[-1], line)
            if not line.text.isascii():
                compose(mended[-1])
        else:
            mended.append(line)
    return mended


def _same_line(a: Line, b: Line) -> bool:
    size = max(a.size, b.size)
    return abs(a.base - b.base) <= 0.5 * size and -0.4 * size <= b.x0 - a.x1 <= 0.95 * size


def _put_together(a: Line, b: Line) -> Line:
    """Two pieces of one line as one; a hyphen between them was a hyphen inside the line."""
    wide = b.spaced or b.x0 - a.x1 > 0.22 * max(a.size, b.size)
    gap = "-" if a.hyphen else " " if wide and not _citation(a, b) else ""
    at = a.end if a.hyphen else -1
    pieces = (
        *(a.pieces or ((a.char, a.text),)),
        *(((at, gap),) if gap else ()),
        *(b.pieces or ((b.char, b.text),)),
    )
    main = a if len(a.text) >= len(b.text) else b
    offset = len(a.text) + len(gap)
    return replace(
        main,
        char=a.char,
        text=a.text + gap + b.text,
        x0=a.x0,
        x1=max(a.x1, b.x1),
        hyphen=b.hyphen,
        spaced=a.spaced,
        raised=a.raised,
        cells=_cells(a, b, offset),
        label=a.label,
        pieces=pieces,
    )


def _citation(a: Line, b: Line) -> bool:
    """A raised number right behind a word or a full stop."""
    small = b.size < 0.85 * a.size and b.base < a.base - 0.15 * a.size and b.text[:1].isdigit()
    return (b.raised or small) and a.text[-1:] not in "=×·+-−–/("


def _cells(a: Line, b: Line, offset: int) -> tuple[Cell, ...]:
    if not a.cells and not b.cells:
        return ()
    left = a.cells or (Cell(0, len(a.text), a.x0, a.x1),)
    right = b.cells or (Cell(0, len(b.text), b.x0, b.x1),)
    shared = Cell(left[-1].start, right[0].end + offset, left[-1].x0, right[0].x1)
    rest = (Cell(c.start + offset, c.end + offset, c.x0, c.x1) for c in right[1:])
    return (*left[:-1], shared, *rest)


def _continues(paragraph: Paragraph, line: Line, pitch: float) -> bool:
    """Does the line belong to the paragraph above it?"""
    last = paragraph.lines[-1]
    size = max(last.size, line.size)
    down = line.base - last.base
    if not 0.3 * size < down <= max(1.9 * size, pitch + 1) or bool(line.cells) != bool(last.cells):
        return False
    much = 0.1 if size < DISPLAY_TYPE else 0.04  # a title and a journal's name may differ by little
    if abs(line.size - last.size) > much * size and abs(line.size - paragraph.size) > much * size:
        return False
    if len(paragraph.lines) > 1:
        lead = last.base - paragraph.lines[-2].base
        if down > 1.3 * lead + 0.5:
            return False
    if min(line.x1, paragraph.x1) - max(line.x0, paragraph.x0) <= 0 or line.x0 < paragraph.x0 - 2.6 * size:
        return False
    if _heading_above(paragraph, line):
        return False
    return not _new_paragraph(paragraph, line)


def _heading_above(paragraph: Paragraph, line: Line) -> bool:
    """Is the line the first below a heading, or a heading below text? A heading differs in type, and its
    last line does not fill the column: one that does is the first words of the paragraph, set in bold."""
    last = paragraph.last
    if len(paragraph.lines) == 1 and (KNOWN.match(last.text) or _is_references(last.text)):
        return True
    if NUMBERED.match(line.text) and NUMBERED.match(paragraph.first.text) and last.bold == line.bold:
        return paragraph.length < 100 and not ENDS.search(last.text)
    full = last.x1 > line.x1 - 1.5 * line.size
    if last.bold != line.bold:
        heading = paragraph.text if last.bold else line.text
        return len(heading) < 130 and not ENDS.search(heading) and not (last.bold and full)
    if last.hyphen or not line.text[:1].isupper() or len(paragraph.lines) > 2 or paragraph.length > 130:
        return False
    if NUMBERED.match(paragraph.first.text) and last.font != line.font and paragraph.first.font == last.font:
        return not (full and ENDS.search(last.text))
    if full or ENDS.search(last.text):
        return False
    alone = len(paragraph.lines) == 1 and last.font != line.font and last.x1 < line.x1 - 3 * line.size
    return bool(SUBNUMBERED.match(paragraph.first.text)) or (alone and last.text[:1].isupper())


def _is_references(text: str) -> bool:
    return len(text) < 40 and REFERENCES.fullmatch(text) is not None


def _new_paragraph(paragraph: Paragraph, line: Line) -> bool:
    last = paragraph.lines[-1]
    short = last.x1 < paragraph.x1 - 2.5 * last.size
    if line.text[0].islower() and not short:
        return False  # nearly every line
    ended = bool(ENDS.search(last.text)) and not last.hyphen
    if BULLET.match(line.text) and (ended or short):
        return True
    indent = line.x0 - paragraph.x0
    if ended and 0.8 * line.size < indent < 5 * line.size and len(paragraph.lines) > 1:
        return True
    if EQUATION.search(last.text) and last.x1 < line.x1 + last.size:
        return line.text[:1].isupper()
    return ended and short and len(paragraph.lines) > 1 and not line.text[:1].islower()
