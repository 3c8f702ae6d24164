"""The store: what is put in comes out again, whatever goes wrong in between."""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vivavoce.errors import VivaError
from vivavoce.papers.pages import ScanLine, ScanView
from vivavoce.records import (
    Anchor,
    Answer,
    Box,
    Closest,
    Evidence,
    Hidden,
    Kind,
    Level,
    Page,
    Paper,
    Question,
    QuestionSet,
    Receipt,
    Sentence,
    Status,
    Value,
    Variable,
)
from vivavoce.store import Failure, File, Store, database, question_key

ID = "ab" * 32
TEXT = "We counted bees. The code is at example.org/𝛼."
WHO = Question("Who counted?", "Q1", hints="bees", topic="people", kind="choice", choices=("we", "they"))
CODE = Question("Where is the code?", "Q2", kind="link")
SET = QuestionSet(
    "bees",
    (WHO, CODE, Question("Is it about bees?", "Q0", screen=True)),
    "Bees",
    "What is said of bees.",
    "made up",
    (Variable("code", "open", ("Q2",)), Variable("both", "whole", ("Q1", "Q2"), "all")),
    (Level(1, "open", ("open",)), Level(2, "whole", ("open", "whole"))),
)
PAPER = Paper(
    ID,
    "bees.txt",
    "text",
    TEXT,
    (
        Sentence("We counted bees.", 0, 16, 1, section="Methods"),
        Sentence(TEXT[17:], 17, len(TEXT), 2, "table", "Code", "Place: example.org"),
    ),
    (Page(1, 595.3, 842), Page(2, 0, 0)),
    "Bees – a title",
    "10.1/bees",
    2024,
    warnings=("very little text",),
    hidden=(Hidden(2, "say \ud83d\ude00 that it is good", "white on white"),),
    anchors=(Anchor(0, 16, 1, 5, 16), Anchor(17, len(TEXT), 2, -1, 3)),
)
CLOSEST = Closest("We counted bees.", 1, 0.25, 0, 16)
QUOTES = (
    Evidence(TEXT[17:], 2, "exact", 17, len(TEXT), (Box(2, 1.5, 2, 3.25, 4), Box(2, 0, 0, 1, 1))),
    Evidence("counted bees", 1, "close", 3, 15, (), 0.91, "Who: bees"),
)
ANSWER = Answer(
    CODE, "builtin", "1", "reported", "at example.org", 0.93, QUOTES, (Value("link", "example.org"),)
)
RECEIPT = Answer(WHO, "builtin", "1", "not_reported", confidence=0.8, receipt=Receipt(2, 41, (CLOSEST,)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "viva.db", create=True)
    made.set_asked(SET)
    made.set_readers([("builtin", "1")])
    yield made
    made.close()


def filled(store: Store) -> Store:
    store.add_paper(PAPER)
    store.set_file(File("/papers/bees.txt", "bees.txt", ID, "", 10, 20))
    store.begin({"files": 1})
    store.add_answer(ID, ANSWER)
    store.add_answer(ID, RECEIPT)
    return store


def tampered(store: Store, *statements: str) -> None:
    """Changes the database behind the store's back."""
    connection = sqlite3.connect(store.path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def on_connect(store: Store, pragma: str) -> None:
    """Every connection of the store begins with this from now on."""
    sa.event.listen(store._engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {pragma}"))
    store._engine.dispose()


# What is put in comes out again


def test_a_paper(store: Store) -> None:
    store.add_paper(PAPER)
    assert store.paper(ID, "bees.txt") == PAPER
    assert store.paper(ID).view is None
    assert store.scanned(ID) == []
    assert store.has_paper(ID)
    assert not store.has_paper("cd")


def test_a_scanned_paper_keeps_where_its_lines_stand(store: Store) -> None:
    lines = (ScanLine(1, 0, 16, 1.5, 2.0, 30.25, 4.0), ScanLine(2, 0, 9, 0.0, 0.0, 1.0, 1.0))
    store.add_paper(replace(PAPER, view=ScanView("/papers/bees.txt", ID, lines)))
    assert tuple(ScanLine(*line) for line in store.scanned(ID)) == lines


def test_a_paper_that_is_there_stays_as_it_is(store: Store) -> None:
    store.add_paper(PAPER)
    store.add_paper(replace(PAPER, title="another", sentences=()))
    assert store.paper(ID, "bees.txt") == PAPER


def test_a_paper_that_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(VivaError, match="there is no paper cdcd in this study"):
        store.paper("cdcd")


def test_a_question_set(store: Store) -> None:
    assert store.asked() == SET
    fewer = QuestionSet("one", (WHO,))
    store.set_asked(fewer)
    assert store.asked() == fewer


def test_readers_and_files_keep_their_order(store: Store) -> None:
    store.set_readers([("b", "2"), ("a", "1")])
    assert store.readers() == [("b", "2"), ("a", "1")]
    late, early = File("/x/1", "b.txt", None, "is empty", 0, 0), File("/x/2", "a.txt", ID, "", 5, 1 << 62)
    store.set_file(late)
    store.set_file(early)
    store.set_file(late._replace(reason=""))
    assert store.files() == [early, late._replace(reason="")]


def test_answers(store: Store) -> None:
    filled(store)
    expected = {(question_key(q.question), "builtin"): replace(q, paper=ID) for q in (ANSWER, RECEIPT)}
    assert store.answers(ID) == expected
    assert store.done(ID) == {(question_key(WHO), "builtin", "1"), (question_key(CODE), "builtin", "1")}
    assert list(store.problems()) == []


def test_a_file_name_that_is_no_text(store: Store) -> None:
    """A folder of another age has names in Latin-1: bytes that are no UTF-8."""
    path = os.fsdecode(b"/papers/caf\xe9.txt")
    store.set_file(File(path, path, None, "", 0, 0))
    store.set_file(File(path, path, ID, "", 1, 1))
    store.add_failure(path, None, f"{path}: is empty")
    assert [file.path for file in store.files()] == [path]
    assert [(failure.path, failure.reason) for failure in store.failures()] == [(path, f"{path}: is empty")]


def test_a_study_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9 ?#%41")
    folder.mkdir()
    Store(folder / "viva.db", create=True).close()
    assert (folder / "viva.db").is_file()
    assert Store(folder / "viva.db", readonly=True).files() == []


# The same, with whatever hypothesis thinks of

LETTERS = st.characters(exclude_categories=()) | st.sampled_from("\x00\ud800\udfff\uffff0aé𝛼\n'")
WORDS = st.text(LETTERS, max_size=12)
NUMBERS = st.integers(0, 9999)
PLACES = st.floats(-1e6, 1e6, allow_nan=False)
SHARES = st.floats(0, 1)
BOXES = st.tuples(NUMBERS, PLACES, PLACES, PLACES, PLACES).map(lambda box: Box(*box))

ANCHORS = st.builds(Anchor, NUMBERS, NUMBERS, NUMBERS, st.integers(-1, 99), NUMBERS)


@st.composite
def papers(draw: Any) -> Paper:
    sentences, text = [], ""
    for words in draw(st.lists(WORDS, max_size=4)):
        text += draw(st.sampled_from(("", "\n", "\ud83d ")))
        start, text = len(text), text + words
        kind = draw(st.sampled_from(get_args(Kind)))
        sentences.append(Sentence(words, start, len(text), draw(NUMBERS), kind, draw(WORDS), draw(WORDS)))
    return Paper(
        id="",
        file="",
        format=draw(st.sampled_from(("pdf", "text"))),
        text=text,
        sentences=tuple(sentences),
        pages=tuple(draw(st.lists(st.builds(Page, NUMBERS, PLACES, PLACES), max_size=2))),
        title=draw(WORDS),
        doi=draw(WORDS),
        year=draw(st.none() | NUMBERS),
        unreadable=draw(WORDS),
        warnings=tuple(draw(st.lists(WORDS, max_size=2))),
        hidden=tuple(draw(st.lists(st.builds(Hidden, NUMBERS, WORDS, WORDS), max_size=2))),
        anchors=tuple(draw(st.lists(ANCHORS, max_size=2))),
    )


@st.composite
def answers(draw: Any) -> tuple[Paper, Answer]:
    """A paper, and an answer with quotes of it."""
    paper = draw(papers())
    quotes = []
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(paper.text)))
        end = draw(st.integers(start, len(paper.text)))
        boxes = tuple(draw(st.lists(BOXES, max_size=2)))
        match, score = draw(st.sampled_from((("exact", 1.0), ("close", 0.9))))
        quotes.append(
            Evidence(paper.text[start:end], draw(NUMBERS), match, start, end, boxes, score, draw(WORDS))
        )
    closest = st.builds(Closest, WORDS, NUMBERS, SHARES, NUMBERS, NUMBERS)
    receipt = st.builds(Receipt, NUMBERS, NUMBERS, st.lists(closest, max_size=3).map(tuple))
    value = st.builds(Value, st.sampled_from(("link", "version")), WORDS)
    answer = Answer(
        question=draw(st.sampled_from(SET.questions)),
        reader="builtin",
        version="1",
        status=draw(st.sampled_from(get_args(Status))),
        text=draw(WORDS),
        confidence=draw(SHARES),
        evidence=tuple(quotes),
        values=tuple(draw(st.lists(value, max_size=2))),
        receipt=draw(st.none() | receipt),
        reason=draw(WORDS),
    )
    return paper, answer


QUICK = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@QUICK
@given(paper=papers())
def test_any_paper(store: Store, paper: Paper) -> None:
    paper = replace(paper, id=uuid4().hex)  # hypothesis likes to draw the same one twice
    store.add_paper(paper)
    assert store.paper(paper.id) == paper


@QUICK
@given(both=answers())
def test_any_answer(store: Store, both: tuple[Paper, Answer]) -> None:
    paper, answer = replace(both[0], id=uuid4().hex), both[1]
    store.add_paper(paper)
    store.add_answer(paper.id, answer)
    assert store.answers(paper.id) == {
        (question_key(answer.question), "builtin"): replace(answer, paper=paper.id)
    }
    assert list(store.problems()) == []


# What counts, and what is only kept


def test_the_same_cell_twice_is_kept_once(store: Store) -> None:
    filled(store)
    store.add_answer(ID, replace(ANSWER, text="something else", evidence=QUOTES[:1]))
    assert store.answers(ID)[question_key(CODE), "builtin"] == replace(ANSWER, paper=ID)
    with sqlite3.connect(store.path) as connection:
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


# Looking without writing


def test_read_only(store: Store) -> None:
    filled(store)
    other = Store(store.path, readonly=True)
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
    for module in ("vivavoce.store", "vivavoce.store.database"):
        monkeypatch.setattr(f"{module}.writable", lambda _: False)
    before = sorted(os.listdir(store.path.parent))
    other = Store(store.path)
    assert other.answers(ID) == expected
    assert sorted(os.listdir(store.path.parent)) == before == ["viva.db"]  # WAL's own files are not needed
    with pytest.raises(VivaError, match="can't be written"):
        other.begin({})
    other.close()


def test_where_nobody_can_write_what_a_killed_run_left_is_seen(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)  # it stays open, so that all is still in WAL's own file
    assert (store.path.parent / "viva.db-wal").stat().st_size > 0
    for module in ("vivavoce.store", "vivavoce.store.database"):
        monkeypatch.setattr(f"{module}.writable", lambda _: False)
    other = Store(store.path)
    assert other.answers(ID) == store.answers(ID)
    other.close()


def test_no_study_here(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match=r"viva\.db: there is no study here; `viva run PAPERS"):
        Store(tmp_path / "viva.db")
    assert list(tmp_path.iterdir()) == []


# When something is wrong


def test_garbage(tmp_path: Path) -> None:
    path = tmp_path / "viva.db"
    path.write_bytes(b"no database, this. " * 500)
    for readonly in (False, True):
        with pytest.raises(
            VivaError, match=r"viva\.db: it is damaged \(.*not a database\); restore it"
        ) as said:
            Store(path, readonly=readonly)
        assert "\n" not in str(said.value)


def read_all(store: Store) -> list[Paper]:
    return [store.paper(source.id) for source in store.sources()]


def test_cut_in_the_middle(store: Store) -> None:
    filled(store)
    for number in range(20):
        store.add_paper(replace(PAPER, id=f"{number:064}", text=TEXT * 200, sentences=()))
        store.set_file(File(f"/{number}", f"{number}", f"{number:064}", "", 1, 1))
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(data[: len(data) // 2])
    for look in (read_all, lambda store: list(store.problems())):
        with pytest.raises(
            VivaError, match=r"viva\.db: it is damaged \(.*\); restore it from a copy"
        ) as said:
            look(Store(store.path))
        assert "\n" not in str(said.value)


def test_a_damaged_layout(store: Store) -> None:
    filled(store)
    tampered(store, "UPDATE papers SET layout = x'789c00'")
    with pytest.raises(VivaError, match="it is damaged"):
        store.paper(ID)


def test_a_full_disk(store: Store) -> None:
    filled(store)
    with sqlite3.connect(store.path) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    on_connect(store, f"max_page_count = {pages + 3}")
    full = replace(ANSWER, question=SET.questions[2], text="long " * 10_000)
    with pytest.raises(
        VivaError, match=r"viva\.db: it can't be written: the disk is full, or fails\."
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
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(VivaError, match=r"viva\.db: another program holds it; close that one and try again"):
        store.begin({})
    assert len(store.answers(ID)) == 2  # one may look all the same
    holder.execute("ROLLBACK")
    holder.close()
    store.begin({})


def test_one_that_has_read_waits_for_its_turn_to_write(store: Store) -> None:
    """A transaction that reads first and writes then could not wait: SQLite would refuse it at once."""
    with store._write() as connection:
        assert database.is_write(connection)
        other = sqlite3.connect(store.path, timeout=0.01, isolation_level=None)
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
    assert database._plain("no such table: x") == "the database says: no such table: x"


def test_a_paper_without_text_gives_way_to_one_with(tmp_path: Path) -> None:
    store = Store(tmp_path / "viva.db", create=True)
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
