"""Calibrations in the store: rows that only grow in number, written whole or not at all."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.calibrating import CODE, COUNT, study
from vivavoce.errors import VivaError
from vivavoce.records import Calibration, QuestionCalibration
from vivavoce.store import Store, question_key

AT = "2026-01-02T03:04:05.000+00:00"
ONE = QuestionCalibration("graded", "1", question_key(CODE), 1.25, 10, 0.1, 0.9, 0.8, 0.4)
OTHER = replace(ONE, question=question_key(COUNT), offset=0.0, accuracy_after=0.1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = study(tmp_path, decided=False)
    yield made
    made.close()


def test_a_calibration_comes_back_whole_with_its_time(store: Store) -> None:
    assert store.calibration() is None
    recorded = store.add_calibration(Calibration((ONE, OTHER)))
    assert recorded.at.startswith("20")
    assert store.calibration() == recorded == Calibration((ONE, OTHER), recorded.at)
    dated = store.add_calibration(Calibration((OTHER,), AT))
    assert (dated.at, store.calibration()) == (AT, dated)


def test_undo_gives_the_one_before_back_and_keeps_the_history(store: Store) -> None:
    first = store.add_calibration(Calibration((ONE,)))
    second = store.add_calibration(Calibration((OTHER,)))
    assert store.undo_calibration() == second
    assert store.calibration() == first
    third = store.add_calibration(Calibration((ONE, OTHER)))
    assert store.undo_calibration() == third
    assert store.undo_calibration() == first
    assert store.calibration() is None
    assert store.undo_calibration() is None
    assert store.calibrations() == [replace(one, undone=True) for one in (first, second, third)]


def test_a_calibration_is_there_whole_or_not_at_all(store: Store) -> None:
    first = store.add_calibration(Calibration((ONE,)))
    broken = replace(OTHER, version=None)  # type: ignore[arg-type]
    with pytest.raises(VivaError):
        store.add_calibration(Calibration((replace(ONE, offset=3.0), broken)))
    assert store.calibrations() == [first]


@pytest.mark.parametrize("change", ["UPDATE calibrations SET offset = 0", "DELETE FROM calibrations"])
def test_the_database_itself_refuses_to_change_one(store: Store, tmp_path: Path, change: str) -> None:
    store.add_calibration(Calibration((ONE,)))
    with (
        sqlite3.connect(tmp_path / "viva.db") as connection,
        pytest.raises(sqlite3.IntegrityError, match="never changed or deleted"),
    ):
        connection.execute(change)


def test_who_watches_the_store_notices(store: Store) -> None:
    before = store.marks()
    store.add_calibration(Calibration((ONE,)))
    between = store.marks()
    store.undo_calibration()
    assert len({before, between, store.marks()}) == 3


def test_what_is_wrong_with_them_is_found(store: Store, tmp_path: Path) -> None:
    store.add_calibration(Calibration((ONE,)))
    assert list(store.problems()) == []
    store.add_calibration(Calibration((replace(ONE, question="nonsense"),)))
    columns = "reader, version, question, offset, decisions, accuracy_before, accuracy_after"
    losses = "log_loss_before, log_loss_after"
    with sqlite3.connect(tmp_path / "viva.db") as connection:
        connection.execute(
            f"INSERT INTO calibrations SELECT 99, 99, {columns}, {losses}, 98, at FROM calibrations"
            " WHERE number = 1"
        )
    connection.close()
    assert list(store.problems()) == [
        "1 undone calibrations are not there",
        "1 calibrated questions are not there",
    ]
