"""What a worker process does for a study. It keeps its readers from one paper to the next."""

from collections.abc import Sequence
from functools import cache

from vivavoce.readers import Reader, reader
from vivavoce.records import Answer, Paper, Question


def answer(name: str, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
    """What the reader says to each question."""
    return _reader(name).read(paper, questions)


@cache
def _reader(name: str) -> Reader:
    return reader(name, threads=1)
