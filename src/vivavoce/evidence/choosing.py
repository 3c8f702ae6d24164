"""Which choice do the quotes speak for? By what a network makes of the meanings, by the cues that the
question set gives, and, where there is neither, by the words that quotes and meanings share.

A choice that comes earlier in the set goes before a later one where both hold: sets list them in order of
precedence. A cue that a denial of another choice runs into does not count: "randomly assigned" in "not
randomly assigned". Every choice comes with the quote that speaks for it, and the words in it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from vivavoce.evidence import cues
from vivavoce.evidence.signals import NOTHING, Signals
from vivavoce.evidence.wordings import stems
from vivavoce.records import Coded, Question

CUE_WEIGHT = 3.0
"""What a cue adds to a choice's logit, where a network gives one."""
LATER = 0.75
"""What a cue in the next quote counts, of one in the quote before it: quotes come best first, and the later
ones are more often about something else."""
LEAST = 0.0
"""The weight above which one of several choices holds."""


_DENIAL = re.compile(
    r"\b(?:no|not|non|none|without|never|cannot|waive\w*|un\w+ed|exempt\w*)\b", re.IGNORECASE
)


class Hit(NamedTuple):
    """Where a cue stands."""

    quote: int
    start: int
    end: int


def choose(question: Question, quotes: Sequence[str], said: Signals = NOTHING) -> tuple[Coded, ...]:
    """The choice, or choices, that the quotes speak for; none only when there is no quote."""
    if not quotes or not question.choices:
        return ()
    hits = _hits(question, quotes)
    weights = [_weight(question, n, quotes, said, hits[n]) for n in range(len(question.choices))]
    rest = next((n for n, meaning in enumerate(question.meanings) if not meaning), None)
    weighed = [n for n in range(len(weights)) if n != rest]
    best = max(weighed, key=lambda n: (weights[n], -n)) if weighed else None
    held = [n for n in weighed if weights[n] > LEAST] if question.several else []
    if not held and best is not None and (rest is None or weights[best] > LEAST):
        held = [best]
    chosen = held or [n for n in (rest, 0) if n is not None][:1]
    return tuple(
        Coded(question.choices[n], "", "", "", *(hits[n] or _place(question, n, quotes, said)))
        for n in chosen
    )


def _hits(question: Question, quotes: Sequence[str]) -> list[Hit | None]:
    """Of each choice the first cue that no other choice's runs into."""
    found: list[list[Hit]] = [
        [Hit(at, *span) for at, quote in enumerate(quotes) if (span := cues.find(own, quote))]
        for own in (*question.cues, *[()] * (len(question.choices) - len(question.cues)))
    ]
    return [
        next((hit for hit in some if not _covered(hit, _others(found, n), quotes)), None)
        for n, some in enumerate(found)
    ]


def _others(found: Sequence[Sequence[Hit]], n: int) -> list[Hit]:
    return [hit for m, some in enumerate(found) if m != n for hit in some]


def _covered(hit: Hit, others: Sequence[Hit], quotes: Sequence[str]) -> bool:
    """Does another choice's cue run into it that denies, or that says more?"""
    denies = _denies(hit, quotes)
    for other in others:
        if other.quote == hit.quote and other.end > hit.start and other.start < hit.end:
            contains = other.start <= hit.start and hit.end <= other.end and other[1:] != hit[1:]
            if _denies(other, quotes) != denies:
                if not denies:
                    return True
            elif contains:
                return True
    return False


def _denies(hit: Hit, quotes: Sequence[str]) -> bool:
    return _DENIAL.search(quotes[hit.quote][hit.start : hit.end]) is not None


def _weight(question: Question, n: int, quotes: Sequence[str], said: Signals, hit: Hit | None) -> float:
    """How much the quotes speak for a choice. Without a network: first a cue, in the order of the set, then
    shared words."""
    code = question.choices[n]
    if code in said.choices:
        return said.choices[code] + (CUE_WEIGHT * LATER**hit.quote if hit else 0.0)
    if hit:
        return CUE_WEIGHT * LATER**hit.quote
    meaning = _meaning(question, n)
    return max(_shared(meaning, quote) - _unlike(meaning, quote) for quote in quotes)


def _place(question: Question, n: int, quotes: Sequence[str], said: Signals) -> Hit:
    """The quote that speaks most for a choice, as a whole."""
    code = question.choices[n]
    if code in said.choice_quotes:
        at = min(said.choice_quotes[code], len(quotes) - 1)
    else:
        shares = [_shared(_meaning(question, n), quote) for quote in quotes]
        at = shares.index(max(shares))
    return Hit(at, 0, len(quotes[at]))


def _meaning(question: Question, n: int) -> str:
    return question.meanings[n] if question.meanings else question.choices[n]


def _unlike(meaning: str, quote: str) -> float:
    """Does one deny and the other not? "No data were excluded" has the words of "some data were excluded"."""
    return 0.5 if bool(_DENIAL.search(meaning)) != bool(_DENIAL.search(quote)) else 0.0


def _shared(meaning: str, quote: str) -> float:
    wanted = stems(meaning)
    return len(wanted & stems(quote)) / len(wanted) if wanted else 0.0
