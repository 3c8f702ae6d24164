"""Sheets of a workbook, written row by row, with texts that Excel can hold and never runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

from vivavoce.errors import InputError

TEXT_LIMIT = 32_767
"""What a cell can hold, in UTF-16 code units, as Excel counts."""
ROW_LIMIT = 1_048_576
COMMENT_LIMIT = 1_000

WRAPPED = Alignment(vertical="top", wrap_text=True)

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Text:
    """A value with how it looks."""

    value: Value
    font: Font | None = None
    fill: PatternFill | None = None
    comment: str = ""
    number_format: str = ""
    wrapped: bool = False


class Sheet:
    """A sheet that grows row by row."""

    def __init__(self, book: Workbook, name: str, freeze: str | None, widths: Sequence[int]) -> None:
        # What the library calls a write-only sheet has no type of its own in its stubs.
        self._sheet: Any = book.create_sheet(name)
        self.name = name
        self.rows = 0
        self._sheet.freeze_panes = freeze
        for number, width in enumerate(widths, 1):
            self._sheet.column_dimensions[get_column_letter(number)].width = width

    def add(self, row: Sequence[Value | Text], height: int = 0) -> None:
        self.rows += 1
        if self.rows > ROW_LIMIT:
            raise InputError(
                f"the sheet {self.name} would have more rows than Excel can hold ({ROW_LIMIT:,}); export to "
                ".csv or .jsonl instead."
            )
        if height:
            self._sheet.row_dimensions[self.rows].height = height
        self._sheet.append([self._cell(v if isinstance(v, Text) else Text(v)) for v in row])
        if height:  # written; a large study would gather them
            del self._sheet.row_dimensions[self.rows]

    def add_all(self, many: Iterable[Sequence[Value]]) -> None:
        for row in many:
            self.add(row)

    def filter(self, columns: int) -> None:
        """Lets people filter by every column."""
        self._sheet.auto_filter.ref = f"A1:{get_column_letter(columns)}{self.rows}"

    def _cell(self, text: Text) -> Any:
        if text.value is None or text.value == "":
            return None
        if isinstance(text.value, str):
            cell = WriteOnlyCell(self._sheet, value=shortened(text.value, TEXT_LIMIT))
            cell.data_type = "s"  # never a formula, nor an error such as #N/A
        else:
            cell = WriteOnlyCell(self._sheet, value=text.value)
        if text.wrapped:
            cell.alignment = WRAPPED
        if text.font:
            cell.font = text.font
        if text.fill:
            cell.fill = text.fill
        if text.number_format:
            cell.number_format = text.number_format
        if text.comment:
            cell.comment = _comment(text.comment)
        return cell


def shortened(text: str, most: int) -> str:
    """At most so many UTF-16 code units; where something was cut off, an ellipsis ends it."""
    units = text.encode("utf-16-le")
    if len(units) <= 2 * most:
        return text
    return units[: 2 * (most - 1)].decode("utf-16-le", "ignore") + "…"


def _comment(text: str) -> Comment:
    shown = shortened(text, COMMENT_LIMIT)
    lines = sum(ceil(max(1, len(line)) / 55) for line in shown.split("\n"))
    return Comment(shown, "vivavoce", width=380, height=20 + 17 * min(lines, 22))
