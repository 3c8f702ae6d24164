"""Papers at URLs: listed, read where they are, and known by their bytes as files are."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.study.sample import CODE, NEWTS, OWLS, AtOnce, write
from vivavoce import load
from vivavoce.errors import InputError, MissingExtra, PaperError
from vivavoce.papers.files import read_bytes
from vivavoce.papers.limits import Limits
from vivavoce.papers.remote import find, is_url
from vivavoce.results.status import faults
from vivavoce.store import file_id
from vivavoce.study.study import Study


@pytest.fixture
def newts(tmp_path: Path) -> Path:
    write(tmp_path / "papers" / "deep" / "owls.txt", OWLS)
    write(tmp_path / "papers" / "notes.log", "nothing")
    return write(tmp_path / "papers" / "newts.md", NEWTS)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("s3://bucket/a.pdf", True),
        ("file:///a.pdf", True),
        ("a.pdf", False),
        ("C:/a", False),
        ("a//b", False),
    ],
)
def test_what_is_a_url(text: str, is_one: bool) -> None:
    assert is_url(text) is is_one
    assert not is_url(Path(text))


def test_papers_below_a_url_are_listed(newts: Path) -> None:
    folder = newts.parent.as_uri()
    assert find(folder) == [f"{folder}/deep/owls.txt", f"{folder}/newts.md"]
    assert find(newts.as_uri()) == [newts.as_uri()]


def test_a_paper_at_a_url_is_the_paper_in_the_file(newts: Path) -> None:
    there, here = load(newts.as_uri()), load(newts)
    assert there.id == here.id == file_id(newts)
    assert (there.text, there.sentences) == (here.text, here.sentences)
    assert there.file == newts.as_uri()


def test_what_can_not_be_had(newts: Path) -> None:
    with pytest.raises(PaperError, match=r"gone\.md: there is no such file; check the spelling\."):
        load(f"{newts.parent.as_uri()}/gone.md")
    write(newts.parent / "empty.md", "")
    with pytest.raises(PaperError, match="is empty"):
        load((newts.parent / "empty.md").as_uri())
    with pytest.raises(PaperError, match=r"is 1 MB large, and the limit is 0 MB; split it"):
        read_bytes(newts.as_uri(), Limits(file_mb=0))
    with pytest.raises(InputError, match="nosuch://x: can't be opened"):
        find("nosuch://x")
    with pytest.raises(InputError, match="there is no paper there; papers end in"):
        find((newts.parent / "deep" / "deeper").as_uri())


@pytest.mark.skipif(find_spec("gcsfs") is not None, reason="the package is here")
def test_a_scheme_whose_package_is_missing() -> None:
    with pytest.raises(MissingExtra, match="gs:// needs another package"):
        find("gs://bucket/papers")


def test_a_study_of_urls(newts: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", str(write(tmp_path / "set.txt", CODE)))
    engine = AtOnce()
    assert study.run([newts.parent.as_uri()], on=engine).cells == 2
    assert [name for name, _ in engine.asked] == ["owls.txt", "newts.md"]
    assert study.run(on=engine).cells == 0
    assert [paper.file for paper in study.results().papers] == find(newts.parent.as_uri())
    assert faults(study.store) == []
    study.close()
