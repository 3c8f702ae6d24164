"""A study of many cells against a server that fails often: run, killed half-way, resumed; what came of it."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.servers.faulty import Server, serving

VIVA = [sys.executable, "-c", "from vivavoce.cli import main; main()"]
FAULTS = ("429", "500", "slow", "cut", "not json", "prose", "wrong schema", "empty", "invented", "obedient")
"""What goes wrong, in turn, with every fifth call."""
TEXT = """# Counting {what}

## Methods
We took {n} pictures of {what}. Two experts drew boxes on each. The network has {n} layers and was trained
with stochastic gradient descent for {n} epochs on two graphics cards. A fifth was kept for testing.

## Results
Recall was 0.{n}. The pictures are at https://doi.org/10.5281/zenodo.{n}{n}{n}.
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a study came to."""

    cells: int
    twice: int
    """Cells that are there more than once."""
    failed: int
    """Cells without an answer, but with a reason."""
    lost: int
    """Cells with neither."""
    calls: int
    faults: int
    seconds: float


def papers(folder: Path, many: int) -> Path:
    folder.mkdir(parents=True)
    for n in range(many):
        (folder / f"{n:04}.md").write_text(TEXT.format(what=f"moths of valley {n}", n=n), encoding="utf-8")
    return folder


def faults() -> list[str]:
    """A fifth of the calls fails."""
    return [each for fault in FAULTS for each in ("ok", "ok", "ok", "ok", fault)]


def storm(folder: Path, many: int, *, kill: bool, calls: int = 16, patience: float = 1.0) -> Ended:
    """Asks so many papers 28 questions and one; with `kill`, the run is killed when half of it is done, and
    begun again. A call is given up after so many seconds; on a busy machine it takes more patience until
    these are the slow ones alone."""
    study = folder / "study"
    files = papers(folder / "papers", many)
    with serving(*faults()) as server:
        server.pause = 4 * patience
        began = time.monotonic()
        definition = [*VIVA, "run", str(files), "--study", str(study), "--reader", f"{server.url}#m"]
        command = [*definition, "--calls", str(calls)]
        _patient(study, server, patience)
        if kill:
            run = subprocess.Popen(
                command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0
            )
            while _count(study, "answers") < many * 29 // 2:
                assert run.poll() is None, "it ended before it could be killed"
                time.sleep(0.05)
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr[-2000:]
        return _ended(study, many, server, time.monotonic() - began)


def _patient(study: Path, server: Server, seconds: float) -> None:
    """A study whose calls are given up after so many seconds."""
    study.mkdir()
    (study / "study.toml").write_text(f'readers = ["{server.url}#m"]\n[models]\ntimeout = {seconds}\n')


def _count(study: Path, table: str) -> int:
    try:
        with closing(sqlite3.connect(f"file:{study / 'viva.db'}?mode=ro", uri=True)) as database:
            return int(database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


def _ended(study: Path, many: int, server: Server, seconds: float) -> Ended:
    from vivavoce.study.study import Study

    opened = Study.open(study)
    try:
        answers = opened.answers()
    finally:
        opened.close()
    told = [(a.paper, a.question.id) for a in answers]
    failed = [a for a in answers if a.status == "failed"]
    assert all(a.reason for a in failed)
    return Ended(
        cells=len(answers),
        twice=len(told) - len(set(told)) + _count(study, "answers") - (len(answers) - len(failed)),
        failed=len(failed),
        lost=many * 29 - len(set(told)),
        calls=sum(server.calls.values()),
        faults=sum(number for fault, number in server.calls.items() if fault != "ok"),
        seconds=seconds,
    )
