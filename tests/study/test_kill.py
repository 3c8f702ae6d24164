"""Killed at any moment, resumed: nothing is lost, nothing is there twice, nothing is damaged."""

import os
import random
import re
import signal
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.servers.storm import TEXT
from tests.commands import program, viva
from tests.timing import PATIENCE, used_by, wait_until

KILLS = int(os.environ.get("KILLS", "12"))
DONE = re.compile(r"^\[\d+/\d+\] (.*): (\d+) answers?$", re.MULTILINE)


def exported(study: Path) -> dict[str, bytes]:
    files = [study / f"answers.{ending}" for ending in ("csv", "jsonl", "xlsx")]
    to = [word for file in files for word in ("--to", str(file))]
    assert viva("export", study, *to).returncode == 0
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
    """Kills a run some seconds of its own processor time after some papers are done, checks what is there,
    resumes, checks again."""
    run = program("run", papers, "--study", study, process_group=0)
    assert run.stderr is not None
    said = "".join(run.stderr.readline() for _ in range(after))
    moment += used_by(run.pid) if after else 0.0
    wait_until(lambda: used_by(run.pid) >= moment)
    os.killpg(run.pid, signal.SIGKILL)
    said += run.communicate(timeout=PATIENCE)[1]
    killed = run.returncode != 0
    kept = cells(study)
    assert len(kept) == len(set(kept)), f"a cell is there twice, killed after {moment:.2f} s"
    for name, number in DONE.findall(said):
        there = sum(row[0] == name for row in kept)
        assert there == int(number), f"{name} was reported done, killed after {moment:.2f} s"
    resumed = viva("run", papers, "--study", study)
    assert resumed.returncode == 0, resumed.stderr
    assert sum(int(number) for _, number in DONE.findall(resumed.stderr)) == many - len(kept)
    assert len(set(cells(study))) == len(cells(study)) == many
    assert exported(study) == wanted, f"another export, killed after {moment:.2f} s"
    return Trial(killed, len(kept))


@pytest.mark.slow
def test_killed_at_many_moments_and_resumed(papers: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed"
    run = program("run", papers, "--study", undisturbed)
    assert run.stderr is not None
    takes = 0.0
    while run.stderr.readline():
        takes = used_by(run.pid) if run.poll() is None else takes
    assert run.wait(PATIENCE) == 0
    wanted, many = exported(undisturbed), len(cells(undisturbed))
    assert many == 8 * 29

    # Anywhere in the run, and in every second trial soon after some paper, where most can be lost.
    chance = random.Random(4)
    moments = [
        (chance.randrange(1, 8), chance.uniform(0, 0.05)) if n % 2 else (0, chance.uniform(0, takes))
        for n in range(KILLS)
    ]

    trials = [
        disturbed(papers, tmp_path / f"study-{n}", *moment, wanted, many) for n, moment in enumerate(moments)
    ]
    assert sum(trial.killed for trial in trials) >= KILLS // 2  # otherwise this test has shown nothing
    partial = sum(0 < trial.kept < many for trial in trials)
    assert partial >= KILLS // 4, f"only {partial} kills came between two cells"
