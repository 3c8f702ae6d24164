"""What the store holds that no other room has a record for: files, failures, a cell's history."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from vivavoce.records import Decision, Question


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
    """A question is known by its text, and by what can be answered where that is more than text: other codes
    make another question. Kinds that sets always had don't count, so that older studies keep their keys."""
    parts = [" ".join(question.text.split())]
    if question.kind not in ("text", "list", "link", "number", "choice") or question.meanings:
        parts += [question.kind, *question.choices, *question.meanings, str(question.several)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
