"""Answers from elsewhere: which paper a row is of, what it says, and where its quotes stand."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import vivavoce
from tests.conftest import EXAMPLES
from vivavoce.errors import VivaError
from vivavoce.evidence.locating import with_boxes
from vivavoce.evidence.tables.parsing import DEFAULT_CONFIDENCE
from vivavoce.readers import absolute_name, portable_name, reader
from vivavoce.readers.table.reader import Table
from vivavoce.records import Doubt, Paper, Question

SEED = Question("Which seed was set?", "Q1")
CARD = Question("Which hardware was used?", "Q2")
LINK = Question("Where is the code?", "Q3")
ASKED = [SEED, CARD, LINK]
TEXT = """# Bees

## Methods
A seed of 7 was set for all runs. The network was trained on one graphics card for two days.
The code is at https://github.com/example-org/bees and may be used freely.
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    path = tmp_path_factory.mktemp("papers") / "bees-2021.md"
    path.write_text(TEXT, encoding="utf-8")
    return vivavoce.load(path)


def table(folder: Path, text: str, name: str = "labels.csv") -> Table:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = reader(f"table:{path}")
    assert isinstance(found, Table)
    return found


def test_yes_and_no(tmp_path: Path, paper: Paper) -> None:
    people = table(tmp_path, "file,question_id,reported\nbees-2021.md,Q1,yes\nbees-2021.md,Q2,no\n")
    yes, no = people.read(paper, ASKED)
    assert (yes.question, yes.reader, yes.version) == (SEED, people.name, people.version)
    assert (yes.status, yes.confidence, yes.evidence) == ("reported", DEFAULT_CONFIDENCE, ())
    assert yes.doubts == (Doubt("no_quote", "no quote given"),)
    assert (no.question, no.status, no.text, no.doubts) == (CARD, "not_reported", "", ())


def test_quotes_are_located(tmp_path: Path, paper: Paper) -> None:
    found = table(
        tmp_path,
        "file,question_id,reported,answer,quote,page,confidence\n"
        "bees-2021,Q1,yes,Seven,a seed of 7 was set,1,0.9\n"
        "bees-2021,Q2,yes,A card,The network was trained on one graphic card for two days,,\n"
        "bees-2021,Q3,yes,On GitHub,The code is on a disk in a drawer of the first author,,\n",
    )
    seed, card, link = found.read(paper, ASKED)
    assert (seed.status, seed.text, seed.confidence, seed.doubts) == ("reported", "Seven", 0.9, ())
    (quote,) = seed.evidence
    assert (quote.quote, quote.match) == ("A seed of 7 was set", "exact")
    assert paper.text[quote.start : quote.end] == quote.quote
    assert (card.status, card.evidence[0].match) == ("reported", "close")
    assert (link.status, link.text, link.evidence) == ("unsupported", "On GitHub", ())
    assert link.doubts == (Doubt("quote_not_found", "1 of 1 quotes is not in the paper"),)


def test_a_row_without_a_quote_among_rows_with_quotes_is_unsupported(tmp_path: Path, paper: Paper) -> None:
    text = "file,question_id,reported,quote\nbees-2021.md,Q1,yes,A seed of 7 was set\nbees-2021.md,Q2,yes,\n"
    seed, card = table(tmp_path, text).read(paper, ASKED)
    assert (seed.status, card.status, card.doubts) == (
        "reported",
        "unsupported",
        (Doubt("no_quote", "no quote given"),),
    )


def test_several_quotes_are_several_rows(tmp_path: Path, paper: Paper) -> None:
    text = (
        "file,question_id,reported,quote\n"
        "bees-2021.md,Q1,yes,Random numbers began at seventy-seven each time\n"
        "bees-2021.md,Q1,yes,A seed of 7 was set for all runs\n"
        "bees-2021.md,Q3,yes,https://github.com/example-org/bees\n"
    )
    seed, link = table(tmp_path, text).read(paper, ASKED)
    assert [e.match for e in seed.evidence] == ["exact"]
    assert seed.doubts == (Doubt("quote_not_found", "1 of 2 quotes is not in the paper"),)
    assert seed.text == "A seed of 7 was set for all runs"  # no words of its own: the paper's
    assert [value.text for value in link.values] == ["https://github.com/example-org/bees"]


def test_boxes_of_a_pdf(tmp_path: Path) -> None:
    bird = vivavoce.load(EXAMPLES / "papers" / "bird-songs.pdf")
    sentence = next(s for s in bird.sentences if s.kind == "prose" and s.page == 2)
    text = f'file,question_id,reported,quote,page\nbird-songs.pdf,Q1,yes,"{sentence.text}",2\n'
    (answer,) = with_boxes(bird, table(tmp_path, text).read(bird, ASKED))
    assert answer.evidence[0].page == 2
    assert {box.page for box in answer.evidence[0].boxes} >= {2}


def test_words_become_reported_or_not(tmp_path: Path, paper: Paper) -> None:
    text = (
        '{"file": "bees-2021.md", "question_id": "Q1", "answer": "A seed of 7."}\n'
        '{"file": "bees-2021.md", "question_id": "Q2", "answer": "The context does not mention it."}\n'
        '{"file": "bees-2021.md", "question_id": "Q3", "reported": true, "answer": "I don\'t know."}\n'
    )
    found = table(tmp_path, text, "labels.jsonl").read(paper, ASKED)
    assert [answer.status for answer in found] == ["reported", "not_reported", "not_reported"]
    assert [answer.text for answer in found] == ["A seed of 7.", "", ""]


def test_a_folder_of_replies(tmp_path: Path, paper: Paper) -> None:
    questions = [replace(SEED, id="CQ1"), replace(CARD, id="CQ2"), replace(LINK, id="CQ13")]
    for name, reply in {
        "Publication_bees-2021_CQ1.txt": "A seed of 7 was used.",
        "Publication_bees-2021_CQ2.txt": "Unfortunately, the provided context does not mention the hardware.",
        "Publication_bees-2021_CQ13.txt": " \n",
        "Publication_bees_CQ13.txt": "of another paper",
        "notes.txt": "to be left alone",
    }.items():
        (tmp_path / name).write_text(reply, encoding="utf-8")
    old = reader(f"table:{tmp_path}")
    found = old.read(paper, questions)
    assert [(a.question.id, a.status, a.text) for a in found] == [
        ("CQ1", "reported", "A seed of 7 was used."),
        ("CQ2", "not_reported", ""),
    ]
    assert found[0].doubts == (Doubt("no_quote", "no quote given"),)
    before = old.version
    (tmp_path / "notes.txt").write_text("changed")
    assert reader(f"table:{tmp_path}").version == before
    (tmp_path / "Publication_bees-2021_CQ1.txt").write_text("Seven.")
    assert reader(f"table:{tmp_path}").version != before


def test_nothing_is_made_up(tmp_path: Path, paper: Paper) -> None:
    text = "file,question_id,reported,answer\nother.pdf,Q1,yes,\nbees-2021.md,Q9,yes,\nbees-2021.md,Q2,,\n"
    name = table(tmp_path, text).name
    assert reader(name).read(paper, ASKED) == []
    with pytest.raises(VivaError, match="has no answer to this question"):
        vivavoce.ask(paper, SEED, name)


def test_a_question_without_an_id_is_found_by_its_words(tmp_path: Path, paper: Paper) -> None:
    text = "file,question_id,question,reported\nbees-2021.md,Q1,Which  seed was SET?,no\n"
    assert vivavoce.ask(paper, SEED.text, table(tmp_path, text).name).status == "not_reported"


def test_an_unreadable_paper(tmp_path: Path, paper: Paper) -> None:
    scan = replace(paper, unreadable="a scan", sentences=(), text="")
    (answer,) = table(tmp_path, "file,question_id,reported\nbees-2021.md,Q1,no\n").read(scan, ASKED)
    assert (answer.status, answer.reason) == ("unreadable", "a scan")


@pytest.mark.parametrize(
    ("file", "in_table", "fits"),
    [
        ("papers/a/smith.pdf", "smith.pdf", True),
        ("papers/a/smith.pdf", "smith", True),
        ("papers/a/smith.pdf", "a\\smith.pdf", True),
        ("papers/a/smith.pdf", "/elsewhere/smith.xml", True),
        ("papers/a/smith.pdf", "smithson.pdf", False),
        ("10.1016_j.x.2015.08.011.pdf", "10.1016_j.x.2015.08.011", True),
        ("Mu\u0308ller.pdf", "M\u00fcller.pdf", True),
    ],
)
def test_which_paper(tmp_path: Path, paper: Paper, file: str, in_table: str, fits: bool) -> None:
    found = table(tmp_path, f"file,question_id,reported\n{in_table},Q1,yes\n")
    assert bool(found.read(replace(paper, file=file), ASKED)) is fits


def test_the_nearest_name_counts(tmp_path: Path, paper: Paper) -> None:
    rows = "file,question_id,reported\na/smith.pdf,Q1,yes\nb/smith.pdf,Q1,no\nb/smith.xml,Q2,no\n"
    found = table(tmp_path, rows)
    assert found.read(replace(paper, file="/x/a/smith.pdf"), ASKED)[0].status == "reported"
    assert found.read(replace(paper, file="/x/b/smith.pdf"), ASKED)[0].status == "not_reported"
    assert found.read(replace(paper, file="/x/b/smith.xml"), ASKED)[0].question == CARD
    with pytest.raises(VivaError, match=r"both a/smith.pdf and b/smith.pdf may be smith.pdf"):
        found.read(replace(paper, file="smith.pdf"), ASKED)


def test_a_row_with_a_folder_is_about_the_paper_in_it(tmp_path: Path, paper: Paper) -> None:
    """The same rule as that of `viva evaluate`, which knows all papers, too."""
    found = table(tmp_path, "file,question_id,reported\nsub/a.md,Q1,yes\n")
    parts = found.for_papers(["/x/sub/a.md", "/x/other/a.md"])
    assert [answer.status for answer in parts["/x/sub/a.md"].read(at(paper, "/x/sub/a.md"), ASKED)] == [
        "reported"
    ]
    assert parts["/x/other/a.md"].read(at(paper, "/x/other/a.md"), ASKED) == []


def test_a_row_that_fits_several_papers_is_about_none(tmp_path: Path, paper: Paper) -> None:
    found = table(tmp_path, "file,question_id,reported\na.md,Q1,yes\nb.md,Q1,yes\n")
    parts = found.for_papers(["/x/sub/a.md", "/x/other/a.md", "/x/b.md"])
    for file in ("/x/sub/a.md", "/x/other/a.md"):
        with pytest.raises(
            VivaError, match=r"a\.md fits several papers: /x/other/a\.md, /x/sub/a\.md; give the"
        ):
            parts[file].read(at(paper, file), ASKED)
    assert parts["/x/b.md"].read(at(paper, "/x/b.md"), ASKED)


def test_copies_of_a_paper_are_one(tmp_path: Path, paper: Paper) -> None:
    copies = [tmp_path / folder / "a.md" for folder in ("one", "two")]
    for copy in copies:
        copy.parent.mkdir()
        copy.write_text(TEXT, encoding="utf-8")
    parts = table(tmp_path, "file,question_id,reported\na.md,Q1,yes\n").for_papers(list(map(str, copies)))
    assert all(parts[str(copy)].read(at(paper, str(copy)), ASKED) for copy in copies)


def test_what_was_parsed_can_be_passed_on(tmp_path: Path, paper: Paper) -> None:
    found = table(tmp_path, "file,question_id,reported,quote\nbees-2021,Q1,yes,A seed of 7 was set\n")
    part = found.for_papers([paper.file, "owls.md"])[paper.file]
    (tmp_path / "labels.csv").unlink()
    there = pickle.loads(pickle.dumps(part))
    assert there.version == found.version
    assert there.read(paper, ASKED) == found.read(paper, ASKED)


def at(paper: Paper, file: str) -> Paper:
    return replace(paper, file=file)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("file,reported\na,yes\n", "line 1: there is no column question_id"),
        ("file,question_id\na,Q1\n", "there is no column reported, and no answer"),
        ("file,question_id,reported\na,,yes\n", "line 2: question_id is missing"),
        ("file,question_id,reported\na,Q1,maybe\n", "line 2: reported is 'maybe'; write yes or no"),
        ("file,question_id,reported,page\na,Q1,yes,first\n", "line 2: page is 'first'"),
        ("file,question_id,reported,confidence\na,Q1,yes,high\n", "line 2: confidence is 'high'"),
        ("file,question_id,reported,confidence\na,Q1,yes,nan\n", "line 2: confidence is 'nan'"),
        ("file,question_id,reported,confidence\na,Q1,yes,1.5\n", "line 2: confidence is '1.5'"),
        ("file,question_id,reported\na,Q1,yes\na,Q1,no\n", "line 3: Q1 of a is no here and yes in .*line 2"),
        ("", "is empty"),
    ],
)
def test_what_is_wrong_with_which_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(VivaError, match=says):
        table(tmp_path, text)


def test_tables_that_are_none(tmp_path: Path) -> None:
    for name in ("a.xlsx", "a.ods"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for name, says in [
        ("a.xlsx", "this is no workbook"),
        ("a.ods", "ends in .csv, .tsv, .jsonl, .xlsx"),
        ("b.csv", "there is no such table"),
        ("folder", "there is no file such as Publication_"),
    ]:
        with pytest.raises(VivaError, match=says):
            reader(f"table:{tmp_path / name}")
    with pytest.raises(VivaError, match="needs a file"):
        reader("table:")
    with pytest.raises(VivaError, match="there are 'builtin', 'table:FILE'"):
        reader("abacus")


def test_the_version_is_the_content(tmp_path: Path) -> None:
    one = table(tmp_path, "file,question_id,reported\na,Q1,yes\n").version
    assert table(tmp_path, "file,question_id,reported\na,Q1,yes\n", "other.csv").version == one
    assert table(tmp_path, "file,question_id,reported\na,Q1,no\n").version != one


def test_where_a_study_keeps_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tmp_path / "work" / "study"
    (tmp_path / "work" / "labels").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    assert portable_name("builtin", study) == absolute_name("builtin", study) == "builtin"
    for typed, name in [
        ("labels/a.csv", "../labels/a.csv"),
        ("study/a.csv", "a.csv"),
        (str(tmp_path / "work" / "a.csv"), "../a.csv"),
        ("../far.csv", str(tmp_path / "far.csv")),
    ]:
        assert portable_name(f"table:{typed}", study) == f"table:{name}"
        there = Path(absolute_name(f"table:{name}", study).removeprefix("table:"))
        assert there.is_absolute()
        assert there.resolve() == Path(typed).resolve()
