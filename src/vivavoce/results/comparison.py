"""Two ways of answering the same questions about the same papers, against the same labels: is one better?

Compared are the cells in which both make a statement. McNemar's exact test (statsmodels) asks whether the
cells that one has right and the other wrong are more than chance; since cells of one paper hang together,
the difference of each measure also has an interval by drawing papers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vivavoce.errors import InputError, MissingExtra
from vivavoce.panel.decisions import PANEL
from vivavoce.panel.voting import VERDICT, vote_of
from vivavoce.results.agreement import INSTALL
from vivavoce.results.cells import Results
from vivavoce.results.evaluation import fitted_labels
from vivavoce.results.intervals import Interval, counts_of, drawn_papers, measured, quantiles
from vivavoce.results.labels import Label
from vivavoce.results.scores import MEASURES, Score

Cell = tuple[str, str]
"""A label's file and its question."""


@dataclass(frozen=True, slots=True)
class Comparison:
    names: tuple[str, str]
    scores: tuple[Score, Score]
    """On the same cells."""
    differences: Mapping[str, tuple[float | None, Interval | None]]
    """Of each measure, the second minus the first, with its 95% interval."""
    only_first: int
    """Cells that the first alone has right."""
    only_second: int
    p: float
    """McNemar's exact test, two-sided."""
    papers: int
    left_out: int
    """Labels on which one of them makes no statement."""


def statements(results: Results, labels: Sequence[Label], reader: str) -> dict[Cell, tuple[bool, bool]]:
    """What a reader says of each labelled cell, and what the label says."""
    cells = fitted_labels(results, labels)
    if reader not in (*results.readers, VERDICT, PANEL):
        raise InputError(
            f"there is no reader '{reader}' in this study; there are {', '.join(results.readers)}."
        )
    found = {}
    for cell in results.cells():
        label = cells.get((cell.paper, cell.question.id))
        answers = {answer.reader: answer for answer in (*cell.answers, cell.verdict)}
        answer = cell.vote if reader == PANEL else answers.get(reader)
        said = vote_of(answer) if answer is not None else None
        if label is not None and said is not None:
            found[label.file, cell.question.id] = (said, label.reported)
    return found


def compare(
    names: tuple[str, str], one: Mapping[Cell, tuple[bool, bool]], other: Mapping[Cell, tuple[bool, bool]]
) -> Comparison:
    """The second against the first."""
    try:
        from statsmodels.stats.contingency_tables import mcnemar
    except ImportError:
        raise MissingExtra(f"comparing needs statsmodels: {INSTALL}.") from None
    import numpy as np

    both = sorted(one.keys() & other.keys())
    if not both:
        raise InputError(
            "the two have no labelled cell in common; both must answer the same papers' questions."
        )
    papers = {file: n for n, file in enumerate(dict.fromkeys(file for file, _ in both))}
    sums = np.zeros((2, len(papers), 4))
    table = np.zeros((2, 2), dtype=int)
    for cell in both:
        right = []
        for n, said in enumerate((one[cell], other[cell])):
            sums[n, papers[cell[0]], _place(*said)] += 1
            right.append(said[0] == said[1])
        table[int(right[0]), int(right[1])] += 1
    scores = tuple(Score(tp, fp, fn, tn) for tp, fp, fn, tn in sums.sum(axis=1).astype(int).tolist())
    test = mcnemar(table, exact=True)
    return Comparison(
        names,
        (scores[0], scores[1]),
        _differences(scores[0], scores[1], sums),
        int(table[1, 0]),
        int(table[0, 1]),
        float(test.pvalue),
        len(papers),
        len(one.keys() | other.keys()) - len(both),
    )


def _differences(one: Score, other: Score, sums: "object") -> dict[str, tuple[float | None, Interval | None]]:
    import numpy as np

    counts = np.asarray(sums)
    papers = counts.shape[1]
    drawn = [drawn_papers(papers) @ some for some in counts] if papers > 1 else []
    found: dict[str, tuple[float | None, Interval | None]] = {}
    for name in MEASURES:
        first, second = (measured(name, np.array(counts_of(score), dtype=float)) for score in (one, other))
        value = None if np.isnan(first) or np.isnan(second) else float(second - first)
        apart = quantiles(measured(name, drawn[1]) - measured(name, drawn[0]), papers) if drawn else None
        found[name] = (value, apart if value is not None else None)
    return found


def _place(said: bool, truth: bool) -> int:
    """In a row of counts: true positives, false positives, false negatives, true negatives."""
    return (0 if truth else 1) if said else (2 if truth else 3)
