"""Which choice do the quotes speak for? By what a network makes of the meanings, by the cues that the
question set gives, and, where there is neither, by the words that quotes and meanings share.

A choice that comes earlier in the set goes before a later one where both hold: sets list them in order of
precedence. Every choice comes with the quote that speaks for it, and the words in it.
"""

from collections.abc import Sequence

from vivavoce.evidence import cues
from vivavoce.evidence.signals import NOTHING, Signals
from vivavoce.evidence.wordings import stems
from vivavoce.records import Coded, Question

CUE_WEIGHT = 3.0
"""What a cue adds to a choice's logit, where a network gives one."""
SHARED_WEIGHT = 1.0
"""What it adds that all words of the meaning stand in a quote, where there is neither network nor cue."""
LEAST = 0.0
"""The logit from which one of several choices holds."""


def choose(question: Question, quotes: Sequence[str], said: Signals = NOTHING) -> tuple[Coded, ...]:
    """The choice, or choices, that the quotes speak for; none only when there is no quote."""
    if not quotes or not question.choices:
        return ()
    weights: list[float] = []
    places: list[tuple[int, int, int]] = []
    for n, code in enumerate(question.choices):
        weight, place = _weigh(question, n, code, quotes, said)
        weights.append(weight)
        places.append(place)
    rest = next((n for n, meaning in enumerate(question.meanings) if not meaning), None)
    if question.several:
        held = [n for n, weight in enumerate(weights) if weight > LEAST and n != rest]
        chosen = held or ([rest] if rest is not None else [_best(weights)])
    else:
        best = _best([w for w in weights])
        chosen = [rest if rest is not None and weights[best] <= LEAST else best]
    return tuple(Coded(question.choices[n], "", "", "", *places[n]) for n in chosen)


def _best(weights: Sequence[float]) -> int:
    """Of those that weigh the same the first."""
    return max(range(len(weights)), key=lambda n: (weights[n], -n))


def _weigh(
    question: Question, n: int, code: str, quotes: Sequence[str], said: Signals
) -> tuple[float, tuple[int, int, int]]:
    """How much the quotes speak for a choice, and where."""
    meaning = question.meanings[n] if question.meanings else code
    own = question.cues[n] if n < len(question.cues) else ()
    weight = said.choices.get(code, 0.0)
    place: tuple[int, int, int] | None = None
    for at, quote in enumerate(quotes):
        if span := cues.find(own, quote):
            weight += CUE_WEIGHT
            place = (at, *span)
            break
    if code not in said.choices:
        shares = [_shared(meaning, quote) for quote in quotes]
        at = shares.index(max(shares))
        weight += SHARED_WEIGHT * shares[at]
    else:
        at = min(said.choice_quotes.get(code, 0), len(quotes) - 1)
    return weight, place or (at, 0, len(quotes[at]))


def _shared(meaning: str, quote: str) -> float:
    wanted = stems(meaning)
    return len(wanted & stems(quote)) / len(wanted) if wanted else 0.0
