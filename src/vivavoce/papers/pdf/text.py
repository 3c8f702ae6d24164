"""PDF pages -> lines of text with their places, in the order of the content stream.

pdfium gives a page's characters in the order in which they are drawn, which is the reading order of
every journal we measured; sorting by geometry was worse. This module cuts that stream into lines and
asks for a handful of places per line (never per character: that alone would cost more than everything
else together).

Indices: `Line.char` counts UTF-16 units of the page's text, as pdfium's "text index" does. Characters
outside the BMP take two; a filler keeps the positions in step.
"""

import ctypes
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from vivavoce.papers.pdf import pdfium_calls

HYPHEN = "\ufffe"
"""pdfium's sign for a hyphen at a line's end, with the line break swallowed; now and then a hyphen
inside a line."""

FILLER = "\u200b"
"""Stands for the second UTF-16 unit of a character outside the BMP; cleaned away later."""

LINE = re.compile(r"[^\S\r\n]*([^\s\ufffe\x00](?:[^\r\n\ufffe\x00]*[^\s\ufffe\x00])?)[^\S\r\n]*(\ufffe?)")
LABEL = re.compile(r"(?:fig|tab|scheme|box|algorithm|supplementary|extended)", re.I)
NUMBER_AFTER_STOP = re.compile(
    r"(?:(?<=[\w)\]”’?][.!?])|(?<=[.!?][”’)])) (?=\d{1,3}(?:[,–-]\d{1,3})*(?:\s|$))"
)
WORD = re.compile(r"\S+")
DIGIT = re.compile(r"\d")
ASTRAL = re.compile(r"[\U00010000-\U0010ffff]")


LOOSE = 0.56
"""Average width of a character, in font sizes, from which a line may have gaps in it. Running text has
0.4 to 0.52."""

MISSIZED = (0.25, 2.2)
"""Font sizes, as shares of a letter's height, between which a font's size says how large its letters are.
Fonts of drawings (Type 3) have units of their own: letters of 10 points may be set in a size of 0.24, or of
100. The fonts of ordinary text have 0.6 to 1.2."""

GAP = 0.9
"""A gap this wide, in font sizes, divides two cells of a table; the spaces of justified text stay below."""


class Cell(NamedTuple):
    """A part of a line between wide gaps."""

    start: int
    """Span in the line's text."""
    end: int
    x0: float
    x1: float


@dataclass(slots=True)
class Line:
    """One line of text, or the part of it between two jumps of the pen."""

    page: int
    char: int
    """UTF-16 index of its first character on the page."""
    text: str
    """As in the text layer, character for character."""
    x0: float
    x1: float
    base: float
    """Height of the baseline, in points from the top of the page."""
    size: float
    """Font size as seen on the page, in points."""
    font: str
    angle: int
    """0 when upright (rounded to quarter turns, 1 to 3)."""
    hyphen: bool = False
    """The line ends with a hyphen that pdfium has swallowed together with the line break."""
    spaced: bool = False
    """A space stands before it in the text layer."""
    raised: bool = False
    """It begins with a raised number, as of a citation: that belongs to the word before."""
    cells: tuple[Cell, ...] = ()
    """Its parts where wide gaps divide it, as in a table; empty when it has none."""
    label: str = ""
    """The font of its first letter, where that is a figure's or table's label."""
    pieces: tuple[tuple[int, str], ...] = ()
    """Where the line was put together: (first character, text) of each piece, -1 for a space between."""

    @property
    def top(self) -> float:
        return self.base - 0.75 * self.size

    @property
    def bottom(self) -> float:
        return self.base + 0.25 * self.size

    @property
    def bold(self) -> bool:
        return "bold" in self.font or "heavy" in self.font or "black" in self.font

    @property
    def end(self) -> int:
        return self.char + len(self.text)


class Spot(NamedTuple):
    """A line before it is measured: its text, and the characters to measure it by."""

    start: int
    """UTF-16 index of its first character."""
    text: str
    hyphen: bool
    spaced: bool
    digits: bool
    """It has some: then there may be raised or lowered ones."""
    first: int
    """pdfium's index of its first character, of one in its own type, and of its last."""
    middle: int
    last: int


Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom, in the PDF's own units (y upwards)."""
Point = tuple[float, float]


class PageText:
    """One page's text layer. Close it when done: pdfium's memory is not Python's."""

    def __init__(self, document: pdfium.PdfDocument, index: int, fonts: dict[int | None, str]) -> None:
        self.number = index + 1
        self.page = document[index]
        self.textpage = self.page.get_textpage()
        self.handle = pdfium_calls.address(self.textpage.raw)
        self.width, self.height = self.page.get_size()
        self.left, self.bottom, self.right, self.top = self.page.get_bbox()
        self.rotation = self.page.get_rotation() // 90
        self.fonts = fonts
        self.count = self.textpage.count_chars()
        self.text = _text(self.handle, self.count)
        self.aligned = len(self.text) == self.count

    def close(self) -> None:
        self.textpage.close()
        self.page.close()

    def char_index(self, text_index: int) -> int:
        """pdfium's character index of a text index: they differ where a page has control characters."""
        if self.aligned:
            return text_index
        return int(pdfium_calls.char_index(self.handle, text_index))

    def lines(self, turn: int = 0) -> list[Line]:
        """The page's lines. `turn` reads the page as if it were turned by so many quarters clockwise,
        on top of its own rotation: for pages whose text stands sideways."""
        turn = (turn + self.rotation) % 4
        spots = list(self.spots())
        middles = [spot.middle for spot in spots]
        boxes = pdfium_calls.boxes(self.handle, [spot.first for spot in spots])
        ends = pdfium_calls.boxes(self.handle, [spot.last for spot in spots])
        matrices = pdfium_calls.matrices(self.handle, middles)
        origins = pdfium_calls.origins(self.handle, middles)
        sizes = map(pdfium_calls.char_size, repeat(self.handle), middles)
        fonts = self.names(middles)
        self.missized: list[tuple[Line, float]] = []
        lines = list(map(self.line, spots, boxes, ends, matrices, origins, sizes, fonts, repeat(turn)))
        if self.missized:
            _resize(self.missized)
        return lines

    def spots(self) -> Iterator[Spot]:
        """Where the lines begin and end in the page's text."""
        for match in LINE.finditer(self.text):
            stripped = match[1]
            start = match.start(1)
            first, last = start, match.end(1) - 1
            if not self.aligned:
                first, last = self.char_index(first), self.char_index(last)
                if first < 0 or last < 0:
                    continue
            digits = DIGIT.search(stripped) is not None
            middle = self.typical(start, stripped) if digits else self.char_index(start + _half(stripped))
            yield Spot(start, stripped, bool(match[2]), match.start() < start, digits, first, middle, last)

    def line(
        self,
        spot: Spot,
        box: Rectangle,
        end: Rectangle,
        matrix: Sequence[float],
        pen: Point,
        size: float,
        font: str,
        turn: int,
    ) -> Line:
        """A line from where its first, middle and last character stand."""
        text, first = spot.text, spot.first
        if turn == 0:
            x0, x1 = box[0] - self.left, max(box[2], end[2]) - self.left
        else:
            x0, x1 = self.across(box, turn)[0], max(self.across(box, turn)[1], self.across(end, turn)[1])
        a, b, _, d, _, _ = matrix
        upright = a > 0 and abs(b) < a
        angle = (0 if upright else _quarter(a, b)) - turn & 3
        size *= max(abs(b), abs(d))
        height, foot = box[1] - box[3], box[3]
        if size < 0.72 * height and angle == turn == 0:  # smaller by its matrix, not by its font size
            [(_, b, _, d, *_)], [pen] = (
                pdfium_calls.matrices(self.handle, [first]),
                pdfium_calls.origins(self.handle, [first]),
            )
            size = max(size, pdfium_calls.char_size(self.handle, first) * max(abs(b), abs(d)))
        base = self.top - pen[1] if turn == 0 else self.down(*pen, turn)
        line = Line(self.number, spot.start, text, x0, x1, base, size, font, angle, spot.hyphen, spot.spaced)
        if spot.digits:
            if angle == turn == 0 and text[0].isdigit():
                line.raised = foot > pen[1] + 0.02 * size and height < 0.95 * size
            if LABEL.match(text):
                (line.label,) = self.names([first])
            if NUMBER_AFTER_STOP.search(text):
                self.attach_citations(line)
        if angle == turn == 0 and not MISSIZED[0] * height <= size <= MISSIZED[1] * height and height > 2:
            self.missized.append((line, height))
        elif angle == 0 and x1 - x0 > LOOSE * size * len(text) and not line.pieces:
            line.cells = self.cells(line, turn)
        return line

    def typical(self, start: int, text: str) -> int:
        """The index of a character in the line's own type: of two places, that with the larger letters,
        since one may fall on a raised or lowered number."""
        best, largest = -1, 0.0
        for share in (2, 3):
            char = self.char_index(start + _half(text[: 2 * len(text) // share]))
            size = pdfium_calls.char_size(self.handle, char) if char >= 0 else 0.0
            if size > 1.02 * largest:
                best, largest = char, size
        return best if best >= 0 else self.char_index(start)

    def attach_citations(self, line: Line) -> None:
        """Takes out the space between a full stop and the raised number of a citation, so that the number
        stays with the sentence it belongs to."""
        pieces: list[tuple[int, str]] = []
        done = 0
        for match in NUMBER_AFTER_STOP.finditer(line.text):
            char = self.char_index(line.char + match.end())
            if char >= 0 and pdfium_calls.char_size(self.handle, char) < 0.85 * pdfium_calls.char_size(
                self.handle, self.char_index(line.char + match.start() - 1)
            ):
                pieces.append((line.char + done, line.text[done : match.start()]))
                done = match.end()
        if pieces:
            line.pieces = (*pieces, (line.char + done, line.text[done:]))
            line.text = "".join(text for _, text in line.pieces)

    def across(self, box: Rectangle, turn: int) -> tuple[float, float]:
        """The left and right edge of a rectangle on the page as it is looked at."""
        left, top, right, bottom = box
        if turn == 0:
            return left - self.left, right - self.left
        if turn == 1:
            return bottom - self.bottom, top - self.bottom
        if turn == 2:
            return self.right - right, self.right - left
        return self.top - top, self.top - bottom

    def down(self, x: float, y: float, turn: int) -> float:
        """How far a point is from the upper edge of the page as it is looked at."""
        return float(
            self.top - y if turn == 0 else (x - self.left, y - self.bottom, self.right - x)[turn - 1]
        )

    def seen(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """A rectangle in the PDF's own units -> left, top, right, bottom on the page as it is looked at."""
        left, right = self.across((x0, y1, x1, y0), self.rotation)
        ends = self.down(x0, y0, self.rotation), self.down(x1, y1, self.rotation)
        return left, min(ends), right, max(ends)

    def angle(self, char: int) -> int:
        """How many quarter turns, anticlockwise, a character has on the page as it is looked at."""
        [(a, b, *_)] = pdfium_calls.matrices(self.handle, [char])
        return (_quarter(a, b) if a or b else 0) - int(self.rotation) & 3

    def words(self, line: Line, turn: int = 0) -> list[Cell]:
        """The line's words with their places; none where the line was put together from pieces."""
        spans = [match.span() for match in WORD.finditer(line.text)] if not line.pieces else []
        chars = [self.char_index(line.char + at) for start, end in spans for at in (start, end - 1)]
        if not chars or min(chars) < 0:
            return []
        edges = [self.across(box, turn) for box in pdfium_calls.boxes(self.handle, chars)]
        return [
            Cell(start, end, x0, x1)
            for (start, end), (x0, _), (_, x1) in zip(spans, edges[::2], edges[1::2], strict=True)
        ]

    def cells(self, line: Line, turn: int) -> tuple[Cell, ...]:
        """The line's parts between gaps, if it has gaps."""
        found: list[Cell] = []
        for word in self.words(line, turn):
            if found and word.x0 - found[-1].x1 <= GAP * line.size:
                found[-1] = Cell(found[-1].start, word.end, found[-1].x0, word.x1)
            else:
                found.append(word)
        return tuple(found) if len(found) > 1 else ()

    def names(self, chars: Sequence[int]) -> list[str]:
        """The lower-case names of the characters' fonts."""
        objects = map(pdfium_calls.char_object, repeat(self.handle), chars)
        fonts = list(map(pdfium_calls.text_object_font, objects))
        for font in set(fonts).difference(self.fonts):
            self.fonts[font] = font_name(font)
        return [self.fonts[font] for font in fonts]


def _resize(missized: list[tuple[Line, float]]) -> None:
    """Gives lines of fonts with units of their own the size of their tallest letters."""
    tallest: dict[tuple[str, float], float] = {}
    for line, height in missized:
        key = line.font, round(line.size, 3)
        tallest[key] = max(tallest.get(key, 0.0), height)
    for line, height in missized:
        size = tallest[line.font, round(line.size, 3)]
        line.size = size if size < 2 * height else height


def font_name(font: int | None) -> str:
    """The font's name in small letters."""
    if not font:
        return ""
    handle = ctypes.cast(font, raw.FPDF_FONT)
    length = raw.FPDFFont_GetBaseFontName(handle, None, 0)
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFFont_GetBaseFontName(handle, buffer, length)
    return buffer.value.decode("utf-8", "replace").lower()


def _text(page: int, count: int) -> str:
    """The page's text with one Python character for each UTF-16 unit."""
    text = pdfium_calls.text(page, count) if count > 0 else ""
    return text if len(text) == count else ASTRAL.sub(_narrow, text)


def _narrow(match: re.Match[str]) -> str:
    """A mathematical letter as the plain letter it stands for, and a filler for its second unit."""
    plain = unicodedata.normalize("NFKC", match[0])
    return (plain if len(plain) == 1 and ord(plain) < 0x10000 else "\ufffd") + FILLER


def _half(text: str) -> int:
    """The offset of a letter in the middle."""
    offset = len(text) // 2
    while offset and text[offset].isspace():
        offset -= 1
    return offset


def _quarter(a: float, b: float) -> int:
    """How many quarter turns, anticlockwise, text is turned by a matrix that begins with a and b."""
    if abs(b) > abs(a):
        return 1 if b > 0 else 3
    return 0 if a > 0 else 2
