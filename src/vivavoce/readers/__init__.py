"""Whatever answers questions about a paper. One protocol: a paper and questions in, an answer to each out.

The name of a reader says which it is: `builtin`, `table:FILE`, a language model (`provider:model` or
`URL#model`), or a reader that another package adds to `READERS` with an entry point of the group
`vivavoce.readers`:

    [project.entry-points."vivavoce.readers"]
    keyword = "their_package:make_reader"

`make_reader(name, options)` then makes the reader for `--reader keyword` and for `--reader keyword:ANYTHING`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from vivavoce.errors import InputError, MissingExtra
from vivavoce.plugins import Registry
from vivavoce.readers.names import URLS, absolute_name, portable_name, provider, runs_here
from vivavoce.records import Answer, Paper, Question

if TYPE_CHECKING:
    from vivavoce.evidence.tables.parsing import PaperName
    from vivavoce.readers.llm.session import ModelSession


class Reader(Protocol):
    name: str
    """As `--reader` takes it."""
    version: str
    """Another version may answer differently."""

    def ready(self) -> None:
        """Raises when it can't be asked at all: a key or a library is missing."""

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order. A question that the reader was never asked (a table
        without that row) is left out."""


@runtime_checkable
class SharedReader(Protocol):
    """A reader that is made once for all papers of a run (a table), and hands on what each of them needs."""

    def for_papers(self, files: Sequence[str]) -> Mapping[str, Reader]:
        """For each of these files a reader that can be pickled, and that is asked about this file alone."""


@runtime_checkable
class NamesPapers(Protocol):
    """A reader with answers about papers that it names (a table), which may have no file here."""

    def named_papers(self) -> "Mapping[str, PaperName]":
        """What is known of each paper, by its name there."""


@runtime_checkable
class StatesReader(Protocol):
    """A reader that can keep what it made of a paper, and be asked more from it at a fraction of the cost."""

    def read_from(
        self, paper: Paper, questions: Sequence[Question], kept: bytes = b"", keep: bool = False
    ) -> tuple[list[Answer], bytes, bytes]:
        """As `read`, from what was kept, if anything was. With `keep`, also what is to be kept, and a vector
        of each sentence to search by."""


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """What a reader is made with, besides its name."""

    threads: int | None = None
    """For one that computes in this process; none: one for each core."""
    session: "ModelSession | None" = None
    """For a language model: what the models of one run share."""


ReaderFactory = Callable[[str, ReaderOptions], Reader]
"""Makes the reader of a name."""


def _builtin(name: str, options: ReaderOptions) -> Reader:
    from vivavoce.readers.builtin.reader import Builtin

    if name not in ("builtin", "builtin:fast"):
        raise InputError(f"{name}: there is no such built-in reader; there are 'builtin' and 'builtin:fast'.")
    return Builtin(options.threads, "fast" if name == "builtin:fast" else "full")


def _table(name: str, _: ReaderOptions) -> Reader:
    from vivavoce.readers.table.reader import Table

    return Table(name)


def _language_model(name: str, options: ReaderOptions) -> Reader:
    try:
        from vivavoce.readers.llm.reader import LLM
    except ImportError:
        raise MissingExtra(f"{name}: language models need an extra: pip install 'vivavoce[llm]'.") from None
    return LLM(name, options.session)


READERS: Registry[ReaderFactory] = Registry("vivavoce.readers", {"builtin": _builtin, "table": _table})
"""By the part of a reader's name before the first colon. Any other name is a language model's."""


def reader(
    name: str = "builtin", threads: int | None = None, session: "ModelSession | None" = None
) -> Reader:
    """The reader of that name; see `ReaderOptions` for the rest."""
    options = ReaderOptions(threads, session)
    if is_language_model(name):
        return _language_model(name, options)
    kind = name.partition(":")[0]
    if kind not in READERS:
        raise InputError(
            f"there is no reader '{name}'; there are {', '.join(_patterns())}, and language models, such as "
            "'openai:gpt-5-mini' or 'http://localhost:8080/v1#model'."
        )
    return READERS.get(kind)(name, options)


def _patterns() -> list[str]:
    return [f"'{kind}:FILE'" if kind == "table" else f"'{kind}'" for kind in READERS.names()]


def is_language_model(name: str) -> bool:
    """Is it `provider:model` or `URL#model`, and no reader of another kind?"""
    if name.startswith(URLS):
        return True
    kind, _, model = name.partition(":")
    return bool(model) and kind.replace("-", "").isalnum() and kind not in READERS


__all__ = [
    "READERS",
    "NamesPapers",
    "Reader",
    "ReaderFactory",
    "ReaderOptions",
    "SharedReader",
    "StatesReader",
    "absolute_name",
    "is_language_model",
    "portable_name",
    "provider",
    "reader",
    "runs_here",
]
