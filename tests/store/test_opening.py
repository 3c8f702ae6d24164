"""Opening a store: where nobody may write, and when something is wrong with it."""

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.sample import ANSWER, CODE, ID, PAPER, SET, TEXT, filled, on_connect, tampered
from vivavoce.errors import VivaError
from vivavoce.records import (
    Paper,
)
from vivavoce.store import File, Store, question_key
from vivavoce.store.sql import is_for_writing
from vivavoce.store.sqlite import SQLiteDatabase, explain

# Looking without writing


def test_read_only(store: Store) -> None:
    filled(store)
    other = Store.open(store.location, readonly=True)
    assert other.answers(ID) == store.answers(ID)
    store.add_answer(ID, replace(ANSWER, question=SET.questions[2]))
    assert len(other.answers(ID)) == 3  # one may look while another writes
    with pytest.raises(VivaError, match=r"viva\.db: it can't be written; is the folder read-only\?"):
        other.add_answer(ID, ANSWER)
    other.close()


def test_where_nobody_can_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(store)
    expected = store.answers(ID)
    store.close()
    monkeypatch.setattr(SQLiteDatabase, "is_writable", lambda _: False)
    before = sorted(os.listdir(Path(store.location)))
    other = Store.open(store.location)
    assert other.answers(ID) == expected
    assert sorted(os.listdir(Path(store.location))) == before == ["viva.db"]  # WAL's own files are not needed
    with pytest.raises(VivaError, match="can't be written"):
        other.begin({})
    other.close()


def test_where_nobody_can_write_what_a_killed_run_left_is_seen(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)  # it stays open, so that all is still in WAL's own file
    assert (Path(store.location) / "viva.db-wal").stat().st_size > 0
    monkeypatch.setattr(SQLiteDatabase, "is_writable", lambda _: False)
    other = Store.open(store.location)
    assert other.answers(ID) == store.answers(ID)
    other.close()


def test_no_study_here(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match=r": there is no study here; `viva run PAPERS"):
        Store.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


# When something is wrong


def test_garbage(tmp_path: Path) -> None:
    path = tmp_path / "viva.db"
    path.write_bytes(b"no database, this. " * 500)
    for readonly in (False, True):
        with pytest.raises(
            VivaError, match=r"viva\.db: it is damaged \(.*not a database\); restore it"
        ) as said:
            Store.open(path.parent, readonly=readonly)
        assert "\n" not in str(said.value)


def read_all(store: Store) -> list[Paper]:
    return [store.paper(source.id) for source in store.sources()]


def test_cut_in_the_middle(store: Store) -> None:
    filled(store)
    for number in range(20):
        store.add_paper(replace(PAPER, id=f"{number:064}", text=TEXT * 200, sentences=()))
        store.set_file(File(f"/{number}", f"{number}", f"{number:064}", "", 1, 1))
    store.close()
    data = (Path(store.location) / "viva.db").read_bytes()
    (Path(store.location) / "viva.db").write_bytes(data[: len(data) // 2])
    for look in (read_all, lambda store: list(store.problems())):
        with pytest.raises(
            VivaError, match=r"viva\.db: it is damaged \(.*\); restore it from a copy"
        ) as said:
            look(Store.open(store.location))
        assert "\n" not in str(said.value)


def test_a_damaged_layout(store: Store) -> None:
    filled(store)
    tampered(store, "UPDATE papers SET layout = x'789c00'")
    with pytest.raises(VivaError, match="it is damaged"):
        store.paper(ID)


def test_a_full_disk(store: Store) -> None:
    filled(store)
    with sqlite3.connect(Path(store.location) / "viva.db") as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    on_connect(store, f"max_page_count = {pages + 3}")
    full = replace(ANSWER, question=SET.questions[2], text="long " * 10_000)
    with pytest.raises(
        VivaError, match=r"viva\.db: it can't be written: the disk is full or failing\."
    ) as said:
        store.add_answer(ID, full)
    assert "\n" not in str(said.value)
    with pytest.raises(VivaError, match="disk is full"):
        store.add_paper(replace(PAPER, id="cd" * 32, text="long " * 10_000, sentences=()))
    assert len(store.answers(ID)) == 2
    assert store.answers(ID)[question_key(CODE), "builtin"] == replace(ANSWER, paper=ID)
    assert store.paper(ID, "bees.txt") == PAPER
    assert list(store.problems()) == []

    on_connect(store, "max_page_count = 100000")  # somebody made room
    store.add_answer(ID, full)
    assert len(store.answers(ID)) == 3


def test_another_program_holds_it(store: Store) -> None:
    filled(store)
    on_connect(store, "busy_timeout = 10")
    holder = sqlite3.connect(Path(store.location) / "viva.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(
        VivaError, match=r"viva\.db: another program is using it; close that program and try again"
    ):
        store.begin({})
    assert len(store.answers(ID)) == 2  # one may look all the same
    holder.execute("ROLLBACK")
    holder.close()
    store.begin({})


def test_one_that_has_read_waits_for_its_turn_to_write(store: Store) -> None:
    """A transaction that reads first and writes then could not wait: SQLite would refuse it at once."""
    with store._write() as connection:
        assert is_for_writing(connection)
        other = sqlite3.connect(Path(store.location) / "viva.db", timeout=0.01, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE papers SET text = replace(text, 'bees', 'bats')", "its text has changed since it was read"),
        ("UPDATE evidence SET start = start + 1", "a quote of builtin is not in its text at 18"),
        ("UPDATE evidence SET quote = 'We never counted'", "a quote of builtin is not in its text at 17"),
        ("DELETE FROM papers", "a quote of builtin is not in its text at 17"),
        ("UPDATE evidence SET answer = 99", "2 quotes belong to no answer"),
        ("DELETE FROM answers", "2 quotes belong to no answer"),
    ],
)
def test_tampering_is_found(store: Store, statement: str, says: str) -> None:
    filled(store)
    assert list(store.problems()) == []
    tampered(store, statement)
    assert [line for line in store.problems() if line.endswith(says)]


def test_what_the_database_says_is_passed_on() -> None:
    assert explain(ValueError("no such table: x")) == "the database says: no such table: x"


# A folder or a URL


def test_a_folder_and_the_url_of_its_file_are_the_same_store(store: Store, tmp_path: Path) -> None:
    filled(store)
    other = Store.open(f"sqlite:///{tmp_path / 'viva.db'}")
    assert other.answers(ID) == store.answers(ID)
    other.close()


@pytest.mark.parametrize(
    ("location", "says"),
    [
        (
            "mysql://ann:secret@db/bees",
            "a study can't be kept in a mysql:// database yet; name a folder, or use sqlite://, postgresql://.",
        ),
        ("mysql+pymysql://db/bees", "a study can't be kept in a mysql:// database yet"),
        ("sqlite://", "sqlite://: names no file; write sqlite:///PATH."),
    ],
)
def test_a_url_that_can_not_be_opened(location: str, says: str) -> None:
    for act in (Store.open, Store.exists):
        with pytest.raises(VivaError) as said:
            act(location)
        assert str(said.value).startswith(says)
        assert "secret" not in str(said.value)


def test_a_file_is_no_study_folder(tmp_path: Path) -> None:
    paper = tmp_path / "bees.txt"
    paper.write_text("We counted bees.")
    with pytest.raises(VivaError, match=r"bees\.txt: is a file; name the study's folder\."):
        Store.open(paper)


def test_a_study_exists_once_it_is_made(tmp_path: Path) -> None:
    assert not Store.exists(tmp_path)
    Store.open(tmp_path, create=True).close()
    assert Store.exists(tmp_path)
    assert Store.exists(str(tmp_path))


def test_the_change_mark_differs_after_something_was_written(store: Store) -> None:
    before = store.change_mark()
    assert store.change_mark() == before
    filled(store)
    assert store.change_mark() != before
