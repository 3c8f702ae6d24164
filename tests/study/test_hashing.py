"""A paper is hashed once: when it is read, with the bytes that are parsed."""

import threading
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import pytest

from tests.study.sample import CODE, NEWTS, OWLS, AtOnce, write
from vivavoce.papers.files import read_bytes
from vivavoce.study import pending
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.progress import Progress
from vivavoce.study.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    write(tmp_path / "papers" / "newts.md", NEWTS)
    write(tmp_path / "papers" / "owls.txt", OWLS)
    study = Study.create(tmp_path / "study", str(write(tmp_path / "set.txt", CODE)))
    yield study
    study.close()


def count_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that the study itself hashes, besides whoever reads them."""
    hashed: list[str] = []

    def file_id(path: Path) -> str:
        hashed.append(path.name)
        return read_bytes(path).id

    monkeypatch.setattr(pending, "file_id", file_id)
    return hashed


def test_a_paper_is_hashed_when_it_is_read_and_not_again(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = count_hashes(monkeypatch)
    assert study.run([tmp_path / "papers"], on=AtOnce()).cells == 2
    assert study.run([tmp_path / "papers"], on=AtOnce()).cells == 0
    assert hashed == []


def test_a_file_of_a_known_size_may_be_a_known_paper(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = count_hashes(monkeypatch)
    study.run([tmp_path / "papers"], on=AtOnce())
    copy = write(tmp_path / "papers" / "other newts.md", NEWTS)
    said: list[Progress] = []
    assert study.run([tmp_path / "papers"], on=AtOnce(), progress=said.append).cells == 0
    assert hashed == ["other newts.md"]
    assert Progress("same", str(copy), reason=str(tmp_path / "papers" / "newts.md")) in said


def test_a_file_that_changed_while_it_was_read_is_looked_at_again(study: Study, tmp_path: Path) -> None:
    paper = tmp_path / "papers" / "newts.md"

    class Meddling(AtOnce):
        def run(
            self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
        ) -> Generator[Outcome]:
            for outcome in super().run(jobs, stop):
                write(paper, OWLS + "And more.\n")
                yield outcome

    study.run([paper], on=Meddling())
    (file,) = study.store.files()
    assert (file.size, file.changed) == (0, 0)
    assert study.run(on=AtOnce()).cells == 1
