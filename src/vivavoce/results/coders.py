"""People who labelled the same cells: what they agree on, and how far."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from vivavoce.errors import InputError
from vivavoce.records import PaperInfo
from vivavoce.results.intervals import Counts, Intervals, intervals
from vivavoce.results.labels import Label
from vivavoce.results.scores import Score


@dataclass(frozen=True, slots=True)
class CoderPair:
    """Two coders against each other, on the cells that both labelled."""

    coders: tuple[str, str]
    score: Score
    """The second against the first; accuracy is the share on which they agree."""
    intervals: Intervals


def agreed(labels: Sequence[Label]) -> Label | None:
    """The one label of a cell; none when different coders disagree. The quotes of all are kept."""
    first = labels[0]
    for label in labels[1:]:
        if label.reported != first.reported:
            if label.coder != first.coder:
                return None
            raise InputError(
                f"{label.where}: {label.question} of {label.file} is {_yes(label.reported)} here and "
                f"{_yes(first.reported)} in {first.where}; keep one of them."
            )
    quotes = tuple(dict.fromkeys(quote for label in labels for quote in label.quotes))
    if len(labels) == 1 or not quotes:
        return first
    return Label(
        first.file,
        first.question,
        first.reported,
        *quotes[0],
        any(label.debatable for label in labels),
        first.where,
        quotes[1:],
        first.coder,
    )


def coder_pairs(labels: Sequence[Label], find: Callable[[Label], PaperInfo | None]) -> tuple[CoderPair, ...]:
    """Every two coders with cells in common."""
    said: dict[str, dict[tuple[str, str], bool]] = {}
    for label in labels:
        if label.coder:
            paper = find(label)
            cell = (paper.id or paper.file if paper else label.file, label.question.casefold())
            said.setdefault(label.coder, {})[cell] = label.reported
    found = []
    for one, other in combinations(sorted(said), 2):
        both = said[one].keys() & said[other].keys()
        if both:
            by_paper: dict[str, list[int]] = {}
            for cell in both:
                counts = by_paper.setdefault(cell[0], [0, 0, 0, 0])
                counts[_place(said[one][cell], said[other][cell])] += 1
            rows: list[Counts] = [(a, b, c, d) for a, b, c, d in by_paper.values()]
            score = Score(*(sum(column) for column in zip(*rows, strict=True)))
            found.append(CoderPair((one, other), score, intervals(rows)))
    return tuple(found)


def _place(truth: bool, said: bool) -> int:
    """Of a true positive, a false one, a false negative, a true one, in a row of counts."""
    return (0 if said else 2) if truth else (1 if said else 3)


def _yes(reported: bool) -> str:
    return "yes" if reported else "no"
