"""Two that say yes or no of the same things: how often they agree, and how much more than by chance."""

from dataclasses import dataclass
from math import sqrt

MEASURES = ("accuracy", "precision", "recall", "specificity", "f1", "kappa", "mcc")
"""What a `Score` has, by name."""


@dataclass(frozen=True, slots=True)
class Score:
    """One who says yes or no against another: a reader against labels, a reviewer against a reviewer.
    Positive is "reported"."""

    tp: int
    fp: int
    fn: int
    tn: int
    left_out: tuple[tuple[str, int], ...] = ()
    """Labels that the reader made no statement on: why, and how many."""

    @property
    def n(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def accuracy(self) -> float | None:
        return _ratio(self.tp + self.tn, self.n)

    @property
    def precision(self) -> float | None:
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float | None:
        """Of what is not reported, how much the reader says is not."""
        return _ratio(self.tn, self.tn + self.fp)

    @property
    def f1(self) -> float | None:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def kappa(self) -> float | None:
        """Cohen's: 1 for agreement, 0 for what chance would give; none when both only ever say one thing."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        return _ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))

    @property
    def mcc(self) -> float | None:
        """Matthews' correlation coefficient; none when one of the two only ever says one thing."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        whole = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return (tp * tn - fp * fn) / sqrt(whole) if whole else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
