"""Where the work of a study is done: an engine takes jobs and yields outcomes.

`local` runs jobs in processes of this machine, `on_ray` on a Ray cluster. Another package adds an engine with
an entry point in the group `vivavoce.engines`. Jobs, limits and outcomes are plain values that can be
pickled, so an engine may run them elsewhere.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vivavoce.errors import InputError
from vivavoce.papers.limits import Limits
from vivavoce.plugins import Registry
from vivavoce.readers import Reader
from vivavoce.records import Answer, Paper, Question

if TYPE_CHECKING:
    from vivavoce.readers.llm.session import ModelSession


@dataclass(frozen=True, slots=True)
class Job:
    """One paper, and what it is to be asked."""

    path: str
    name: str
    """How the file is called in messages."""
    asks: tuple[tuple[str, tuple[Question, ...]], ...]
    """Readers, by name, and the questions that each has not answered yet."""
    paper: Paper | None = None
    """When it was read before."""
    limits: Limits = field(default_factory=Limits)
    readers: Mapping[str, Reader] = field(default_factory=dict)
    """Readers that are made already, for this paper, by name. Any other is made where the work is done."""
    keep: tuple[str, ...] = ()
    """Readers that are to keep what they make of the paper."""
    states: Mapping[str, bytes] = field(default_factory=dict)
    """What readers kept of the paper before, by name."""
    stamp: tuple[int, int] = (0, 0)
    """The file's size and time of change when the job was made; zeros when they are not known."""


class ReaderFailure(NamedTuple):
    """Questions that a reader could not be asked, and why."""

    reader: str
    questions: tuple[Question, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    job: Job
    paper: Paper | None = None
    """None when the file can't be read."""
    answers: tuple[Answer, ...] = ()
    """All that were got, even if something failed after them."""
    reason: str = ""
    """Why the file can't be read, as one line."""
    failed: tuple[ReaderFailure, ...] = ()
    replies: Mapping[str, str] = field(default_factory=dict)
    """A language model's words behind the answers, by the hash of what it was sent."""
    states: Mapping[str, tuple[bytes, bytes]] = field(default_factory=dict)
    """What readers are to keep of the paper, and the vectors of its sentences."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """How long each reader that computes here was busy."""
    part: bool = False
    """Is there more of this job to come?"""


class Engine(Protocol):
    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, session: "ModelSession | None" = None
    ) -> Generator[Outcome]:
        """Runs the jobs, a few at a time, and yields each outcome as it is ready. Jobs are drawn as they are
        needed, in the caller's thread. Closing the generator ends what is under way. Once `stop` is set no
        further job is begun, and what is under way has a moment to finish. `session` is shared by the
        language models: its `limits` are a plain value that can be sent to where they are called; its stored
        replies and its spending belong to the caller's process."""


ENGINES: "Registry[Callable[..., Engine]]" = Registry(
    "vivavoce.engines",
    {
        "local": "vivavoce.study.engines.local:LocalEngine",
        "ray": "vivavoce.study.engines.on_ray:RayEngine",
    },
)
"""Engines by name: each is made with the number of jobs at a time, or none for as many as suit it. One that
has an address takes that, too."""


def find_engine(name: str = "local", workers: int | None = None, address: str | None = None) -> Engine:
    """The engine of this name, with this many jobs at a time; at this address, for one that has any."""
    made = ENGINES.get(name)
    if address is None:
        return made(workers)
    if name == "local":
        raise InputError("--ray-address goes with --engine ray.")
    return made(workers, address)


__all__ = ["ENGINES", "Engine", "Job", "Outcome", "ReaderFailure", "find_engine"]
