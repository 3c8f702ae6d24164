"""A study's files are parsed once per run, and again only when they have changed."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.study.sample import CODE, NEWTS, AtOnce, write
from vivavoce.questions import loading
from vivavoce.readers.table import reader as table_reader
from vivavoce.study.study import Study

LABELS = "file,question_id,reported,quote\nnewts.md,Q1,yes,The code is at\n"
ONCE = {"questions": 1, "table": 1}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each kind of file has been parsed in this process."""
    counts: Counter[str] = Counter()

    def count(owner: Any, name: str, what: str) -> None:
        real = getattr(owner, name)

        def counted(*arguments: Any, **more: Any) -> Any:
            counts[what] += 1
            return real(*arguments, **more)

        monkeypatch.setattr(owner, name, counted)

    count(loading, "read_yaml", "questions")
    count(table_reader, "read_table", "table")
    count(tomllib, "loads", "definition")
    return counts


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path / "papers" / "newts.md", NEWTS)
    write(tmp_path / "labels.csv", LABELS)
    write(tmp_path / "set.txt", f"{CODE}\n")
    return tmp_path


def create(place: Path) -> Study:
    return Study.create(place / "study", str(place / "set.txt"), [f"table:{place / 'labels.csv'}"])


def run(study: Study, place: Path) -> list[str]:
    """Runs it; the questions that were asked."""
    engine = AtOnce()
    study.run([place / "papers"], on=engine)
    return [question for _, questions in engine.asked for question in questions]


def test_a_new_study_is_parsed_once(place: Path, parsed: Counter[str]) -> None:
    study = create(place)
    run(study, place)
    study.close()
    assert parsed == ONCE  # study.toml was written from what is known, and need not be read


def test_a_study_that_is_run_again_is_parsed_once(place: Path, parsed: Counter[str]) -> None:
    create(place).close()
    parsed.clear()
    study = Study.create(place / "study")  # as `viva run --study DIR` does
    run(study, place)
    study.close()
    assert parsed == {**ONCE, "definition": 1}


def test_an_open_study_is_not_parsed_again_for_its_next_run(place: Path, parsed: Counter[str]) -> None:
    create(place).close()
    parsed.clear()
    study = Study.open(place / "study")
    run(study, place)
    run(study, place)
    study.close()
    assert parsed == {**ONCE, "definition": 1}


def test_questions_that_were_edited_meanwhile_are_asked(place: Path) -> None:
    study = create(place)
    write(place / "study" / "questions.yaml", 'questions: [{id: Q9, text: "How many newts?"}]')
    assert run(study, place) == ["How many newts?"]
    study.close()


def test_a_definition_that_was_edited_meanwhile_counts(place: Path) -> None:
    study = create(place)
    write(place / "study" / "study.toml", 'readers = ["builtin"]')
    run(study, place)
    assert [name for name, _ in study.store.readers()] == ["builtin"]
    study.close()


@pytest.mark.parametrize("folder", [False, True])
def test_a_table_that_was_edited_meanwhile_is_another_version(place: Path, folder: bool) -> None:
    if folder:  # of replies
        (place / "labels.csv").unlink()
        file = write(place / "labels.csv" / "Publication_newts_CQ1.txt", "On a shelf.")
    else:
        file = place / "labels.csv"
    study = create(place)
    before = study.store.readers()
    write(file, file.read_text() + "\n" if not folder else "In a box.")
    run(study, place)
    (name, version), (same_name, another) = *before, *study.store.readers()
    assert (name == same_name, version == another) == (True, False)
    study.close()


def test_a_set_without_a_name_has_the_same_name_in_every_run(place: Path) -> None:
    write(place / "bees.yaml", 'questions: [{id: Q1, text: "How many bees?"}]')
    study = Study.create(place / "study", str(place / "bees.yaml"))
    first = study.store.asked().name
    study.close()
    study = Study.create(place / "study")
    assert study.store.asked().name == first == "questions"
    study.close()
