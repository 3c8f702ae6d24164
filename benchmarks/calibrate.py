"""Fits how numbers become chances, on the int8 network that ships; used by training and by the measures.

A logistic rule with a ridge: few papers, few numbers, one rule for all questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RIDGE = 1.0
"""Pulls the weights towards each other's mean: there are few papers to fit them on."""


@dataclass(frozen=True)
class Example:
    features: tuple[float, ...]
    reported: bool
    group: str
    """The paper: what is left out as a whole in cross-validation."""
    weight: float = 1.0


def fit(examples: Sequence[Example], ridge: float = RIDGE) -> tuple[float, ...]:
    """The weights of the features, and a bias, by Newton's method."""
    x = np.array([[*e.features, 1.0] for e in examples])
    y = np.array([e.reported for e in examples], float)
    many = np.array([e.weight for e in examples])
    centre, spread = x[:, :-1].mean(0), x[:, :-1].std(0) + 1e-9
    x[:, :-1] = (x[:, :-1] - centre) / spread
    strength = np.full(x.shape[1], ridge)
    strength[-1] = 1e-6
    w = np.zeros(x.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (many * (p - y)) + strength * w
        curve = (x * (many * p * (1 - p))[:, None]).T @ x + np.diag(strength)
        step = np.linalg.solve(curve, gradient)
        w -= step
        if np.abs(step).max() < 1e-9:
            break
    weights = w[:-1] / spread
    return (*map(float, weights), float(w[-1] - weights @ centre))


def chance(rule: Sequence[float], features: Sequence[float]) -> float:
    *weights, bias = rule
    return float(1 / (1 + np.exp(-(bias + np.dot(weights, features)))))


def cross_validated(examples: Sequence[Example], folds: int = 10, ridge: float = RIDGE) -> list[float]:
    """The chance of each example, by a rule fitted on other papers."""
    groups = sorted({e.group for e in examples})
    fold = {group: n % folds for n, group in enumerate(groups)}
    chances: NDArray[np.float64] = np.zeros(len(examples))
    for k in range(min(folds, len(groups))):
        rule = fit([e for e in examples if fold[e.group] != k], ridge)
        for n, e in enumerate(examples):
            if fold[e.group] == k:
                chances[n] = chance(rule, e.features)
    return [float(chance) for chance in chances]
