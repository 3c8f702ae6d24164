"""`viva agreement`: what people read, and what programs read."""

import json
from pathlib import Path

from tests.commands import viva
from tests.results.test_agreement import Votes, study

VOTES: Votes = [[(1, 1), (1, 0)], [(0, 0), (0, 0)], [(1, 0), (None, 1)]] * 4


def test_for_people(tmp_path: Path) -> None:
    study(tmp_path, VOTES, ("a seed of 7", "the seed was 7"))
    shown = viva("agreement", tmp_path)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "2 readers, 12 papers, 20 cells with two votes or more."
    assert lines[2].split() == ["readers", "cells", "agree", "Cohen's", "kappa", "cosine"]
    assert lines[3].startswith("r0 / r1  20     0.60 [")
    assert [line.split()[0] for line in lines[6:]] == ["question", "all", "Q1", "Q2"]
    assert lines[8].startswith("Q1        12     0.67 [")
    assert lines[8].endswith("Which seed?")


def test_for_programs(tmp_path: Path) -> None:
    study(tmp_path, VOTES)
    found = json.loads(viva("agreement", tmp_path, "--json").stdout)
    assert (found["readers"], found["papers"]) == (["r0", "r1"], 12)
    assert found["overall"]["percent"]["value"] == 0.6
    assert found["overall"]["pairs"][0]["cosine"] == {"value": None, "low": None, "high": None, "n": 0}
    assert [group["question"]["id"] for group in found["questions"]] == ["Q1", "Q2"]


def test_one_reader(tmp_path: Path) -> None:
    study(tmp_path, [[(1,)]])
    shown = viva("agreement", tmp_path)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert "needs two readers or more" in shown.stderr
