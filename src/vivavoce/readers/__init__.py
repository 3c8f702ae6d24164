"""Whatever answers questions about a paper. One protocol: a paper and questions in, an answer to each out.

The name of a reader says which it is. One of a file (`table:labels.csv`) has its path in its name: a study
keeps it relative to the study's folder where it can (`portable_name`), and finds it again from anywhere
(`absolute_name`).
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vivavoce.errors import VivaError
from vivavoce.records import Answer, Paper, Question

if TYPE_CHECKING:
    from vivavoce.readers.llm.limits import RunLimits


class Reader(Protocol):
    name: str
    """As `--reader` takes it."""
    version: str
    """Another version may answer differently."""

    def ready(self) -> None:
        """Raises when it can't be asked at all: a key or a library is missing."""

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order. A reader that has nothing to say to a question because
        it was never asked it (a table without that row) leaves it out."""


def reader(name: str = "builtin", threads: int | None = None, limits: "RunLimits | None" = None) -> Reader:
    """The reader of that name; one that computes here does so with so many threads, or one for each core;
    a language model is asked within these limits."""
    if name == "builtin":
        from vivavoce.readers.builtin.reader import Builtin

        return Builtin(threads)
    if name.startswith(TABLE):
        from vivavoce.readers.table.reader import Table

        return Table(name)
    if is_language_model(name):
        try:
            from vivavoce.readers.llm.reader import LLM
        except ImportError:
            raise VivaError(f"{name}: language models need an extra: pip install 'vivavoce[llm]'.") from None
        from vivavoce.readers.llm.limits import RunLimits

        return LLM(name, limits or RunLimits())
    raise VivaError(
        f"there is no reader '{name}'; there are 'builtin', 'table:FILE', and language models, such as "
        "'openai:gpt-5-mini' or 'http://localhost:8080/v1#model'."
    )


def is_language_model(name: str) -> bool:
    """Is it a language model: `provider:model` or `URL#model`?"""
    provider, colon, model = name.partition(":")
    return bool(colon and model and provider.replace("-", "").isalnum()) and not name.startswith(TABLE)


def provider(name: str) -> str:
    """Whose model it is: calls to one provider are limited together."""
    return name.partition("#")[0] if "#" in name else name.partition(":")[0]


TABLE = "table:"


def portable_name(name: str, folder: str | Path) -> str:
    """The name as a study in that folder keeps it: a file that lies beside the folder, or in it, by its path
    from there, so that they can be moved together; any other by its whole path."""
    if not name.startswith(TABLE) or name == TABLE:
        return name
    file, home = os.path.realpath(name.removeprefix(TABLE)), os.path.realpath(folder)
    near = os.path.dirname(home)
    beside = near != os.path.dirname(near) and os.path.commonpath([file, near]) == near
    return TABLE + (os.path.relpath(file, home) if beside else file)


def absolute_name(name: str, folder: str | Path) -> str:
    """A name that a study in that folder keeps, as any process can use it: with the file's whole path."""
    if not name.startswith(TABLE) or name == TABLE:
        return name
    return TABLE + os.path.join(os.path.realpath(folder), name.removeprefix(TABLE))


__all__ = ["Reader", "absolute_name", "portable_name", "reader"]
