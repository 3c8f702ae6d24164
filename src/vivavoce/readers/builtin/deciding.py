"""Scores of sentences -> how likely it is that a sentence is evidence, and that the paper reports an answer.

The numbers in `weights/settings.json` are fitted on the int8 network by `training`, which says on what.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, inf, log
from typing import Any, Literal, NamedTuple

Variant = Literal["full", "fast"]
"""With the judge, or without it."""


@dataclass(frozen=True, slots=True)
class Settings:
    version: str
    candidates: int
    """The best sentences of each question, which the judge reads, and among which quotes are chosen."""
    judges: bool
    """Does the judge read them?"""
    paper: tuple[float, ...]
    """Weights of what `features` makes of a question's best sentences, and a bias: the logit that the paper
    reports an answer."""
    sentence: tuple[float, ...]
    """Weights of what `sentence_features` makes of a sentence, and a bias: the logit that it is evidence."""
    quote_chance: float
    """How likely a further quote must be evidence to be shown."""


class Decision(NamedTuple):
    """What a question's best sentences come to."""

    paper: float
    """How likely it is that the paper reports an answer, as a logit."""
    sentences: tuple[float, ...]
    """How likely each sentence is to be evidence, as logits."""


def decide(settings: Settings, scores: Sequence[float], judged: Sequence[float]) -> Decision:
    """From the scores of a question's best sentences, and the judge's, if it read them."""
    if not scores:
        return Decision(-inf, ())
    paper = _weighted(settings.paper, features(scores, judged))
    each = sentence_features(scores, judged, paper)
    return Decision(paper, tuple(_weighted(settings.sentence, values) for values in each))


def features(scores: Sequence[float], judged: Sequence[float]) -> list[float]:
    """What decides whether the paper answers: the best scores, and whether there are others about as good."""
    return [*_top(scores), *(_top(judged) if judged else ())]


def sentence_features(scores: Sequence[float], judged: Sequence[float], paper: float) -> list[list[float]]:
    """What decides whether a sentence is evidence: how far it is behind the best one, and whether the paper
    answers at all."""
    behind = [[score - max(scores)] for score in scores]
    if judged:
        behind = [[*some, score - max(judged)] for some, score in zip(behind, judged, strict=True)]
    return [[*some, paper] for some in behind]


def _top(values: Sequence[float]) -> list[float]:
    """The best, the second, and all of them together."""
    best = sorted(values, reverse=True)
    second = best[1] if len(best) > 1 else best[0]
    together = best[0] + log(sum(exp(v - best[0]) for v in best))
    return [best[0], second, together]


def _weighted(rule: Sequence[float], values: Sequence[float]) -> float:
    *weights, bias = rule
    return bias + sum(w * x for w, x in zip(weights, values, strict=True))


@cache
def settings(variant: Variant = "full") -> Settings:
    text = (files("vivavoce.readers.builtin") / "weights" / "settings.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)[variant]
    return Settings(**{**values, "sentence": tuple(values["sentence"]), "paper": tuple(values["paper"])})


def chance(logit: float) -> float:
    return 1 / (1 + exp(-logit)) if logit > -700 else 0.0
