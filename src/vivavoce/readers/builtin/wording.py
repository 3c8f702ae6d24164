"""How much of a question's own words stand in a sentence.

The network reads for meaning; a question about something particular ("What was the weight decay?") is also
helped by the plain words. Rare words of the paper count more than common ones.
"""

import re
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[a-z0-9\-]{2,}")
_COMMON = frozenset(
    "a an and any are as at authors be been by did do does for from had has have how in into is it its made "  # noqa: SIM905
    "many much of on or paper study such that the their there this to use used using was were what when "
    "where which who why with work".split()
)
STEM = 6
"""Letters of a word that count: "augmented" and "augmentation" are the same."""


def stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in _WORD.findall(text.lower()) if word not in _COMMON)


class Lexicon:
    """The words of a paper's sentences, by which questions are compared with them."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._size = len(sentences)
        places: dict[str, list[int]] = {}
        for n, sentence in enumerate(sentences):
            for word in stems(sentence):
                places.setdefault(word, []).append(n)
        self._places = {word: np.array(some) for word, some in places.items()}

    def match(self, question: str) -> NDArray[np.float32]:
        """The share of the question's words, from 0 to 1, that stand in each sentence, in it or beside it,
        and anywhere in the paper (the same for all of them): sentences x 3."""
        found = np.zeros((self._size, 3), np.float32)
        near = np.zeros(self._size, np.float32)
        words = sorted(stems(question))
        weights = {word: self._weight(word) for word in words}
        total = sum(weights.values())
        if total <= 0 or not self._size:
            return found
        for word, weight in weights.items():
            where = self._places.get(word)
            if where is None:
                continue
            around = np.concatenate([where - 1, where, where + 1])
            near[:] = 0
            near[around[(around >= 0) & (around < self._size)]] = weight
            found[where, 0] += weight
            found[:, 1] += near
            found[:, 2] += weight
        return found / np.float32(total)

    def _weight(self, word: str) -> float:
        """Rare words count more."""
        return log((self._size + 1) / (len(self._places.get(word, ())) + 0.5))
