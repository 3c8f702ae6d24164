"""A study from Python: its answers, papers and results, as a table and in words."""

from dataclasses import replace
from pathlib import Path

import pytest

import vivavoce
from tests.study.sample import CARD, CODE
from vivavoce.errors import VivaError
from vivavoce.results.rows import COLUMNS
from vivavoce.results.status import faults, study_status
from vivavoce.store import file_id
from vivavoce.study.study import Study


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
