"""The local engine: one reader's failure is not another's, one paper's is not the next one's."""

import pickle
import threading
from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.plugins import Registry
from vivavoce.records import Question
from vivavoce.study import engines
from vivavoce.study.engines import Job, find_engine
from vivavoce.study.study import Study

CODE = (Question("Where is the code?", "Q1"),)


def job(path: Path, *readers: str) -> Job:
    return Job(str(path), path.name, tuple((reader, CODE) for reader in readers))


def paper(path: Path) -> Path:
    path.write_text("# Bees\n\nWe counted bees. The code is at https://github.com/example-org/bees.\n")
    return path


def test_a_reader_that_fails_leaves_the_others_alone(tmp_path: Path) -> None:
    good = paper(tmp_path / "bees.md")
    (found,) = find_engine("local", 1).run([job(good, "table:/nowhere.csv", "builtin")])
    assert [answer.reader for answer in found.answers] == ["builtin"]
    assert found.paper is not None
    ((reader, questions, reason),) = found.failed
    assert (reader, questions) == ("table:/nowhere.csv", CODE)
    assert "nowhere.csv" in reason


def test_a_file_that_fails_leaves_the_others_alone(tmp_path: Path) -> None:
    jobs = [job(tmp_path / "gone.md", "builtin"), job(paper(tmp_path / "bees.md"), "builtin")]
    found = {outcome.job.name: outcome for outcome in find_engine("local", 2).run(jobs)}
    assert found["gone.md"].paper is None
    assert found["gone.md"].reason.startswith("there is no such file")
    assert found["bees.md"].reason == ""
    assert [answer.status for answer in found["bees.md"].answers] == ["reported"]


def test_jobs_are_drawn_as_they_are_needed(tmp_path: Path) -> None:
    drawn = 0

    def jobs() -> "object":
        nonlocal drawn
        for n in range(50):
            drawn += 1
            yield job(paper(tmp_path / f"{n}.md"), "builtin")

    outcomes = find_engine("local", 1).run(jobs())  # type: ignore[arg-type]
    next(outcomes)
    outcomes.close()
    assert drawn <= 4


def test_stop_begins_nothing_new(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert list(find_engine("local", 1).run([job(paper(tmp_path / "bees.md"), "builtin")], stop)) == []


def test_an_engine_that_there_is_not() -> None:
    with pytest.raises(VivaError, match="steam: there is no such engine; choose one of: local"):
        find_engine("steam")


def test_another_package_can_add_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere:
        def __init__(self, workers: int | None) -> None:
            self.workers = workers

    added = Registry(
        "vivavoce.engines", {"local": "vivavoce.study.engines.local:LocalEngine", "ray": Elsewhere}
    )
    monkeypatch.setattr(engines, "ENGINES", added)
    found = find_engine("ray", 3)
    assert isinstance(found, Elsewhere)
    assert found.workers == 3


def test_what_an_engine_is_given_and_gives_back_can_be_sent_elsewhere(tmp_path: Path) -> None:
    wanted = job(paper(tmp_path / "bees.md"), "builtin")
    (outcome,) = find_engine("local", 1).run([pickle.loads(pickle.dumps(wanted))])
    again = pickle.loads(pickle.dumps(outcome))
    assert again.job == wanted
    assert again.answers == outcome.answers


def test_tables_are_parsed_once_and_rows_go_to_their_paper(tmp_path: Path) -> None:
    """The file is gone when the first paper is read: what was parsed before is used."""
    for folder, bees in (("sub", 40), ("other", 50)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(f"# Bees\n\nWe counted {bees} bees in the garden.\n")
    labels = tmp_path / "labels.csv"
    labels.write_text("file,question_id,reported\nsub/a.md,Q1,yes\n")
    (tmp_path / "set.yaml").write_text("questions:\n  - {id: Q1, text: 'How many bees?'}\n")
    study = Study.create(tmp_path / "study", str(tmp_path / "set.yaml"), [f"table:{labels}"])
    summary = study.run(
        [tmp_path / "sub", tmp_path / "other"],
        workers=2,
        progress=lambda step: labels.unlink() if step.event == "begun" else None,
    )
    assert summary.failed == ()
    (cell,) = [cell for cell in study.results().cells() if cell.answers]
    assert Path(cell.paper.file).parent.name == "sub"
    assert [answer.reader for answer in cell.answers] == ["table:../labels.csv"]
    study.close()
