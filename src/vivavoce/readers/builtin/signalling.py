"""What the network says of an answer's quotes, for `evidence.coding`: which words answer, yes or no, and
which choice. Each choice is weighed by asking what it means of the quoted sentences.
"""

from collections.abc import Sequence
from math import log

from vivavoce.evidence.signals import Marks, Signals, joined, moved
from vivavoce.readers.builtin.asking import meanings
from vivavoce.readers.builtin.scoring import PaperScores, Scored
from vivavoce.records import Evidence, Question

NEVER = 1e-6
"""A chance is at least this, and at most 1 less it."""
LATER = 0.5
"""What a choice loses, as a logit, with each quote that comes before the one that speaks for it."""


def signals(scores: PaperScores, n: int, question: Question, found: Sequence[Evidence]) -> Signals:
    """What the network says of the quotes that answer the question with the number `n`."""
    inside = [_inside(scores, e) for e in found]
    known = {scored.number: scored for scored in scores.best(n)}
    missing = sorted({number for some in inside for number in some} - set(known))
    known |= {scored.number: scored for scored in scores.of_sentences(n, missing)}
    judged = [
        [known[number] for number in some if number in known and known[number].judged] for some in inside
    ]
    weights: dict[str, float] = {}
    quotes: dict[str, int] = {}
    for choice, meaning in zip(question.choices, meanings(question), strict=False):
        if not meaning:
            continue
        fits = [
            (fit - LATER * at, -at) for at, some in enumerate(inside) for fit in scores.weigh(meaning, some)
        ]
        if fits:
            weights[choice], quotes[choice] = max(fits)[0], -max(fits)[1]
    return Signals(
        tuple(_marks(scores, e, some) for e, some in zip(found, judged, strict=True)),
        tuple(_yes(some) for some in judged),
        weights,
        quotes,
    )


def _inside(scores: PaperScores, e: Evidence) -> list[int]:
    """Numbers of the sentences of a quote."""
    return [n for n, s in enumerate(scores.paper.sentences) if s.start < e.end and s.end > e.start]


def _marks(scores: PaperScores, e: Evidence, judged: Sequence[Scored]) -> Marks | None:
    """Of each word of the quote the chance that it belongs to the answer."""
    parts = []
    for scored in judged:
        sentence = scored.sentence
        spans = scores.marks(scored)
        marks = Marks(tuple(m for _, _, m in spans), tuple((a, b) for a, b, _ in spans))
        if sentence.reading:
            marks = moved(marks, sentence.reading, sentence.text)
        if sentence.start >= e.start and sentence.end <= e.end:
            parts.append((sentence.start - e.start, marks))
    return joined(parts) if parts else None


def _yes(judged: Sequence[Scored]) -> float | None:
    """How much the best sentence of a quote speaks for yes, as a logit."""
    best = max(judged, key=lambda scored: scored.logit, default=None)
    if best is None or best.judged is None:
        return None
    chance = min(max(best.judged.yes, NEVER), 1 - NEVER)
    return log(chance / (1 - chance))
