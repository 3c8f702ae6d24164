"""A file of answers from elsewhere -> its rows, cell by cell: a plain value, made once and passed on.

A table is a CSV or JSON lines file with a row per paper and question, or a folder of text files named
`Publication_<paper>_CQ<n>.txt`, each with one reply in words. A reply is turned into reported or not by the
same rules as a language model's (`evidence.replies`).
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError
from vivavoce.evidence.replies import reported
from vivavoce.evidence.row_files import csv_rows, field, jsonl_rows, page_number, text_of, yes_or_no

NEEDED = ("file", "question_id")
"""Columns that every table has."""
REPLY_FILE = re.compile(r"Publication_(?P<paper>.+)_(?P<question>CQ\d+)\.txt")
"""How the files of a folder of replies are called."""
DEFAULT_CONFIDENCE = 0.8
"""Of a row that gives none: sure enough to need no review, and not so sure that it can be in conflict with
other readers."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What one row says."""

    where: str
    """The file and the line, for messages."""
    file: str
    """What the table calls the paper."""
    question: str
    """The question's id."""
    question_text: str = ""
    """If the table has it."""
    reported: bool | None = None
    """As the row says, or by its text; none when it says neither."""
    text: str = ""
    quote: str = ""
    page: int | None = None
    confidence: float = DEFAULT_CONFIDENCE
    value: str = ""
    """A code or value, if the table has it; several with a semicolon between."""


Cell = tuple[TableRow, ...]
"""The rows of one paper and question; several when there are several quotes."""


@dataclass(frozen=True, slots=True)
class TableContents:
    """A table, parsed."""

    cells: Mapping[str, tuple[Cell, ...]]
    """By what the table calls the paper."""
    has_quotes: bool
    """Does any row have one?"""
    content_hash: str
    """SHA-256, in hex."""


def read_table(path: Path) -> TableContents:
    """Parses a file, or a folder of replies."""
    rows, content_hash = _replies(path) if path.is_dir() else _rows(path)
    return TableContents(_cells(rows), any(row.quote for row in rows), content_hash)


def _rows(path: Path) -> tuple[list[TableRow], str]:
    """The rows of a file, and its content's hash."""
    forms = {".csv": csv_rows, ".tsv": csv_rows, ".jsonl": jsonl_rows}
    if not path.exists():
        raise InputError(
            f"{path}: there is no such table; name a .csv or .jsonl file, or a folder of replies."
        )
    if path.suffix.lower() not in forms:
        raise InputError(f"{path}: a table ends in {', '.join(forms)}, or is a folder of replies.")
    text = text_of(path)
    rows = list(forms[path.suffix.lower()](path, text, NEEDED))
    if rows and not any("reported" in raw or "answer" in raw for _, raw in rows):
        raise InputError(
            f"{path}: there is no column reported, and no answer; a table has one of them, or both."
        )
    return [_row(where, raw) for where, raw in rows], hashlib.sha256(text.encode()).hexdigest()


def _row(where: str, raw: dict[str, Any]) -> TableRow:
    for name in NEEDED:
        if not field(raw, name):
            raise InputError(f"{where}: {name} is missing.")
    yes = field(raw, "reported")
    text = field(raw, "answer")
    return TableRow(
        where,
        field(raw, "file"),
        field(raw, "question_id"),
        field(raw, "question"),
        reported(yes_or_no(where, yes) if yes else None, text),
        text,
        field(raw, "quote"),
        page_number(where, field(raw, "page")),
        _confidence(where, field(raw, "confidence")),
        _value(raw.get("value")),
    )


def _value(raw: Any) -> str:
    if isinstance(raw, list):
        return "; ".join(str(part) for part in raw)
    return "" if raw is None else str(raw).strip()


def _confidence(where: str, written: str) -> float:
    try:
        value = float(written) if written else DEFAULT_CONFIDENCE
    except ValueError:
        value = -1.0
    if isnan(value) or not 0 <= value <= 1:
        raise InputError(f"{where}: confidence is '{written}'; write a number from 0 to 1, or nothing.")
    return value


def _replies(folder: Path) -> tuple[list[TableRow], str]:
    """The replies in a folder, and the hash of them all."""
    rows, content = [], hashlib.sha256()
    for path in sorted(folder.iterdir()):
        name = REPLY_FILE.fullmatch(path.name)
        if name is None or not path.is_file():
            continue
        data = path.read_bytes()
        content.update(f"{path.name}\n{len(data)}\n".encode("utf-8", "surrogateescape") + data)
        text = data.decode("utf-8-sig", "replace").strip()
        rows.append(
            TableRow(str(path), name["paper"], name["question"], reported=reported(None, text), text=text)
        )
    if not rows:
        raise InputError(f"{folder}: there is no file such as Publication_smith-2021_CQ1.txt in this folder.")
    return rows, content.hexdigest()


def _cells(rows: Sequence[TableRow]) -> dict[str, tuple[Cell, ...]]:
    """The rows of each paper, cell by cell; rows that say nothing are left out."""
    cells: dict[str, dict[str, list[TableRow]]] = {}
    for row in rows:
        if row.reported is None:
            continue
        cell = cells.setdefault(row.file, {}).setdefault(row.question, [])
        if cell and cell[0].reported != row.reported:
            raise InputError(
                f"{row.where}: {row.question} of {row.file} is {'yes' if row.reported else 'no'} here and "
                f"{'yes' if cell[0].reported else 'no'} in {cell[0].where}; keep one of them."
            )
        cell.append(row)
    return {file: tuple(map(tuple, questions.values())) for file, questions in cells.items()}
