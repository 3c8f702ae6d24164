"""Which cells to review first, how far a review is, and how far reviewers agree."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from vivavoce.panel.decisions import as_answer, is_decided, reviewers_disagree, seen_by
from vivavoce.panel.voting import MIN_CONFIDENCE, needs_review, vote_of
from vivavoce.records import Cell
from vivavoce.results.scores import Score


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
class ReviewerPair:
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


def review_priority(cell: Cell) -> float:
    """How urgently a person should look. 0 for what is decided or screened out; highest for what reviewers
    disagree on; then ties and conflicts of readers, then claims without proof and other doubts, then
    unsure answers, the least sure first; then what could not be read; last what readers are sure of."""
    answer = cell.verdict
    if is_decided(cell) or cell.screened_out:
        return 0.0
    if reviewers_disagree(cell):
        return 5.0
    if any(doubt.kind in ("tie", "conflict") for doubt in answer.doubts):
        return 4.0
    if answer.doubts or answer.status == "unsupported":
        return 3.0
    if answer.status not in ("reported", "not_reported"):
        return 0.1 if answer.status == "not_applicable" else 1.0
    return (1.0 if answer.confidence < MIN_CONFIDENCE else 0.1) + (1.0 - answer.confidence)


def review_queue(
    cells: Iterable[Cell],
    reviewer: str,
    blind: bool = False,
    adjudicate: bool = False,
    every: bool = False,
) -> list[Cell]:
    """The cells that wait for this reviewer, most urgent first; of equal urgency, in their order.

    With `blind`, as if nobody else had decided anything. With `adjudicate`, those that reviewers disagree on.
    With `every`, those that need no review, too, after the others.
    """
    if adjudicate:
        return [cell for cell in cells if reviewers_disagree(cell)]
    seen = (seen_by(cell, reviewer) if blind else cell for cell in cells)
    waiting = [
        cell
        for cell in seen
        if review_priority(cell) and (_waits(cell, reviewer) or (every and _open(cell, reviewer)))
    ]
    return sorted(waiting, key=review_priority, reverse=True)


def review_progress(cells: Iterable[Cell], reviewer: str = "") -> Progress:
    """How far the review is; with a name, how far this reviewer is. For a blind review give the cells as that
    reviewer sees them."""
    total = to_review = done = left = apart = 0
    for cell in cells:
        total += 1
        if cell.screened_out:
            continue
        apart += reviewers_disagree(cell)
        to_review += needs_review(cell.vote) or reviewers_disagree(cell)
        done += _own(cell, reviewer) if reviewer else is_decided(cell)
        left += _waits(cell, reviewer)
    return Progress(total, to_review, done, left, apart)


class ReviewerVotes:
    """What each two reviewers decided, counted cell by cell; adjudications are no reviews."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], list[int]] = {}
        """Of two reviewers: both yes, only the first, only the second, both no; cells both decided, and those
        in which they differ."""

    def add(self, cell: Cell) -> None:
        if cell.screened_out:
            return
        reviews = sorted((d for d in cell.decisions if d.kind == "review"), key=lambda d: d.reviewer)
        for one, other in combinations(reviews, 2):
            counts = self._counts.setdefault((one.reviewer, other.reviewer), [0] * 6)
            counts[4] += 1
            counts[5] += one.status != other.status
            a, b = (vote_of(as_answer(cell.vote, decision)) for decision in (one, other))
            if a is not None and b is not None:
                counts[2 * (not a) + (not b)] += 1

    def pairs(self) -> tuple[ReviewerPair, ...]:
        """How far each two agree, of the cells that both decided."""
        return tuple(
            ReviewerPair(names, both, differ, Score(tp, fp, fn, tn))
            for names, (tp, fp, fn, tn, both, differ) in sorted(self._counts.items())
        )


def reviewer_agreement(cells: Iterable[Cell]) -> tuple[ReviewerPair, ...]:
    """How far each two reviewers agree."""
    votes = ReviewerVotes()
    for cell in cells:
        votes.add(cell)
    return votes.pairs()


def _own(cell: Cell, reviewer: str) -> bool:
    return any(d.reviewer == reviewer and d.kind == "review" for d in cell.decisions)


def _open(cell: Cell, reviewer: str) -> bool:
    """Could this reviewer still decide it?"""
    return not cell.screened_out and not is_decided(cell) and not _own(cell, reviewer)


def _waits(cell: Cell, reviewer: str) -> bool:
    """Does it wait for a person; and, with a name, for this one?"""
    return not cell.screened_out and needs_review(cell.verdict) and not (reviewer and _own(cell, reviewer))
