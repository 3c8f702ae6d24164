"""How far a study is, and what is wrong with it."""

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from vivavoce.records import Answer, Evidence, Paper, Question, QuestionSet, Status
from vivavoce.results.status import StudyStatus, faults, study_status
from vivavoce.store import File, Store

CODE = Question("Where is the code?", "Q1")
SEED = Question("Which seed was used?", "Q2")
TEXT = "Bees were counted."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.open(tmp_path, create=True)
    made.set_asked(QuestionSet("bees", (CODE, SEED)))
    made.set_readers([("builtin", "1")])
    yield made
    made.close()


def add(store: Store, name: str, content: str = "") -> str:
    """A file on disk and its paper in the store; its id."""
    path = Path(store.location) / name
    path.write_text(content or name, encoding="utf-8")
    id = hashlib.sha256(path.read_bytes()).hexdigest()
    store.add_paper(Paper(id, "", "text", TEXT, (), ()))
    store.set_file(File(str(path), name, id, "", 1, 1))
    return id


def answer(store: Store, paper: str, question: Question, status: Status, confidence: float = 0.9) -> None:
    quotes = (Evidence(TEXT, 1, "exact", 0, len(TEXT)),) if status == "reported" else ()
    store.add_answer(paper, Answer(question, "builtin", "1", status, "", confidence, quotes))


def test_a_fresh_study(store: Store) -> None:
    assert study_status(store) == StudyStatus(0, 2, ("builtin",), 0, {}, 0, 0, (), (), {}, {}, 0, "")


def test_what_is_counted(store: Store) -> None:
    store.begin({})
    one, two = add(store, "one.txt"), add(store, "two.txt")
    add(store, "three.txt")
    answer(store, one, CODE, "reported")
    answer(store, one, SEED, "not_reported", 0.5)
    answer(store, two, CODE, "reported")
    add(store, "zwei.txt", "two.txt")
    store.set_file(File("/papers/broken.pdf", "broken.pdf", None, "is damaged", 0, 0))
    store.begin({})
    store.log("ended", {})
    found = study_status(store)
    assert (found.papers, found.questions, found.readers, found.cells) == (4, 2, ("builtin",), 8)
    assert found.statuses == {"reported": 2, "not_reported": 1, "failed": 2}
    assert found.waiting == 3
    assert sum(found.statuses.values()) + found.waiting == found.cells
    assert found.review == 3  # the unsure one, and the two that failed
    assert found.failed == (("broken.pdf", "is damaged"),)
    assert found.same == (("zwei.txt", "two.txt"),)
    assert found.runs == 2
    assert found.last == store.runs()[-1]["at"]


def test_a_reader_that_failed_on_some_questions(store: Store) -> None:
    store.begin({})
    one = add(store, "one.txt")
    answer(store, one, CODE, "reported")
    store.add_failure("/papers/one.txt", one, "took longer than 5 s")
    found = study_status(store)
    assert found.statuses == {"reported": 1, "failed": 1}
    assert found.failed == (("one.txt", "took longer than 5 s"),)
    assert found.waiting == 0


def test_a_sound_study_has_no_faults(store: Store) -> None:
    answer(store, add(store, "one.txt"), CODE, "reported")
    assert faults(store) == []


def test_files_that_are_gone_or_changed(store: Store) -> None:
    for name in ("changed.txt", "folder.txt", "gone.txt", "touched.txt"):
        add(store, name)
    folder = Path(store.location)
    (folder / "changed.txt").write_text("something else", encoding="utf-8")
    for name in ("folder.txt", "gone.txt"):
        (folder / name).unlink()
    (folder / "folder.txt").mkdir()
    (folder / "touched.txt").touch()
    assert faults(store) == [
        "changed.txt: the file has changed since it was read; run the study again",
        "folder.txt: the file has changed since it was read; run the study again",
        "gone.txt: the file is gone; its answers are kept, its pages can't be shown",
    ]


def test_a_file_that_could_not_be_read_is_no_fault(store: Store) -> None:
    path = Path(store.location) / "broken.pdf"
    path.write_text("x", encoding="utf-8")
    store.set_file(File(str(path), "broken.pdf", "cd" * 32, "is damaged", 1, 1))
    assert faults(store) == []


def test_what_is_wrong_in_the_database_comes_first(store: Store) -> None:
    add(store, "one.txt")
    (Path(store.location) / "one.txt").unlink()
    with sqlite3.connect(Path(store.location) / "viva.db") as connection:
        connection.execute("UPDATE papers SET text = 'x'")
    found = faults(store)
    assert len(found) == 2
    assert found[0].endswith("its text has changed since it was read")
    assert "is gone" in found[1]
