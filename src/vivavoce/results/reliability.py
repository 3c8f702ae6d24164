"""Can a reader's confidences be trusted? A reliability curve, its error, and what is gained by a second look.

The chance that a reader gives to "reported" is compared with how often that is true, in ten equal steps.
The expected calibration error is the mean distance of the two, weighted by how many answers are in a step.
And if the most doubtful answers go to a person, who is taken to be right: how accurate is the rest, and how
accurate all of it?
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vivavoce.panel.voting import vote_of
from vivavoce.records import Answer

STEPS = 10
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Of the answers, that go to a person."""


class Judged(NamedTuple):
    """An answer that makes a statement, and what the label says."""

    chance: float
    """That it is reported, as the reader has it."""
    right: bool
    truth: bool
    doubtful: bool
    """Has it a doubt besides its confidence?"""
    confidence: float

    @classmethod
    def of(cls, answer: Answer, truth: bool) -> "Judged":
        said = bool(vote_of(answer))
        # A claim without a quote counts as "no", and its reader is sure of neither.
        confidence = 0.5 if answer.status == "unsupported" else answer.confidence
        chance = confidence if said else 1 - confidence
        return cls(chance, said == truth, truth, bool(answer.doubts), confidence)


class Step(NamedTuple):
    """Answers whose chance is in one tenth of the scale."""

    chance: float
    """Their mean."""
    reported: float
    """The share that is reported, by the labels."""
    n: int


class Coverage(NamedTuple):
    """What is left to the readers when the most doubtful answers go to a person."""

    to_person: float
    """The share of answers."""
    accuracy: float
    """Of those that the readers keep."""
    combined: float
    """Of all, if the person is right."""


@dataclass(frozen=True, slots=True)
class Reliability:
    steps: tuple[Step, ...]
    """Those with answers in them, from no to yes."""
    ece: float
    """The expected calibration error."""
    brier: float
    """The mean squared difference of chance and truth."""
    coverage: tuple[Coverage, ...]


def reliability(judged: Sequence[Judged]) -> Reliability | None:
    """None without any answer."""
    if not judged:
        return None
    steps: dict[int, list[Judged]] = {}
    for one in judged:
        steps.setdefault(min(STEPS - 1, int(one.chance * STEPS)), []).append(one)
    curve = tuple(
        Step(_mean([j.chance for j in some]), _mean([j.truth for j in some]), len(some))
        for _, some in sorted(steps.items())
    )
    return Reliability(
        curve,
        ece=sum(abs(step.chance - step.reported) * step.n for step in curve) / len(judged),
        brier=_mean([(j.chance - j.truth) ** 2 for j in judged]),
        coverage=_coverage(judged),
    )


def _coverage(judged: Sequence[Judged]) -> tuple[Coverage, ...]:
    # The surest first; among answers that are as sure, those without a doubt.
    ordered = sorted(judged, key=lambda j: (j.doubtful, -j.confidence))
    found: list[Coverage] = []
    seen: set[int] = set()
    for share in SHARES:
        kept = ordered[: len(ordered) - round(share * len(ordered))]
        right = sum(j.right for j in kept)
        if kept and len(kept) not in seen:
            seen.add(len(kept))
            combined = (right + len(ordered) - len(kept)) / len(ordered)
            found.append(Coverage(1 - len(kept) / len(ordered), right / len(kept), combined))
    return tuple(found)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
