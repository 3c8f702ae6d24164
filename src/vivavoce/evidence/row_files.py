"""Tables that people or other tools made, row by row: CSV or JSON lines, in UTF-8, or a workbook.

A row comes with its file and line, so that whoever parses it can say which line is wrong.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError

YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")

Row = tuple[str, dict[str, Any]]
"""The file and line, for messages; and the values by column."""


def text_of(path: Path) -> str:
    """The file's text."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: it can't be opened: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: this is not UTF-8; save the file as UTF-8.") from error


def csv_rows(path: Path, text: str, needed: Sequence[str], *, lower: bool = True) -> Iterator[Row]:
    """The rows of a CSV file with commas, semicolons or tabs; its first line names the columns, in small
    letters unless they are wanted as they are."""
    head = text.split("\n", 1)[0]
    delimiter = next((mark for mark in ",;\t" if mark in head), ",")
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    while True:
        where = f"{path}, line {table.line_num + 1}"
        try:
            row = next(table, None)
        except csv.Error as error:
            raise InputError(f"{where}: {error}.") from error
        if row is None:
            break
        if not names:
            names = [name.strip().lower() if lower else name.strip() for name in row]
            if missing := [name for name in needed if name not in names]:
                raise InputError(
                    f"{where}: there is no column {', '.join(missing)}; the first line names them."
                )
        elif len(row) > len(names):
            raise InputError(f"{where}: it has {len(row)} columns, and the first line has {len(names)}.")
        elif any(value.strip() for value in row):
            yield where, dict(zip(names, row, strict=False))
    if not names:
        columns = (
            f"its columns are {','.join(needed)}, and quote,page if you like"
            if needed
            else "it has no columns"
        )
        raise InputError(f"{path}: is empty; {columns}.")


def xlsx_rows(path: Path, needed: Sequence[str], *, lower: bool = True) -> Iterator[Row]:
    """The rows of a workbook's first sheet; its first row names the columns."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except OSError as error:
        raise InputError(f"{path}: it can't be opened: {error.strerror}.") from error
    except (BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise InputError(f"{path}: this is no workbook; save it as .xlsx or .csv.") from error
    try:
        rows = book.worksheets[0].iter_rows(values_only=True) if book.worksheets else iter(())
        names: list[str] = []
        for number, row in enumerate(rows, 1):
            values = [_cell_text(value) for value in row]
            if not any(values):
                continue
            where = f"{path}, row {number}"
            if names:
                yield where, {name: value for name, value in zip(names, values, strict=False) if name}
                continue
            names = [value.lower() if lower else value for value in values]
            if missing := [name for name in needed if name not in names]:
                raise InputError(
                    f"{where}: there is no column {', '.join(missing)}; the first row names them."
                )
        if not names:
            columns = f"its columns are {','.join(needed)}" if needed else "it has no columns"
            raise InputError(f"{path}: is empty; {columns}.")
    finally:
        book.close()


def _cell_text(value: Any) -> str:
    """A cell's value as people see it: whole numbers without a point, and TRUE as yes."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def jsonl_rows(path: Path, text: str, needed: Sequence[str]) -> Iterator[Row]:
    """The rows of a file with a JSON object per line."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, json_object(where, parsed(line, where), needed)


def parsed(text: str, where: str) -> Any:
    """What the JSON says."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) and "\n" in text else ""
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
        raise InputError(f"{where}{line}: this is not JSON: {reason}.") from error


def json_object(where: str, raw: Any, needed: Sequence[str]) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise InputError(f"{where}: expected an object with {', '.join(needed)}.")
    return raw


def field(raw: dict[str, Any], name: str) -> str:
    """A value as text; empty when there is none."""
    return "" if raw.get(name) is None else str(raw[name]).strip()


def yes_or_no(where: str, written: str) -> bool:
    """What the column `reported` says."""
    if written.lower() not in YES + NO:
        raise InputError(f"{where}: reported is '{written}'; write yes or no.")
    return written.lower() in YES


def page_number(where: str, written: str) -> int | None:
    """What the column `page` says; none when it is empty."""
    if written and not (written.isdecimal() and len(written) < 10 and int(written)):
        raise InputError(f"{where}: page is '{written}'; write its number, counted from 1, or nothing.")
    return int(written) if written else None
