"""Running a study again: only what is missing is asked, counted cell by cell.

Most runs ask an engine that answers at once, since what matters is what is asked.
"""

import os
from dataclasses import replace
from pathlib import Path

from tests.study.sample import CARD, CODE, OWLS, AtOnce, rows, write
from vivavoce.results.status import faults, study_status
from vivavoce.store import file_id
from vivavoce.study.progress import Progress, Summary
from vivavoce.study.study import Study


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
