"""What OCR found on a page, put in reading order: columns one after the other, pieces of a line together.

A recogniser gives pieces of lines from top to bottom over the whole width of the page, each with a box
that is a little taller or lower as its letters are.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from vivavoce.papers.pdf.margins import MARGIN_BAND

WIDTH = 0.7
"""What the letters' average width has to say of their size; the rest is the height of the box."""
EVEN = 0.12
"""Sizes that differ by this share are one size."""
BESIDE = 6
"""Lines side by side that make two columns."""
LETTERS = 18
"""Typical letters in a line of a column; what has less is a table or a figure, and is read row by row."""


@dataclass(slots=True)
class Piece:
    """What the recogniser found in one box: a line, or a part of one. In points, with the tilt taken out."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    box: tuple[float, float, float, float]
    """Its letters on the page as it is: left, top, right, bottom."""


def even_sizes(pieces: Sequence[Piece]) -> None:
    """Gives pieces of about one size that size. A box's height depends on which letters are in it, so
    that the letters' average width has its say too."""
    long = [piece for piece in pieces if len(piece.text) >= 12]
    width = median((p.x1 - p.x0) / len(p.text) / p.size for p in long) if long else 1.0
    for piece in long:
        by_width = (piece.x1 - piece.x0) / len(piece.text) / width
        piece.size = piece.size ** (1 - WIDTH) * by_width**WIDTH
    left = list(pieces)
    while left:
        usual = _usual_size(left)
        for piece in left:
            if abs(piece.size - usual) <= EVEN * usual:
                piece.size = -round(usual * 2) / 2  # negative: settled
        left = [piece for piece in left if piece.size > 0]
    for piece in pieces:
        piece.size = abs(piece.size)


def _usual_size(pieces: Sequence[Piece]) -> float:
    """The size that most letters have, give or take."""
    letters: Counter[int] = Counter()
    for piece in pieces:
        letters[round(piece.size * 2)] += len(piece.text)
    most = letters.most_common(1)[0][0]
    return median(piece.size for piece in pieces if round(piece.size * 2) in (most - 1, most, most + 1))


def in_order(pieces: Sequence[Piece], height: float) -> list[list[Piece]]:
    """The page's lines in reading order, each as its pieces from left to right. Running head and foot
    stand apart from the text, and are lines of their own whatever columns are between them."""
    rows = _rows(pieces)
    top, end = 0, len(rows)
    while top < end - 1 and rows[top][0].base < MARGIN_BAND * height and _apart(rows[top], rows[top + 1]):
        top += 1
    while (
        end > top + 1 and rows[end - 1][0].base > (1 - MARGIN_BAND) * height and _apart(*rows[end - 2 : end])
    ):
        end -= 1
    between = [piece for row in rows[top:end] for piece in row]
    return [*rows[:top], *in_columns(between), *rows[end:]]


def _apart(upper: Sequence[Piece], lower: Sequence[Piece]) -> bool:
    return lower[0].base - upper[0].base > 1.8 * max(piece.size for piece in (*upper, *lower))


def in_columns(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Lines in reading order: what stands across the columns in its place, and between two such lines
    column by column."""
    gutter = find_gutter(pieces)
    if gutter is None:
        return _rows(pieces)
    across = sorted((p for p in pieces if p.x0 < gutter < p.x1), key=lambda p: p.base)
    bounds = [p.base for p in across]
    left: list[list[Piece]] = [[] for _ in range(len(across) + 1)]
    right: list[list[Piece]] = [[] for _ in range(len(across) + 1)]
    for piece in pieces:
        if not piece.x0 < gutter < piece.x1:
            side = left if piece.x1 <= gutter else right
            side[bisect(bounds, piece.base)].append(piece)
    ordered: list[list[Piece]] = []
    wide: list[Piece] = []
    for index, (before, behind) in enumerate(zip(left, right, strict=True)):
        if _beside(before, behind) < 2:  # parts of lines that stand across the columns
            wide += before + behind
        else:
            ordered += _rows(wide) + in_columns(before) + in_columns(behind)
            wide = []
        wide += across[index : index + 1]
    return ordered + _rows(wide)


def find_gutter(pieces: Sequence[Piece]) -> float | None:
    """Where the gap between two columns of text is, if there is one: the middle of the widest place that
    the fewest letters stand across."""
    if len(pieces) < 2 * BESIDE:
        return None
    first, last = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    best: tuple[int, float, float] | None = None
    low, high = first + 0.15 * (last - first), first + 0.85 * (last - first)
    edges = {low, high} | {x for p in pieces for x in (p.x0, p.x1) if low < x < high}
    for x0, x1 in pairwise(sorted(edges)):
        if x1 - x0 < 2:
            continue
        middle = (x0 + x1) / 2
        crossing = sum(len(p.text) for p in pieces if p.x0 < middle < p.x1)
        if best is None or (crossing, x0 - x1) < best[:2]:
            left, right = [p for p in pieces if p.x1 <= middle], [p for p in pieces if p.x0 >= middle]
            if _beside(left, right) >= BESIDE and min(_letters(left), _letters(right)) >= LETTERS:
                best = (crossing, x0 - x1, middle)
    return best[2] if best else None


def _letters(pieces: Sequence[Piece]) -> float:
    return median(len(piece.text) for piece in pieces) if pieces else 0.0


def _beside(left: Sequence[Piece], right: Sequence[Piece]) -> int:
    """How many pieces stand side by side with the other column's, the smaller number of the two sides."""
    if not left or not right:
        return 0
    top = max(min(p.base for p in left), min(p.base for p in right))
    bottom = min(max(p.base for p in left), max(p.base for p in right))
    return min(sum(top - p.size < p.base < bottom + p.size for p in side) for side in (left, right))


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces at one height as one line."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.base):
        if rows and piece.base - rows[-1][0].base < 0.45 * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.x0) for row in rows]
