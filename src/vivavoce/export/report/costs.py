"""What a study cost: money, tokens, time and energy, as far as somebody wrote it down.

Two places know: an answer says what asking for it cost (its `cost`, when its reader counts), and the run log
says when each run began and ended, and what it measured meanwhile. Every number in either is shown, whatever
it is called; `NAMES` only makes some nicer to read. Nothing is guessed: what nobody measured is not there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import datetime
from typing import Any

from vivavoce.records import Answer

NAMES = {
    "cells": "answers",
    "input_tokens": "tokens in",
    "output_tokens": "tokens out",
    "usd": "US dollars",
    "kwh": "energy (kWh)",
    "kg_co2": "CO₂ (kg)",
}
"""How a number is called on the page; one that is not here goes by its own name."""
ENDS = ("ended", "stopped")
"""Events after which a run does no more."""


@dataclass(frozen=True, slots=True)
class Run:
    number: int
    began: str
    ended: str
    """Empty when it was killed."""
    seconds: float | None
    numbers: dict[str, float]
    """What it measured, by name."""


@dataclass(slots=True)
class Spent:
    """What readers' answers cost, added up answer by answer."""

    readers: dict[str, dict[str, float]] = field(default_factory=dict)
    """By the reader's name, and by what was counted."""

    def add(self, answer: Answer) -> None:
        cost = getattr(answer, "cost", None)
        if cost is None:
            return
        total = self.readers.setdefault(answer.reader, {})
        for name, number in numbers(
            asdict(cost) if is_dataclass(cost) and not isinstance(cost, type) else cost
        ):
            total[name] = total.get(name, 0) + number

    @property
    def names(self) -> tuple[str, ...]:
        """What was counted, in the order in which it came."""
        return tuple(dict.fromkeys(name for total in self.readers.values() for name in total))


def numbers(found: Any, under: str = "") -> Iterator[tuple[str, float]]:
    """The numbers in a record, with their names; those of a record inside it with both names."""
    if isinstance(found, Mapping):
        for name, value in found.items():
            yield from numbers(value, f"{under}.{name}" if under else str(name))
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield under or "cost", found


def runs(log: Sequence[Mapping[str, Any]]) -> list[Run]:
    """The runs of a log, in their order."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for event in log:
        found.setdefault(event["run"], []).append(event)
    return [_run(number, events) for number, events in found.items()]


def _run(number: int, events: Sequence[Mapping[str, Any]]) -> Run:
    began = events[0]["at"]
    ended = next((event["at"] for event in reversed(events) if event["event"] in ENDS), "")
    measured: dict[str, float] = {}
    for event in events:
        if event["event"] != "begun":
            measured.update(numbers(event["detail"]))
    seconds = (
        (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds() if ended else None
    )
    return Run(number, began, ended, seconds, measured)
