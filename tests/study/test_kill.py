"""Killed at any moment, resumed: nothing is lost, nothing is there twice, nothing is damaged."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.servers.storm import TEXT, VIVA

KILLS = 50
DONE = re.compile(r"^\[\d+/\d+\] (.*): (\d+) answers?$", re.MULTILINE)


def begin(folder: Path, study: Path) -> "subprocess.Popen[str]":
    command = [*VIVA, "run", str(folder), "--study", str(study)]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def exported(study: Path) -> dict[str, bytes]:
    files = [study / f"answers.{ending}" for ending in ("csv", "jsonl", "xlsx")]
    to = [word for file in files for word in ("--to", str(file))]
    subprocess.run([*VIVA, "export", str(study), *to], check=True, capture_output=True)
    return {file.name: file.read_bytes() for file in files}


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


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for n, what in enumerate(("moths", "whales", "mosses", "gulls", "ferns", "newts", "corals", "bats"), 11):
        (folder / f"{what}.md").write_text(TEXT.format(what=what, n=n), encoding="utf-8")
    return folder


@dataclass
class Trial:
    """A run that was killed, and what it had done by then."""

    killed: bool
    kept: int


def disturbed(
    papers: Path, study: Path, after: int, moment: float, wanted: dict[str, bytes], many: int
) -> Trial:
    """Kills a run some seconds after some papers are done, checks what is there, resumes, checks again."""
    run = begin(papers, study)
    assert run.stderr is not None
    said = "".join(run.stderr.readline() for _ in range(after))
    time.sleep(moment)
    os.killpg(run.pid, signal.SIGKILL)
    said += run.communicate(timeout=60)[1]
    killed = run.returncode != 0
    kept = cells(study)
    assert len(kept) == len(set(kept)), f"a cell is there twice, killed after {moment:.2f} s"
    for name, number in DONE.findall(said):
        there = sum(row[0] == name for row in kept)
        assert there == int(number), f"{name} was reported done, killed after {moment:.2f} s"
    run = begin(papers, study)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 0, said
    assert sum(int(number) for _, number in DONE.findall(said)) == many - len(kept)
    assert len(set(cells(study))) == len(cells(study)) == many
    assert exported(study) == wanted, f"another export, killed after {moment:.2f} s"
    return Trial(killed, len(kept))


@pytest.mark.slow
def test_killed_at_fifty_moments_and_resumed(papers: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed"
    began = time.monotonic()
    run = begin(papers, undisturbed)
    run.communicate(timeout=120)
    assert run.returncode == 0
    takes = time.monotonic() - began
    wanted, many = exported(undisturbed), len(cells(undisturbed))
    assert many == 8 * 29

    # Anywhere in the run, and in every second trial soon after some paper, where most can be lost. Two at
    # a time: most of a run is starting.
    chance = random.Random(4)
    moments = [
        (chance.randrange(1, 8), chance.uniform(0, 0.2)) if n % 2 else (0, chance.uniform(0, takes))
        for n in range(KILLS)
    ]

    def trial(n: int) -> Trial:
        return disturbed(papers, tmp_path / f"study-{n}", *moments[n], wanted, many)

    with ThreadPoolExecutor(2) as pool:
        trials = list(pool.map(trial, range(KILLS)))
    assert sum(trial.killed for trial in trials) >= KILLS // 2  # otherwise this test has shown nothing
    partial = sum(0 < trial.kept < many for trial in trials)
    assert partial >= 10, f"only {partial} kills came between two cells"
