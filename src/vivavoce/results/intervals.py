"""95% intervals, by drawing papers with replacement, since answers about one paper hang together.

Every measure is a function of four counts (`scores.Score`), so a draw is a weighted sum of the papers'
counts, and a thousand draws are one product of matrices. The quantiles are widened as Student's t widens a
normal interval, for with few papers plain percentiles are too narrow (Hesterberg 2015, "expanded
percentile").
"""

from collections.abc import Callable, Mapping, Sequence
from math import erf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from vivavoce.results.scores import MEASURES, Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DRAWS = 2_000
SEED = 7
"""The same study gives the same intervals."""
Z = 1.959963984540054


class Interval(NamedTuple):
    low: float
    high: float


Counts = tuple[int, int, int, int]
"""True and false positives, false and true negatives."""
Intervals = Mapping[str, Interval | None]
"""By the measure's name; none with fewer than two papers, or when most draws have no value."""


def drawn_papers(papers: int, draws: int = DRAWS) -> "Numbers":
    """How often each paper is in each draw."""
    import numpy as np

    generator = np.random.default_rng(SEED)
    return generator.multinomial(papers, np.full(papers, 1 / papers), size=draws).astype(float)


def intervals(by_paper: Sequence[Counts], names: Sequence[str] = MEASURES) -> Intervals:
    """Of each measure, from the counts of each paper. Papers without any count don't matter."""
    import numpy as np

    counts = np.array([some for some in by_paper if any(some)], dtype=float).reshape(-1, 4)
    if len(counts) < 2:
        return dict.fromkeys(names)
    sums = drawn_papers(len(counts)) @ counts
    return {name: quantiles(measured(name, sums), len(counts)) for name in names}


def measured(name: str, counts: "Numbers") -> "Numbers":
    """A measure of each row of counts; nan where it is not defined."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        found = VECTORISED[name](*np.moveaxis(counts, -1, 0))
    return np.where(np.isfinite(found), found, np.nan)


def quantiles(values: "Numbers", papers: int) -> Interval | None:
    """The 95% interval of drawn values."""
    import numpy as np

    defined = values[~np.isnan(values)]
    if 2 * len(defined) < len(values):
        return None
    tail = _normal(-sqrt(papers / (papers - 1)) * _student(papers - 1))
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(round(float(low), 4) + 0.0, round(float(high), 4) + 0.0)


def _normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def _student(freedom: int) -> float:
    """The 97.5% quantile of Student's t, by its expansion in 1 / freedom; one degree is taken for two."""
    v = max(2, freedom)
    return (
        Z
        + (Z**3 + Z) / (4 * v)
        + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * v**2)
        + (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * v**3)
    )


Vectorised = Callable[["Numbers", "Numbers", "Numbers", "Numbers"], "Numbers"]

VECTORISED: Mapping[str, Vectorised] = {
    "accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "precision": lambda tp, fp, _, __: tp / (tp + fp),
    "recall": lambda tp, _, fn, __: tp / (tp + fn),
    "specificity": lambda _, fp, __, tn: tn / (tn + fp),
    "f1": lambda tp, fp, fn, _: 2 * tp / (2 * tp + fp + fn),
    "kappa": lambda tp, fp, fn, tn: 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
    "mcc": lambda tp, fp, fn, tn: (
        (tp * tn - fp * fn) / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    ),
}
"""The measures of `Score`, on arrays; a test holds them to be the same."""


def counts_of(score: Score) -> Counts:
    return score.tp, score.fp, score.fn, score.tn
