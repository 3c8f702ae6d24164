"""Decisions in the store: rows that only grow in number, and what of them counts."""

import multiprocessing
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deciding import BEES, CODE, COUNT, HIVES, TEXT, decide, decision, quote, study
from tests.timing import PATIENCE
from vivavoce.errors import VivaError
from vivavoce.records import DECIDABLE, Decision, DecisionKind, Evidence
from vivavoce.store import Store, question_key


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = study(tmp_path)
    yield made
    made.close()


def counting(store: Store) -> list[tuple[str, str, str]]:
    return [(d.reviewer, d.status, d.text) for d in store.decisions(BEES).get(question_key(CODE), ())]


def test_a_decision_comes_back_whole_with_its_time(store: Store) -> None:
    box = quote("Nobody was stung.")
    far = Evidence("40 bees", 1, "close", 11, 18, (), 0.9, "How many: 40")
    told = Decision("Zoë Ångström", "reported", "=1+1\x00\ud800", (box, far), "line\nline")
    decide(store, CODE, told)
    (back,) = store.decisions(BEES)[question_key(CODE)]
    assert back.at.startswith("20")
    assert back == replace(told, at=back.at)
    assert store.decisions(HIVES) == {}


def test_a_time_that_is_given_is_kept(store: Store) -> None:
    decide(store, CODE, Decision("Ada", "reported", at="2026-01-02T03:04:05.000+00:00"))
    assert store.decisions(BEES)[question_key(CODE)][0].at == "2026-01-02T03:04:05.000+00:00"


def test_the_last_decision_of_each_reviewer_counts(store: Store) -> None:
    decide(store, CODE, decision("Ada", "reported", "1"), decision("Ben", "reported", "2"))
    decide(store, CODE, decision("Ada", "not_reported"))
    assert counting(store) == [("Ben", "reported", "2"), ("Ada", "not_reported", "")]
    assert store.reviewers() == ["Ada", "Ben"]


def test_undo_gives_the_one_before_back_and_says_what_was_undone(store: Store) -> None:
    decide(store, CODE, decision("Ada", "reported", "1"), decision("Ada", "unsupported", "2"))
    undone = store.undo(BEES, question_key(CODE), "Ada")
    assert undone is not None
    assert (undone.status, undone.text) == ("unsupported", "2")
    assert counting(store) == [("Ada", "reported", "1")]
    assert store.undo(BEES, question_key(CODE), "Ada") is not None
    assert counting(store) == []
    assert store.reviewers() == []
    assert store.undo(BEES, question_key(CODE), "Ada") is None
    assert store.undo(BEES, question_key(COUNT), "Ada") is None
    assert len(store.history(BEES, question_key(CODE))) == 4  # nothing to undo is no entry


def test_undo_takes_back_nobody_elses(store: Store) -> None:
    decide(store, CODE, decision("Ada", text="1"), decision("Ben", text="2"))
    decide(store, CODE, decision("Ada", text="3", kind="adjudication"))
    store.undo(BEES, question_key(CODE), "Ada")
    assert counting(store) == [("Ben", "reported", "2"), ("Ada", "reported", "3")]
    store.undo(BEES, question_key(CODE), "Ada", kind="adjudication")
    assert counting(store) == [("Ben", "reported", "2")]


def test_of_several_adjudications_the_last_counts(store: Store) -> None:
    decide(store, CODE, *(decision(name, text=name, kind="adjudication") for name in ("Cy", "Di")))
    assert counting(store) == [("Di", "reported", "Di")]
    store.undo(BEES, question_key(CODE), "Di", "adjudication")
    assert counting(store) == [("Cy", "reported", "Cy")]
    assert store.reviewers() == []  # who adjudicates has reviewed nothing


def test_the_history_has_everything_in_order(store: Store) -> None:
    decide(store, CODE, decision("Ada", text="1"), decision("Ben", "not_reported"))
    store.undo(BEES, question_key(CODE), "Ada")
    found = store.history(BEES, question_key(CODE))
    assert [(e.decision.reviewer, e.decision.text, e.undo, e.undone) for e in found] == [
        ("Ada", "1", False, True),
        ("Ben", "", False, False),
        ("Ada", "1", True, False),
    ]
    assert [e.decision.at for e in found] == sorted(e.decision.at for e in found)
    assert store.history(BEES, question_key(COUNT)) == []


@pytest.mark.parametrize(
    ("paper", "question", "told", "says"),
    [
        (BEES, CODE, decision(""), "needs the reviewer's name"),
        (BEES, CODE, decision(" Ada"), "needs the reviewer's name"),
        (BEES, CODE, decision("A\u202eda"), "needs the reviewer's name"),
        (BEES, CODE, decision("Ada", "failed"), "a person can decide reported, not_reported"),
        (BEES, CODE, decision("Ada", "nonsense"), "a person can decide"),  # type: ignore[arg-type]
        ("ff", CODE, decision("Ada"), "there is no paper ff"),
        (BEES, replace(CODE, text="Why?"), decision("Ada"), "there is no question"),
        (
            BEES,
            CODE,
            Decision("Ada", "reported", "", (Evidence("bees", 1, "exact", 0, 4),)),
            "not in the paper",
        ),
    ],
)
def test_what_could_not_be_shown_is_refused_and_not_written(
    store: Store, paper: str, question: object, told: Decision, says: str
) -> None:
    with pytest.raises(VivaError, match=says) as error:
        store.decide(paper, question_key(question), told)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    assert store.history(BEES, question_key(CODE)) == []


def test_a_quote_that_was_tampered_with_is_noticed(store: Store, tmp_path: Path) -> None:
    decide(store, CODE, decision("Ada", words="40 bees"), decision("Ben", words="We counted"))
    assert list(store.problems()) == []
    with sqlite3.connect(tmp_path / "viva.db") as connection:
        connection.execute("DROP TRIGGER decisions_stay_on_update")
        connection.execute(
            "UPDATE decisions SET evidence = replace(evidence, '40 bees', '90 bees') WHERE reviewer = 'Ada'"
        )
        connection.execute("UPDATE decisions SET evidence = '{' WHERE reviewer = 'Ben'")
        connection.execute(
            "INSERT INTO decisions (paper, question, reviewer, status, text, evidence, reason, undoes, at) "
            "VALUES ('x', 'y', 'Eve', 'reported', '', '[]', '', 99, '')"
        )
    assert list(store.problems()) == [
        f"paper {BEES[:12]}: a quote of person:Ada is not in its text at {TEXT.index('40')}",
        f"paper {BEES[:12]}: the evidence of a decision by Ben can't be read",
        "1 decisions undo one that is not there",
    ]


# Against a plain model

NAMES = ("Ada", "Ben", "Cy")
KINDS: tuple[DecisionKind, ...] = ("review", "adjudication")
STEP = st.tuples(
    st.sampled_from(("decide", "decide", "undo")),
    st.sampled_from(NAMES),
    st.sampled_from(KINDS),
    st.sampled_from((CODE, COUNT)),
    st.sampled_from(DECIDABLE),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=14))
def test_any_sequence_gives_what_a_plain_model_gives(steps: list[tuple]) -> None:  # type: ignore[type-arg]
    """The model: of each cell, a list of (time, reviewer, kind, decision) from which undo takes the last."""
    with tempfile.TemporaryDirectory() as folder:
        store = study(Path(folder))
        model: dict[str, list[tuple[str, DecisionKind, str, str]]] = {}
        lines: dict[str, int] = {}
        for number, (act, name, kind, question, status) in enumerate(steps):
            cell = model.setdefault(question_key(question), [])
            own = [one for one in cell if one[:2] == (name, kind)]
            if act == "decide":
                store.decide(BEES, question_key(question), Decision(name, status, str(number), kind=kind))
                cell.append((name, kind, status, str(number)))
                lines[question_key(question)] = lines.get(question_key(question), 0) + 1
                continue
            undone = store.undo(BEES, question_key(question), name, kind)
            if not own:
                assert undone is None
                continue
            assert undone is not None
            assert (undone.reviewer, undone.kind, undone.status, undone.text) == own[-1]
            cell.remove(own[-1])
            lines[question_key(question)] += 1
        expected = {}
        for asked, cell in model.items():
            last = {one[0] if one[1] == "review" else KINDS: one for one in cell}
            if counts := [one for one in cell if one in last.values()]:
                expected[asked] = counts
        found = {
            asked: [(d.reviewer, d.kind, d.status, d.text) for d in some]
            for asked, some in store.decisions(BEES).items()
        }
        assert found == expected
        assert {k: len(store.history(BEES, k)) for k in lines} == lines
        store.close()


# Several at the same time


def _work(path: str, name: str, many: int) -> None:
    store = Store.open(path)
    for number in range(many):
        store.decide(BEES, question_key(CODE), Decision(name, "reported", str(number)))
        if number % 3 == 2:
            assert store.undo(BEES, question_key(CODE), name) is not None
    store.close()


@pytest.mark.slow
def test_two_processes_can_decide_at_the_same_time(store: Store, tmp_path: Path) -> None:
    many = 60
    started = multiprocessing.get_context("spawn")
    workers = [started.Process(target=_work, args=(str(tmp_path), name, many)) for name in ("Ada", "Ben")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
    assert [worker.exitcode for worker in workers] == [0, 0]
    found = store.history(BEES, question_key(CODE))
    assert len(found) == 2 * (many + many // 3)
    for name in ("Ada", "Ben"):
        own = [e.decision.text for e in found if e.decision.reviewer == name and not e.undo]
        assert own == [str(number) for number in range(many)]
    assert sorted(counting(store)) == [(name, "reported", str(many - 2)) for name in ("Ada", "Ben")]
