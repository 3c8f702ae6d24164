"""A study in numbers, against numbers counted by hand."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export.planted import (
    CODE,
    QUESTIONS,
    READERS,
    SCREEN,
    SEED,
    add,
    answer,
    empty_store,
    planted,
)
from vivavoce.records import Level, QuestionSet, Status, Variable
from vivavoce.results.cells import Results
from vivavoce.results.summary import Share, cells_by_paper, summary_of, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # these two: Newcombe (1998), table I
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_wilson(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_the_share_lies_in_its_interval(hits: int, more: int) -> None:
    n = hits + more
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert wilson(n - hits, n) == pytest.approx((1 - high, 1 - low))


def test_no_papers_no_share() -> None:
    assert (Share(0, 0).value, Share(0, 0).interval, wilson(0, 0)) == (None, None, (0.0, 1.0))


def test_planted(tmp_path: Path) -> None:
    summary = summary_of(planted(tmp_path))
    assert [(q.reported, q.not_reported, q.other) for q in summary.questions] == [
        (1, 0, 1),
        (0, 1, 1),
        (1, 0, 1),
    ]
    bees, broken = summary.papers
    assert bees.statuses == ("reported", "not_reported", "reported")
    assert (bees.count("reported"), bees.count("failed")) == (2, 0)
    assert broken.statuses == ("failed",) * 3
    assert bees.variables == (False, False, True)
    assert broken.variables == (None, None, None)
    assert (bees.levels, broken.levels) == ((False, False), (None, None))
    assert [v.share for v in summary.variables] == [Share(0, 1), Share(0, 1), Share(1, 1)]
    assert [v.share for v in summary.levels] == [Share(0, 1), Share(0, 1)]


R: Status = "reported"
N: Status = "not_reported"
U: Status = "unsupported"
F: Status = "failed"


@pytest.mark.parametrize(
    ("code", "seed", "given", "levels"),
    [  # variables: code; all of both; any of both
        (R, R, (True, True, True), (True, True)),
        (R, N, (True, False, True), (True, False)),
        (N, R, (False, False, True), (False, False)),
        (N, N, (False, False, False), (False, False)),
        (U, U, (False, False, False), (False, False)),
        (F, R, (None, False, True), (None, False)),
        (R, F, (True, False, True), (True, False)),
        ("unreadable", "unreadable", (None, None, None), (None, None)),
        ("not_applicable", F, (None, None, None), (None, None)),
        (None, None, (None, None, None), (None, None)),
        (R, None, (True, False, True), (True, False)),
    ],
)
def test_variables_and_levels(
    tmp_path: Path,
    code: Status | None,
    seed: Status | None,
    given: tuple[bool | None, ...],
    levels: tuple[bool | None, ...],
) -> None:
    store = empty_store(tmp_path)
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    wanted = [(SCREEN, R), (CODE, code), (SEED, seed)]
    add(store, "a.pdf", tuple(answer(q, "alpha", status) for q, status in wanted if status))
    (found,) = summary_of(Results.of(store)).papers
    assert (found.variables, found.levels) == (given, levels)


def test_a_level_without_variables_is_never_reached(tmp_path: Path) -> None:
    store = empty_store(tmp_path)
    variables, levels = (Variable("code", "code", ("Q2",)),), (Level(1, "nothing", ("nowhere",)),)
    store.set_asked(QuestionSet("x", (CODE,), variables=variables, levels=levels))
    store.set_readers(READERS[:1])
    add(store, "a.pdf", (answer(CODE, "alpha", R),))
    assert summary_of(Results.of(store)).papers[0].levels == (None,)


def test_papers_of_which_nothing_was_tried_are_there(tmp_path: Path) -> None:
    store = empty_store(tmp_path)
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    add(store, "a.pdf", (), "a" * 64)
    add(store, "b.pdf", (answer(CODE, "alpha", R),), "b" * 64)
    add(store, "c.pdf", (), "c" * 64)
    results = Results.of(store)
    assert [(paper.file, len(cells)) for paper, cells in cells_by_paper(results)] == [
        ("a.pdf", 0),
        ("b.pdf", 1),
        ("c.pdf", 0),
    ]
    assert summary_of(results).questions[1].share == Share(1, 1)
