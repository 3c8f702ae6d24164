"""A study with planted answers: two papers, one of them a file that failed; three questions; two readers."""

from dataclasses import replace
from pathlib import Path

from vivavoce.records import (
    Answer,
    Box,
    Closest,
    Cost,
    Evidence,
    Level,
    Paper,
    Question,
    QuestionSet,
    Receipt,
    Status,
    Value,
    Variable,
)
from vivavoce.results.cells import Results
from vivavoce.store import File, Store

SCREEN = Question("Is a model trained?", "Q1", screen=True)
CODE = Question('Where is the "code", and how is it run?', "Q2", topic="code", kind="link")
SEED = Question("Which seed was used?", "=Q3")
QUESTIONS = QuestionSet(
    name="planted",
    title="Planted questions",
    questions=(SCREEN, CODE, SEED),
    variables=(
        Variable("code", "code", ("Q2",)),
        Variable("all", "both", ("Q2", "=Q3"), "all"),
        Variable("any", "both", ("Q2", "=Q3"), "any"),
    ),
    levels=(Level(1, "open", ("code",)), Level(2, "whole", ("code", "both"))),
)
READERS = [("alpha", "1"), ("beta", "2.0")]
ID = "ab" * 32
QUOTE = "Code: https://example.org/ünï-𝛼\nand more."
FORMULA = "=cmd|' /C calc'!A0"


def answer(
    question: Question,
    reader: str,
    status: Status,
    text: str = "",
    *,
    confidence: float = 0.9,
    evidence: tuple[Evidence, ...] = (),
    receipt: Receipt | None = None,
    reason: str = "",
) -> Answer:
    return Answer(
        question=question,
        reader=reader,
        version=dict(READERS).get(reader, "0"),
        status=status,
        text=text,
        confidence=confidence,
        evidence=evidence,
        values=(Value("link", "https://example.org"),) if evidence else (),
        receipt=receipt,
        reason=reason,
    )


def evidence(quote: str = QUOTE, page: int = 3, reading: str = "") -> Evidence:
    return Evidence(quote, page, "exact", 10, 10 + len(quote), (Box(page, 1.0, 2.0, 3.5, 4.0),), 1.0, reading)


RECEIPT = Receipt(4, 120, (Closest("@close to it", 2, 0.25, 50, 62), Closest("further off", 4, 0.1, 70, 81)))
ANSWERS = (
    replace(
        answer(SCREEN, "alpha", "reported", "yes", evidence=(evidence("+1 model\x00", 1), evidence())),
        cost=Cost(1.0, 812, 45, 0, 1.5, 0.0021),
    ),
    answer(SCREEN, "beta", "unsupported", "-x", confidence=0.5),
    answer(CODE, "alpha", "not_reported", confidence=0.6, receipt=RECEIPT),
    answer(CODE, "beta", "reported", FORMULA, confidence=0.55, evidence=(evidence(),)),
    answer(SEED, "alpha", "reported", "é" * 40_000, evidence=(evidence("a" * 2_000, reading="Seed: @x"),)),
    answer(SEED, "beta", "not_reported"),
)


def paper(id: str = ID, title: str = "@Bees, “hives” and\x07 noise") -> Paper:
    return Paper(id, "", "text", "", (), (), title, "10.1/x,y")


def empty_store(folder: Path) -> Store:
    folder.mkdir(parents=True, exist_ok=True)
    return Store.open(folder, create=True)


def add(store: Store, name: str, answers: tuple[Answer, ...], id: str = ID, reason: str = "") -> None:
    """A file with its paper and what was answered; with a reason, a file that can't be read."""
    if not reason:
        store.add_paper(paper(id))
    store.set_file(File(f"/somewhere/{name}", name, None if reason else id, reason, 1, 1))
    for one in answers:
        store.add_answer(id, one)


def planted(folder: Path) -> Results:
    """The study whose exports the tests know by heart."""
    store = empty_store(folder)
    store.set_asked(QUESTIONS)
    store.set_readers(READERS)
    add(store, "bees.pdf", ANSWERS)
    add(store, "broken.pdf", (), reason="is not a whole PDF")
    return Results.of(store)
