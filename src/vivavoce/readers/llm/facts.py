"""The facts in a piece of text that can be looked up elsewhere: names, numbers and links."""

import re
from collections.abc import Sequence

from vivavoce.records import Evidence

_FACT = re.compile(
    r"https?://[^\s)\]]+|\b10\.\d{4,9}/\S+"  # links
    r"|\b\d[\d.,]*(?:\s?%)?"  # numbers
    r"|\b(?:[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9-]*|[A-Za-z]+-?\d[A-Za-z0-9-]*)\b"  # ResNet, GTX, v100
)
_OPTIONAL = re.compile(r"(?<=[^\W\d])[-‐‑–](?=\d)|(?<=\d),(?=\d{3}(?!\d))")
"""A hyphen before a number, and a comma between thousands."""
_BEFORE, _AFTER = r"(?<!\w)(?<!\d[.,])", r"(?!\w|[.,]\d)"
_AFTER_NUMBER = r"(?!\d|[.,]\d|e[-−+\d])"
"""So that 3 is neither in 3.5 nor in 3e-4, but 16 is in 16GB, and 224 in 224x224."""
_PLURAL = re.compile(r"(?<=[a-z]{2})s$")


def facts_in(text: str) -> list[str]:
    """In their order, and as often as they occur."""
    return _FACT.findall(text)


def appears_in(fact: str, text: str) -> bool:
    """Does the text have it, as a word or words of its own? A link may be broken over lines. The s of a
    plural is optional, and so are a hyphen before a number (ResNet-50) and a comma between thousands."""
    bare = _folded(fact).strip(".,;:")
    if "/" in bare:
        return "".join(bare.split()) in "".join(_folded(text).split())
    words = (_PLURAL.sub("", word) for word in bare.split())
    pattern = r"\s+".join(re.escape(word) + ("s?" if word[-1:].isalpha() else "") for word in words)
    after = _AFTER_NUMBER if bare[-1:].isdigit() else _AFTER
    return not bare or re.search(rf"{_BEFORE}{pattern}{after}", _folded(text)) is not None


def unproven_facts(text: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The facts of the text that are in no quote."""
    words = quoted_words(evidence)
    return tuple(fact for fact in dict.fromkeys(facts_in(text)) if not appears_in(fact, words))


def quoted_words(evidence: Sequence[Evidence]) -> str:
    """The words of all quotes, with the column heads of table rows."""
    return " ".join(f"{quote.quote} {quote.reading}" for quote in evidence)


def _folded(text: str) -> str:
    return _OPTIONAL.sub("", " ".join(text.lower().split()))
