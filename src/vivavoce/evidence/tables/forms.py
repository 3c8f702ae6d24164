"""Which form a table has, by its content, and the rows of each form.

- *long*: a row per paper and question. The paper is named by `file` (or `paper`, `uid`), `doi` or `title`,
  the question by `question_id` or in words (`question`); what was found is in `reported`, or in words in
  `answer`.
- *decisions*: a long table in which people judged replies: `Unique_ID` names the file of a reply, `CQ` is the
  question, `CQ_Answer` the reply, `decision` what people made of it.
- *wide*: a row per paper, and a column for each question, or for each variable: yes, no, a status, or words.
- *replies*: a folder with a text file per reply, `Publication_<paper>_CQ<n>.txt`, with or without the
  prompt in front of it; or files of any name whose prompt says what was asked.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any, Literal

from vivavoce.errors import InputError
from vivavoce.evidence.replies import reported
from vivavoce.evidence.row_files import (
    NO,
    YES,
    Row,
    csv_rows,
    field,
    jsonl_rows,
    page_number,
    text_of,
    xlsx_rows,
    yes_or_no,
)
from vivavoce.evidence.tables.reply_files import split_reply

Form = Literal["long", "decisions", "wide", "replies"]

NEEDED = ("file", "question_id")
"""Columns of a long table."""
FILE_COLUMNS = ("file", "paper", "uid", "unique_id", "file_name", "filename", "publication")
TITLE_COLUMNS = ("title", "article_name", "article_title", "article")
QUESTION_COLUMNS = ("question", "cq")
ANSWER_COLUMNS = ("answer", "cq_answer", "reply", "response")
LONG_COLUMNS = (
    "question_id",
    "question",
    "reported",
    "answer",
    "quote",
    "page",
    "confidence",
    "decision",
    "cq",
)
"""A table with one of these has a row per paper and question."""
ABOUT_PAPER = (
    *("status", "no", "number", "year", "doi", "url", "link", "authors", "author", "journal", "abstract"),
    *("notes", "note", "comment", "comments", "coder", "reviewer"),
)
"""Columns of a wide table that tell of the paper, not of a question."""
ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx")
REPLY_FILE = re.compile(r"(?:Publication_?(?P<paper>.+)|(?P<bare>.+))_(?P<question>[^_]+)\.txt")
"""How the files of a folder of replies are called."""
QUESTION_ID = re.compile(r"[A-Za-z]{1,4}\d{1,3}[a-z]?")
"""What the name of a file that begins otherwise must end in."""
STATUSES = {
    "reported": True,
    "not reported": False,
    "not_reported": False,
    "unsupported": False,
    "present": True,
    "absent": False,
}
NO_ANSWER = (
    "",
    "no response found",
    "unreadable",
    "failed",
    "not applicable",
    "not_applicable",
    "n/a",
    "na",
    "-",
)
"""In a wide table: nothing was asked, or nothing came."""
DEFAULT_CONFIDENCE = 0.8
"""Of a row that gives none: sure enough to need no review, and not so sure that it can be in conflict with
other readers."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What one row says."""

    where: str
    """The file and the line, for messages."""
    file: str
    """What the table calls the paper: its file, or its DOI or title where there is no file's name."""
    question: str
    """The question's id, or a wide table's column."""
    question_text: str = ""
    """If the table has it."""
    reported: bool | None = None
    """As the row says, or by its text; none when it says neither."""
    text: str = ""
    quote: str = ""
    page: int | None = None
    confidence: float = DEFAULT_CONFIDENCE
    doi: str = ""
    title: str = ""
    year: int | None = None
    value: str = ""
    """A code or value, if the table has it; several with a semicolon between."""


def rows_of(path: Path) -> tuple[Form, list[TableRow], str]:
    """The form of a file, its rows, and its content's hash."""
    if not path.exists():
        raise InputError(
            f"{path}: there is no such table; name a .csv, .jsonl or .xlsx file, or a folder of replies."
        )
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{path}: a table ends in {', '.join(ENDINGS)}, or is a folder of replies.")
    if ending == ".xlsx":
        raw = list(xlsx_rows(path, (), lower=False))
        content = path.read_bytes()
    else:
        text = text_of(path)
        content = text.encode()
        raw = list(
            csv_rows(path, text, (), lower=False) if ending != ".jsonl" else jsonl_rows(path, text, NEEDED)
        )
    form, rows = _recognised(path, raw, jsonl=ending == ".jsonl")
    return form, rows, hashlib.sha256(content).hexdigest()


def _recognised(path: Path, raw: Sequence[Row], jsonl: bool) -> tuple[Form, list[TableRow]]:
    names = list(dict.fromkeys(name for _, values in raw for name in values))
    lower = {name.lower() for name in names}
    if {"unique_id", "decision"} <= lower:
        return "decisions", [_judged(where, _lowered(values)) for where, values in raw]
    if jsonl or not names or lower & set(LONG_COLUMNS):
        return "long", list(_long(path, raw, lower))
    return "wide", list(_wide(path, raw, names))


def _lowered(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.lower(): value for name, value in values.items()}


def _first(values: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((found for name in names if (found := field(dict(values), name))), "")


# Long


def _long(path: Path, raw: Sequence[Row], columns: set[str]) -> Iterator[TableRow]:
    named = columns & {*FILE_COLUMNS, *TITLE_COLUMNS, "doi"}
    asked = columns & {"question_id", *QUESTION_COLUMNS}
    if raw and not (named and asked):
        missing = "question_id" if named else "file"
        place = raw[0][0].rsplit(", ", 1)[0]
        raise InputError(f"{place}, line 1: there is no column {missing}; the first line names them.")
    if raw and not columns & {"reported", *ANSWER_COLUMNS}:
        raise InputError(
            f"{path}: there is no column reported, and no answer; a table has one of them, or both."
        )
    for where, values in raw:
        yield _row(where, _lowered(values))


def _row(where: str, raw: dict[str, Any]) -> TableRow:
    file, doi, title = _paper(raw)
    id, words = field(raw, "question_id"), _first(raw, QUESTION_COLUMNS)
    for name, value in (("file", file), ("question_id", id or words)):
        if not value:
            raise InputError(f"{where}: {name} is missing.")
    yes = field(raw, "reported")
    text = _first(raw, ANSWER_COLUMNS)
    return TableRow(
        where,
        file,
        id,
        words,
        reported(yes_or_no(where, yes) if yes else None, text),
        text,
        field(raw, "quote"),
        page_number(where, field(raw, "page")),
        _confidence(where, field(raw, "confidence")),
        doi,
        title,
        _year(raw),
        _value(raw.get("value")),
    )


def _value(raw: Any) -> str:
    if isinstance(raw, list):
        return "; ".join(str(part) for part in raw)
    return "" if raw is None else str(raw).strip()


def _paper(raw: Mapping[str, Any]) -> tuple[str, str, str]:
    """What the row calls the paper, its DOI and its title."""
    doi, title = field(dict(raw), "doi"), _first(raw, TITLE_COLUMNS)
    return _first(raw, FILE_COLUMNS) or doi or title, doi, title


def _year(raw: Mapping[str, Any]) -> int | None:
    said = field(dict(raw), "year")
    return int(said) if said.isdecimal() and len(said) == 4 else None


def _confidence(where: str, written: str) -> float:
    try:
        value = float(written) if written else DEFAULT_CONFIDENCE
    except ValueError:
        value = -1.0
    if isnan(value) or not 0 <= value <= 1:
        raise InputError(f"{where}: confidence is '{written}'; write a number from 0 to 1, or nothing.")
    return value


def _judged(where: str, raw: dict[str, Any]) -> TableRow:
    """A reply that people judged: their word counts, whatever the reply says. Without it the row says
    nothing."""
    name = field(raw, "unique_id")
    file, question = _named(name) or (name, "")
    words = _first(raw, QUESTION_COLUMNS)
    if not file or not (question or words):
        raise InputError(
            f"{where}: it names no paper and question; unique_id is such as Publication_1_CQ1.txt."
        )
    said = field(raw, "decision").lower()
    if said and said not in YES + NO:
        raise InputError(f"{where}: decision is '{said}'; write yes or no.")
    decided = said in YES if said else None
    return TableRow(where, file, question, words, decided, _first(raw, ANSWER_COLUMNS) if decided else "")


# Wide


def _wide(path: Path, raw: Sequence[Row], names: Sequence[str]) -> Iterator[TableRow]:
    about = {*FILE_COLUMNS, *TITLE_COLUMNS, *ABOUT_PAPER}
    columns = [name for name in names if name and name.lower() not in about]
    named = {name.lower() for name in names} & {*FILE_COLUMNS, *TITLE_COLUMNS, "doi"}
    if not named or not columns:
        raise InputError(
            f"{path}: it is not clear what its columns are; a table has file,question_id,reported, or file "
            "and a column for each question (docs/reference/formats.md)."
        )
    for where, values in raw:
        lowered = _lowered(values)
        file, doi, title = _paper(lowered)
        if not file:
            raise InputError(f"{where}: it names no paper.")
        for column in columns:
            yes, text = _wide_value(field(dict(values), column))
            yield TableRow(
                where, file, column, reported=yes, text=text, doi=doi, title=title, year=_year(lowered)
            )


def _wide_value(said: str) -> tuple[bool | None, str]:
    """What a cell says, and its words if it has any."""
    plain = said.lower()
    if plain in YES or plain in NO:
        return plain in YES, ""
    if plain in STATUSES:
        return STATUSES[plain], ""
    if plain in NO_ANSWER:
        return None, ""
    yes = reported(None, said)
    return yes, said if yes else ""


# A folder of replies


def reply_rows(folder: Path) -> tuple[list[TableRow], str, int]:
    """The replies in a folder, the hash of them all, and how many text files are no replies."""
    rows, content, skipped = [], hashlib.sha256(), 0
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.suffix.lower() != ".txt":
            continue
        named = _named(path.name)
        data = path.read_bytes()
        reply = split_reply(data.decode("utf-8-sig", "replace"))
        if named is None and not reply.asked:
            skipped += 1
            continue
        file, question = named or (path.stem, "")
        content.update(f"{path.name}\n{len(data)}\n".encode("utf-8", "surrogateescape") + data)
        said = reported(None, reply.text)
        rows.append(TableRow(str(path), file, question, reply.asked, said, reply.text))
    if not rows:
        raise InputError(f"{folder}: there is no file such as Publication_smith-2021_CQ1.txt in this folder.")
    return rows, content.hexdigest(), skipped


def _named(name: str) -> tuple[str, str] | None:
    """The paper and the question's id in the name of a reply's file."""
    found = REPLY_FILE.fullmatch(name)
    if found is None or (found["paper"] is None and not QUESTION_ID.fullmatch(found["question"])):
        return None
    return found["paper"] or found["bare"], found["question"]
