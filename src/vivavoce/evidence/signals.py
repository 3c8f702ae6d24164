"""What a network says of a question and the quotes that answer it: which words answer, yes or no, which
choice.

`coding` turns quotes into values by patterns and the vocabulary alone, and better with these. A reader that
has a network fills them in; nothing here knows how.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

LEAST = 0.5
"""The chance from which a token belongs to the answer."""
BRIDGE = 0.25
"""A token between two that belong to it, with at least this chance, belongs to it as well."""
FALL = 0.5
"""Where no token has `LEAST`: the share of the best token's chance down to which its neighbours belong to
it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """For each token of a quote the chance that it belongs to the answering words."""

    chances: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    """Where each token stands in the quote, in order."""

    def __post_init__(self) -> None:
        if len(self.chances) != len(self.spans):
            raise ValueError("a chance for each token, and a place for each")

    def chance(self, start: int, end: int) -> float:
        """The mean chance of the tokens in a span of the quote; 0 when there is none."""
        inside = [c for c, (a, b) in zip(self.chances, self.spans, strict=True) if a < end and b > start]
        return sum(inside) / len(inside) if inside else 0.0

    def runs(self, least: float = LEAST) -> list[tuple[int, int]]:
        """Spans of the quote whose tokens belong to the answer; the best one alone when none is likely."""
        if not self.chances:
            return []
        inside = [chance >= least for chance in self.chances]
        if not any(inside):
            return [self._around_best()]
        for n in range(1, len(inside) - 1):
            if inside[n - 1] and inside[n + 1] and self.chances[n] >= BRIDGE:
                inside[n] = True
        edges = [n for n, (a, b) in enumerate(pairwise([False, *inside, False])) if a != b]
        return [
            (self.spans[first][0], self.spans[last - 1][1])
            for first, last in zip(edges[::2], edges[1::2], strict=True)
        ]

    def _around_best(self) -> tuple[int, int]:
        best = max(range(len(self.chances)), key=lambda n: self.chances[n])
        floor = FALL * self.chances[best]
        first = last = best
        while first > 0 and self.chances[first - 1] >= floor:
            first -= 1
        while last + 1 < len(self.chances) and self.chances[last + 1] >= floor:
            last += 1
        return self.spans[first][0], self.spans[last][1]


def moved(marks: Marks, read: str, quote: str) -> Marks:
    """Marks of a table row as it is read with its column heads, on the row as it stands: each token where it
    comes next in the quote. Tokens of the heads alone are left out."""
    chances: list[float] = []
    spans: list[tuple[int, int]] = []
    at = 0
    for chance, (start, end) in zip(marks.chances, marks.spans, strict=True):
        token = read[start:end]
        found = quote.find(token, at) if token.strip() else -1
        if found >= 0 and found - at <= max(20, len(token)):
            chances.append(chance)
            spans.append((found, found + len(token)))
            at = found + len(token)
    return Marks(tuple(chances), tuple(spans))


@dataclass(frozen=True, slots=True)
class Signals:
    """All that a network says of one answer. What it says nothing of is left empty."""

    marks: tuple[Marks | None, ...] = ()
    """For each quote, in their order."""
    yes: tuple[float | None, ...] = ()
    """For each quote, how much it speaks for "yes", as a logit: below 0 is "no"."""
    choices: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """For each choice how much the quotes speak for it, as a logit."""
    choice_quotes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """For each choice the number of the quote that speaks most for it."""

    def of_quote(self, n: int) -> Marks | None:
        return self.marks[n] if n < len(self.marks) else None

    def yes_of(self, n: int) -> float | None:
        return self.yes[n] if n < len(self.yes) else None


NOTHING = Signals()


def likeliest_kind(chances: Mapping[str, float], asked: str) -> str:
    """The kind of a question asked by itself, with no set that says it: the likeliest, if it is likely."""
    best = max(chances, key=lambda kind: chances[kind], default=asked)
    return best if asked == "text" and chances.get(best, 0.0) >= LEAST else asked


def joined(marks: Sequence[tuple[int, Marks]]) -> Marks:
    """Marks of several sentences of one quote, each with the place where it begins in the quote."""
    return Marks(
        tuple(chance for _, some in marks for chance in some.chances),
        tuple((at + a, at + b) for at, some in marks for a, b in some.spans),
    )
