"""Killed at any moment, resumed: nothing is lost, nothing is there twice, nothing is damaged."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

VIVA = [sys.executable, "-c", "from vivavoce.cli import main; main()"]
KILLS = 50
PAPERS = 4
DONE = re.compile(r"^\[\d+/\d+\] (.*): (\d+) answers$", re.MULTILINE)
TEXT = """# Counting {what}

## Methods
We took {n} pictures of {what}. Two experts drew boxes on each. The network has {n} layers and was trained
with stochastic gradient descent for {n} epochs on two graphics cards. A fifth was kept for testing.

## Results
Recall was 0.{n}. The pictures are at https://doi.org/10.5281/zenodo.{n}{n}{n}.
"""


def begin(folder: Path, study: Path) -> "subprocess.Popen[str]":
    command = [*VIVA, "run", str(folder), "--study", str(study)]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def exported(study: Path) -> dict[str, bytes]:
    found = {}
    for name in ("answers.csv", "answers.jsonl", "answers.xlsx"):
        to = study / name
        subprocess.run([*VIVA, "export", str(study), "--to", str(to)], check=True, capture_output=True)
        found[name] = to.read_bytes()
    return found


def cells(study: Path) -> list[tuple[str, ...]]:
    """Every cell in the database: file, question, reader."""
    if not (study / "viva.db").exists():
        return []
    with sqlite3.connect(study / "viva.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchall():
            return []
        rows = database.execute(
            "SELECT f.name, a.question, a.reader FROM answers a JOIN files f ON f.paper = a.paper"
        ).fetchall()
    return [tuple(row) for row in rows]


@pytest.mark.slow
def test_killed_at_fifty_moments_and_resumed(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for n, what in enumerate(("moths", "whales", "mosses", "gulls")[:PAPERS], 11):
        (papers / f"{what}.md").write_text(TEXT.format(what=what, n=n), encoding="utf-8")
    undisturbed = tmp_path / "undisturbed"
    began = time.monotonic()
    run = begin(papers, undisturbed)
    run.communicate(timeout=120)
    assert run.returncode == 0
    takes = time.monotonic() - began
    wanted = exported(undisturbed)
    many = len(cells(undisturbed))
    assert many == PAPERS * 29

    chance = random.Random(4)
    killed_before_the_end = partial = 0
    for kill in range(KILLS):
        study = tmp_path / f"study-{kill}"
        run = begin(papers, study)
        moment = takes * chance.random()
        time.sleep(moment)
        os.killpg(run.pid, signal.SIGKILL)
        _, said = run.communicate(timeout=60)
        killed_before_the_end += run.returncode != 0
        kept = cells(study)
        assert len(kept) == len(set(kept)), f"a cell is there twice, killed after {moment:.2f} s"
        partial += 0 < len(kept) < many
        for name, number in DONE.findall(said):
            there = sum(row[0] == name for row in kept)
            assert there == int(number), f"{name} was reported done, killed after {moment:.2f} s"
        run = begin(papers, study)
        _, said = run.communicate(timeout=120)
        assert run.returncode == 0, said
        assert sum(int(number) for _, number in DONE.findall(said)) == many - len(kept)
        assert sorted(cells(study)) == sorted(cells(undisturbed))
        assert exported(study) == wanted, f"another export, killed after {moment:.2f} s"
    assert killed_before_the_end >= KILLS // 2  # otherwise this test has shown nothing
    assert partial > 0
