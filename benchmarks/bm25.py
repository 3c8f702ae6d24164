"""BM25 over a paper's sentences: what plain words find, to compare readers with."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np

SATURATION, LENGTH = 1.2, 0.75
_WORD = re.compile(r"[a-z0-9]+")


class BM25:
    def __init__(self, sentences: Sequence[str]) -> None:
        self._counts = [Counter(_WORD.findall(s.lower())) for s in sentences]
        lengths = np.array([sum(c.values()) for c in self._counts], float)
        self._norm = SATURATION * (1 - LENGTH + LENGTH * lengths / max(1.0, float(lengths.mean())))
        self._often = Counter(word for some in self._counts for word in some)

    def scores(self, question: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        total = np.zeros(len(self._counts))
        for word in _WORD.findall(question.lower()):
            often = self._often[word]
            if not often:
                continue
            weight = log(1 + (len(self._counts) - often + 0.5) / (often + 0.5))
            times = np.array([c[word] for c in self._counts], float)
            total += weight * times * (SATURATION + 1) / (times + self._norm)
        return total

    def best(self, question: str) -> int:
        """The sentence that fits best; the first of equals."""
        return int(np.argmax(self.scores(question)))
