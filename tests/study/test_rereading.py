"""`reread`: papers that an older version read are read again; only changed texts are asked again."""

import sqlite3
from pathlib import Path

import pytest

from tests.study.sample import CARD, CODE, NEWTS, AtOnce, write
from vivavoce.papers.formats import FORMATS
from vivavoce.results.papers import outdated_papers
from vivavoce.store import file_id
from vivavoce.study.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    write(tmp_path / "papers" / "newts.md", NEWTS)
    write(tmp_path / "set.txt", f"{CODE}\n{CARD}\n")
    made = Study.create(tmp_path / "study", str(tmp_path / "set.txt"))
    made.run([tmp_path / "papers"], on=AtOnce())
    return made


def paper_id(study: Study) -> str:
    return file_id(study.folder.parent / "papers" / "newts.md")


def read_by_an_older_version(study: Study, text: str | None = None) -> None:
    """As if its reader had been another, which gave another text, too, or the same."""
    with sqlite3.connect(study.folder / "viva.db") as database:
        database.execute("UPDATE papers SET parsed_by = 'markdown 0', title = 'An old title'")
        if text is not None:
            database.execute("UPDATE papers SET text = ?", (text,))
    database.close()


def asked(study: Study, *, reread: bool) -> list[tuple[str, list[str]]]:
    engine = AtOnce()
    study.run(on=engine, reread=reread)
    return engine.asked


def test_a_paper_says_who_read_it(study: Study) -> None:
    assert study.store.paper(paper_id(study)).parsed_by == FORMATS.get("markdown").parsed_by
    assert outdated_papers(study.store) == {}


def test_without_it_an_old_reading_is_kept(study: Study) -> None:
    read_by_an_older_version(study)
    assert asked(study, reread=False) == []
    assert outdated_papers(study.store) == {paper_id(study): "markdown 0"}
    assert study.store.paper(paper_id(study)).title == "An old title"


def test_the_same_text_keeps_its_answers(study: Study) -> None:
    read_by_an_older_version(study)
    assert asked(study, reread=True) == []
    assert outdated_papers(study.store) == {}
    assert study.store.paper(paper_id(study)).title == "Counting newts with a network"
    assert len(study.answers()) == 2


def test_another_text_is_asked_again(study: Study) -> None:
    read_by_an_older_version(study, "Newts.")
    assert asked(study, reread=True) == [("newts.md", [CODE, CARD])]
    assert outdated_papers(study.store) == {}
    assert list(study.store.problems()) == []
    assert asked(study, reread=True) == []


def test_a_paper_whose_quotes_are_in_the_new_text_is_replaced(study: Study) -> None:
    id = paper_id(study)
    old = "x" + study.store.paper(id).text
    study.decide(id, "Q1", reviewer="Ada", status="reported", quotes=["The code is at"])
    read_by_an_older_version(study, old)
    summary = study.run(on=AtOnce(), reread=True)
    assert summary.failed == ()
    assert study.store.paper(id).text == old[1:]


def test_a_quote_of_the_old_text_alone_keeps_it(study: Study) -> None:
    id = paper_id(study)
    old = study.store.paper(id).text.replace("The code is at", "The code was at")
    study.store.close()
    read_by_an_older_version(study, old)
    again = Study.open(study.folder)
    again.decide(id, "Q1", reviewer="Ada", status="reported", quotes=["The code was at"])
    summary = again.run(on=AtOnce(), reread=True)
    ((file, reason),) = summary.failed
    assert file.endswith("newts.md")
    assert reason.startswith("people have quoted its text")
    assert again.store.paper(id).text == old
    again.close()


def test_a_file_that_is_gone_keeps_its_reading(study: Study) -> None:
    read_by_an_older_version(study)
    (study.folder.parent / "papers" / "newts.md").unlink()
    summary = study.run(on=AtOnce(), reread=True)
    ((_, reason),) = summary.failed
    assert reason == "there is no such file any more"
    assert len(study.answers()) == 2
