"""Files with a row per paper and question, made by people or other tools: CSV or JSON lines, in UTF-8.

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


def csv_rows(path: Path, text: str, needed: Sequence[str]) -> Iterator[Row]:
    """The rows of a CSV file with commas, semicolons or tabs; its first line names the columns."""
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
            names = [name.strip().lower() for name in row]
            if missing := [name for name in needed if name not in names]:
                raise InputError(
                    f"{where}: there is no column {', '.join(missing)}; the first line names them."
                )
        elif len(row) > len(names):
            raise InputError(f"{where}: it has {len(row)} columns, and the first line has {len(names)}.")
        elif any(value.strip() for value in row):
            yield where, dict(zip(names, row, strict=False))
    if not names:
        raise InputError(f"{path}: is empty; its columns are {','.join(needed)}, and quote,page if you like.")


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
