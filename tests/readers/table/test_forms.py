"""Tables in the forms that other tools write: which form it is, and what each cell says."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook

import vivavoce
from vivavoce.errors import VivaError
from vivavoce.evidence.tables.forms import DEFAULT_CONFIDENCE
from vivavoce.evidence.tables.naming import doi_key, published_id, question_words, title_key
from vivavoce.evidence.tables.reply_files import split_reply
from vivavoce.papers.entries import entry
from vivavoce.questions import load
from vivavoce.readers import reader
from vivavoce.readers.table.reader import FILTER_CONFIDENCE, Table
from vivavoce.records import Paper, Question

SEED = Question("Which seed was set?", "CQ1")
CARD = Question("Which hardware was used (e.g., GPUs, TPUs)?", "CQ2")
NETWORK = Question("Which network was trained?", "DL", screen=True)
ASKED = [SEED, CARD, NETWORK]
PROMPT = """Use these pieces to answer. If you don't know, say so.

We looked at bees for a year.

Question: %INSTRUCTIONS
Query: "Which seed was set?"

Answer:::
Answer: (in less than 400 words)

Answer:::

Helpful Answer:
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    path = tmp_path_factory.mktemp("papers") / "bees-2021.md"
    path.write_text("# Bees\n\nA seed of 7 was set.\n", encoding="utf-8")
    return vivavoce.load(path)


def table(path: Path) -> Table:
    found = reader(f"table:{path}")
    assert isinstance(found, Table)
    return found


def statuses(found: Table, paper: Paper) -> dict[str, str]:
    return {answer.question.id: answer.status for answer in found.read(paper, ASKED)}


def test_wide(tmp_path: Path, paper: Paper) -> None:
    file = tmp_path / "wide.csv"
    file.write_text(
        "UID,Status,cq1,Which hardware was used?,DL\nbees-2021.pdf,Complete,Yes,no,No response found\n"
        "owls.pdf,Complete,,A card with 8 GB of memory.,reported\n",
        encoding="utf-8",
    )
    found = table(file)
    assert (found.contents.form, found.contents.rows, found.contents.empty) == ("wide", 2, 2)
    assert statuses(found, paper) == {"CQ1": "reported", "CQ2": "not_reported"}
    card, network = found.read(replace(paper, file="owls.pdf"), ASKED)
    assert (card.status, card.text, network.status) == ("reported", "A card with 8 GB of memory.", "reported")


def test_wide_in_a_workbook(tmp_path: Path, paper: Paper) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Title", "CQ1", "CQ2"])
    sheet.append(["Bees of the north in winter", True, "not reported"])
    book.save(tmp_path / "wide.xlsx")
    there = replace(paper, file="x.pdf", title="Bees of the North, in winter")
    assert statuses(table(tmp_path / "wide.xlsx"), there) == {"CQ1": "reported", "CQ2": "not_reported"}


def test_people_decided(tmp_path: Path, paper: Paper) -> None:
    """Their word counts, whatever the reply says; a row without one says nothing."""
    file = tmp_path / "human.csv"
    file.write_text(
        "CQ,CQ_Answer,Unique_ID,decision\n"
        "Which seed was set?,The text does not say.,Publication_bees-2021.pdf_CQ1.txt,Yes\n"
        "Which hardware was used?,A card.,bees-2021,No\n"
        "Which network was trained?,A CNN.,bees-2021,\n",
        encoding="utf-8",
    )
    found = table(file)
    assert (found.contents.form, found.contents.empty) == ("decisions", 1)
    # The same paper, under two names: the row by its file name counts before the one without an ending.
    assert statuses(found, replace(paper, file="bees-2021.pdf")) == {"CQ1": "reported"}
    assert statuses(found, replace(paper, file="bees-2021")) == {"CQ2": "not_reported"}


def test_a_filter_answers_the_screening_question(tmp_path: Path, paper: Paper) -> None:
    file = tmp_path / "filter.csv"
    file.write_text("UID,has_network\nbees-2021.pdf,No \nowls.pdf,Yes\n", encoding="utf-8")
    (answer,) = table(file).read(paper, ASKED)
    assert (answer.question, answer.status, answer.confidence) == (NETWORK, "not_reported", FILTER_CONFIDENCE)
    # A second column, and it is no filter.
    file.write_text("UID,has_network,other\nbees-2021.pdf,No,No\n", encoding="utf-8")
    assert table(file).read(paper, ASKED) == []


def test_replies_with_their_prompts(tmp_path: Path, paper: Paper) -> None:
    files = {
        "Publication_bees-2021.pdf_CQ1.txt": PROMPT + "A seed of 7 was set.",
        "Publication13_CQ1.txt": "The text does not mention it.",
        "wasps_CQ1.txt": "Answer::: A seed of 8.",
        "hornets_0f3c.txt": PROMPT + "A seed of 9.",
        "notes_of-a-day.txt": "no reply",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = table(tmp_path)
    assert (found.contents.form, found.contents.skipped) == ("replies", 1)

    def said(file: str) -> list[tuple[str, str, str]]:
        return [(a.question.id, a.status, a.text) for a in found.read(replace(paper, file=file), ASKED)]

    assert said("bees-2021.pdf") == [("CQ1", "reported", "A seed of 7 was set.")]
    assert said("13.pdf") == [("CQ1", "not_reported", "")]
    assert said("wasps.pdf") == [("CQ1", "reported", "A seed of 8.")]
    assert said("hornets_0f3c.txt") == [("CQ1", "reported", "A seed of 9.")]


def test_the_reply_is_what_follows_the_last_mark() -> None:
    assert split_reply(PROMPT + "No.") == ("No.", "Which seed was set?")
    assert split_reply("Helpful Answer: a\nHelpful Answer: b").text == "b"
    assert split_reply("  just a reply\n") == ("just a reply", "")
    assert split_reply(PROMPT).text == ""


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("doi", "https://doi.org/10.5555/Bees.2021_7"),
        ("title", "A study of Bees: 2021"),
        ("uid", "10.5555_bees.2021_7.pdf"),
    ],
)
def test_a_paper_is_found_by_its_doi_or_title(tmp_path: Path, paper: Paper, column: str, value: str) -> None:
    file = tmp_path / "long.csv"
    file.write_text(f'{column},question_id,reported\n"{value}",CQ1,no\n', encoding="utf-8")
    there = replace(
        paper, file="/x/download(3).pdf", doi="10.5555/bees.2021_7", title="A Study of Bees – 2021"
    )
    found = table(file)
    assert statuses(found, there) == {"CQ1": "not_reported"}
    # Also by the part of it that a run hands on before the paper is read.
    assert statuses(found.for_papers(["/x/download(3).pdf"])["/x/download(3).pdf"], there) == {
        "CQ1": "not_reported"
    }
    assert statuses(found, replace(there, doi="10.5555/wasps", title="A study of wasps")) == {}


def test_a_paper_without_a_file(tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_text(
        "title,question_id,reported,quote\nBees of the north,CQ1,yes,A seed of 7\n"
        "Bees of the north,CQ2,no,\n",
        encoding="utf-8",
    )
    seed, card = table(file).read(entry("Bees of the north", title="Bees of the north"), ASKED)
    assert (seed.status, seed.text, seed.evidence, seed.confidence) == (
        "reported",
        "“A seed of 7”",
        (),
        DEFAULT_CONFIDENCE,
    )
    assert [doubt.kind for doubt in seed.doubts] == ["no_file"]
    assert (card.status, card.receipt, card.doubts) == ("not_reported", None, ())


def test_names() -> None:
    assert (
        doi_key("https://doi.org/10.1016/J.x.2020") == doi_key("10.1016_j.x.2020.pdf") == "10.1016/j.x.2020"
    )
    assert doi_key("smith-2020.pdf") == ""
    assert title_key("On the Origin — of Species") == title_key("on the origin of species")
    assert title_key("Bees") == ""
    assert question_words("Which hardware was used (e.g., GPUs, TPUs)?") == "which hardware was used"
    assert published_id("Which hardware was used?") == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,colour\na,red\n", "not clear what its columns are"),
        ("uid\na\n", "not clear what its columns are"),
        ("unique_id,decision\nbees,yes\n", "names no paper and question"),
        ("unique_id,decision\nPublication_1_CQ1.txt,perhaps\n", "decision is 'perhaps'"),
    ],
)
def test_what_is_no_table(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(VivaError, match=says):
        table(tmp_path / "a.csv")


# The published files


def test_the_seeds(shared: Path) -> None:
    """Prompt and reply in one file: four are reported, and no word of the prompt is in the reply."""
    found = table(shared / "seeds")
    said = {}
    for file in sorted((shared / "seeds").iterdir()):
        whole = file.read_text(encoding="utf-8")
        (answer,) = found.read(entry(file.name), load("dl-methods").questions)
        said[file.name[:3]] = answer.status
        reply = found.contents.cells[file.stem][0][0].text
        assert whole.endswith(reply)
        assert answer.question.id == "CQ20"
        assert "Helpful" not in reply
        assert "context to answer" not in reply
        assert whole.index(reply) > whole.rindex("Helpful Answer:")
    assert said == {**dict.fromkeys(["000", "001", "002", "003"], "reported"), "004": "not_reported"}


def test_the_raw_replies_are_the_cleaned_ones(shared: Path) -> None:
    raw = table(shared / "data" / "published" / "raw" / "mixtral_8_22b")
    cleaned = table(shared / "data" / "published" / "answers" / "mixtral_8_22b")
    both = {(f, c[0].question): c[0].text for f, cells in raw.contents.cells.items() for c in cells}
    assert len(both) == 56
    clean = {(f, c[0].question): c[0].text for f, cells in cleaned.contents.cells.items() for c in cells}
    assert {key: " ".join(text.split()) for key, text in both.items()} == {
        key: " ".join(clean[key].split()) for key in both
    }


def test_the_published_tables(shared: Path) -> None:
    folder = shared / "data" / "published"
    questions = load("dl-methods").questions
    wide = table(folder / "binary" / "gemma2-9b-it_groq_updated.csv")
    assert (wide.contents.form, len(wide.contents.cells)) == ("wide", 464)
    yes = sum(cell[0].reported is True for cells in wide.contents.cells.values() for cell in cells)
    assert yes == 3026
    people = table(folder / "human" / "CQs_answer_mixtral_8_22b_random_sample_GT.csv")
    counts = [cell[0].reported for cells in people.contents.cells.values() for cell in cells]
    assert (people.contents.form, counts.count(True), counts.count(False)) == ("decisions", 369, 468)
    some = next(iter(people.contents.cells))
    assert len(people.read(entry(some), questions)) == 28
    domain = table(folder / "DL_methods_identify.csv")
    passed = [
        name for name in domain.contents.cells if domain.read(entry(name), questions)[0].status == "reported"
    ]
    assert (domain.is_filter, len(passed)) == (True, 256)
    variables = table(folder / "Final_data.csv")
    with (folder / "Final_data.csv").open(encoding="utf-8-sig", newline="") as file:
        first = next(csv.DictReader(file))
    assert variables.contents.form == "wide"
    assert variables.contents.papers[first["DOI"]].title == first["Article_name"]
