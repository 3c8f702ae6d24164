"""`viva calibrate`, and what the other commands say of it."""

import json
from pathlib import Path

import pytest

from tests.calibrating import CODE, decide, study
from tests.commands import viva
from vivavoce.cli.calibrate import inclined
from vivavoce.study.study import Study

LINE = "calibrated graded on 20 decisions of 2 questions: accuracy 0.50 -> 0.90 (cross-validated)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    study(tmp_path).close()
    return tmp_path


def test_a_line_and_a_table(folder: Path) -> None:
    done = viva("calibrate", folder)
    assert (done.returncode, done.stderr) == (0, "")
    first, head, code, count = done.stdout.splitlines()
    assert first == LINE
    assert head.split() == ["question", "decisions", "accuracy", "before", "after", "from", "now", "on"]
    assert code.startswith(
        "A                10             0.10   0.90  much more inclined to say reported (+"
    )
    assert code.endswith("Where is the code?")
    assert count.split()[:6] == ["B", "10", "0.90", "-", "as", "before"]


def test_again_from_the_same_decisions_nothing_changes(folder: Path) -> None:
    first = viva("calibrate", folder).stdout
    again = viva("calibrate", folder).stdout
    assert again.startswith(first)
    assert "Nothing was changed. The calibration of 20" in again
    opened = Study.open(folder)
    assert len(opened.store.calibrations()) == 1
    assert opened.calibrate() == opened.store.calibration()
    opened.close()


def test_the_document(folder: Path) -> None:
    found = json.loads(viva("calibrate", folder, "--json").stdout)
    (reader,) = found["readers"]
    assert (found["changed"], found["at"][:2], reader["reader"], reader["moved"]) == (True, "20", "graded", 1)
    assert (reader["decisions"], reader["accuracy_before"], reader["accuracy_after"]) == (20, 0.5, 0.9)
    assert [q["question"]["id"] for q in reader["questions"]] == ["A", "B"]
    assert json.loads(viva("calibrate", folder, "--json").stdout)["changed"] is False


def test_undo(folder: Path) -> None:
    viva("calibrate", folder)
    assert LINE.capitalize() in viva("status", folder).stdout
    done = viva("calibrate", folder, "--undo")
    assert done.returncode == 0
    assert done.stdout.endswith("is undone; the readers' own answers count again.\n")
    assert "calibrated" not in viva("status", folder).stdout.lower()
    again = viva("calibrate", folder, "--undo")
    assert (again.returncode, again.stdout) == (2, "")
    assert "there is no calibration to undo" in again.stderr
    viva("calibrate", folder)
    document = json.loads(viva("calibrate", folder, "--undo", "--json").stdout)
    assert (document["undone"][:2], document["at"]) == ("20", None)


def test_too_few_decisions(tmp_path: Path) -> None:
    study(tmp_path, decided=False).close()
    done = viva("calibrate", tmp_path)
    assert done.returncode == 0
    assert done.stdout == (
        "No reader that grades its confidence has a question with 5 decided cells yet: decide more with "
        f"`viva review {tmp_path}`.\nNothing was changed.\n"
    )
    assert json.loads(viva("calibrate", tmp_path, "--json").stdout)["readers"] == []


def test_a_reader_that_gains_nothing(tmp_path: Path) -> None:
    """Four of ten are reported where it says that about four are: it is right as it is."""
    store = study(tmp_path, decided=False)
    for number in range(10):
        decide(store, number, CODE, number in (0, 3, 6, 9))
    store.close()
    done = viva("calibrate", tmp_path)
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("graded gains nothing by calibrating on 10 decisions of 1 question: log loss 0.6")
    assert second == "Nothing was changed."
    opened = Study.open(tmp_path)
    assert opened.store.calibrations() == []
    assert opened.undo_calibration() is None
    opened.close()


@pytest.mark.parametrize(
    ("offset", "says"),
    [
        (0.0, "as before"),
        (0.2, "slightly more inclined to say reported (+0.20)"),
        (-1.0, "less inclined to say reported (-1.00)"),
        (-1.5, "much less inclined to say reported (-1.50)"),
    ],
)
def test_offsets_in_plain_words(offset: float, says: str) -> None:
    assert inclined(offset) == says
