"""Scores of sentences -> how likely it is that a sentence is evidence, and that the paper reports an answer.

The numbers in `weights/settings.json` are fitted on the int8 network by `training`, which says on what.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, Literal

Variant = Literal["full", "fast"]
"""With the judge, or without it."""


@dataclass(frozen=True, slots=True)
class Settings:
    version: str
    candidates: int
    """The best sentences of each question, which the judge reads, and among which quotes are chosen."""
    judges: bool
    """Does the judge read them?"""
    sentence: tuple[float, ...]
    """Weights of a sentence's score, the judge's, and a bias: together the logit that it is evidence."""
    paper: tuple[float, ...]
    """Weights of what `features` makes of a question's best sentences, and a bias: the logit that the paper
    reports an answer."""
    quote_chance: float
    """How likely a further quote must be evidence to be shown."""

    def sentence_logit(self, score: float, judged: float | None) -> float:
        parts = [score] if judged is None else [score, judged]
        *weights, bias = self.sentence
        return bias + sum(w * x for w, x in zip(weights, parts, strict=True))

    def evidence(self, logit: float) -> float:
        """The chance that a sentence with this logit is evidence."""
        return _logistic(logit)


def features(scores: Sequence[float], judged: Sequence[float], logits: Sequence[float]) -> list[float]:
    """What decides whether the paper answers: the best scores, and whether there are others about as good."""
    found = [*_top(scores)]
    if judged:
        found += [*_top(judged)]
    return [*found, *_top(logits)[:1]]


def _top(values: Sequence[float]) -> list[float]:
    """The best, the second, and all of them together."""
    best = sorted(values, reverse=True)
    second = best[1] if len(best) > 1 else best[0]
    together = best[0] + log(sum(exp(v - best[0]) for v in best))
    return [best[0], second, together]


@cache
def settings(variant: Variant = "full") -> Settings:
    text = (files("vivavoce.readers.builtin") / "weights" / "settings.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)[variant]
    return Settings(**{**values, "sentence": tuple(values["sentence"]), "paper": tuple(values["paper"])})


def probability(
    settings: Settings, scores: Sequence[float], judged: Sequence[float], logits: Sequence[float]
) -> float:
    """The chance that a paper whose best sentences have these scores reports an answer."""
    if not scores:
        return 0.0
    *weights, bias = settings.paper
    return _logistic(
        bias + sum(w * x for w, x in zip(weights, features(scores, judged, logits), strict=True))
    )


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0
