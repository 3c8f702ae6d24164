"""Which of the answers and failures in the store count now."""

import sqlite3
from dataclasses import replace
from pathlib import Path

from tests.store.sample import ANSWER, CODE, ID, PAPER, QUOTES, RECEIPT, SET, filled
from vivavoce.records import (
    Answer,
    Page,
    Paper,
    Question,
    QuestionSet,
    Sentence,
)
from vivavoce.store import Failure, File, Store, question_key

# What counts, and what is only kept


def test_the_same_cell_twice_is_kept_once(store: Store) -> None:
    filled(store)
    store.add_answer(ID, replace(ANSWER, text="something else", evidence=QUOTES[:1]))
    assert store.answers(ID)[question_key(CODE), "builtin"] == replace(ANSWER, paper=ID)
    with sqlite3.connect(Path(store.location) / "viva.db") as connection:
        assert connection.execute("SELECT count(*) FROM answers").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM evidence").fetchone() == (2,)


def test_an_older_version_is_kept_and_does_not_count(store: Store) -> None:
    filled(store)
    store.set_readers([("builtin", "2")])
    assert store.answers(ID) == {}
    assert (question_key(CODE), "builtin", "1") in store.done(ID)
    newer = replace(ANSWER, version="2", text="newer")
    store.add_answer(ID, newer)
    assert store.answers(ID) == {(question_key(CODE), "builtin"): replace(newer, paper=ID)}
    store.set_readers([("builtin", "1")])
    assert store.answers(ID)[question_key(CODE), "builtin"].text == ANSWER.text


def test_an_answer_to_another_text_is_kept_and_does_not_count(store: Store) -> None:
    filled(store)
    store.set_asked(QuestionSet("bees", (replace(CODE, text="Where is all the code?"),)))
    assert store.answers(ID) == {}
    assert len(store.done(ID)) == 2
    store.set_asked(SET)
    assert len(store.answers(ID)) == 2


def test_a_question_is_known_by_its_text_alone(store: Store) -> None:
    filled(store)
    renamed = Question("Where  is the\ncode?", "NEW", hints="other", topic="other")
    store.set_asked(QuestionSet("bees", (renamed,)))
    (answer,) = store.answers(ID).values()
    assert (answer.question.id, answer.question.hints, answer.text) == ("NEW", "other", ANSWER.text)


def test_sources_name_each_paper_once(store: Store) -> None:
    filled(store)
    store.set_file(File("/papers/a copy.txt", "a copy.txt", ID, "", 10, 20))
    store.set_file(File("/papers/broken.pdf", "broken.pdf", "ef" * 32, "is damaged", 10, 20))
    store.set_file(File("/papers/gone.pdf", "gone.pdf", None, "there is no such file", 0, 0))
    found = store.sources()
    assert [(s.id, s.file) for s in found] == [
        (ID, "a copy.txt"),
        ("ef" * 32, "broken.pdf"),
        ("", "gone.pdf"),
    ]
    assert (found[0].title, found[0].doi, found[0].year, found[0].pages) == (PAPER.title, PAPER.doi, 2024, 2)


def test_failures_are_the_last_of_each_file(store: Store) -> None:
    store.begin({})
    for path, reason in (("/b", "first"), ("/a", "only"), ("/b", "second")):
        store.add_failure(path, None, reason)
    found = store.failures()
    assert [(f.path, f.reason) for f in found] == [("/a", "only"), ("/b", "second")]
    assert found[0] == Failure("/a", None, None, None, "only", found[0].at)


def test_a_failure_is_over_when_the_paper_has_answered_in_a_later_run(store: Store) -> None:
    store.add_paper(PAPER)
    store.begin({})
    store.add_answer(ID, RECEIPT)
    store.add_failure("/papers/bees.txt", ID, "the reader crashed")
    assert [f.reason for f in store.failures()] == ["the reader crashed"]
    store.begin({})
    store.add_answer(ID, ANSWER)
    assert store.failures() == []


def test_the_run_log(store: Store) -> None:
    assert store.runs() == []
    store.begin({"files": 2, "readers": ["é"]})
    store.log("stopped", {"cells": 1})
    store.begin({})
    found = store.runs()
    assert [(r["run"], r["event"], r["detail"]) for r in found] == [
        (1, "begun", {"files": 2, "readers": ["é"]}),
        (1, "stopped", {"cells": 1}),
        (2, "begun", {}),
    ]
    assert all(r["at"].endswith("+00:00") for r in found)


def test_a_paper_without_text_gives_way_to_one_with(tmp_path: Path) -> None:
    store = Store.open(tmp_path, create=True)
    question = Question("Where is the code?", "Q1")
    store.set_asked(QuestionSet("some", (question,)))
    store.set_readers([("builtin", "1")])
    scan = Paper("ab", "a.pdf", "pdf", "", (), (Page(1, 9, 9),), unreadable="a scan")
    text = "It is here."
    read = Paper("ab", "a.pdf", "pdf", text, (Sentence(text, 0, len(text), 1),), (Page(1, 9, 9),))

    store.add_paper(scan)
    assert store.add_answer("ab", Answer(question, "builtin", "1", "unreadable", reason="a scan"))
    assert not store.has_paper("ab")
    assert store.done("ab") == set()
    assert not store.add_answer("ab", Answer(question, "builtin", "1", "unreadable", reason="a scan"))

    store.add_paper(read)
    assert store.add_answer("ab", Answer(question, "builtin", "1", "reported", "here", 0.9))
    assert store.paper("ab").text == text
    assert [a.status for a in store.answers("ab").values()] == ["reported"]

    store.add_paper(scan)  # and never back
    assert not store.add_answer("ab", Answer(question, "builtin", "1", "unreadable"))
    assert store.paper("ab").text == text
    assert list(store.problems()) == []
