"""The store's tables as they are today. How they came to be: `migrations`."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from vivavoce.records import Decision, Question


def _table(name: str, columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns.split()))


META = _table("meta", "key value")
PAPERS = _table("papers", "id format title doi year pages unreadable text text_hash layout parsed_by")
SENTENCES = _table("sentences", "paper number start end page kind section reading")
FILES = _table("files", "path name paper reason size changed")
QUESTIONS = _table("questions", "key text")
ASKED = _table("asked", "position question id detail")
READERS = _table("readers", "position name version")
ANSWERS = _table(
    "answers", "number paper question reader version status text confidence reason detail run at"
)
EVIDENCE = _table("evidence", "answer rank quote page match start end score reading boxes")
FAILURES = _table("failures", "number path paper question reader reason run at")
REPLIES = _table("replies", "number prompt reader version body detail at")
DECISIONS = _table("decisions", "number paper question reviewer status text evidence reason undoes at kind")
RUNS = _table("runs", "number run event detail at")


class File(NamedTuple):
    """A file of the study, and what became of it."""

    path: str
    """Absolute."""
    name: str
    """As it was named when it came into the study."""
    paper: str | None
    """The paper in it; none while it has not been read, or can't be."""
    reason: str
    """Why it can't be read; empty when it could."""
    size: int
    changed: int
    """Bytes, and time of the last change in nanoseconds, when it was hashed."""


class Failure(NamedTuple):
    """Something that went wrong: with a file, or with one cell of it."""

    path: str
    paper: str | None
    question: str | None
    """Its key; none when the whole file failed."""
    reader: str | None
    reason: str
    at: str


class HistoryEntry(NamedTuple):
    """A line of a cell's history."""

    decision: Decision
    """Of an undo: what was undone, but `at` is when that was."""
    undo: bool
    """Does it take a decision back?"""
    undone: bool
    """Was it taken back?"""


def file_id(path: Path) -> str:
    """A paper is known by the hash of its bytes."""
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def question_key(question: Question) -> str:
    """A question is known by its text."""
    return hashlib.sha256(" ".join(question.text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
