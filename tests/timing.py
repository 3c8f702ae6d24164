"""Waiting and measuring, in ways that hold on a busy machine: no test asserts how late it is.

Linters keep clocks out of the other test files (`banned-api` in `pyproject.toml`)."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 240
"""Seconds after which something hangs, however slow the machine is: short enough that one hanging test leaves
the others their time."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Returns as soon as it holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)


@contextmanager
def processor_time(at_most: float) -> Iterator[None]:
    """Fails when the block takes more seconds of processor time. Be generous: what is found this way is a
    function whose time grows with the square of its input, not one that is a little slower than yesterday."""
    began = time.process_time()
    yield
    took = time.process_time() - began
    assert took < at_most, f"it took {took:.2f} s of processor time"


def burn(seconds: float) -> None:
    """Uses so many seconds of one core, however busy the machine is."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def used_by(pid: int | str) -> float:
    """Seconds of processor time that a process has used; infinite when it is gone."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return float("inf")
    if times[0] == "Z":
        return float("inf")
    return sum(map(int, times[11:13])) / os.sysconf("SC_CLK_TCK")
