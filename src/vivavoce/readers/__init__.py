"""Whatever answers questions about a paper. One protocol: a paper and questions in, an answer to each out."""

from collections.abc import Sequence
from typing import Protocol

from vivavoce.errors import VivaError
from vivavoce.records import Answer, Paper, Question


class Reader(Protocol):
    name: str
    """As `--reader` takes it."""
    version: str
    """Another version may answer differently."""

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order."""


def reader(name: str = "builtin", threads: int | None = None) -> Reader:
    """The reader of that name; one that computes here does so with so many threads, or one for each core."""
    if name == "builtin":
        from vivavoce.readers.builtin import Builtin

        return Builtin(threads)
    raise VivaError(f"there is no reader '{name}'; the one that there is so far is 'builtin'.")


__all__ = ["Reader", "reader"]
