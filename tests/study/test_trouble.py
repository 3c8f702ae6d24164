"""Studies in trouble: papers that fail, files that change, a run that is stopped, wrong calls."""

import shutil
import threading
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from tests.study.sample import CARD, CODE, NEWTS, OWLS, AtOnce, write
from vivavoce.errors import VivaError
from vivavoce.results.status import study_status
from vivavoce.store import file_id
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.progress import Progress, Summary
from vivavoce.study.study import Study


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
    with pytest.raises(VivaError, match=r"x\.md: is a file; name the study's folder"):
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
