"""Tables as lines that can be read alone: each row as it stands, and each row with its headers.

A row's text is what the paper shows, cell after cell, so that a quote can be found in it. A row's
reading says what every cell means: with a label in front when the first column has no header
("Batch size: Segmentation model 3; Leaf classifier 32"), else header by header ("Parameter: Learning
rate; Value: 0.001"). Header rows are rows of the paper too, with no reading.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

_NUMBER = re.compile(r"[^\w]*\d[\d.,:%×x±/()eE\s−–-]*%?")
_MOST_COLUMNS = 1000


class Cell(NamedTuple):
    """A cell as the file has it."""

    text: str
    columns: int = 1
    rows: int = 1
    header: bool = False


class Repeat(str):
    """A cell's text in a further place that it spans: part of the row's reading, not of its own text."""

    __slots__ = ()


def rows(
    header: Sequence[Sequence[str]], body: Sequence[Sequence[str]], caption: str = ""
) -> list[tuple[str, str]]:
    """(text, reading) of every row that is not empty, header rows first.

    With a `caption`, readings begin with it: for rows that will stand far from their table."""
    names = [_merged(column) for column in zip_longest(*header, fillvalue="")]
    lead = f"{_fold(caption)} | " if _fold(caption) else ""
    lines = [(_verbatim(row), "") for row in header]
    for row in body:
        reading = _reading(names, [_fold(cell) for cell in row])
        lines.append((_verbatim(row), lead + reading if reading else ""))
    return [line for line in lines if line[0]]


def grid(cells: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Rows of equal columns from cells that may span several.

    A cell that spans rows is repeated below; one that spans columns only if it is a header: in the
    body the same words under two headers would read as two values."""
    spilled: dict[tuple[int, int], str] = {}
    lines: list[list[str]] = []
    for y, row in enumerate(cells):
        line: list[str] = []
        for cell in row:
            _fill(line, spilled, y)
            x = len(line)
            width = max(1, min(cell.columns, _MOST_COLUMNS - x))
            beside = Repeat(cell.text) if cell.header else ""
            line += [cell.text, *([beside] * (width - 1))]
            for below in range(y + 1, min(y + cell.rows, len(cells))):
                spilled[below, x] = Repeat(cell.text)
                spilled.update({(below, x + step): beside for step in range(1, width)})
        _fill(line, spilled, y)
        lines.append(line)
    return lines


def header_rows(lines: Sequence[Sequence[str]]) -> int:
    """How many of the first rows look like headers, where the file does not say: 0 or 1."""
    if len(lines) < 2 or len(lines[0]) < 2:
        return 0
    first = [cell for cell in lines[0][1:] if not isinstance(cell, Repeat)]
    words = all(cell and not _NUMBER.fullmatch(cell) for cell in first)
    numbers = any(_NUMBER.fullmatch(cell) for line in lines[1:] for cell in line[1:])
    return int(words and bool(first) and (numbers or not lines[0][0]))


def _fill(line: list[str], spilled: dict[tuple[int, int], str], y: int) -> None:
    while (y, len(line)) in spilled:
        line.append(spilled.pop((y, len(line))))


def _fold(text: str) -> str:
    return " ".join(text.split())


def _verbatim(row: Sequence[str]) -> str:
    return " ".join(_fold(cell) for cell in row if cell.strip() and not isinstance(cell, Repeat))


def _merged(column: Sequence[str]) -> str:
    """A column's header over several rows: each different part once, from the top."""
    return " ".join(dict.fromkeys(filter(None, map(_fold, column))))


def _reading(names: Sequence[str], row: Sequence[str]) -> str:
    pairs = [(name, cell) for name, cell in zip_longest(names, row, fillvalue="") if cell]
    if not any(name for name, _ in pairs):
        return "; ".join(cell for _, cell in pairs) if len(pairs) > 1 else ""
    if not names[0] and row[0]:
        values = "; ".join(f"{name} {cell}".strip() for name, cell in pairs[1:])
        return f"{row[0]}: {values}"
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs)
