"""People's decisions -> how far a reader's confidences in its answers to a question have to be moved.

A reader may be too quick to say "reported" of one question, and too slow of another. What it lacks is one
number for each question: an offset, added to its log-odds that the paper reports an answer. The offset is
fitted on the cells that people decided, by logistic regression with the reader's log-odds as they are
(slope 1) and a normal distribution around 0 as the prior, so that few decisions move little.

Whether an offset is worth having is measured by leaving out one decided paper at a time: it is adopted only
if decisions that it didn't see become more likely by it. Nothing here is drawn by chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.panel.calibrated import log_odds

MIN_DECISIONS = 5
"""Decided cells that a question needs: with fewer, one decision more or less turns the offset around."""
PRIOR_SD = 1.5
"""How far offsets lie from 0, as a standard deviation in log-odds: an offset of 1.5 turns a chance of 0.5
into 0.82. Five decisions that all contradict an unsure reader move it by about that much."""
MIN_GRADES = 3
"""A reader that gives fewer different confidences than this doesn't grade its answers, and is left alone."""
DIGITS = 4
"""Offsets are rounded, so that they are the same on every machine."""

_TOLERANCE = 1e-9
_STEPS = 100

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """A reader's answer that people have judged by deciding the cell."""

    chance: float
    """That the paper reports an answer, as the reader gave it."""
    reported: bool
    """What people decided."""


@dataclass(frozen=True, slots=True)
class Fit:
    """An offset, and what it is worth on decisions that it didn't see."""

    offset: float
    """Added to the log-odds."""
    adopted: bool
    """Is it worth having: does it make decisions more likely that were left out when it was fitted?"""
    decisions: int
    accuracy_before: float
    accuracy_after: float
    log_loss_before: float
    """The mean of the negative logarithm of the chance given to what people decided: 0 is best."""
    log_loss_after: float


def fit_offset(judged: Sequence[Judged]) -> float:
    """The most likely offset."""
    odds, truth = _arrays(judged)
    return float(_offsets(odds, truth, np.ones((1, len(odds))))[0])


def fit(judged: Sequence[Judged]) -> Fit:
    """The offset for a question, from cells of different papers. The figures are of decisions that were left
    out: the offset for each was fitted, and found to be worth having or not, on the others alone."""
    odds, truth = _arrays(judged)
    numbers = range(len(odds))
    left_out = _left_out(odds, truth)
    used = np.array([left_out[n] if _worth_having(odds, truth, n) else 0.0 for n in numbers])
    before, after = _losses(odds, truth), _losses(odds + used, truth)
    return Fit(
        round(fit_offset(judged), DIGITS),
        _improves(before, _losses(odds + left_out, truth)),
        len(odds),
        *(_mean(some) for some in (_right(odds, truth), _right(odds + used, truth), before, after)),
    )


def _worth_having(odds: Numbers, truth: Numbers, without: int) -> bool:
    """Would an offset have been adopted if this decision had not been made?"""
    odds, truth = np.delete(odds, without), np.delete(truth, without)
    return len(odds) > 0 and _improves(_losses(odds, truth), _losses(odds + _left_out(odds, truth), truth))


def _left_out(odds: Numbers, truth: Numbers) -> Numbers:
    """For each decision the offset that is fitted on the others."""
    return _offsets(odds, truth, np.ones((len(odds), len(odds))) - np.eye(len(odds)))


def _improves(before: Numbers, after: Numbers) -> bool:
    return bool(after.mean() < before.mean() - _TOLERANCE)


def _mean(some: Numbers) -> float:
    return round(float(some.mean()), DIGITS)


def _arrays(judged: Sequence[Judged]) -> tuple[Numbers, Numbers]:
    odds = [log_odds(one.chance) for one in judged]
    return np.array(odds), np.array([one.reported for one in judged], dtype=np.float64)


def _offsets(odds: Numbers, truth: Numbers, weights: Numbers) -> Numbers:
    """The most likely offset for each row of weights of the cells: by Newton's method, and by halving the
    interval wherever that leaves it."""
    precision = 1 / PRIOR_SD**2
    # The slope of the prior alone outweighs all cells at these ends.
    high = weights.sum(axis=1) / precision
    low = -high
    offsets = np.zeros(len(weights))
    for _ in range(_STEPS):
        chances = _logistic(odds[None, :] + offsets[:, None])
        slope = (weights * (chances - truth)).sum(axis=1) + precision * offsets
        curve = (weights * chances * (1 - chances)).sum(axis=1) + precision
        low, high = np.where(slope < 0, offsets, low), np.where(slope > 0, offsets, high)
        step = offsets - slope / curve
        moved = np.where((low <= step) & (step <= high), step, (low + high) / 2)
        done = np.abs(moved - offsets).max() < _TOLERANCE
        offsets = moved
        if done:
            break
    return offsets


def _losses(odds: Numbers, truth: Numbers) -> Numbers:
    """How unlikely each decision is, by the negative logarithm."""
    return np.logaddexp(0.0, np.where(truth > 0, -odds, odds))


def _right(odds: Numbers, truth: Numbers) -> Numbers:
    return np.array((odds >= 0) == (truth > 0), dtype=np.float64)


def _logistic(odds: Numbers) -> Numbers:
    return np.array(np.exp(-np.logaddexp(0.0, -odds)), dtype=np.float64)
