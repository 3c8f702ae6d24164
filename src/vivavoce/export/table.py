"""The answers as CSV, for spreadsheets and statistics. `results.rows` makes the rows.

A paper, or a model that has read it, can put a formula into an answer (`=HYPERLINK(...)`), which a
spreadsheet would run when the file is opened. A text that a spreadsheet could take for a formula gets an
apostrophe in front.
"""

import csv
import re
from io import TextIOWrapper
from typing import BinaryIO

from vivavoce.results.cells import Results
from vivavoce.results.rows import COLUMNS, ResultRow, rows

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
"""What XML can't hold, and what makes some readers of CSV stop."""
_FORMULA = re.compile(r"""\s*[\t\n]|[\s"'‘’“”`\ufeff]*[=+\-@＝＋－＠]""")
"""At the start of a text: a tab or a line's end; or what begins a formula, after white space and quotation
marks that a spreadsheet may take off."""


def safe_row(row: ResultRow) -> ResultRow:
    """The row as a spreadsheet may have it; numbers are left alone."""
    return [safe(value) if isinstance(value, str) else value for value in row]


def plain(text: str) -> str:
    """Without control characters, and with one kind of line end."""
    whole = text.encode("utf-8", "backslashreplace").decode()  # half a character, from a file's odd name
    return _CONTROL.sub("", whole).replace("\r\n", "\n").replace("\r", "\n")


def safe(text: str) -> str:
    """As `plain`, and no formula: a text that could be one gets an apostrophe in front."""
    cleaned = plain(text)
    return f"'{cleaned}" if _FORMULA.match(cleaned) else cleaned


def write_csv(results: Results, file: BinaryIO) -> None:
    """RFC 4180 in UTF-8, with `\\n` at the end of a row."""
    out = TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(map(safe_row, rows(results)))
    finally:
        out.detach()
