"""The runs of a study, from its log: when each began, how long it took, how much it did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ENDS = ("ended", "stopped")
"""Events after which a run does no more."""


@dataclass(frozen=True, slots=True)
class Run:
    number: int
    began: str
    ended: str
    """Empty when it was killed."""
    seconds: float | None
    cells: int
    """Answers that it got."""
    failed: int
    """Papers of which something failed."""


def runs(log: Sequence[Mapping[str, Any]]) -> list[Run]:
    """The runs of a log, in their order."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for event in log:
        found.setdefault(event["run"], []).append(event)
    return [_run(number, events) for number, events in found.items()]


def _run(number: int, events: Sequence[Mapping[str, Any]]) -> Run:
    began = events[0]["at"]
    last = next((event for event in reversed(events) if event["event"] in ENDS), None)
    if last is None:
        return Run(number, began, "", None, 0, 0)
    took = (datetime.fromisoformat(last["at"]) - datetime.fromisoformat(began)).total_seconds()
    detail = last["detail"]
    return Run(number, began, last["at"], took, detail.get("cells", 0), detail.get("failed", 0))
