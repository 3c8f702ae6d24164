"""What a question asks for, by its words: stems, and how near they stand to a piece of a sentence."""

import re
from functools import lru_cache

STEM = 5
"""Letters of a word that count."""
_WORD = re.compile(r"[A-Za-zÀ-ÿ][\w-]+")
_COMMON = frozenset(
    "a an and any are as at authors be been by did do does for from had has have how in into is it its many "  # noqa: SIM905
    "much of on or paper study such that the their there this to use used using was were what when where "
    "which who why with work long often large far fast high many were each per one".split()
)
_HEAD = re.compile(
    r"\b(?:which|what)\s+(?:(?:is|are|was|were)\s+the\s+)?(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|has\b|"
    r"have\b|can\b|could\b|would\b|will\b|should\b)((?:[\w'-]+\s?){1,8}?)(?=\b(?:is|are|was|were|do|does|"
    r"did|has|"
    r"have|can|could|would|will|should|used|in|for)\b|[?,.]|$)",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM].lower() for word in _WORD.findall(text) if word.lower() not in _COMMON)


def nearness(asked: frozenset[str], text: str, start: int, end: int, reach: int = 12) -> float:
    """How many of the question's stems stand near a span, near ones counting more."""
    total = 0.0
    for side in (
        _WORD.findall(text[:start])[::-1][:reach],
        _WORD.findall(text[end:])[:reach],
    ):
        seen: set[str] = set()
        for distance, word in enumerate(side):
            stem = word[:STEM].lower()
            if stem in asked and stem not in seen:
                seen.add(stem)
                total += 1 / (1 + distance / 4)
    return total


@lru_cache(maxsize=2048)
def asked_thing(question: str) -> str:
    """The words for what is asked: "optimiser" of "Which optimiser was used?"; all of a short heading."""
    if len(question.split()) <= 4 and not question.strip().endswith("?"):
        return question
    return " ".join(match[1].strip() for match in _HEAD.finditer(question))
