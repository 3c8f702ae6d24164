"""The store: what is put in comes out again."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.sample import ANSWER, CODE, ID, PAPER, RECEIPT, SET, WHO, filled, tampered
from vivavoce.errors import VivaError
from vivavoce.records import (
    Anchor,
    Answer,
    Box,
    Closest,
    Doubt,
    Evidence,
    Hidden,
    Kind,
    Page,
    PageSource,
    Paper,
    QuestionSet,
    Receipt,
    ScanLine,
    Sentence,
    Status,
    Value,
)
from vivavoce.store import File, Store, question_key

# What is put in comes out again


def test_a_paper(store: Store) -> None:
    store.add_paper(PAPER)
    assert store.paper(ID, "bees.txt") == PAPER
    assert store.paper(ID).page_source is None
    assert store.scanned(ID) == []
    assert store.has_paper(ID)
    assert not store.has_paper("cd")


def test_a_scanned_paper_keeps_where_its_lines_stand(store: Store) -> None:
    lines = (ScanLine(1, 0, 16, 1.5, 2.0, 30.25, 4.0), ScanLine(2, 0, 9, 0.0, 0.0, 1.0, 1.0))
    store.add_paper(replace(PAPER, page_source=PageSource("/papers/bees.txt", lines)))
    assert tuple(ScanLine(*line) for line in store.scanned(ID)) == lines


def test_doubts_keep_their_kinds_and_older_answers_their_texts(store: Store) -> None:
    doubts = (Doubt("quote_not_found", "1 of 2 quotes is not in the paper"), Doubt("no_quote", "none"))
    store.add_answer(ID, replace(ANSWER, doubts=doubts))
    assert store.answers(ID)[question_key(CODE), "builtin"].doubts == doubts
    # As versions before 0.5 wrote it.
    tampered(store, "UPDATE answers SET detail = json_remove(detail, '$.doubt_kinds')")
    assert store.answers(ID)[question_key(CODE), "builtin"].doubts == tuple(
        Doubt("other", doubt.text) for doubt in doubts
    )


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
    Store.open(folder, create=True).close()
    assert (folder / "viva.db").is_file()
    assert Store.open(folder, readonly=True).files() == []


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
