"""Old studies open, newer ones are refused, and a step is done whole or not at all."""

import shutil
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.conftest import ROOT
from tests.data import make_store as kept
from vivavoce.errors import VivaError
from vivavoce.records import (
    Box,
    Calibration,
    Closest,
    Decision,
    Doubt,
    Evidence,
    Hidden,
    Level,
    QuestionCalibration,
    Receipt,
    Value,
    Variable,
)
from vivavoce.results.cells import Results
from vivavoce.store import Store, migrations
from vivavoce.store.migrations import STEPS, Step, applied, migrate
from vivavoce.store.sqlite import SQLiteDatabase

OLD = ROOT / "tests" / "data" / "store-schema-1.db"
SECOND = ROOT / "tests" / "data" / "store-schema-2.db"
THIRD = ROOT / "tests" / "data" / "store-schema-3.db"
NEWTS, OWLS = kept.PAPERS


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of a study that the first version made."""
    path = tmp_path / "viva.db"
    shutil.copyfile(OLD, path)
    return path


def contents(path: Path) -> list[str]:
    """All tables with all rows, as SQL; and the schema's number."""
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


# A study of the first version


def test_the_kept_file_is_of_the_first_schema_and_small(old: Path) -> None:
    with sqlite3.connect(old) as connection:
        assert connection.execute("SELECT number FROM schema_steps").fetchall() == [(1,)]
    assert OLD.stat().st_size < 100_000


def test_an_old_study_is_brought_up_to_date(old: Path) -> None:
    store = Store.open(old.parent)
    with store._engine.connect() as connection:
        assert applied(connection) == len(STEPS)
    assert list(store.problems()) == []
    store.close()


def test_an_old_study_keeps_every_answer(old: Path) -> None:
    store = Store.open(old.parent)
    found = {
        (paper, answer.question.id, answer.reader): answer
        for paper in (NEWTS, OWLS)
        for answer in store.answers(paper).values()
    }
    assert {cell: (answer.status, answer.text) for cell, answer in found.items()} == {
        (NEWTS, "Q1", "builtin"): ("reported", "40 newts"),
        (NEWTS, "Q2", "builtin"): ("reported", "https://example.org/newts"),
        (NEWTS, "Q3", "builtin"): ("not_reported", ""),
        (OWLS, "Q1", "builtin"): ("not_reported", ""),
        (OWLS, "Q2", "builtin"): ("unreadable", ""),
        (OWLS, "Q2", "second"): ("unsupported", "“somewhere”"),
    }
    link = found[NEWTS, "Q2", "builtin"]
    assert (link.confidence, link.paper, link.version) == (0.99, NEWTS, "1")
    assert link.values == (Value("link", "https://example.org/newts"),)
    text = kept.NEWTS
    box = Box(1, 10.5, 20.0, 30.25, 40.0)
    assert link.evidence == (
        Evidence(text[20:], 1, "exact", 20, len(text), (box,)),
        Evidence("code", 1, "close", 24, 28, (), 0.9, "What: code"),
    )
    closest = Closest("Nobody saw one.", 1, 0.25, 26, 41)
    assert found[OWLS, "Q1", "builtin"].receipt == Receipt(1, 2, (closest,))
    assert found[OWLS, "Q2", "builtin"].reason == "garbled"
    # What does not count any more is kept, too; "unreadable" is nothing done.
    assert (len(store.done(NEWTS)), len(store.done(OWLS))) == (5, 2)
    store.close()


def test_an_old_study_keeps_all_the_rest(old: Path) -> None:
    store = Store.open(old.parent)
    paper = store.paper(NEWTS, "newts.pdf")
    assert (paper.text, paper.title, paper.doi, paper.year) == (kept.NEWTS, "Newts", "10.1/x", 2020)
    assert [s.text for s in paper.sentences] == [kept.NEWTS[:19], kept.NEWTS[20:]]
    assert (paper.hidden, paper.warnings) == ((Hidden(1, "psst", "white"),), ("short",))
    asked = store.asked()
    assert {q.id: q.text for q in asked.questions} == kept.QUESTIONS
    assert (asked.name, asked.variables) == ("newts", (Variable("code", "open", ("Q2",)),))
    assert asked.levels == (Level(1, "open", ("open",)),)
    assert tuple(store.readers()) == kept.READERS
    assert [source.file for source in store.sources()] == ["broken.pdf", "newts.pdf", "owls.pdf"]
    assert [(f.path, f.reason) for f in store.failures()] == [("/papers/broken.pdf", "is damaged")]
    assert [run["event"] for run in store.runs()] == ["begun", "ended", "begun"]
    cells = list(Results.of(store).cells())
    assert [cell.paper.file for cell in cells] == ["broken.pdf"] * 3 + ["newts.pdf"] * 3 + ["owls.pdf"] * 2
    store.close()
    with sqlite3.connect(old) as connection:
        decision = connection.execute("SELECT reviewer, status, text, reason FROM decisions").fetchall()
    assert decision == [("Ada", "reported", "42", "it stands in Fig. 2")]


def test_a_decision_of_an_old_study_counts_as_a_review(old: Path) -> None:
    store = Store.open(old.parent)
    said = Decision("Ada", "reported", "42", (), "it stands in Fig. 2", kept.AT, "review")
    assert store.decisions(NEWTS) == {kept.key(kept.QUESTIONS["Q3"]): (said,)}
    cell = Results.of(store).cell(NEWTS, "Q3")
    assert (cell.vote.status, cell.verdict.status) == ("not_reported", "reported")
    assert cell.verdict.reason == "decided by Ada, without a quote: it stands in Fig. 2"
    store.close()


# A study of the second version, with decisions


@pytest.fixture
def second(tmp_path: Path) -> Path:
    path = tmp_path / "viva.db"
    shutil.copyfile(SECOND, path)
    return path


def test_the_second_kept_file_is_of_the_second_schema_and_small(second: Path) -> None:
    with sqlite3.connect(second) as connection:
        assert connection.execute("SELECT number FROM schema_steps").fetchall() == [(1,), (2,)]
    assert SECOND.stat().st_size < 100_000


def test_a_study_of_the_second_schema_keeps_every_decision(second: Path) -> None:
    store = Store.open(second.parent)
    text, box = kept.NEWTS, Box(1, 10.5, 20.0, 30.25, 40.0)
    quote = Evidence(text[10:18], 1, "exact", 10, 18, (box,))
    caught, code, seed = (kept.key(question) for question in kept.QUESTIONS.values())
    assert store.decisions(NEWTS) == {
        seed: (Decision("Ada", "reported", "42", (), "it stands in Fig. 2", kept.AT),),
        caught: (
            Decision("Ada", "reported", "40", (quote,), "", kept.AT),
            Decision("Ben", "unsupported", "“some”", (), "how many?", kept.AT),
        ),
    }
    assert [said.kind for said in store.decisions(OWLS)[code]] == ["review", "review", "adjudication"]
    assert [(e.decision.status, e.undo, e.undone) for e in store.history(NEWTS, caught)] == [
        ("not_reported", False, True),
        ("not_reported", True, False),
        ("reported", False, False),
        ("unsupported", False, False),
    ]
    verdicts = {(c.paper.file, c.question.id): c.verdict for c in Results.of(store).cells()}
    assert verdicts["owls.pdf", "Q2"].reason == "adjudicated by Cy: read it twice"
    assert verdicts["newts.pdf", "Q1"].doubts == (
        Doubt("reviewers_disagree", "reviewers disagree: Ada says reported, Ben says unsupported"),
    )
    assert list(store.problems()) == []
    store.close()


# A study of the third version, without values


def test_a_study_of_the_third_schema_gains_values_and_journals(tmp_path: Path) -> None:
    shutil.copyfile(THIRD, tmp_path / "viva.db")
    with sqlite3.connect(THIRD) as connection:
        assert connection.execute("SELECT number FROM schema_steps").fetchall() == [(1,), (2,), (3,)]
    assert THIRD.stat().st_size < 100_000
    store = Store.open(tmp_path)
    seed = kept.key(kept.QUESTIONS["Q3"])
    assert [said.values for said in store.decisions(NEWTS)[seed]] == [()]
    assert {source.journal for source in store.sources()} == {""}
    assert [answer.coded for answer in store.answers(NEWTS).values()] == [()] * 3
    store.decide(NEWTS, seed, Decision("Ada", "reported", "42", values=(42, "forty-two")))
    assert store.decisions(NEWTS)[seed][0].values == (42, "forty-two")
    assert list(store.problems()) == []
    store.close()


@pytest.mark.parametrize("change", ["UPDATE decisions SET status = 'reported'", "DELETE FROM decisions"])
@pytest.mark.parametrize("kept_file", [OLD, SECOND])
def test_the_database_itself_refuses_to_change_a_decision(
    kept_file: Path, change: str, tmp_path: Path
) -> None:
    path = tmp_path / "viva.db"
    shutil.copyfile(kept_file, path)
    Store.open(path.parent).close()
    with (
        sqlite3.connect(path) as connection,
        pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"),
    ):
        connection.execute(change)


@pytest.mark.parametrize("kept_file", [OLD, SECOND])
def test_an_old_study_can_be_calibrated(kept_file: Path, tmp_path: Path) -> None:
    shutil.copyfile(kept_file, tmp_path / "viva.db")
    store = Store.open(tmp_path)
    assert (store.calibration(), store.calibrations()) == (None, [])
    question = kept.key(kept.QUESTIONS["Q3"])
    row = QuestionCalibration("builtin", "1", question, 3.0, 5, 0.2, 0.8, 0.9, 0.5)
    recorded = store.add_calibration(Calibration((row,)))
    assert store.calibration() == recorded
    assert Results.of(store).cell(NEWTS, "Q3").vote.status == "reported"
    assert list(store.problems()) == []
    store.close()


def test_an_old_study_can_go_on(old: Path) -> None:
    store = Store.open(old.parent)
    store.begin({})
    assert store.run == 3
    store.close()


# A study of a later version


@pytest.fixture
def newer(old: Path) -> Path:
    Store.open(old.parent).close()
    with sqlite3.connect(old) as connection:
        connection.execute("INSERT INTO schema_steps VALUES (999, '2040-01-01')")
    connection.close()
    return old


@pytest.mark.parametrize("readonly", [False, True])
def test_a_newer_schema_is_refused_and_left_alone(newer: Path, readonly: bool) -> None:
    before = newer.read_bytes()
    says = "install the version it was made with" if readonly else "made by a newer version of vivavoce"
    with pytest.raises(VivaError, match=says) as said:
        Store.open(newer.parent, readonly=readonly)
    assert "999" in str(said.value)
    assert "\n" not in str(said.value)
    assert newer.read_bytes() == before
    assert readonly or [file.name for file in newer.parent.iterdir()] == ["viva.db"]


# Steps


def test_a_step_that_fails_half_way_leaves_nothing(old: Path) -> None:
    Store.open(old.parent).close()
    before = contents(old)

    def halting(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (x TEXT)")
        connection.exec_driver_sql("INSERT INTO half VALUES ('x')")
        connection.exec_driver_sql("DELETE FROM answers")
        raise RuntimeError("the power went")

    engine = SQLiteDatabase(old).engine()
    with pytest.raises(RuntimeError, match="the power went"):
        migrate(engine, (*STEPS, halting))
    engine.dispose()
    assert contents(old) == before
    Store.open(old.parent).close()


def test_the_very_first_step_leaves_nothing_either(tmp_path: Path) -> None:
    def halting(connection: sa.Connection) -> None:
        STEPS[0](connection)
        raise RuntimeError("the power went")

    engine = SQLiteDatabase(tmp_path / "viva.db").engine()
    with pytest.raises(RuntimeError, match="the power went"):
        migrate(engine, (halting,))
    engine.dispose()
    assert contents(tmp_path / "viva.db") == ["BEGIN TRANSACTION;", "COMMIT;"]
    Store.open(tmp_path).close()  # and the next time it goes well


def test_steps_before_the_one_that_fails_are_kept(old: Path) -> None:
    Store.open(old.parent).close()
    done = len(STEPS)

    def adding(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE extra (x TEXT)")

    def halting(connection: sa.Connection) -> None:
        connection.exec_driver_sql("DROP TABLE extra")
        raise RuntimeError("the power went")

    engine = SQLiteDatabase(old).engine()
    with pytest.raises(RuntimeError, match="the power went"):
        migrate(engine, (*STEPS, adding, halting))
    with engine.connect() as connection:
        assert applied(connection) == done + 1
        assert sa.inspect(connection).has_table("extra")
    engine.dispose()


def test_steps_run_once_and_in_their_order(tmp_path: Path) -> None:
    calls: list[int] = []
    steps: list[Step] = [lambda _, n=n: calls.append(n) for n in (1, 2, 3)]  # type: ignore[misc]
    engine = SQLiteDatabase(tmp_path / "viva.db").engine()
    migrate(engine, steps[:2])
    migrate(engine, steps[:2])
    assert calls == [1, 2]
    migrate(engine, steps)
    migrate(engine, steps)
    assert calls == [1, 2, 3]
    engine.dispose()


def test_a_step_that_somebody_else_did_meanwhile_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "viva.db"
    Store.open(path.parent, create=True).close()
    engine = SQLiteDatabase(path).engine()
    looks = [0]  # what we saw before the other had done it
    real = migrations.applied
    monkeypatch.setattr(migrations, "applied", lambda found: looks.pop() if looks else real(found))
    before = contents(path)
    migrate(engine)
    engine.dispose()
    assert looks == []
    assert contents(path) == before
