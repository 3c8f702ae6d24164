"""What happens in a run: step by step, counted, and summed up at its end."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vivavoce.records import Answer, Cost
from vivavoce.study.engines import Outcome


class Progress(NamedTuple):
    """What has just happened in a run."""

    event: str
    """`begun`, `done`, `failed`, `same` (a second name for a paper that is there), `elsewhere` (another run
    is asking it)."""
    name: str = ""
    """The file."""
    cells: int = 0
    """How many cells that was; with `begun`, how many papers are to be looked at."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a run."""

    papers: int
    """Papers in the study."""
    asked: int
    """Papers that this run asked something."""
    cells: int
    """Cells that this run did."""
    failed: tuple[tuple[str, str], ...]
    """Files that failed in this run, with the reason."""
    stopped: bool = False
    """Was it stopped before its end?"""
    differ: tuple[tuple[str, str, str], ...] = ()
    """Of a replay: the cells (file, question, reader) that differ from what is stored."""
    spent: Mapping[str, Cost] = field(default_factory=dict)
    """What this run spent on each language model, including calls that failed."""


@dataclass
class RunCounter:
    """Counts what a run has done so far."""

    asked: int = 0
    cells: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    differ: list[tuple[str, str, str]] = field(default_factory=list)
    seconds: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    """Cells of the papers that are under way."""

    def add(self, outcome: Outcome, cells: int) -> Progress | None:
        """Counts it; the step to report, if it was the last outcome of its paper."""
        self.cells += cells
        if outcome.part:
            self.parts[outcome.job.path] += cells
            return None
        self.asked += 1
        self.seconds.update(outcome.seconds)
        reasons = dict.fromkeys(failed.reason for failed in outcome.failed)
        reason = outcome.reason or "; ".join(reasons)
        if reason:
            self.failed.append((outcome.job.name, reason))
        cells += self.parts.pop(outcome.job.path, 0)
        return Progress("failed" if reason else "done", outcome.job.name, cells, reason)

    def add_failure(self, file: str, reason: str) -> None:
        self.failed.append((file, reason))

    def summary(self, *, papers: int, stopped: bool, spent: Mapping[str, Cost]) -> Summary:
        return Summary(papers, self.asked, self.cells, tuple(self.failed), stopped, tuple(self.differ), spent)


def same_answer(one: Answer, other: Answer) -> bool:
    """Do two answers say the same, with the same proof? How sure they are may differ by a rounding."""

    def proof(answer: Answer) -> list[tuple[int, int]]:
        return [(evidence.start, evidence.end) for evidence in answer.evidence]

    return (one.status, one.text, proof(one)) == (other.status, other.text, proof(other))
