"""Results: which cells there are, in which order, and what screening makes of them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from vivavoce.panel.voting import (
    MIN_CONFIDENCE,
    SCREENING_CONFIDENCE,
    SCREENING_SHARE,
    fails_screening,
    needs_review,
    verdict,
)
from vivavoce.records import Answer, Cell, Evidence, Paper, Question, QuestionSet, Status
from vivavoce.results.cells import Results
from vivavoce.store import File, Store, question_key

SCREEN = Question("Is it about bees?", "S", screen=True)
SECOND = Question("Who counted them?", "B")
FIRST = Question("Where is the code?", "A")
SET = QuestionSet("bees", (SECOND, SCREEN, FIRST))
TEXT = "We counted bees."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.open(tmp_path, create=True)
    made.set_asked(SET)
    made.set_readers([("zeta", "1"), ("alpha", "2")])
    made.begin({})
    yield made
    made.close()


def add(store: Store, name: str, id: str = "", reason: str = "") -> str:
    """A file with its paper; with a reason, one that can't be read."""
    id = id or name
    if not reason:
        store.add_paper(Paper(id, "", "text", TEXT, (), (), f"About {id}"))
    store.set_file(File(f"/papers/{name}", name, id, reason, 1, 1))
    return id


def said(
    question: Question, status: Status = "reported", confidence: float = 0.95, reader: str = "zeta"
) -> Answer:
    version = "1" if reader == "zeta" else "2"
    quotes = (Evidence(TEXT, 1, "exact", 0, len(TEXT)),) if status == "reported" else ()
    return Answer(question, reader, version, status, f"{reader} says", confidence, quotes)


def cells(store: Store) -> list[Cell]:
    return list(Results.of(store).cells())


def shape(found: list[Cell]) -> list[tuple[str, str, str]]:
    return [(cell.paper.file, cell.question.id, cell.verdict.status) for cell in found]


def test_papers_by_name_questions_and_readers_in_the_studys_order(store: Store) -> None:
    for name in ("b.pdf", "a.pdf"):
        add(store, name)
        for question in (FIRST, SECOND, SCREEN):
            for reader in ("alpha", "zeta"):
                store.add_answer(name, said(question, reader=reader))
    found = cells(store)
    assert [(cell.paper.file, cell.question.id) for cell in found] == [
        (name, id) for name in ("a.pdf", "b.pdf") for id in ("B", "S", "A")
    ]
    assert {tuple(answer.reader for answer in cell.answers) for cell in found} == {("zeta", "alpha")}
    results = Results.of(store)
    assert (results.readers, results.questions, len(results)) == (("zeta", "alpha"), SET, 6)
    assert [paper.title for paper in results.papers] == ["About a.pdf", "About b.pdf"]


def test_a_cell_that_nobody_tried_is_not_there(store: Store) -> None:
    add(store, "a.pdf")
    add(store, "b.pdf")
    store.add_answer("b.pdf", said(FIRST, reader="alpha"))
    found = cells(store)
    assert shape(found) == [("b.pdf", "A", "reported")]
    assert [answer.reader for answer in found[0].answers] == ["alpha"]
    assert len(Results.of(store)) == 6  # that is how many there are to be


def test_a_file_that_cant_be_read_has_failed_every_question(store: Store) -> None:
    add(store, "a.pdf", "aa", reason="is damaged")
    store.add_failure("/papers/a.pdf", "aa", "is damaged")
    found = cells(store)
    assert shape(found) == [("a.pdf", id, "failed") for id in ("B", "S", "A")]
    for cell in found:
        assert [(a.reader, a.version, a.reason) for a in cell.answers] == [
            ("zeta", "1", "is damaged"),
            ("alpha", "2", "is damaged"),
        ]
        assert {a.paper for a in (*cell.answers, cell.verdict)} == {"aa"}
        assert all(a.question == cell.question for a in cell.answers)


def test_a_file_that_cant_be_opened_has_no_id(store: Store) -> None:
    for name in ("a.pdf", "b.pdf"):
        store.set_file(File(f"/papers/{name}", name, None, f"{name} is gone", 0, 0))
    found = cells(store)
    assert [(cell.paper.id, cell.verdict.reason) for cell in found[::3]] == [
        ("", "a.pdf is gone"),
        ("", "b.pdf is gone"),
    ]


def test_a_paper_on_which_a_reader_failed(store: Store) -> None:
    """What was answered before stays; what is missing has failed."""
    add(store, "a.pdf")
    store.add_answer("a.pdf", said(FIRST))
    store.add_failure("/papers/a.pdf", "a.pdf", "alpha crashed")
    found = {cell.question.id: cell.answers for cell in cells(store)}
    assert [(a.reader, a.status) for a in found["A"]] == [("zeta", "reported"), ("alpha", "failed")]
    assert [(a.reader, a.status) for a in found["B"]] == [("zeta", "failed"), ("alpha", "failed")]
    assert {a.reason for a in found["B"]} == {"alpha crashed"}
    store.begin({})  # the next run tries again, and all goes well
    for reader in ("zeta", "alpha"):
        store.add_answer("a.pdf", said(FIRST, reader=reader))
        store.add_answer("a.pdf", said(SECOND, reader=reader))
    assert shape(cells(store)) == [("a.pdf", "B", "reported"), ("a.pdf", "A", "reported")]


def screened(store: Store, status: Status, confidence: float, others: Status = "not_reported") -> list[Cell]:
    add(store, "a.pdf")
    store.add_answer("a.pdf", said(SCREEN, status, confidence))
    store.add_answer("a.pdf", said(FIRST, others))
    store.add_answer("a.pdf", said(SECOND, others))
    return cells(store)


def test_a_paper_that_clearly_fails_the_screening(store: Store) -> None:
    found = screened(store, "not_reported", 0.95)
    assert shape(found) == [
        ("a.pdf", "B", "not_applicable"),
        ("a.pdf", "S", "not_reported"),
        ("a.pdf", "A", "not_applicable"),
    ]
    (answer,) = found[0].answers
    assert answer.reason == "the paper fails the screening question: Is it about bees?"
    assert (answer.reader, answer.version, answer.confidence) == ("zeta", "1", 0.95)
    assert (answer.text, answer.evidence, answer.paper) == ("", (), "a.pdf")
    assert found[0].verdict == replace(answer, reader="verdict", by="panel")
    # What was said is kept: the screening may be decided otherwise.
    assert store.answers("a.pdf")[question_key(FIRST), "zeta"] == replace(
        said(FIRST, "not_reported"), paper="a.pdf"
    )
    store.set_asked(QuestionSet("bees", (FIRST, SECOND)))
    assert shape(cells(store)) == [("a.pdf", "A", "not_reported"), ("a.pdf", "B", "not_reported")]


@pytest.mark.parametrize(
    ("status", "confidence"),
    [("not_reported", 0.94), ("reported", 0.99), ("unreadable", 1.0), ("failed", 1.0)],
)
def test_a_paper_in_doubt_is_let_through(store: Store, status: Status, confidence: float) -> None:
    found = screened(store, status, confidence)
    assert [cell.verdict.status for cell in found] == ["not_reported", status, "not_reported"]


def test_screening_is_of_one_paper_alone(store: Store) -> None:
    screened(store, "not_reported", 0.95)
    add(store, "b.pdf")
    store.add_answer("b.pdf", said(SCREEN))
    store.add_answer("b.pdf", said(FIRST))
    assert shape(cells(store))[3:] == [("b.pdf", "S", "reported"), ("b.pdf", "A", "reported")]


def test_two_names_of_one_paper_are_one(store: Store) -> None:
    add(store, "copy.pdf", "aa")
    add(store, "again.pdf", "aa")
    store.add_answer("aa", said(FIRST))
    assert shape(cells(store)) == [("again.pdf", "A", "reported")]
    assert len(Results.of(store)) == 3


def test_one_readers_answer_is_the_verdict(store: Store) -> None:
    store.set_readers([("zeta", "1")])
    add(store, "a.pdf")
    store.add_answer("a.pdf", said(FIRST))
    (cell,) = cells(store)
    assert cell.verdict.reader == "verdict"
    assert cell.verdict == replace(cell.answers[0], reader="verdict", by="panel")
    assert verdict([said(FIRST)]) == replace(said(FIRST), reader="verdict", by="panel")


def test_a_paper_that_answers_what_stands_behind_the_gate_can_not_fail(store: Store) -> None:
    found = screened(store, "not_reported", 0.999, others="reported")
    assert {cell.question.id: cell.verdict.status for cell in found} == {
        "S": "not_reported",
        "A": "reported",
        "B": "reported",
    }


def test_half_of_the_others_is_not_enough_to_pass() -> None:
    failed, yes, no = said(SCREEN, "not_reported", 0.99), said(FIRST), said(SECOND, "not_reported")
    assert fails_screening(failed, [yes, no])
    assert not fails_screening(failed, [yes, yes, no])
    assert fails_screening(replace(failed, by="person"), [yes, yes, yes])


def test_an_empty_study(store: Store) -> None:
    assert cells(store) == []
    assert len(Results.of(store)) == 0


@pytest.mark.parametrize(
    ("status", "confidence", "review"),
    [
        ("reported", MIN_CONFIDENCE, False),
        ("reported", MIN_CONFIDENCE - 0.01, True),
        ("not_reported", MIN_CONFIDENCE, False),
        ("not_reported", MIN_CONFIDENCE - 0.01, True),
        ("unsupported", 1.0, True),
        ("unreadable", 1.0, True),
        ("failed", 1.0, True),
        ("not_applicable", 0.0, False),
    ],
)
def test_what_awaits_a_person(status: Status, confidence: float, review: bool) -> None:
    assert needs_review(said(FIRST, status, confidence)) is review


def test_clearly_is_what_the_documentation_says() -> None:
    assert (SCREENING_CONFIDENCE, SCREENING_SHARE, MIN_CONFIDENCE) == (0.95, 0.5, 0.7)
    assert fails_screening(said(SCREEN, "not_reported", 0.95))
    assert not fails_screening(said(SCREEN, "not_reported", 0.9499))
