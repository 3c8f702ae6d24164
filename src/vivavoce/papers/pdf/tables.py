"""The lines of a table -> its rows, each readable with its header.

Cells are parts of lines between wide gaps; lines at one height are one row, whatever their order in
the text layer. Columns are where the cells of the fullest rows stand; the header is what comes before the
first row of numbers.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vivavoce.papers.pdf.paragraphs import Paragraph
from vivavoce.papers.pdf.text import Cell, Line
from vivavoce.papers.tables import rows as read_rows

NUMBER = re.compile(r"[\s<>≤≥~±+−–(-]*\d")
HEADER_ROWS = 5
REACH = 4.0
"""Points by which a cell must stand in a column to belong to it too."""

Words = Callable[[Line], Sequence[Cell]]
"""Gives a line's words with their places; the page is asked again for that, since few lines need it."""


@dataclass(slots=True)
class Row:
    lines: list[Line]
    cells: list[tuple[Cell, str]]
    """Left to right, with their text."""

    @property
    def numbers(self) -> int:
        return sum(1 for _, text in self.cells[1:] if NUMBER.match(text))


def table_rows(paragraphs: Sequence[Paragraph], words_of: Words) -> list[Paragraph]:
    """The paragraphs of one table as paragraphs of kind `table`, a row each."""
    found: list[Paragraph] = []
    by_page: dict[int, list[Line]] = {}
    for paragraph in paragraphs:
        for line in paragraph.lines:
            by_page.setdefault(line.page, []).append(line)
    header: list[Row] = []
    for lines in by_page.values():
        rows = _rows(lines)
        columns = _columns(rows)
        count = _header(rows)
        for row in rows[count:]:
            row.cells = [
                part
                for line in row.lines
                for cell in (line.cells or (_whole(line),))
                for part in _parts(cell, line, columns, words_of)
            ]
        header = rows[:count] or header
        readings = _readings(header, rows[count:], columns)
        for row, reading in zip(rows, [""] * count + readings, strict=True):
            found.append(Paragraph([_line(row)], "table", row.cells[0][0].x0, row.cells[-1][0].x1,
                                   row.lines[0].size, reading))  # fmt: skip
    return found


def _rows(lines: Sequence[Line]) -> list[Row]:
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: (line.base, line.x0)):
        if rows and abs(rows[-1].lines[0].base - line.base) < 0.45 * line.size:
            rows[-1].lines.append(line)
        else:
            rows.append(Row([line], []))
    for row in rows:
        row.lines.sort(key=lambda line: line.x0)
        row.cells = [
            (cell, line.text[cell.start : cell.end])
            for line in row.lines
            for cell in (line.cells or (_whole(line),))
        ]
    return rows


def _whole(line: Line) -> Cell:
    return Cell(0, len(line.text), line.x0, line.x1)


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Where the columns stand: the cells of the fullest rows, overlapping ones as one."""
    most = max((len(row.cells) for row in rows), default=0)
    spans = sorted(
        (cell.x0, cell.x1) for row in rows if len(row.cells) >= 0.7 * most for cell, _ in row.cells
    )
    columns: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if columns and x0 < columns[-1][1] - 1:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _parts(
    cell: Cell, line: Line, columns: Sequence[tuple[float, float]], words_of: Words
) -> list[tuple[Cell, str]]:
    """A cell that reaches over two columns is two, with a gap too narrow to be seen as one: its words
    are put where they stand."""
    whole = [(cell, line.text[cell.start : cell.end])]
    if sum(min(cell.x1, x1) - max(cell.x0, x0) > REACH for x0, x1 in columns) < 2:
        return whole
    parts: list[tuple[int, Cell]] = []
    for word in words_of(line):
        if not cell.start <= word.start < cell.end:
            continue
        column = max(range(len(columns)), key=lambda index: _overlap(word, columns[index]))
        if parts and parts[-1][0] == column:
            before = parts[-1][1]
            parts[-1] = (column, Cell(before.start, word.end, before.x0, word.x1))
        else:
            parts.append((column, word))
    return [(part, line.text[part.start : part.end]) for _, part in parts] or whole


def _overlap(cell: Cell, column: tuple[float, float]) -> float:
    """How much of the cell stands in the column; less than nothing when it stands apart."""
    return min(cell.x1, column[1]) - max(cell.x0, column[0])


def _header(rows: Sequence[Row]) -> int:
    """How many rows at the top are headers."""
    for index, row in enumerate(rows[: HEADER_ROWS + 1]):
        if row.numbers * 2 >= max(1, len(row.cells) - 1) and len(row.cells) > 1:
            return index
    return 1 if len(rows) > 1 and len(rows[0].cells) > 1 else 0


def _readings(
    header: Sequence[Row], body: Sequence[Row], columns: Sequence[tuple[float, float]]
) -> list[str]:
    if not columns:
        return [""] * len(body)
    top = [_placed(row, columns, spread=True) for row in header]
    return [reading for _, reading in read_rows(top, [_placed(row, columns) for row in body])[len(top) :]]


def _placed(row: Row, columns: Sequence[tuple[float, float]], spread: bool = False) -> list[str]:
    """The row's cells in their columns; a header above several columns stands above each of them."""
    placed = [""] * len(columns)
    for cell, text in row.cells:
        overlaps = [_overlap(cell, column) for column in columns]
        under = [i for i, overlap in enumerate(overlaps) if overlap > 0] if spread else []
        for index in under or [max(range(len(columns)), key=overlaps.__getitem__)]:
            placed[index] = f"{placed[index]} {text}".strip()
    return placed


def _line(row: Row) -> Line:
    """The row as one line, its parts left to right."""
    if len(row.lines) == 1:
        return row.lines[0]
    pieces: list[tuple[int, str]] = []
    for line in row.lines:
        if pieces:
            pieces.append((-1, " "))
        pieces.extend(line.pieces or ((line.char, line.text),))
    first, last = row.lines[0], row.lines[-1]
    text = "".join(text for _, text in pieces)
    return replace(first, text=text, x1=last.x1, hyphen=last.hyphen, cells=(), pieces=tuple(pieces))
