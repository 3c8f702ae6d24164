"""What is promised of the built-in reader, on papers that were read in full, and on our own samples."""

import csv
from pathlib import Path

import pytest

import vivavoce
from benchmarks import accuracy, gold
from tests.conftest import EXAMPLES
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.reader import Builtin

pytestmark = pytest.mark.slow


def test_the_floors_hold(shared: Path) -> None:
    found = accuracy.results(shared, asked(load_set("dl-methods")))
    figures = gold.agreement([r.cell.reported for r in found], [r.said for r in found])
    share, first = accuracy.quote_hits(found)
    assert len(found) == 224
    assert figures["kappa"] >= 0.70
    assert figures["F1"] >= 0.92
    assert figures["recall"] >= 0.92
    assert figures["precision"] >= 0.90
    assert share >= 0.65
    assert first >= 0.65
    assert gold.calibration_error([r.cell.reported for r in found], [r.chance for r in found]) <= 0.06


def test_the_sample_papers_that_no_setting_was_fitted_on() -> None:
    """They are full of traps: other people's code, plans, things not done."""
    with (EXAMPLES / "labels.csv").open(encoding="utf-8", newline="") as file:
        labels = {(row["file"], row["question_id"]): row["reported"] == "yes" for row in csv.DictReader(file)}
    reader, questions = Builtin(), asked(load_set("dl-methods"))
    truth, said = [], []
    for name in sorted({file for file, _ in labels}):
        answers = reader.read(vivavoce.load(EXAMPLES / "papers" / name), questions)
        truth += [labels[name, answer.question.id] for answer in answers]
        said += [answer.status == "reported" for answer in answers]
    assert gold.agreement(truth, said)["kappa"] >= 0.5
