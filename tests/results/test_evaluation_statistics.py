"""Measures, intervals and tests against scikit-learn and statsmodels, on the same cells."""

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve
from statsmodels.stats.contingency_tables import mcnemar

from tests.export.planted import READERS, add, answer, empty_store
from tests.results.test_evaluation import QUESTIONS, labels, study
from vivavoce.errors import VivaError
from vivavoce.records import Answer
from vivavoce.results.cells import Results
from vivavoce.results.comparison import compare, statements
from vivavoce.results.evaluation import Label, Score, evaluate
from vivavoce.results.intervals import VECTORISED, intervals, measured
from vivavoce.results.labels import read_label_file, read_labels
from vivavoce.results.reliability import Judged, reliability
from vivavoce.results.scores import MEASURES

SKLEARN = {
    "accuracy": metrics.accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}


def drawn(seed: int, many: int) -> tuple[list[bool], list[bool]]:
    source = random.Random(seed)
    truth = [source.random() < 0.4 for _ in range(many)]
    return truth, [t if source.random() < 0.8 else not t for t in truth]


def score(truth: Sequence[bool], said: Sequence[bool]) -> Score:
    pairs = list(zip(truth, said, strict=True))
    return Score(
        tp=pairs.count((True, True)),
        fp=pairs.count((False, True)),
        fn=pairs.count((True, False)),
        tn=pairs.count((False, False)),
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_measures_are_those_of_scikit_learn(seed: int) -> None:
    truth, said = drawn(seed, 60)
    found = score(truth, said)
    for name, theirs in SKLEARN.items():
        assert getattr(found, name) == pytest.approx(theirs(truth, said)), name
    negatives = metrics.recall_score([not t for t in truth], [not s for s in said])
    assert found.specificity == pytest.approx(negatives)


def test_the_measures_on_arrays_are_the_same() -> None:
    """Also where they are not defined."""
    assert tuple(VECTORISED) == MEASURES
    for counts in product((0, 1, 5), repeat=4):
        tp, fp, fn, tn = counts
        found = Score(tp, fp, fn, tn)
        for name in MEASURES:
            value, own = float(measured(name, np.array(counts, dtype=float))), getattr(found, name)
            assert (own is None and np.isnan(value)) or value == pytest.approx(own), (name, counts)


def test_an_interval_needs_two_papers() -> None:
    assert intervals([(3, 1, 1, 3)]) == dict.fromkeys(MEASURES)
    found = intervals([(3, 1, 1, 3), (2, 2, 0, 4), (4, 0, 1, 3)])["accuracy"]
    assert found is not None
    assert found.low < 19 / 24 < found.high
    # Papers without a label don't matter.
    assert intervals([(3, 1, 1, 3), (0, 0, 0, 0), (2, 2, 0, 4), (4, 0, 1, 3)])["accuracy"] == found


def test_the_reliability_curve_is_that_of_scikit_learn() -> None:
    source = random.Random(3)
    judged = []
    for _ in range(400):
        chance = source.random()
        truth = source.random() < chance**2
        judged.append(Judged(chance, (chance > 0.5) == truth, truth, False, max(chance, 1 - chance)))
    found = reliability(judged)
    assert found is not None
    true, given = calibration_curve([j.truth for j in judged], [j.chance for j in judged], n_bins=10)
    assert [step.reported for step in found.steps] == pytest.approx(list(true))
    assert [step.chance for step in found.steps] == pytest.approx(list(given))
    assert found.brier == pytest.approx(
        metrics.brier_score_loss([j.truth for j in judged], [j.chance for j in judged])
    )
    counts = [step.n for step in found.steps]
    assert found.ece == pytest.approx(np.average(np.abs(true - given), weights=counts))
    # What goes to a person are the answers nearest to one half.
    kept = sorted(judged, key=lambda j: -j.confidence)[:320]
    (fifth,) = (step for step in found.coverage if step.to_person == pytest.approx(0.2))
    assert fifth.accuracy == pytest.approx(sum(j.right for j in kept) / 320)
    assert fifth.combined == pytest.approx((sum(j.right for j in kept) + 80) / 400)


def test_two_readers_compared(tmp_path: Path) -> None:
    """The second has one more right in a.pdf, two in b.pdf, and one less in c.pdf."""
    results = study(tmp_path, {"a.pdf": "nrrr", "b.pdf": "rrnn", "c.pdf": "rrnr", "d.pdf": "r "}, readers=2)
    truth = labels({"a.pdf": "yy", "b.pdf": "nn", "c.pdf": "yy", "d.pdf": "yy"})
    one, other = (statements(results, truth, name) for name in ("alpha", "beta"))
    found = compare(("alpha", "beta"), one, other)
    assert (found.scores, found.papers) == ((Score(3, 2, 1, 0), Score(3, 0, 1, 2)), 3)
    assert (found.only_first, found.only_second, found.left_out) == (1, 3, 1)
    assert found.p == mcnemar([[2, 1], [3, 0]], exact=True).pvalue
    value, apart = found.differences["accuracy"]
    assert value == pytest.approx(2 / 6)
    assert apart is not None
    assert apart.low < 0 < apart.high
    with pytest.raises(VivaError, match="there is no reader 'gamma'"):
        statements(results, truth, "gamma")


def test_a_workbook_and_an_unfilled_sheet(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ["file", "question_id", "reported", "page"],
        ["a.pdf", "A", "yes", 3],
        ["a.pdf", "B", None, None],
    ):
        sheet.append(row)
    book.save(tmp_path / "l.xlsx")
    read = read_label_file(tmp_path / "l.xlsx")
    assert [(label.file, label.question, label.reported, label.page) for label in read.labels] == [
        ("a.pdf", "A", True, 3)
    ]
    assert read.unlabelled == 1


def test_wide_labels_by_title_and_question(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text(
        "title,A,Which seed?\n@Bees (hives) and NOISE,yes,no\n", encoding="utf-8"
    )
    found = read_labels(tmp_path / "wide.csv")
    assert [(label.question, label.reported) for label in found] == [("A", True), ("Which seed?", False)]
    store = empty_store(tmp_path / "study")
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    said = tuple(answer(question, "alpha", "reported") for question in QUESTIONS.questions)
    add(store, "x.pdf", said)
    assert dict(evaluate(Results.of(store), found).overall)["alpha"] == Score(1, 1, 0, 0)


def test_two_coders(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "rr", "b.pdf": "rn"})
    said = {"ann": {"a.pdf": "yy", "b.pdf": "yn"}, "bea": {"a.pdf": "yn", "b.pdf": "yn"}}
    both = [
        Label(label.file, label.question, label.reported, where=f"{coder} {label.where}", coder=coder)
        for coder, some in said.items()
        for label in labels(some)
    ]
    found = evaluate(results, both)
    (pair,) = found.coders
    assert (pair.coders, pair.score) == (("ann", "bea"), Score(2, 0, 1, 1))
    assert pair.score.kappa == pytest.approx(metrics.cohen_kappa_score([1, 1, 1, 0], [1, 0, 1, 0]))
    # What they disagree on is no label.
    assert (found.labels, found.coders_disagree) == (3, 1)
    assert dict(found.overall)["alpha"] == Score(2, 0, 0, 1)


def test_the_label_of_a_claim_without_a_quote(tmp_path: Path) -> None:
    results = study(tmp_path, {"a.pdf": "u "})
    claim = next(iter(results.cells())).answers[0]
    assert isinstance(claim, Answer)
    assert Judged.of(claim, True).chance == 0.5


@pytest.mark.slow
def test_intervals_cover_the_truth() -> None:
    """1,000 studies of 60 papers with 10 labels each. How well a paper is read differs from paper to paper,
    so that its cells hang together; the accuracy over all papers is known."""
    source = np.random.default_rng(11)
    covered = dict.fromkeys(("accuracy", "recall", "kappa"), 0)
    truths = _truths()
    for _ in range(1000):
        found = intervals(_simulated(source, 60, 10))
        for name in covered:
            interval = found[name]
            covered[name] += interval is not None and interval.low <= truths[name] <= interval.high
    assert all(930 <= many <= 970 for many in covered.values()), covered


def _simulated(source: np.random.Generator, papers: int, cells: int) -> list[tuple[int, int, int, int]]:
    skill = source.beta(8, 2, size=papers)
    truth = source.random((papers, cells)) < 0.4
    right = source.random((papers, cells)) < skill[:, None]
    said = truth == right
    parts = (truth & said, ~truth & said, truth & ~said, ~truth & ~said)
    rows = np.stack([part.sum(axis=1) for part in parts], axis=1)
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in rows]


def _truths() -> dict[str, float]:
    """Of endlessly many papers: the mean skill is 0.8, and 0.4 of the cells are reported."""
    whole = np.array([0.32, 0.12, 0.08, 0.48])
    return {name: float(measured(name, whole)) for name in MEASURES}
