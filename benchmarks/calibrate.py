"""Fits how scores become chances, on the int8 network that ships; used by training and by the measures.

A logistic rule of four numbers: weights of the three best sentences' scores, and a bias. One rule for all
questions: how often the training papers report each question was tried as a further input and did not help.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SCORES = 3
"""Best sentences that the rule looks at."""
RIDGE = 1.0
"""Pulls the rule towards no opinion: there are few papers to fit it on."""


@dataclass(frozen=True)
class Example:
    scores: tuple[float, ...]
    """Of the best sentences."""
    reported: bool
    group: str
    """The paper: what is left out as a whole in cross-validation."""


@dataclass(frozen=True)
class Rule:
    weights: tuple[float, ...]
    bias: float

    def chance(self, example: Example) -> float:
        return float(1 / (1 + np.exp(-_design([example]) @ [*self.weights, self.bias])[0]))


def _design(examples: Sequence[Example]) -> NDArray[np.float64]:
    rows = []
    for e in examples:
        best = sorted(e.scores, reverse=True)
        scores = [*best, *[best[-1]] * SCORES][:SCORES] if best else [-10.0] * SCORES
        rows.append([*scores, 1.0])
    return np.array(rows)


def fit(examples: Sequence[Example], ridge: float = RIDGE, only: int = SCORES) -> Rule:
    """By Newton's method, looking at the `only` best scores; the ridge draws towards half the best one."""
    x, y = _design(examples), np.array([e.reported for e in examples], float)
    centre = np.zeros(x.shape[1])
    centre[0] = 0.5
    strength = np.full(x.shape[1], ridge)
    strength[-1] = 1e-3
    strength[only:SCORES] = 1e9
    w = centre.copy()
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - y) + strength * (w - centre)
        curve = (x * (p * (1 - p))[:, None]).T @ x + np.diag(strength)
        step = np.linalg.solve(curve, gradient)
        w -= step
        if np.abs(step).max() < 1e-9:
            break
    return Rule(tuple(float(v) for v in w[:SCORES]), float(w[-1]))


def cross_validated(examples: Sequence[Example]) -> list[float]:
    """The chance of each example, by a rule fitted on the other papers."""
    chances = [0.0] * len(examples)
    for group in sorted({e.group for e in examples}):
        rule = fit([e for e in examples if e.group != group])
        for n, e in enumerate(examples):
            if e.group == group:
                chances[n] = rule.chance(e)
    return chances
