"""People's decisions -> what a cell comes to; where a person should look first; how far people agree.

A person's word takes precedence over the readers' vote, which stays beside it. One reviewer decides; several
decide when they give the same status; when they do not, the vote stays, in doubt, until somebody adjudicates.
In a blind review, each reviewer sees the cells as if nobody else had decided anything: `seen_by`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from vivavoce.panel import CONFLICT, DECIDED, PERSON, SURE, TIE, VERDICT, needs_review, said_reported
from vivavoce.records import Answer, Cell, Decision
from vivavoce.scores import Score
from vivavoce.values import values

PANEL = "panel"
"""The name under which results speak of the vote, where people have decided."""
DISAGREE = "reviewers disagree: "
"""How the doubt about their decisions begins."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review is."""

    total: int
    """Cells."""
    to_review: int
    """Those that a person should look at: the vote is in doubt, or reviewers disagree."""
    decided: int
    """Cells that are decided, whether they had to be or not; of one reviewer, those that this one decided."""
    left: int
    """Of `to_review`, those that still wait; of one reviewer, for this one."""
    disagreements: int
    """Cells that wait for an adjudication."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How far two reviewers agree on reported or not, where both have decided."""

    reviewers: tuple[str, str]
    both: int
    """Cells that both decided."""
    differ: int
    """Of these, those in which they gave different statuses."""
    score: Score
    """The first against the second: `n` cells in which both say reported or not reported (`unsupported`
    counts as that), their agreement `accuracy`, and Cohen's `kappa`."""

    @property
    def percent(self) -> float | None:
        """The share of cells in which both say the same; none without cells."""
        return self.score.accuracy

    @property
    def kappa(self) -> float | None:
        """Cohen's; none where it is not defined."""
        return self.score.kappa


# What a cell comes to


def decided(vote: Answer, decisions: Sequence[Decision]) -> Answer:
    """The final verdict: an adjudication, else what the reviewers agree on, else the vote. `decisions` are
    those that count, oldest first."""
    last = [decision for decision in decisions if decision.kind == "adjudication"][-1:]
    said = last or list(decisions)
    if not said:
        return vote
    if len({decision.status for decision in said}) > 1:
        return replace(vote, doubts=(_disagreement(said), *vote.doubts))
    # Of several that agree the newest is shown, but one with a quote before one without.
    best = max(enumerate(said), key=lambda item: (bool(item[1].evidence), item[0]))[1]
    both = best.status == vote.status == "not_reported"
    return replace(
        _answer(vote, best),
        reader=VERDICT,
        version=DECIDED,
        receipt=vote.receipt if both else None,
        reason=_why(said, best),
    )


def by_person(vote: Answer, decision: Decision) -> Answer:
    """A decision as an answer, for results: of `person:NAME`, its version the kind of decision."""
    said = _answer(vote, decision)
    bare = "without a quote" if _bare(decision) else ""
    return replace(said, reason=": ".join(part for part in (bare, decision.reason) if part))


def told(cell: Cell) -> tuple[Answer, ...]:
    """All that results tell of a cell: each reader's answer; where people decided, the panel's vote and each
    decision; the verdict."""
    if not cell.decisions:
        return (*cell.answers, cell.verdict)
    people = (by_person(cell.vote, decision) for decision in cell.decisions)
    return (*cell.answers, replace(cell.vote, reader=PANEL), *people, cell.verdict)


def is_decided(cell: Cell) -> bool:
    """Have people decided it?"""
    return cell.verdict.version == DECIDED


def disagree(cell: Cell) -> bool:
    """Does it wait for an adjudication?"""
    return any(doubt.startswith(DISAGREE) for doubt in cell.verdict.doubts)


def seen_by(cell: Cell, reviewer: str) -> Cell:
    """The cell as a blind reviewer sees it: nobody else has decided anything. What others made of the
    screening question shows in the paper's other cells; `Results.of(store, seen_by=NAME)` leaves that out,
    too."""
    own = tuple(d for d in cell.decisions if d.reviewer == reviewer and d.kind == "review")
    verdict = cell.verdict if cell.closed else decided(cell.vote, own)
    return replace(cell, decisions=own, verdict=verdict)


# Where a person should look


def worth(cell: Cell) -> float:
    """How much a person's look is worth. Nothing for what is decided or closed; most for what reviewers
    disagree on; then ties and conflicts of readers, then claims without proof and other doubts, then
    unsure answers, the least sure first; then what could not be read; last what readers are sure of."""
    answer = cell.verdict
    if is_decided(cell) or cell.closed:
        return 0.0
    if disagree(cell):
        return 5.0
    if any(doubt.startswith((TIE, CONFLICT)) for doubt in answer.doubts):
        return 4.0
    if answer.doubts or answer.status == "unsupported":
        return 3.0
    if answer.status not in ("reported", "not_reported"):
        return 0.1 if answer.status == "not_applicable" else 1.0
    return (1.0 if answer.confidence < SURE else 0.1) + (1.0 - answer.confidence)


def queue(
    cells: Iterable[Cell],
    reviewer: str,
    blind: bool = False,
    adjudicate: bool = False,
    every: bool = False,
) -> list[Cell]:
    """The cells that wait for this reviewer, most worth first; of equal worth, in their order.

    With `blind`, as if nobody else had decided anything. With `adjudicate`, those that reviewers disagree on.
    With `every`, those that need no review, too, after the others.
    """
    if adjudicate:
        return [cell for cell in cells if disagree(cell)]
    seen = (seen_by(cell, reviewer) if blind else cell for cell in cells)
    waiting = [
        cell for cell in seen if worth(cell) and (_waits(cell, reviewer) or (every and _open(cell, reviewer)))
    ]
    return sorted(waiting, key=worth, reverse=True)


def progress(cells: Iterable[Cell], reviewer: str = "") -> Progress:
    """How far the review is; with a name, how far this reviewer is. For a blind review give the cells as that
    reviewer sees them."""
    total = to_review = done = left = apart = 0
    for cell in cells:
        total += 1
        if cell.closed:
            continue
        apart += disagree(cell)
        to_review += needs_review(cell.vote) or disagree(cell)
        done += _own(cell, reviewer) if reviewer else is_decided(cell)
        left += _waits(cell, reviewer)
    return Progress(total, to_review, done, left, apart)


def agreement(cells: Iterable[Cell]) -> tuple[Pair, ...]:
    """How far each two reviewers agree, of the cells that both decided; adjudications are no reviews."""
    counts: dict[tuple[str, str], list[int]] = {}
    for cell in cells:
        reviews = sorted((d for d in cell.decisions if d.kind == "review"), key=lambda d: d.reviewer)
        for one, other in combinations(reviews if not cell.closed else (), 2):
            found = counts.setdefault((one.reviewer, other.reviewer), [0] * 6)
            found[4] += 1
            found[5] += one.status != other.status
            a, b = (said_reported(_answer(cell.vote, decision)) for decision in (one, other))
            if a is not None and b is not None:
                found[2 * (not a) + (not b)] += 1
    return tuple(
        Pair(names, both, differ, Score(tp, fp, fn, tn))
        for names, (tp, fp, fn, tn, both, differ) in sorted(counts.items())
    )


# How it is done


def _answer(vote: Answer, decision: Decision) -> Answer:
    return Answer(
        question=vote.question,
        reader=PERSON + decision.reviewer,
        version=decision.kind,
        status=decision.status,
        text=decision.text,
        confidence=1.0,
        evidence=decision.evidence,
        values=values(e.reading or e.quote for e in decision.evidence),
        reason=decision.reason,
        paper=vote.paper,
    )


def _bare(decision: Decision) -> bool:
    """A person's word counts without a quote, but is told apart from one that can be looked up."""
    return decision.status == "reported" and not decision.evidence


def _why(said: Sequence[Decision], best: Decision) -> str:
    """Who decided, and why."""
    names = " and ".join(sorted(decision.reviewer for decision in said))
    verb = "adjudicated" if best.kind == "adjudication" else "decided"
    who = f"{verb} by {names}{', without a quote' if _bare(best) else ''}"
    return f"{who}: {best.reason}" if best.reason else who


def _disagreement(said: Sequence[Decision]) -> str:
    ordered = sorted(said, key=lambda decision: decision.reviewer)
    return DISAGREE + ", ".join(f"{d.reviewer} says {d.status.replace('_', ' ')}" for d in ordered)


def _own(cell: Cell, reviewer: str) -> bool:
    return any(d.reviewer == reviewer and d.kind == "review" for d in cell.decisions)


def _open(cell: Cell, reviewer: str) -> bool:
    """Could this reviewer still decide it?"""
    return not cell.closed and not is_decided(cell) and not _own(cell, reviewer)


def _waits(cell: Cell, reviewer: str) -> bool:
    """Does it wait for a person; and, with a name, for this one?"""
    return not cell.closed and needs_review(cell.verdict) and not (reviewer and _own(cell, reviewer))
