"""Agreement of readers: against figures counted by hand and from textbooks, and against the libraries."""

import sys
from collections.abc import Sequence
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from tests.export.planted import add, answer, empty_store, evidence, planted
from tests.timing import processor_time
from vivavoce.errors import VivaError
from vivavoce.records import Question, QuestionSet
from vivavoce.results import agreement as module
from vivavoce.results.agreement import Group, agreement, rows
from vivavoce.results.cells import Results

Q = [Question("Which seed?", "Q1"), Question("Which card?", "Q2")]


Votes = Sequence[Sequence[Sequence[int | None]]]
"""By paper, question and reader."""


def study(folder: Path, votes: Votes, texts: Sequence[str] = ()) -> Results:
    store = empty_store(folder)
    store.set_asked(QuestionSet("x", tuple(Q[: len(votes[0])])))
    names = [f"r{n}" for n in range(len(votes[0][0]))]
    store.set_readers([(name, "0") for name in names])
    for n, paper in enumerate(votes):
        answers = tuple(
            answer(
                question,
                name,
                "reported" if vote else "not_reported",
                (texts[int(name[1:])] if texts else "") if vote else "",
                evidence=(evidence(),) if vote else (),
            )
            for question, cells in zip(Q, paper, strict=False)
            for name, vote in zip(names, cells, strict=True)
            if vote is not None
        )
        add(store, f"{n:03}.pdf", answers, f"{n:064x}")
    return Results.of(store)


def group(votes: Sequence[Sequence[int | None]]) -> Group:
    """Of one question, each paper a row: without a study."""
    table = np.array([[-1 if vote is None else vote for vote in row] for row in votes], dtype=np.int8)
    pairs = table.shape[1] * (table.shape[1] - 1) // 2
    sums = module._sums(table, np.full((pairs, len(table)), np.nan))
    names = [f"r{n}" for n in range(table.shape[1])]
    return module._group(names, table, sums.sum(axis=0), sums.sum(axis=0, keepdims=True), 1)


def test_counted_by_hand() -> None:
    # 20 both yes, 5 only the first, 10 only the second, 15 both no: the usual example of Cohen's kappa.
    found = group([(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15)
    (pair,) = found.pairs
    assert (pair.percent.value, pair.percent.n) == (0.7, 50)
    assert pair.kappa.value == 0.4  # (0.7 - 0.5) / (1 - 0.5)
    assert found.percent.value == 0.7
    assert pair.cosine == module.Estimate(None, None, None, 0)
    # Scott's pi, which Fleiss' kappa is for two: chance is 0.55**2 + 0.45**2 = 0.505.
    assert found.fleiss.value == pytest.approx((0.7 - 0.505) / (1 - 0.505), abs=5e-5)


def test_alpha_by_hand() -> None:
    """Krippendorff's own binary example: two coders, ten units, alpha = 0.095."""
    first = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
    second = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    found = group(list(zip(first, second, strict=True)))
    assert found.alpha.value == 0.0952
    assert found.percent.value == 0.6


def test_fleiss_by_hand() -> None:
    """Three readers, four papers: by-cell agreement 1, 1/3, 1/3, 1; seven of twelve votes are yes."""
    found = group([(1, 1, 1), (1, 1, 0), (1, 1, 0), (0, 0, 0)])
    chance = (7 / 12) ** 2 + (5 / 12) ** 2
    assert found.fleiss.value == pytest.approx((2 / 3 - chance) / (1 - chance), abs=5e-5)
    assert [pair.readers for pair in found.pairs] == [("r0", "r1"), ("r0", "r2"), ("r1", "r2")]
    assert [pair.percent.value for pair in found.pairs] == [1.0, 0.5, 0.5]
    assert found.percent.value == pytest.approx(2 / 3, abs=5e-5)


def test_votes_that_are_missing() -> None:
    found = group([(1, 1, None), (1, 0, None), (0, None, None), (0, 0, 0), (None, 1, 1)])
    assert found.percent.value == pytest.approx(5 / 6, abs=5e-5)
    assert found.percent.n == 4
    assert found.fleiss.n == 1
    assert found.fleiss.value is None  # the one whole cell has only no
    assert found.alpha.n == 4
    assert [pair.percent.n for pair in found.pairs] == [3, 1, 2]


def test_what_is_not_defined() -> None:
    found = group([(1, 1), (1, 1)])
    assert found.percent.value == 1.0
    assert (found.fleiss.value, found.alpha.value, found.pairs[0].kappa.value) == (None, None, None)


VOTES = st.integers(2, 4).flatmap(
    lambda many: st.lists(
        st.lists(st.sampled_from([0, 1, None]), min_size=many, max_size=many), min_size=1, max_size=12
    )
)


@given(VOTES)
def test_the_sums_say_what_the_libraries_say(votes: list[list[int | None]]) -> None:
    table = np.array([[-1 if vote is None else vote for vote in row] for row in votes], dtype=np.int8)
    pairs = table.shape[1] * (table.shape[1] - 1) // 2
    sums = module._sums(table, np.full((pairs, len(table)), np.nan)).sum(axis=0)
    _, fleiss, alpha, *_ = module._measures(sums, table.shape[1])
    yes, no = (table == 1).sum(axis=1), (table == 0).sum(axis=1)
    whole, two = yes + no == table.shape[1], yes + no >= 2
    if yes[whole].sum() and no[whole].sum():
        assert fleiss == pytest.approx(fleiss_kappa(np.stack([yes, no], 1)[whole]))
    else:
        assert np.isnan(fleiss)
    if yes[two].sum() and no[two].sum():
        counts = np.stack([yes, no], 1)[two]
        assert alpha == pytest.approx(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    else:
        assert np.isnan(alpha)


@given(VOTES)
def test_the_order_of_papers_does_not_matter(votes: list[list[int | None]]) -> None:
    assert group(votes) == group(votes[::-1])


def test_a_study(tmp_path: Path) -> None:
    votes: Votes = [[(1, 1), (1, 0)], [(0, 0), (0, 0)], [(1, 1), (None, 1)], [(None, None), (None, None)]] * 5
    found = agreement(study(tmp_path, votes, ("a seed of 7", "the seed was 7 [p. 2]")))
    assert (found.readers, found.papers) == (("r0", "r1"), 15)
    (_, first), (_, second) = found.questions
    assert (first.percent.value, first.percent.low, first.percent.high, first.percent.n) == (
        1.0,
        1.0,
        1.0,
        15,
    )
    assert first.pairs[0].kappa.value == 1.0
    assert (second.percent.value, second.percent.n) == (0.5, 10)
    low, high = second.percent.low, second.percent.high
    assert low is not None
    assert high is not None
    assert 0.1 < low < 0.35
    assert 0.65 < high < 0.9
    assert found.overall.percent.value == 0.8
    assert found.overall.percent.n == 25
    cosine = first.pairs[0].cosine
    assert (cosine.n, cosine.low, cosine.high) == (10, cosine.value, cosine.value)
    assert agreement(study(tmp_path / "again", votes, ("a seed of 7", "the seed was 7 [p. 2]"))) == found
    assert len(list(rows(found))) == 3 * 6


def test_cosines_by_hand(tmp_path: Path) -> None:
    same = agreement(study(tmp_path / "a", [[(1, 1)], [(0, 0)]], ("Adam, with a rate", "adam with A rate")))
    assert same.overall.pairs[0].cosine.value == 1.0
    apart = agreement(study(tmp_path / "b", [[(1, 1)], [(0, 0)]], ("Adam", "SGD")))
    assert apart.overall.pairs[0].cosine.value == 0.0
    # Two answers: "adam" is in both (weight 1), "sgd" in one (ln(3/2) + 1 = 1.4055).
    half = agreement(study(tmp_path / "c", [[(1, 1)], [(0, 0)]], ("Adam", "Adam SGD")))
    assert half.overall.pairs[0].cosine.value == pytest.approx(1 / (1 + 1.4055**2) ** 0.5, abs=1e-4)
    assert half.overall.pairs[0].cosine.n == 1


def test_the_interval_covers_as_often_as_it_should() -> None:
    """Readers that agree in 80% of the papers: 95% of the intervals should hold 0.8; with 40 papers some
    fewer do."""
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(100):
        first = random.integers(0, 2, 40).astype(np.int8)
        second = np.where(random.random(40) < 0.8, first, 1 - first).astype(np.int8)
        table = np.stack([first, second], axis=1)
        sums = module._sums(table, np.full((1, 40), np.nan))
        drawn = random.multinomial(40, np.full(40, 1 / 40), size=500).astype(float) @ sums
        found = module._group(["a", "b"], table, sums.sum(axis=0), drawn, 40).percent
        hits += found.low is not None and found.high is not None and found.low <= 0.8 <= found.high
    assert hits >= 88


def test_one_paper_has_no_interval(tmp_path: Path) -> None:
    found = agreement(study(tmp_path, [[(1, 0), (1, 1)]]))
    assert (found.overall.percent.value, found.overall.percent.low) == (0.5, None)


def test_planted(tmp_path: Path) -> None:
    found = agreement(planted(tmp_path))
    assert (found.papers, found.overall.percent.value) == (1, 0.0)  # alpha and beta never agree


def test_too_few(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match="two readers or more"):
        agreement(study(tmp_path / "a", [[(1,)]]))
    with pytest.raises(VivaError, match="no two readers have answered"):
        agreement(study(tmp_path / "b", [[(1, None)]]))


@pytest.mark.parametrize("missing", ["krippendorff", "statsmodels"])
def test_the_extra_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(VivaError, match=rf"{missing} is not installed: pip install 'vivavoce\[stats\]'"):
        agreement(planted(tmp_path))


@pytest.mark.slow
def test_a_large_study_takes_seconds() -> None:
    """350 papers x 28 questions x 6 readers, once they are read from the store."""
    random = np.random.default_rng(2)
    votes = random.integers(0, 2, (350, 28, 6)).astype(np.int8)
    words = module._Words()
    text = [f"word{n}" for n in range(5_000)]
    for paper, question, reader in zip(*np.nonzero(votes), strict=True):
        some = random.integers(0, 5_000, 30)
        words.add(int(paper) * 28 + int(question), int(reader), " ".join(text[n] for n in some))
    questions = tuple(Question(f"Q{n}?", f"Q{n}") for n in range(28))
    with processor_time(at_most=20):
        pairs = [(a, b) for a in range(6) for b in range(a + 1, 6)]
        cosines = words.cosines(pairs, 350 * 28).reshape(-1, 350, 28)
        found = module._estimated(tuple("abcdef"), questions, votes, cosines)
    assert found.overall.fleiss.value == pytest.approx(0, abs=0.02)
