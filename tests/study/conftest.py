"""A study that was run with the built-in reader, which tests look at or copy."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.study.sample import CARD, CODE, NEWTS, OWLS, write
from vivavoce.study.progress import Progress, Summary
from vivavoce.study.study import Study


@pytest.fixture(scope="session")
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
