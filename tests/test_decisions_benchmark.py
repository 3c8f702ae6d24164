"""The simulation of decisions, on made-up cells whose questions have planted offsets."""

import json
from math import exp
from pathlib import Path

import pytest

from benchmarks.decisions import curve, kappa, least_sure, main, read_cells
from vivavoce.panel.calibrated import log_odds
from vivavoce.panel.calibration import Judged


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    """Of one question the reader is far too shy, of another far too bold; one group is not the trials."""
    lines = []
    for question, offset in enumerate((2.5, -2.5)):
        for chance in (n / 10 for n in range(1, 10)):
            truth = 1 / (1 + exp(-log_odds(chance) - offset))
            for n in range(10):
                cell = {
                    "group": "trials",
                    "source": "made up",
                    "paper": f"{chance}-{n}",
                    "question": question,
                }
                cell |= {"wording": 0, "text": "?", "answered": n < round(10 * truth), "chance": chance}
                lines += [cell, {**cell, "wording": 1, "chance": 0.5}, {**cell, "group": "dl"}]
    path = tmp_path / "cells.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_decisions_raise_kappa(cells: Path) -> None:
    questions = read_cells(cells, "trials")
    assert [len(some) for some in questions] == [90, 90]
    rows = {(row.drawn, row.decisions): row for row in curve(questions, (0, 20))}
    for drawn in ("queue", "random"):
        none, some = rows[drawn, 0], rows[drawn, 20]
        assert (none.decided, none.measured, none.moved) == (0, 180, 0)
        assert none.kappa_before == none.kappa_after
        assert (some.decided, some.measured) == (40, 140)
        assert some.kappa_after > some.kappa_before + 0.2


def test_the_queue_begins_with_the_least_sure() -> None:
    cells = [Judged(0.9, True), Judged(0.45, False), Judged(0.2, False)]
    assert [cell.chance for cell in least_sure(cells)] == [0.45, 0.2, 0.9]


def test_kappa_by_hand() -> None:
    """Agreed 0.75, by chance 0.5."""
    assert kappa([(True, True), (True, False), (False, False), (False, False)]) == 0.5
    assert kappa([(True, True)]) == 0.0


def test_the_table(cells: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(cells)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 questions"
    assert [line.split()[:2] for line in lines[2:]] == [
        [drawn, str(number)] for drawn in ("queue", "random") for number in (0, 5, 10, 20, 40)
    ]
    with pytest.raises(SystemExit, match="no cell of the group nothing"):
        main([str(cells), "--group", "nothing"])
