"""A reader's answer -> the same answer with what people's decisions taught: another confidence, and, where
the chance passes one half, the other status with the proof that it needs.

The stored answer never changes; this is done whenever results are looked at. There is no "reported"
without a quote: an answer that becomes "reported" takes the closest passages of its receipt as evidence,
and one without such passages stays as it was, as unsure as can be.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log

from vivavoce.evidence.coding import code
from vivavoce.evidence.locating import closest_to_evidence, evidence_to_closest
from vivavoce.evidence.values import values
from vivavoce.records import Answer, QuestionCalibration, Receipt

LEAST_CHANCE = 0.0001
"""No reader is taken to be surer than this: certainty has no log-odds. Confidences are kept with four
digits."""
LEAST_EVIDENCE = 0.05
"""The chance that a further passage needs to become evidence, beside the closest one."""
CLOSEST = 3
"""Passages in a receipt."""


@dataclass(frozen=True, slots=True)
class PaperText:
    """What an answer with another status needs of its paper."""

    text: str
    pages: int
    sentences: int


def chance_of(answer: Answer) -> float | None:
    """The chance that the paper reports an answer, as the reader gives it; none when it says neither."""
    if answer.status == "reported":
        return answer.confidence
    return 1 - answer.confidence if answer.status == "not_reported" else None


def log_odds(chance: float) -> float:
    within = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return log(within / (1 - within))


def calibrated(answer: Answer, by: QuestionCalibration, read: Callable[[], PaperText]) -> Answer:
    """The answer as this calibration of its reader and question has it. `read` looks up the paper's text,
    which only another status needs."""
    own = chance_of(answer)
    if own is None or not by.offset:
        return answer
    chance = 1 / (1 + exp(-log_odds(own) - by.offset))
    moved = replace(answer, offset=by.offset)
    if chance >= 0.5:
        sure = round(chance, 4)
        return (
            replace(moved, confidence=sure)
            if answer.status == "reported"
            else _reported(moved, by, sure, read)
        )
    if answer.status == "not_reported":
        return replace(moved, confidence=round(1 - chance, 4))
    return _not_reported(moved, by, chance, read())


def _reported(answer: Answer, by: QuestionCalibration, sure: float, read: Callable[[], PaperText]) -> Answer:
    closest = answer.receipt.closest if answer.receipt else ()
    if not closest:
        return replace(answer, confidence=0.5)
    likely = [passage for passage in closest[1:] if passage.score >= LEAST_EVIDENCE]
    text = read().text
    evidence = tuple(closest_to_evidence(passage, text) for passage in (closest[0], *likely))
    return replace(
        answer,
        status="reported",
        text=" ".join(closest[0].text.split()),
        confidence=sure,
        evidence=evidence,
        values=values(e.reading or e.quote for e in evidence),
        coded=code(answer.question, evidence),
        receipt=None,
        reason=_why(answer, by),
    )


def _not_reported(answer: Answer, by: QuestionCalibration, chance: float, paper: PaperText) -> Answer:
    # What chance the reader gave to each quote isn't kept; none is likelier than that anything answers.
    score = round(chance, 4)
    closest = tuple(evidence_to_closest(quote, score) for quote in answer.evidence[:CLOSEST])
    return replace(
        answer,
        status="not_reported",
        text="",
        confidence=round(1 - chance, 4),
        evidence=(),
        values=(),
        coded=(),
        receipt=Receipt(paper.pages, paper.sentences, closest),
        reason=_why(answer, by),
    )


def _why(answer: Answer, by: QuestionCalibration) -> str:
    own = f"{answer.status.replace('_', ' ')}, {answer.confidence:.2f}"
    return f"calibrated on {by.decisions} decisions; {answer.reader} itself says {own}"
