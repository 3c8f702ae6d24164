"""A study on PostgreSQL: the same answers as in a file, several runs at once, copies there and back."""

import signal
import threading
from pathlib import Path

import pytest

from tests.commands import program, viva
from tests.postgres import FreshURL
from tests.study.sample import CARD, CODE, NEWTS, OWLS, AtOnce, write
from tests.timing import PATIENCE
from vivavoce.store import Store
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.progress import Summary
from vivavoce.study.study import Study


def exported(study: object, to: Path) -> dict[str, bytes]:
    to.mkdir()
    files = [to / f"answers.{ending}" for ending in ("csv", "jsonl", "xlsx")]
    done = viva("export", study, *(word for file in files for word in ("--to", str(file))))
    assert done.returncode == 0, done.stderr
    return {file.name: file.read_bytes() for file in files}


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    for n in range(6):
        write(tmp_path / "papers" / f"{n:02}.md", f"{NEWTS}\nThere were {n} of them.\n")
    return tmp_path / "papers"


@pytest.fixture
def questions(tmp_path: Path) -> str:
    return str(write(tmp_path / "set.txt", f"{CODE}\n{CARD}\n"))


@pytest.mark.slow
def test_the_same_in_a_file_and_in_a_database_and_after_a_copy(
    place: Path, tmp_path: Path, fresh_url: FreshURL
) -> None:
    """Two papers, really read: the exports have the same bytes everywhere."""
    url = fresh_url()
    run = viva(
        "run", place / "papers", "--questions", place / "set.txt", "--study", tmp_path / "s", "--store", url
    )
    assert run.returncode == 0, run.stderr
    wanted = exported(place / "study", tmp_path / "1")
    assert exported(tmp_path / "s", tmp_path / "2") == wanted
    assert exported(url, tmp_path / "3") == wanted
    assert not (tmp_path / "s" / "viva.db").exists()
    # From the database into a folder, and from the file into another database.
    assert viva("copy", url, tmp_path / "copy").returncode == 0
    assert exported(tmp_path / "copy", tmp_path / "4") == wanted
    again = viva("run", "--study", tmp_path / "copy", "--json")
    assert again.returncode == 0
    assert '"done": 0' in again.stdout
    other = fresh_url()
    copied = viva("copy", place / "study", other)
    assert (copied.returncode, copied.stderr) == (0, f"{other}: 2 papers, 4 answers, 0 decisions\n")
    assert exported(other, tmp_path / "5") == wanted
    # Into a database that holds one: refused.
    refused = viva("copy", place / "study", url)
    assert refused.returncode == 2
    assert "there is a study already; name another place." in refused.stderr


def test_a_second_folder_is_made_from_the_database(
    tmp_path: Path, papers: Path, questions: str, fresh_url: FreshURL
) -> None:
    url = fresh_url()
    first = Study.create(tmp_path / "first", questions, store=url)
    assert first.run([papers], on=AtOnce()).cells == 12
    second = Study.create(tmp_path / "second", store=url)
    texts = [(tmp_path / name / "questions.yaml").read_text() for name in ("first", "second")]
    assert texts[0] == texts[1]
    assert second.questions() == first.questions()
    assert second.run(on=AtOnce()) == Summary(papers=6, asked=0, cells=0, failed=())
    first.close()
    second.close()
    assert Study.exists(tmp_path / "second")
    study = Study.open(tmp_path / "second")
    assert study.store.several_runs
    study.close()


def test_the_password_is_not_written_down(tmp_path: Path, questions: str, fresh_url: FreshURL) -> None:
    url = fresh_url().replace("viva@", "viva:secret@")
    Study.create(tmp_path / "s", questions, store=url).close()
    assert "secret" not in (tmp_path / "s" / "study.toml").read_text()
    status = viva("status", url)
    assert "secret" not in status.stdout + status.stderr


def test_a_study_that_is_kept_in_its_folder_is_not_moved_silently(
    tmp_path: Path, papers: Path, questions: str, fresh_url: FreshURL
) -> None:
    Study.create(tmp_path / "s", questions).close()
    moved = viva("run", papers, "--study", tmp_path / "s", "--store", fresh_url())
    assert moved.returncode == 2
    assert "this study is kept elsewhere; copy it first: viva copy" in moved.stderr


def test_a_wrong_url_in_study_toml_is_said(tmp_path: Path, questions: str) -> None:
    Study.create(tmp_path / "s", questions).close()
    toml = tmp_path / "s" / "study.toml"
    toml.write_text("store = 5\n" + toml.read_text())
    said = viva("status", tmp_path / "s")
    assert said.returncode == 2
    assert "`store` is a database URL, such as postgresql://HOST/NAME, not 5." in said.stderr


class InTurn(AtOnce):
    """An engine that waits, before each of its outcomes, for the other run to have had one."""

    def __init__(self, mine: threading.Semaphore, others: threading.Semaphore) -> None:
        super().__init__()
        self._mine, self._others = mine, others

    def run(self, jobs, stop=None, _=None):  # type: ignore[no-untyped-def]
        for outcome in super().run(jobs, stop):
            assert self._mine.acquire(timeout=PATIENCE)
            yield outcome
            self._others.release()
        for _ in range(100):  # whoever is left need not wait any more
            self._others.release()


def test_two_runs_share_a_study(tmp_path: Path, papers: Path, questions: str, fresh_url: FreshURL) -> None:
    """They take turns, paper by paper: each cell is done once, by one of them, and nobody waits."""
    url = fresh_url()
    studies = [Study.create(tmp_path / name, questions, store=url) for name in ("one", "two")]
    turns = threading.Semaphore(1), threading.Semaphore(0)
    engines = [InTurn(turns[0], turns[1]), InTurn(turns[1], turns[0])]
    done: list[Summary] = []

    def run(study: Study, engine: InTurn) -> None:
        done.append(study.run([papers], on=engine))

    threads = [threading.Thread(target=run, args=both) for both in zip(studies, engines, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    asked = [{name for name, _ in engine.asked} for engine in engines]
    assert not asked[0] & asked[1]
    assert len(asked[0] | asked[1]) == 6
    assert all(len(some) >= 2 for some in asked), "one of them did nearly everything"
    assert sum(summary.cells for summary in done) == 12
    assert len(studies[0].answers()) == 12
    assert list(studies[0].store.problems()) == []
    for study in studies:
        study.close()


def test_what_a_run_that_died_had_claimed_is_done_by_the_other(
    tmp_path: Path, papers: Path, questions: str, fresh_url: FreshURL
) -> None:
    """The other is at work meanwhile: it comes back to what it had left to the one that died."""
    url = fresh_url()
    first = Study.create(tmp_path / "first", questions, store=url)
    second = Study.create(tmp_path / "second", questions, store=url)

    class Dies(AtOnce):
        def run(self, jobs, stop=None, _=None):  # type: ignore[no-untyped-def]
            del stop
            drawn: list[Job] = [next(iter(jobs)) for _ in range(3)]
            summary = second.run(on=Meanwhile())
            assert summary.cells == 12
            assert drawn
            return
            yield

    class Meanwhile(AtOnce):
        def run(self, jobs, stop=None, _=None):  # type: ignore[no-untyped-def]
            for n, outcome in enumerate(super().run(jobs, stop)):
                if n == 2:  # three papers are free; then only those that the first has claimed are left
                    assert isinstance(outcome, Outcome)
                    assert first.store._alive is not None
                    first.store._alive.invalidate()
                yield outcome

    first.run([papers], on=Dies())
    assert len(second.answers()) == 12
    first.close()
    second.close()


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_its_papers_to_the_next(
    tmp_path: Path, papers: Path, questions: str, fresh_url: FreshURL
) -> None:
    url = fresh_url()
    run = program("run", papers, "--questions", questions, "--study", tmp_path / "s", "--store", url)
    assert run.stderr is not None
    assert "2 answers" in run.stderr.readline()
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=PATIENCE)
    study = Study.create(tmp_path / "other", store=url)
    kept = len(study.answers())
    assert kept >= 2
    assert study.run(on=AtOnce()).cells == 12 - kept
    assert len(study.answers()) == 12
    study.close()


def test_search_in_a_shared_study(tmp_path: Path, questions: str, fresh_url: FreshURL) -> None:
    url = fresh_url()
    write(tmp_path / "papers" / "newts.md", NEWTS)
    write(tmp_path / "papers" / "owls.txt", OWLS)
    study = Study.create(tmp_path / "s", questions, store=url)
    study.run([tmp_path / "papers"], on=AtOnce())
    study.close()
    found = viva("search", url, "listening to owls", "--json")
    assert found.returncode == 0
    assert '"quote": "We listened to owls for three nights."' in found.stdout
    assert "newts" not in found.stdout
    assert Store.exists(url)
