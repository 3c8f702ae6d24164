"""A small study to decide in: two papers, three questions (one screens), two readers that tie on one."""

from pathlib import Path

from vivavoce.records import (
    Answer,
    Box,
    Decision,
    DecisionKind,
    Evidence,
    Paper,
    Question,
    QuestionSet,
    Status,
)
from vivavoce.store import File, Store, question_key

SCREEN = Question("Is it about bees?", "S", screen=True)
CODE = Question("Where is the code?", "A")
COUNT = Question("How many were counted?", "B")
SET = QuestionSet("bees", (SCREEN, CODE, COUNT))
TEXT = "We counted 40 bees. The code is at https://example.org/bees. Nobody was stung."
BEES, HIVES = "be" * 32, "41" * 32
READERS = (("first", "1"), ("second", "1"))


def quote(words: str) -> Evidence:
    start = TEXT.index(words)
    return Evidence(words, 1, "exact", start, start + len(words), (Box(1, 1.0, 2.0, 3.0, 4.5),))


def said(question: Question, reader: str, status: Status, confidence: float = 0.95) -> Answer:
    quotes = (quote("We counted 40 bees."),) if status == "reported" else ()
    text = f"{reader} says" if status == "reported" else ""
    return Answer(question, reader, "1", status, text, confidence, quotes)


def decision(
    reviewer: str, status: Status = "reported", text: str = "", kind: DecisionKind = "review", words: str = ""
) -> Decision:
    return Decision(reviewer, status, text, (quote(words),) if words else (), kind=kind)


def study(folder: Path) -> Store:
    """Both readers agree on S and B of both papers; on A they tie."""
    store = Store.open(folder, create=True)
    store.set_asked(SET)
    store.set_readers(READERS)
    store.begin({})
    for id, name in ((BEES, "bees.txt"), (HIVES, "hives.txt")):
        store.add_paper(Paper(id, "", "text", TEXT, (), (), name))
        store.set_file(File(str(folder / name), name, id, "", 1, 1))
        for reader, _ in READERS:
            store.add_answer(id, said(SCREEN, reader, "reported"))
            store.add_answer(id, said(CODE, reader, "reported" if reader == "first" else "not_reported", 0.8))
            store.add_answer(id, said(COUNT, reader, "reported"))
    return store


def decide(store: Store, question: Question, *decisions: Decision, paper: str = BEES) -> None:
    for one in decisions:
        store.decide(paper, question_key(question), one)
