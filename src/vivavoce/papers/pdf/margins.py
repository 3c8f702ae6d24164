"""What stands around the text of a page: running heads, page numbers, imprints, line numbers, margin text.

None of it belongs to a sentence, and all of it stands in the middle of one: between the last line of a
page and the first of the next. It is told by repeating itself, digits masked, at the upper or lower edge
of several pages; by standing sideways; or, for line numbers, by counting.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vivavoce.papers.pdf.text import Line

MARGIN_BAND = 0.115
"""The share of a page's height, above and below, in which running heads stand."""
DIGITS = re.compile(r"\d+")
NUMBER = re.compile(r"\W*(?:page\s*)?(?:\d{1,5}|[ivxl]{1,6})(?:\s*(?:of|/)\s*\d{1,5})?\W*", re.I)
NUMBERED_ENDS = re.compile(
    r"^(?:page\s*)?\d{1,5}\b[\s|·•–-]*(?=\D)|[\s|·•–-]*\b(?:page\s*)?\d{1,5}(?:\s*of\s*\d+)?$", re.I
)
LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")


FEW_FIFTHS = 4
"""Where every fifth line is numbered, a page has at least so many numbers."""
DEEP_BAND = 0.19
"""A line that is its page's first or last, in this share of its height, and the same on many pages in the
same place, is a running head, too."""
FEW_LINES = 6
"""On a page with fewer lines, the first and the last may be all there is."""
Numbered = tuple[Line, re.Match[str]]


@dataclass(slots=True)
class PageLines:
    """One page's lines, as they come and as they are kept."""

    number: int
    width: float
    height: float
    lines: list[Line]
    turned: bool = False
    """The lines do not stand on the page as it lies in the file: its text is sideways, or was read by OCR."""


def strip_margins(pages: Sequence[PageLines]) -> None:
    """Takes running heads, page numbers, line numbers and sideways text out of the pages."""
    for page in pages:
        page.lines = [line for line in page.lines if line.angle == 0]
        _strip_line_numbers(page)
    enough = 2 if len(pages) <= 6 else 3
    seen: dict[str, set[int]] = defaultdict(set)
    for page in pages:
        for line in _edges(page):
            seen[_mask(line)].add(page.number)
    repeated = {mask for mask, numbers in seen.items() if len(numbers) >= enough and mask}
    deep = _deep_heads(pages)
    shift = _page_number_shift(pages)
    for page in pages:
        drop = {
            id(line)
            for line in _edges(page)
            if _mask(line) in repeated
            or (NUMBER.fullmatch(line.text) and len(pages) > 1)
            or (shift is not None and page.number + shift in _outer_numbers(line))
        }
        drop |= {id(line) for line in _outermost(page) if _placed(line) in deep}
        page.lines = [line for line in page.lines if id(line) not in drop]


def _deep_heads(pages: Sequence[PageLines]) -> set[tuple[str, int]]:
    """Heads and feet that stand further inside of the page than most: told by their words and their place."""
    seen: dict[tuple[str, int], int] = defaultdict(int)
    for page in pages:
        for line in _outermost(page):
            seen[_placed(line)] += 1
    return {spot for spot, count in seen.items() if count >= max(3, 0.3 * len(pages))}


def _outermost(page: PageLines) -> list[Line]:
    """The first and the last line of a page, if they stand near its edges."""
    if len(page.lines) < FEW_LINES:
        return []
    ends = (min(page.lines, key=lambda line: line.base), max(page.lines, key=lambda line: line.base))
    low, high = page.height * DEEP_BAND, page.height * (1 - DEEP_BAND)
    return [line for line in ends if line.base < low or line.base > high]


def _placed(line: Line) -> tuple[str, int]:
    return _mask(line), round(line.base / 4)


def _page_number_shift(pages: Sequence[PageLines]) -> int | None:
    """How far the printed page numbers are from counting: 210 when the second page is 212. A running head
    that stands once in a short paper is told by the number it carries."""
    shifts: Counter[int] = Counter()
    for page in pages:
        shifts.update({number - page.number for line in _edges(page) for number in _outer_numbers(line)})
    shift, count = shifts.most_common(1)[0] if shifts else (0, 0)
    return shift if count >= max(2, 0.6 * len(pages)) else None


def _outer_numbers(line: Line) -> set[int]:
    """The numbers at the ends of a short line."""
    words = line.text.split() if len(line.text) < 120 else []
    return {int(word) for word in (words[:1] + words[-1:]) if word.isdecimal() and len(word) < 6}


def _edges(page: PageLines) -> list[Line]:
    low, high = page.height * MARGIN_BAND, page.height * (1 - MARGIN_BAND)
    return [line for line in page.lines if line.base < low or line.base > high]


def _mask(line: Line) -> str:
    """What a running head looks like on every page: without the page's number at either end, digits
    masked."""
    text = " ".join(line.text.split()).lower()
    if text[-1:].isdigit() or text[:1].isdigit() or text.startswith("page"):
        text = NUMBERED_ENDS.sub("", text)
    return DIGITS.sub("#", text)


def _every_fifth(page: PageLines, found: Sequence[Numbered]) -> list[Numbered]:
    """The numbers of every fifth line: multiples of five, which stand outside of the text."""
    fives = [(line, match) for line, match in found if int(match[1]) % 5 == 0]
    if len(fives) < FEW_FIFTHS or len(found) > 1.5 * len(fives):  # else they count entries of a list
        return []
    left = median(line.x0 for line in page.lines)
    right = median(line.x1 for line in page.lines)
    return [
        (line, match)
        for line, match in fives
        if line.x0 < left - line.size or (match.end() >= len(line.text) and line.x0 > right + 0.5 * line.size)
    ]


def _strip_line_numbers(page: PageLines) -> None:
    """Manuscripts number their lines: the numbers count up and stand before most lines."""
    found = [(line, match) for line in page.lines if (match := LINE_NUMBER.match(line.text))]
    left = 0.0
    if len(found) < 12 or len(found) < 0.4 * len(page.lines):
        found = _every_fifth(page, found)
        left = median(line.x0 for line in page.lines) if found else 0.0
    if not found:
        return
    numbers = [int(match[1]) for _, match in found]
    steps = Counter(b - a for a, b in pairwise(numbers))
    step, count = steps.most_common(1)[0]
    if step not in (1, 5) or count < 0.7 * (len(found) - 1):
        return
    kept: list[Line] = []
    numbered = {id(line): match for line, match in found}
    for line in page.lines:
        cut = numbered[id(line)].end() if id(line) in numbered else 0
        if cut >= len(line.text):
            continue
        if cut:
            line.x0 = max(line.x0, left)
            line.char += cut
            line.text = line.text[cut:]
            line.cells = ()
        kept.append(line)
    page.lines = kept
