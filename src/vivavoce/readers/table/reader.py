"""Answers from elsewhere: people's, another tool's, an older study's, so that they can join a panel.

`table:FILE` is a CSV or JSON lines file with a row per paper and question, or a folder of text files named
`Publication_<paper>_CQ<n>.txt`, each with one reply in words. A reply is turned into reported or not by the
same rules as a language model's (`replies`), and every quote is looked up in the paper (`evidence.spans`).

Nothing is made up: a question that the table says nothing to has no answer, so `read` may give fewer answers
than it was asked questions. "Reported" without a quote that stands in the paper is `unsupported`; unless the
table has no quotes at all, as when people coded yes and no: then it is kept, with the doubt that no quote
was given.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path, PurePosixPath
from typing import Any

from vivavoce.errors import VivaError
from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.replies import reported
from vivavoce.evidence.row_files import csv_rows, field, jsonl_rows, page_number, text_of, yes_or_no
from vivavoce.evidence.spans import find_span
from vivavoce.evidence.values import values
from vivavoce.records import Answer, Doubt, Evidence, Paper, Question, Status

PREFIX = "table:"
RULES = "1"
"""Part of the version: raise it when the same table gives other answers."""
NEEDED = ("file", "question_id")
REPLY = re.compile(r"Publication_(?P<paper>.+)_(?P<question>CQ\d+)\.txt")
"""How the files of a folder of replies are called."""
USUAL = 0.8
"""The confidence of an answer that comes without: sure enough to need no review, and not so sure that it can
be in conflict with other readers."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What one row says."""

    where: str
    """Where it stands, for messages."""
    file: str
    question: str
    """The question's id."""
    words: str = ""
    """The question's text, if the table has it."""
    reported: bool | None = None
    """As the row says and by its text; none when it says neither."""
    text: str = ""
    quote: str = ""
    page: int | None = None
    confidence: float = USUAL


class Table:
    """Reads the table once; safe to keep."""

    def __init__(self, name: str) -> None:
        self.name = name
        path = Path(name.removeprefix(PREFIX))
        if not str(path).strip() or name == PREFIX:
            raise VivaError("table: needs a file, such as table:labels.csv.")
        rows, content = _replies(path) if path.is_dir() else _rows(path)
        self.version = f"{RULES}-{content[:12]}"
        self._cells: dict[str, list[list[TableRow]]] = {}
        """Of each file, as the table calls it, the rows of each question."""
        for said in _grouped(rows):
            self._cells.setdefault(said[0].file, []).append(said)
        self._quotes = any(row.quote for row in rows)
        self._names: dict[str, list[str]] = {}
        """Files by their name, and by their name without the ending."""
        for file in self._cells:
            for known in {_path(file).name, _path(file).stem}:
                self._names.setdefault(known, []).append(file)

    def ready(self) -> None:
        """Always: the file was read when it was made."""

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question that the table says something to, in their order."""
        cells = self._cells.get(self._file_of(paper), [])
        by_id = {cell[0].question: cell for cell in cells}
        by_words = {_folded(row.words): cell for cell in cells for row in cell if row.words}
        found = []
        for question in questions:
            cell = by_id.get(question.id) if question.id else by_words.get(_folded(question.text))
            if cell is not None:
                found.append(self._answer(paper, question, cell))
        return found

    def _file_of(self, paper: Paper) -> str:
        """What the table calls the paper; empty when it does not have it."""
        path = _path(paper.file)
        files = {*self._names.get(path.name, ()), *self._names.get(path.stem, ())}
        ranked = sorted(((_likeness(_path(file), path), file) for file in files), reverse=True)
        ranked = [(likeness, file) for likeness, file in ranked if likeness[0]]
        if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
            raise VivaError(
                f"{self.name}: both {ranked[1][1]} and {ranked[0][1]} may be {paper.file}; give the paths."
            )
        return ranked[0][1] if ranked else ""

    def _answer(self, paper: Paper, question: Question, cell: Sequence[TableRow]) -> Answer:
        said = Answer(question, self.name, self.version, "not_reported", confidence=cell[0].confidence)
        if paper.unreadable:  # nothing can be looked up in it
            return Answer(question, self.name, self.version, "unreadable", reason=paper.unreadable)
        if not cell[0].reported:
            return said
        quotes = list(dict.fromkeys((row.quote, row.page) for row in cell if row.quote))
        evidence = _located(paper, quotes)
        text = next((row.text for row in cell if row.text), "")
        status: Status = "reported" if evidence or not self._quotes else "unsupported"
        return Answer(
            question,
            self.name,
            self.version,
            status,
            text=text or (evidence[0].quote if evidence else ""),
            confidence=cell[0].confidence,
            evidence=evidence,
            values=values(e.quote for e in evidence),
            doubts=_doubts(len(quotes), len(evidence)),
        )


def _located(paper: Paper, quotes: Sequence[tuple[str, int | None]]) -> tuple[Evidence, ...]:
    """Those that stand in the paper, exact ones first."""
    spans = dict.fromkeys(span for quote, page in quotes if (span := find_span(paper, quote, page)))
    found = [evidence_at(paper, span) for span in spans]
    return tuple(sorted(found, key=lambda e: (e.match != "exact", -e.score)))


def _doubts(given: int, found: int) -> tuple[Doubt, ...]:
    if not given:
        return (Doubt("no_quote", "no quote given"),)
    if found < given:
        are = "is" if given - found == 1 else "are"
        text = f"{given - found} of {given} quotes {are} not in the paper"
        return (Doubt("quote_not_found", text),)
    return ()


# Which paper a row is of


def _path(file: str) -> PurePosixPath:
    """Letters with accents come in two spellings, and paths with two kinds of slashes."""
    return PurePosixPath(unicodedata.normalize("NFC", file.replace("\\", "/")))


def _likeness(row: PurePosixPath, paper: PurePosixPath) -> tuple[int, int]:
    """How well a name in the table fits a paper's: by the name with its ending, then without; then by the
    folders above it that they have in common."""
    if row.name == paper.name:
        name = 3
    elif row.name == paper.stem:
        name = 2
    else:
        name = int(row.stem == paper.stem)
    above = 0
    for one, other in zip(reversed(row.parts[:-1]), reversed(paper.parts[:-1]), strict=False):
        if one != other:
            break
        above += 1
    return name, above


def _folded(question: str) -> str:
    return " ".join(question.split()).casefold()


# Reading the file


def _rows(path: Path) -> tuple[list[TableRow], str]:
    """The rows of a file, and its content's hash."""
    forms = {".csv": csv_rows, ".tsv": csv_rows, ".jsonl": jsonl_rows}
    if not path.exists():
        raise VivaError(
            f"{path}: there is no such table; name a .csv or .jsonl file, or a folder of replies."
        )
    if path.suffix.lower() not in forms:
        raise VivaError(f"{path}: a table ends in {', '.join(forms)}, or is a folder of replies.")
    text = text_of(path)
    rows = list(forms[path.suffix.lower()](path, text, NEEDED))
    if rows and not any("reported" in raw or "answer" in raw for _, raw in rows):
        raise VivaError(
            f"{path}: there is no column reported, and no answer; a table has one of them, or both."
        )
    return [_said(where, raw) for where, raw in rows], hashlib.sha256(text.encode()).hexdigest()


def _said(where: str, raw: dict[str, Any]) -> TableRow:
    for name in NEEDED:
        if not field(raw, name):
            raise VivaError(f"{where}: {name} is missing.")
    told = field(raw, "reported")
    text = field(raw, "answer")
    return TableRow(
        where,
        field(raw, "file"),
        field(raw, "question_id"),
        field(raw, "question"),
        reported(yes_or_no(where, told) if told else None, text),
        text,
        field(raw, "quote"),
        page_number(where, field(raw, "page")),
        _confidence(where, field(raw, "confidence")),
    )


def _confidence(where: str, said: str) -> float:
    try:
        value = float(said) if said else USUAL
    except ValueError:
        value = -1.0
    if isnan(value) or not 0 <= value <= 1:
        raise VivaError(f"{where}: confidence is '{said}'; write a number from 0 to 1, or nothing.")
    return value


def _replies(folder: Path) -> tuple[list[TableRow], str]:
    """The replies in a folder, and the hash of them all."""
    rows, content = [], hashlib.sha256()
    for path in sorted(folder.iterdir()):
        name = REPLY.fullmatch(path.name)
        if name is None or not path.is_file():
            continue
        data = path.read_bytes()
        content.update(f"{path.name}\n{len(data)}\n".encode("utf-8", "surrogateescape") + data)
        text = data.decode("utf-8-sig", "replace").strip()
        rows.append(
            TableRow(str(path), name["paper"], name["question"], reported=reported(None, text), text=text)
        )
    if not rows:
        raise VivaError(f"{folder}: there is no file such as Publication_smith-2021_CQ1.txt in this folder.")
    return rows, content.hexdigest()


def _grouped(rows: Sequence[TableRow]) -> Iterator[list[TableRow]]:
    """The rows of each cell together, if they say something; several when there are several quotes."""
    cells: dict[tuple[str, str], list[TableRow]] = {}
    for row in rows:
        if row.reported is None:
            continue
        cell = cells.setdefault((row.file, row.question), [])
        if cell and cell[0].reported != row.reported:
            raise VivaError(
                f"{row.where}: {row.question} of {row.file} is {'yes' if row.reported else 'no'} here and "
                f"{'yes' if cell[0].reported else 'no'} in {cell[0].where}; keep one of them."
            )
        cell.append(row)
    yield from cells.values()
