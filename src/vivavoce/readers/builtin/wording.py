"""How much of a question's own words stand in a sentence.

The network reads for meaning; a question about something particular ("What was the weight decay?") is also
helped by the plain words. Rare words of the paper count more than common ones.
"""

import re
from collections import Counter
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


def coverage(questions: Sequence[str], sentences: Sequence[str]) -> NDArray[np.float32]:
    """Of each question the share, from 0 to 1, of its words in each sentence: questions x sentences."""
    known = [stems(sentence) for sentence in sentences]
    often = Counter(word for some in known for word in some)
    shares = np.zeros((len(questions), len(sentences)), np.float32)
    for row, question in zip(shares, questions, strict=True):
        weights = {word: log((len(known) + 1) / (often[word] + 0.5)) for word in sorted(stems(question))}
        total = sum(weights.values())
        if total <= 0:
            continue
        for n, some in enumerate(known):
            row[n] = sum(weight for word, weight in weights.items() if word in some) / total
    return shares
