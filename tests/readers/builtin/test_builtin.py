"""The built-in reader with its real weights, on papers with planted facts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import vivavoce
from tests.conftest import EXAMPLES
from vivavoce.errors import VivaError
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers import reader
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.records import Answer, Paper, Question

FACT = "The network was trained on a workstation with two NVIDIA RTX 3090 graphics cards and 128 GB of RAM."
HARDWARE = Question("Which hardware was the model trained on?")
FILLER = """
Meadows are mown twice a year, and the grass is left to dry.
We walked along forty transects of one hundred metres each in early summer.
Butterflies were counted on sunny days between ten in the morning and four in the afternoon.
The pictures were sorted by species with the help of two volunteers.
A convolutional network with eighteen layers was trained to tell the species apart.
The learning rate was 0.001 and the batch size was 32.
"""
AFTER = """
We thank the owners of the meadows for their patience.
Butterflies are said to be good signs of how a meadow is kept.
"""


def paper(tmp_path: Path, *middle: str, name: str = "paper.md") -> Paper:
    file = tmp_path / name
    file.write_text("\n".join(["# Counting butterflies", FILLER, *middle, AFTER]), encoding="utf-8")
    return vivavoce.load(file)


@pytest.fixture(scope="module")
def builtin() -> Builtin:
    return Builtin()


def ask(builtin: Builtin, paper: Paper, *questions: Question) -> list[Answer]:
    return builtin.read(paper, questions)


def test_a_planted_fact_is_quoted_where_it_stands(builtin: Builtin, tmp_path: Path) -> None:
    planted = paper(tmp_path, FACT)
    (answer,) = ask(builtin, planted, HARDWARE)
    assert answer.status == "reported"
    assert answer.evidence[0].quote == FACT
    assert answer.evidence[0].match == "exact"
    assert planted.text[answer.evidence[0].start : answer.evidence[0].end] == FACT
    assert "RTX 3090" in answer.text
    assert answer.receipt is None


def test_without_the_fact_it_is_not_reported_and_there_is_a_receipt(builtin: Builtin, tmp_path: Path) -> None:
    bare = paper(tmp_path)
    (answer,) = ask(builtin, bare, HARDWARE)
    assert answer.status == "not_reported"
    assert answer.evidence == ()
    assert answer.text == ""
    assert answer.receipt is not None
    assert answer.receipt.pages == len(bare.pages)
    assert answer.receipt.sentences == len(bare.sentences)
    assert len(answer.receipt.closest) == 3
    scores = [c.score for c in answer.receipt.closest]
    assert scores == sorted(scores, reverse=True)
    for close in answer.receipt.closest:
        assert bare.text[close.start : close.end] == close.text


def test_other_peoples_hardware_is_not_taken_for_the_authors(builtin: Builtin, tmp_path: Path) -> None:
    near = paper(tmp_path, "In the field, pictures are classified by a Raspberry Pi that runs on a battery.")
    assert ask(builtin, near, HARDWARE)[0].status == "not_reported"


def test_an_answer_does_not_depend_on_what_else_is_asked(builtin: Builtin, tmp_path: Path) -> None:
    planted = paper(tmp_path, FACT)
    questions = [HARDWARE, *asked(load_set())]
    together = ask(builtin, planted, *questions)
    assert together == [ask(builtin, planted, q)[0] for q in questions]
    assert together == ask(builtin, planted, *questions)


def test_threads_do_not_change_an_answer(builtin: Builtin, tmp_path: Path) -> None:
    planted = paper(tmp_path, FACT)
    questions = asked(load_set())
    assert Builtin(threads=1).read(planted, questions) == ask(builtin, planted, *questions)


def test_a_fact_at_the_end_of_a_very_long_sentence_is_found_and_trimmed(
    builtin: Builtin, tmp_path: Path
) -> None:
    walk = ", and then along the next field to a gate that somebody had painted green or brown or blue"
    long = f"We walked from the village to the meadow{walk * 12}; {FACT[0].lower()}{FACT[1:]}"
    (answer,) = ask(builtin, paper(tmp_path, long), HARDWARE)
    assert answer.status == "reported"
    assert answer.evidence[0].quote == long
    assert "RTX 3090" in answer.text
    assert len(answer.text) < len(long) / 3


def test_every_word_of_an_answer_stands_in_the_paper(builtin: Builtin) -> None:
    read = vivavoce.load(EXAMPLES / "papers" / "camera-traps.pdf")
    known = set(read.text.split()) | {w for s in read.sentences for w in s.reading.split()}
    known |= {f"{n}]" for n in range(1, 99)} | {"[p.", "…"}
    for answer in ask(builtin, read, *asked(load_set())):
        assert set(answer.text.split()) <= known
        assert len(answer.evidence) <= 5  # three, and deposits that they cite
        assert len({e.start for e in answer.evidence}) == len(answer.evidence)


def test_a_fact_in_a_table_comes_with_its_header(builtin: Builtin, tmp_path: Path) -> None:
    table = "| Setting | Value |\n|---|---|\n| Optimiser | Adam |\n| Dropout rate | 0.35 |\n"
    (answer,) = ask(builtin, paper(tmp_path, table), Question("What was the dropout rate?"))
    assert answer.status == "reported"
    assert "Setting: Dropout rate; Value: 0.35" in answer.text
    assert answer.evidence[0].reading == "Setting: Dropout rate; Value: 0.35"


def test_links_and_versions_are_values(builtin: Builtin, tmp_path: Path) -> None:
    said = "Our code is available at https://github.com/example-org/meadow under the MIT licence."
    (answer,) = ask(builtin, paper(tmp_path, said), Question("Where is the code?"))
    assert [(v.kind, v.text) for v in answer.values] == [("link", "https://github.com/example-org/meadow")]


def test_the_link_in_the_reference_list_comes_with_the_sentence_that_cites_it(
    tmp_path: Path,
) -> None:
    said = "The source code of our network and the trained weights are available on GitHub [2]."
    references = (
        "## References\n\n[1] Counting by eye. Journal of Meadows 3, 2019.\n\n"
        "[2] Meadow code. GitHub, 2021. https://github.com/example-org/meadow\n"
    )
    file = tmp_path / "cited.md"
    file.write_text(f"# Counting butterflies\n{FILLER}\n{said}\n\n{AFTER}\n\n{references}", encoding="utf-8")
    answer = vivavoce.ask(file, "What is the link to the code?")
    assert answer.status == "reported"
    assert answer.evidence[0].quote == said
    assert "https://github.com/example-org/meadow" in [v.text for v in answer.values]


def test_an_unreadable_paper_is_never_not_reported(builtin: Builtin) -> None:
    scan = Paper("0" * 64, "scan.pdf", "pdf", "", (), (), unreadable="its pages are pictures")
    (answer,) = ask(builtin, scan, HARDWARE)
    assert (answer.status, answer.reason) == ("unreadable", "its pages are pictures")


def test_a_paper_with_nothing_to_read_is_not_reported(builtin: Builtin) -> None:
    bare = vivavoce.Paper("0" * 64, "empty.txt", "text", "", (), (vivavoce.records.Page(1, 0, 0),))
    (answer,) = ask(builtin, bare, HARDWARE)
    assert answer.status == "not_reported"
    assert answer.receipt is not None
    assert answer.receipt.closest == ()


def test_the_fast_reader_leaves_the_judge_out(builtin: Builtin, tmp_path: Path) -> None:
    planted = paper(tmp_path, FACT)
    fast = reader("builtin:fast")
    assert (fast.name, builtin.name) == ("builtin:fast", "builtin")
    assert fast.version != builtin.version
    (answer,) = fast.read(planted, [HARDWARE])
    assert (answer.status, answer.reader) == ("reported", "builtin:fast")
    assert answer.evidence[0].quote == FACT
    with pytest.raises(VivaError, match="'builtin' and 'builtin:fast'"):
        reader("builtin:slow")


def test_the_words_that_answer_are_marked(builtin: Builtin, tmp_path: Path) -> None:
    planted = paper(tmp_path, FACT)
    scores = builtin.score(planted, [HARDWARE])
    best = scores.best(0)[0]
    assert best.sentence.text == FACT
    marks = {FACT[a:b]: chance for a, b, chance in scores.marks(best)}
    assert min(marks["NVIDIA"], marks["RTX"]) > max(marks["The"], marks["network"])


def test_what_a_question_asks_for_is_known(builtin: Builtin, tmp_path: Path) -> None:
    asked_for = builtin.score(
        paper(tmp_path),
        [Question("How many patients were enrolled?"), Question("Were the assessors blinded?")],
    )
    number, yes_no = asked_for.kinds(0), asked_for.kinds(1)
    assert max(number, key=lambda kind: number[kind]) == "number"
    assert max(yes_no, key=lambda kind: yes_no[kind]) == "yes_no"


@pytest.mark.parametrize("question", ["", "  ", "?!"])
def test_an_empty_question_is_refused(builtin: Builtin, question: str) -> None:
    with pytest.raises(VivaError, match="the question is empty"):
        ask(builtin, vivavoce.load(EXAMPLES / "papers" / "pollinator-notes.md"), Question(question))


def test_a_reader_that_does_not_exist_is_named() -> None:
    with pytest.raises(VivaError, match="no reader 'oracle'"):
        reader("oracle")


def test_nothing_is_written_outside(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    file = EXAMPLES / "papers" / "pollinator-notes.md"
    code = f"import vivavoce; vivavoce.ask({str(file)!r}, 'Where is the code?')"
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": "", "TMPDIR": str(home)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert list(home.rglob("*")) == []
