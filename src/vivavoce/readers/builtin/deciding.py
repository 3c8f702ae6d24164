"""Scores of sentences -> how likely it is that the paper reports an answer.

The numbers in `weights/settings.json` are fitted on the int8 network by `training`, which says on what.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import exp


@dataclass(frozen=True, slots=True)
class Settings:
    version: str
    candidates: int
    """The best sentences of each question, among which quotes are chosen."""
    word_weight: float
    """What a sentence gains that has all of the question's own words."""
    slope: float
    """From a sentence's score to the chance that it is evidence."""
    offset: float
    neighbour_weight: float
    """What a sentence gains in the order when both its neighbours answer, too."""
    quote_margin: float
    """How far behind the best sentence, in the order, another may be to be quoted as well."""
    min_quote_score: float
    """The score that it needs for that."""
    weights: tuple[float, ...]
    """Of the best scores of a question, best first, in the chance that the paper reports an answer."""
    bias: float
    unread: tuple[str, ...] = ()
    """Kinds of sentences that are never read as evidence."""
    penalty: dict[str, float] = field(default_factory=dict)
    """What a sentence of a kind, or of a part of the paper (abstract, introduction, discussion), loses."""

    def evidence(self, score: float) -> float:
        """The chance that a sentence with this score is evidence."""
        return _logistic(self.slope * score + self.offset)


@cache
def settings() -> Settings:
    text = (files("vivavoce.readers.builtin") / "weights" / "settings.json").read_text(encoding="utf-8")
    values = json.loads(text)
    return Settings(**{**values, "weights": tuple(values["weights"]), "unread": tuple(values["unread"])})


def probability(settings: Settings, scores: Sequence[float]) -> float:
    """The chance that a paper whose best sentences have these scores reports an answer."""
    if not scores:
        return 0.0
    best = sorted(scores, reverse=True)
    padded = [*best, *[best[-1]] * len(settings.weights)]
    total = sum(w * s for w, s in zip(settings.weights, padded, strict=False))
    return _logistic(settings.bias + total)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0
