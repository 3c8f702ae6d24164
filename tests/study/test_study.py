"""Studies from Python: run, look, add, run again. What is done anew is counted cell by cell.

A few runs are real, with the built-in reader in processes of its own. The others ask an engine that answers
at once, since what matters there is what is asked.
"""

import os
import shutil
import sqlite3
import threading
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import vivavoce
from vivavoce import readers
from vivavoce.errors import VivaError
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import read_file
from vivavoce.records import Answer
from vivavoce.results.rows import COLUMNS
from vivavoce.results.status import faults, study_status
from vivavoce.store import file_id
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.progress import Progress, Summary
from vivavoce.study.study import Study

NEWTS = """# Counting newts with a network

## Methods
We trained a convolutional network on 4,000 pictures of newts. Training ran on one NVIDIA GTX 1080 graphics
card.

## Availability
The code is at https://github.com/example-org/newts.
"""
OWLS = "Owls at night\n\nMethods\n\nWe listened to owls for three nights. Nobody saw one of them.\n"
CODE = "Where is the code?"
CARD = "Which graphics card was used?"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study that was run: two papers, one of them under two names; two questions."""
    place = tmp_path_factory.mktemp("study")
    for name, text in (("newts.md", NEWTS), ("owls.txt", OWLS), ("newts copy.md", NEWTS)):
        write(place / "papers" / name, text)
    write(place / "set.txt", f"{CODE}\n{CARD}\n")
    study = Study.create(place / "study", str(place / "set.txt"))
    said: list[Progress] = []
    summary = study.run([place / "papers"], workers=1, progress=said.append)
    assert summary == Summary(papers=2, asked=2, cells=4, failed=(), stopped=False)
    folder = place / "papers"
    assert said[0] == Progress("begun", cells=3)
    assert sorted(said[1:]) == [
        Progress("done", str(folder / "newts copy.md"), 2),
        Progress("done", str(folder / "owls.txt"), 2),
        Progress("same", str(folder / "newts.md"), reason=str(folder / "newts copy.md")),
    ]
    study.close()
    return place


@pytest.fixture
def study(place: Path, tmp_path: Path) -> Iterator[Study]:
    """A copy of that study, which a test may change; its papers lie where they were."""
    shutil.copytree(place / "study", tmp_path / "study")
    opened = Study.open(tmp_path / "study")
    yield opened
    opened.close()


class AtOnce:
    """Reads files in this very process, and answers what it is asked without reading."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.version = readers.reader("builtin").version

    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
    ) -> Generator[Outcome]:
        del stop
        for job in jobs:
            ((reader, questions),) = job.asks
            self.asked.append((Path(job.path).name, [question.text for question in questions]))
            paper = job.paper or read_file(job.path, Limits())
            yield Outcome(
                job, paper, tuple(Answer(q, reader, self.version, "not_reported") for q in questions)
            )


def rows(study: Study, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(study.folder / "viva.db")
    found = connection.execute(query).fetchall()
    connection.commit()
    connection.close()
    return found


# Looking


def test_answers(study: Study, place: Path) -> None:
    found = study.answers()
    newts, owls = (file_id(place / "papers" / name) for name in ("newts.md", "owls.txt"))
    assert [(answer.paper, answer.question.text) for answer in found] == [
        (newts, CODE),
        (newts, CARD),
        (owls, CODE),
        (owls, CARD),
    ]
    assert [answer.status for answer in found[:2]] == ["reported", "reported"]
    assert "https://github.com/example-org/newts" in found[0].text
    assert "GTX 1080" in found[1].evidence[0].quote
    assert {(answer.reader, answer.question.id) for answer in found} == {("builtin", "Q1"), ("builtin", "Q2")}
    assert list(study) == found


def test_an_answer_is_what_asking_gives(study: Study, place: Path) -> None:
    """A study changes nothing about an answer."""
    kept = study.answers()[1]
    asked = vivavoce.ask(place / "papers" / "newts.md", CARD)
    assert replace(asked, question=kept.question, paper=kept.paper) == kept


def test_papers_come_back_as_they_were_read(study: Study, place: Path) -> None:
    for name in ("newts copy.md", "owls.txt"):
        path = str(place / "papers" / name)
        read = vivavoce.load(path)
        assert study.paper(read.id) == read
    answer = study.answers()[0]
    quote = answer.evidence[0]
    assert study.paper(answer.paper).text[quote.start : quote.end] == quote.quote
    with pytest.raises(VivaError, match="there is no paper abc in this study"):
        study.paper("abc")


def test_results_and_state(study: Study, place: Path) -> None:
    results = study.results()
    assert [Path(paper.file).name for paper in results.papers] == ["newts copy.md", "owls.txt"]
    assert results.papers[0].title == "Counting newts with a network"
    assert {cell.verdict.reader for cell in results.cells()} == {"verdict"}
    found = study_status(study.store)
    assert (found.papers, found.cells, found.waiting, found.runs) == (2, 4, 0, 1)
    folder = place / "papers"
    assert found.same == ((str(folder / "newts.md"), str(folder / "newts copy.md")),)
    assert faults(study.store) == []


def test_to_pandas(study: Study) -> None:
    table = study.to_pandas()
    assert list(table.columns) == list(COLUMNS)
    assert list(table["reader"]) == ["builtin", "verdict"] * 4
    assert list(table["question"][:4]) == [CODE, CODE, CARD, CARD]


def test_in_words(study: Study) -> None:
    assert repr(study) == f"<Study {study.folder}: 2 papers x 2 questions, readers builtin>"
    shown = study._repr_html_()
    assert "2 papers × 2 questions" in shown
    assert "<td>reported</td><td>" in shown
    assert "not_reported" not in shown


def test_a_folders_name_is_not_markup(tmp_path: Path) -> None:
    folder = tmp_path / "<b>x</b>"
    with_name = Study.create(folder)
    shown = with_name._repr_html_()
    assert "&lt;b&gt;x&lt;/b&gt;" in shown
    assert "<b>x</b>" not in shown
    assert "0 papers" in shown
    with_name.close()


def test_the_package_has_it() -> None:
    assert vivavoce.Study is Study


# Running again


def test_nothing_is_asked_twice(study: Study) -> None:
    engine = AtOnce()
    assert study.run(on=engine) == Summary(papers=2, asked=0, cells=0, failed=())
    assert engine.asked == []
    assert [run["event"] for run in study.store.runs()] == ["begun", "ended"] * 2


def test_a_paper_that_joins(study: Study, tmp_path: Path, place: Path) -> None:
    new = write(tmp_path / "more" / "bats.md", "# Bats\n\nBats were heard.\n")
    engine = AtOnce()
    summary = study.run([new, place / "papers"], on=engine)
    assert engine.asked == [("bats.md", [CODE, CARD])]
    assert summary == Summary(papers=3, asked=1, cells=2, failed=())
    assert len(study.answers()) == 6


def test_questions_that_join_or_change_really_run(study: Study, place: Path) -> None:
    """With the built-in reader, and a paper that is read from the store."""
    old = study.answers()
    other = "Which graphics card did the training run on?"
    write(study.folder / "new.txt", f"How long did they listen?\n{other}\n{CODE}\n")
    study.close()
    again = Study.create(study.folder, str(study.folder / "new.txt"))
    assert study_status(again.store).waiting == 4
    summary = again.run(workers=1)
    assert summary == Summary(papers=2, asked=2, cells=4, failed=())
    now = again.answers()
    assert len(now) == 6
    assert now[2] == replace(old[0], question=replace(old[0].question, id="Q3"))  # asked before
    assert now[1].question.text == other
    # The answers to the question that is not asked any more are kept.
    texts = "SELECT text FROM answers WHERE question IN (SELECT key FROM questions WHERE text = '{}')"
    assert sorted(rows(again, texts.format(CARD))) == sorted(
        (a.text,) for a in old if a.question.text == CARD
    )
    assert rows(again, "SELECT count(*) FROM answers") == [(8,)]
    assert [file.name for file in again.store.files()] == [
        str(place / "papers" / name) for name in ("newts copy.md", "newts.md", "owls.txt")
    ]
    again.close()


def test_another_reader_version_answers_all_anew(study: Study) -> None:
    rows(study, "UPDATE answers SET version = 'older'")
    assert study.answers() == []
    engine = AtOnce()
    assert study.run(on=engine).cells == 4
    assert engine.asked == [("newts copy.md", [CODE, CARD]), ("owls.txt", [CODE, CARD])]
    assert {answer.version for answer in study.answers()} == {engine.version}
    assert rows(study, "SELECT count(*) FROM answers WHERE version = 'older'") == [(4,)]


def test_a_cell_that_is_missing_is_done_alone(study: Study) -> None:
    rows(study, "DELETE FROM evidence WHERE answer = 2")
    rows(study, "DELETE FROM answers WHERE number = 2")
    engine = AtOnce()
    assert study.run(on=engine).cells == 1
    assert len(engine.asked) == 1
    assert len(study.answers()) == 4


def test_a_paper_that_was_read_need_not_be_there_any_more(study: Study) -> None:
    rows(study, "UPDATE files SET path = '/gone/' || name")
    rows(study, "UPDATE answers SET version = 'older'")
    assert study.run(on=AtOnce()) == Summary(papers=2, asked=2, cells=4, failed=())
    assert len(faults(study.store)) == 3
    assert all("the file is gone" in fault for fault in faults(study.store))


def test_a_changed_file_is_another_paper(tmp_path: Path) -> None:
    paper = write(tmp_path / "papers" / "x.md", "# One\n\nSome words.\n")
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))
    engine = AtOnce()
    assert study.run([paper], on=engine).cells == 1
    os.utime(paper, (1, 1))  # touched, not changed
    assert study.run(on=engine).cells == 0
    before = study.answers()[0].paper
    write(paper, "# Two\n\nOther words.\n")
    assert study.run(on=engine) == Summary(papers=1, asked=1, cells=1, failed=())
    assert study.answers()[0].paper == file_id(paper) != before
    assert rows(study, "SELECT count(*) FROM answers") == [(2,)]
    write(paper, "# One\n\nSome words.\n")  # and back: nothing is asked twice
    assert study.run(on=engine).cells == 0
    assert study.answers()[0].paper == before
    study.close()


def test_two_names_for_one_file_count_once(study: Study, tmp_path: Path) -> None:
    copy = write(tmp_path / "more" / "a copy of owls.md", OWLS)
    said: list[Progress] = []
    summary = study.run([copy], on=AtOnce(), progress=said.append)
    assert (summary.papers, summary.cells) == (2, 0)
    assert [step.event for step in said].count("same") == 2


# When something is wrong


def test_papers_that_fail_are_named_and_tried_again(tmp_path: Path) -> None:
    """One vanishes and one is broken, in a real run; then that one is mended, and it alone is done."""
    papers = tmp_path / "papers"
    for name, text in (
        ("a gone.md", OWLS),
        ("b.md", NEWTS),
        ("c broken.pdf", "%PDF-1.7 no"),
        ("d.txt", OWLS),
    ):
        write(papers / name, text)
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))

    def vanish(step: Progress) -> None:
        if step.event == "begun":
            (papers / "a gone.md").unlink()

    summary = study.run([papers], workers=1, progress=vanish)
    assert (summary.papers, summary.asked, summary.cells, summary.stopped) == (4, 4, 2, False)
    reasons = dict(summary.failed)
    assert [Path(name).name for name in reasons] == ["a gone.md", "c broken.pdf"]
    assert reasons[str(papers / "a gone.md")] == "there is no such file; check the spelling."
    assert all(str(papers) not in reason and "\n" not in reason for reason in reasons.values())
    assert dict(study_status(study.store).failed) == reasons
    found = [(Path(cell.paper.file).name, cell.verdict) for cell in study.results().cells()]
    assert [name for name, answer in found if answer.status == "failed"] == ["a gone.md", "c broken.pdf"]
    assert all(answer.reason == reasons[str(papers / name)] for name, answer in found if answer.reason)
    assert [answer.paper for name, answer in found if name == "c broken.pdf"] == [
        file_id(papers / "c broken.pdf")
    ]

    write(papers / "c broken.pdf", "# Mended\n\nThe code is at https://example.org/mended.\n")
    events: list[Progress] = []
    again = study.run(workers=1, progress=events.append)
    assert [Path(name).name for name, _ in again.failed] == ["a gone.md"]
    assert (again.asked, again.cells) == (2, 1)
    assert [(step.event, step.cells) for step in events if "broken" in step.name] == [("done", 1)]
    assert [Path(name).name for name, _ in study_status(study.store).failed] == ["a gone.md"]
    study.close()


def test_one_that_is_mended_into_a_copy_of_another(tmp_path: Path) -> None:
    """It counts as that other's second name, and nothing is asked twice."""
    papers = tmp_path / "papers"
    first, second = write(papers / "1.md", "# One\n\nSome words.\n"), papers / "2.md"
    second.write_bytes(b"")
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))

    class Failing(AtOnce):
        def run(
            self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
        ) -> Generator[Outcome]:
            del stop
            yield from (Outcome(job, reason="is empty") for job in jobs)

    assert len(study.run([papers], on=Failing()).failed) == 2
    assert len(study_status(study.store).failed) == 2
    shutil.copyfile(first, second)
    summary = study.run(on=AtOnce())
    assert summary == Summary(papers=1, asked=1, cells=1, failed=())
    assert study_status(study.store).failed == ()
    study.close()


def test_a_file_that_changes_while_it_is_read_is_looked_at_again(tmp_path: Path) -> None:
    paper = write(tmp_path / "x.md", "# One\n\nSome words.\n")
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))

    class Slow(AtOnce):
        def run(
            self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
        ) -> Generator[Outcome]:
            for outcome in super().run(jobs, stop):
                write(paper, "# Two\n\nOther words.\n")
                yield outcome

    study.run([paper], on=Slow())
    assert study.answers()[0].paper != file_id(paper)
    assert study.run(on=AtOnce()).cells == 1
    assert study.answers()[0].paper == file_id(paper)
    study.close()


def test_stopping_keeps_what_was_done(tmp_path: Path) -> None:
    for n in range(3):
        write(tmp_path / "papers" / f"{n}.md", f"# Paper {n}\n\nSome words.\n")
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))
    stop = threading.Event()

    class Stopped(AtOnce):
        def run(
            self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
        ) -> Generator[Outcome]:
            assert stop is not None
            for outcome in super().run(jobs):
                yield outcome
                stop.set()
                return

    summary = study.run([tmp_path / "papers"], on=Stopped(), stop=stop)
    assert (summary.cells, summary.stopped) == (1, True)
    assert [run["event"] for run in study.store.runs()] == ["begun", "stopped"]
    assert study_status(study.store).waiting == 2
    assert study.run(on=AtOnce()).cells == 2
    study.close()


def test_nothing_to_ask(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "study")
    (tmp_path / "empty").mkdir()
    for papers in ([], [tmp_path / "empty"]):
        with pytest.raises(VivaError, match="there is no paper to ask; name files or folders"):
            study.run(papers, on=AtOnce())
    with pytest.raises(VivaError, match=r"nowhere\.pdf: there is no such file or folder"):
        study.run([tmp_path / "nowhere.pdf"], on=AtOnce())
    study.close()


def test_what_is_wrong_is_said_before_anything_is_made(tmp_path: Path) -> None:
    for questions, names, says in (
        ("no-such-set", (), "there is no question set 'no-such-set'"),
        ("", ("oracle",), "there is no reader 'oracle'"),
        (str(write(tmp_path / "bad.yaml", "questions: 3\n")), (), r"bad\.yaml:1: "),
    ):
        with pytest.raises(VivaError, match=says):
            Study.create(tmp_path / "study", questions, names)
    assert not (tmp_path / "study").exists()


def test_no_study_there(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match="there is no study here"):
        Study.open(tmp_path)
    file = write(tmp_path / "x.md", "x")
    with pytest.raises(VivaError, match=r"x\.md: is a file; name the study's folder"):
        Study.open(file)
    with pytest.raises(VivaError, match=r"x\.md: the study's folder can't be made \(File exists\)"):
        Study.create(file)


def test_questions_that_were_spoilt(study: Study) -> None:
    write(study.folder / "questions.yaml", "questions: 3\n")
    with pytest.raises(VivaError, match=r"questions\.yaml:1: "):
        study.run(on=AtOnce())
    (study.folder / "questions.yaml").unlink()
    with pytest.raises(
        VivaError, match=r"questions\.yaml: the study's questions can't be read .*--questions"
    ):
        study.run(on=AtOnce())
    assert len(study.answers()) == 4  # one may look all the same


def test_a_study_keeps_its_questions(study: Study) -> None:
    """`create` with neither questions nor readers goes on with what is there."""
    study.close()
    again = Study.create(study.folder)
    assert [question.text for question in again.questions().questions] == [CODE, CARD]
    assert again.run(on=AtOnce()).cells == 0
    again.close()
