"""A study whose reader is too shy with one question: ten papers that people decided, two that nobody did."""

from pathlib import Path

from vivavoce.records import (
    Answer,
    Closest,
    Decision,
    Evidence,
    Paper,
    Question,
    QuestionSet,
    Receipt,
    Sentence,
    Status,
)
from vivavoce.store import File, Store, question_key

CODE = Question("Where is the code?", "A")
COUNT = Question("How many were counted?", "B")
FEW = Question("Who was stung?", "C")
SET = QuestionSet("bees", (CODE, COUNT, FEW))
TEXT = "We counted 40 bees. The code is at https://example.org/bees. Nobody was stung."
BEES, LINK, STUNG = (
    Sentence(words, TEXT.index(words), TEXT.index(words) + len(words), 1)
    for words in ("We counted 40 bees.", "The code is at https://example.org/bees.", "Nobody was stung.")
)
PAPERS = [f"{number:064x}" for number in range(12)]
OPEN, UNREADABLE = PAPERS[10], PAPERS[11]
"""A paper that nobody decided anything of; one that the reader can't read, and nobody decided either."""
GRADED, FLAT = ("graded", "1"), ("flat", "1")


def closest(sentence: Sentence, score: float = 0.2) -> Closest:
    return Closest(sentence.text, 1, score, sentence.start, sentence.end)


def said(question: Question, reader: tuple[str, str], reported: bool, confidence: float) -> Answer:
    if reported:
        quote = Evidence(BEES.text, 1, "exact", BEES.start, BEES.end)
        return Answer(question, *reader, "reported", "40 bees", confidence, (quote,))
    receipt = Receipt(1, 3, (closest(LINK), closest(STUNG, 0.01)))
    return Answer(question, *reader, "not_reported", confidence=confidence, receipt=receipt)


def study(folder: Path, decided: bool = True) -> Store:
    """`graded` says of CODE that no paper has it, where nine of ten do; of COUNT it is right as often as it
    says. `flat` says the same, always sure."""
    store = Store.open(folder, create=True)
    store.set_asked(SET)
    store.set_readers([GRADED, FLAT])
    store.begin({})
    for number, id in enumerate(PAPERS):
        store.add_paper(Paper(id, "", "text", TEXT, (BEES, LINK, STUNG), (), f"Paper {number}"))
        store.set_file(File(str(folder / f"{number:02}.txt"), f"{number:02}.txt", id, "", 1, 1))
        for question in SET.questions if id != UNREADABLE else ():
            code = question == CODE
            store.add_answer(id, said(question, GRADED, not code, 0.55 + 0.01 * number if code else 0.9))
            store.add_answer(id, said(question, FLAT, not code, 1.0))
    store.add_answer(UNREADABLE, Answer(CODE, *GRADED, "unreadable", reason="garbled"))
    if decided:
        for number in range(10):
            decide(store, number, CODE, number != 9)
            decide(store, number, COUNT, number != 9)
        for number in range(4):
            decide(store, number, FEW, False)
    return store


def decide(store: Store, number: int, question: Question, reported: bool, who: str = "Ada") -> None:
    status: Status = "reported" if reported else "not_reported"
    store.decide(PAPERS[number], question_key(question), Decision(who, status))
