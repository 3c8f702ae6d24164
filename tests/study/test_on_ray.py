"""The Ray engine, on a real cluster of two nodes: the same answers as the local engine's, whatever dies."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import program, viva
from tests.ray_cluster import Cluster, cluster
from tests.study.sample import CARD, CODE, NEWTS, write
from tests.timing import PATIENCE
from vivavoce.study.engines import find_engine
from vivavoce.study.progress import Progress
from vivavoce.study.study import Study

PAPERS = 10

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ray() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason="needs Ray: pip install 'vivavoce[ray]'")
    with cluster() as made:
        yield made


def exported(study: Path) -> dict[str, bytes]:
    files = [study / f"answers.{ending}" for ending in ("csv", "jsonl", "xlsx")]
    assert viva("export", study, *(word for file in files for word in ("--to", str(file)))).returncode == 0
    return {file.name: file.read_bytes() for file in files}


def answered(study: Study) -> int:
    return sum(answer.status != "failed" for answer in study.answers())


def test_workers_and_the_driver_are_killed_and_the_answers_are_the_same(
    ray: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The driver is killed after its first paper. The next one loses an actor after its first paper and the
    process that answers after its second. Nothing is missing, nothing is there twice."""
    for n in range(PAPERS):
        write(tmp_path / "papers" / f"{n}.md", f"{NEWTS}\nThere were {n} of them.\n")
    write(tmp_path / "papers" / "broken.pdf", "%PDF-1.7 no")
    questions = write(tmp_path / "set.txt", f"{CODE}\n{CARD}\n")
    asked = ("run", tmp_path / "papers", "--questions", questions)
    assert viva(*asked, "--study", tmp_path / "local").returncode == 1

    elsewhere = ("--engine", "ray", "--ray-address", ray.address)
    driver = program(*asked, "--study", tmp_path / "ray", *elsewhere)
    assert driver.stderr is not None
    while "2 answers" not in (line := driver.stderr.readline()):
        assert line, "it has ended"
    driver.send_signal(signal.SIGKILL)
    driver.communicate(timeout=PATIENCE)

    done: list[Progress] = []

    def kill(step: Progress) -> None:
        done.extend([step] if step.event == "done" and step.cells else [])
        if step.event == "done" and step.cells and len(done) in (1, 2):
            victims = ray.processes("ray::PaperWorker" if len(done) == 1 else "vivavoce.processes.worker")
            assert victims
            os.kill(victims[0], signal.SIGKILL)

    study = Study.open(tmp_path / "ray")
    kept = answered(study)
    summary = study.run(on=find_engine("ray", address=ray.address), progress=kill)
    assert [Path(name).name for name, _ in summary.failed] == ["broken.pdf"]
    assert summary.cells == 2 * PAPERS - kept
    assert 2 <= kept < 2 * PAPERS
    assert len(done) >= 2
    assert answered(study) == 2 * PAPERS
    assert list(study.store.problems()) == []
    study.close()
    assert capsys.readouterr().out == ""
    assert exported(tmp_path / "ray") == exported(tmp_path / "local")
    assert ray.processes("ray::PaperWorker") == []


def test_an_address_without_ray() -> None:
    said = viva("run", __file__, "--study", "/nowhere", "--ray-address", "127.0.0.1:1")
    assert (said.returncode, said.stderr) == (2, "viva: --ray-address goes with --engine ray.\n")
