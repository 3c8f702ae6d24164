"""A small study with coded questions: four papers of two journals, a choice, a number and a link."""

from pathlib import Path

from vivavoce.records import Answer, Coded, Evidence, Paper, Question, QuestionSet, Receipt, Variable
from vivavoce.store import File, Store

DATA = Question(
    "Where are the data?",
    "data",
    kind="choice",
    choices=("repository", "request"),
    meanings=("They are in a repository.", "They are sent on request."),
    absent="not_stated",
    also=("Data availability",),
    cues=(("deposited",), ("on request",)),
)
COUNT = Question("How many bees were counted?", "count", kind="number")
SET = QuestionSet(
    "bees",
    (DATA, COUNT),
    "Bees",
    variables=(Variable("Open data", "open", ("data",), values=("repository",)),),
)
TEXT = "The data are deposited in a bank. We counted 40 bees."
READERS = (("first", "1"), ("second", "1"))
PAPERS = {
    "aa" * 32: (2019, "Bee World"),
    "bb" * 32: (2020, "Bee World"),
    "cc" * 32: (2021, "Hives"),
    "dd" * 32: (2021, "Hives"),
}


def quote(words: str) -> Evidence:
    start = TEXT.index(words)
    return Evidence(words, 1, "exact", start, start + len(words))


DEPOSITED, COUNTED = quote("The data are deposited in a bank."), quote("We counted 40 bees.")


def code_answer(reader: str, code: str, confidence: float = 0.95) -> Answer:
    if code == "not_stated":
        return Answer(DATA, reader, "1", "not_reported", confidence=confidence, receipt=Receipt(1, 2))
    return Answer(
        DATA,
        reader,
        "1",
        "reported",
        "said",
        confidence,
        (DEPOSITED,),
        coded=(Coded(code, quote=0, start=13, end=22),),
    )


def count_answer(reader: str, number: int) -> Answer:
    coded = (Coded(number, "", "bees", "", 0, 11, 13),)
    return Answer(COUNT, reader, "1", "reported", "said", 0.95, (COUNTED,), coded=coded)


def study(folder: Path) -> Store:
    """Readers agree but on the code of the second paper; the last says nothing of its data."""
    store = Store.open(folder, create=True)
    store.set_asked(SET)
    store.set_readers(READERS)
    store.begin({})
    codes = (("repository",) * 2, ("repository", "request"), ("request",) * 2, ("not_stated",) * 2)
    for (id, (year, journal)), said in zip(PAPERS.items(), codes, strict=True):
        name = f"{id[:2]}.txt"
        store.add_paper(Paper(id, "", "text", TEXT, (), (), name, "", year, journal=journal))
        store.set_file(File(str(folder / name), name, id, "", 1, 1))
        for (reader, _), code in zip(READERS, said, strict=True):
            store.add_answer(id, code_answer(reader, code))
            store.add_answer(id, count_answer(reader, 40))
    return store
