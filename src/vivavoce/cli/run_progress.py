"""How `viva run` is stopped, and how its progress is shown."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from vivavoce.cli.output import clean, count

if TYPE_CHECKING:
    from vivavoce.study.progress import Progress


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """Ctrl-C or SIGTERM sets the event; a second one interrupts at once."""
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        del frame
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        print(
            f"\nviva: stopping ({signal.Signals(number).name}); press again to stop at once.", file=sys.stderr
        )

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def show_progress() -> Iterator[Callable[["Progress"], None]]:
    """Progress on stderr: a bar in a terminal, otherwise a line for each paper."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    screen = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("papers", total=None, rate="")
        cells = failed = asked = 0

        def update(step: "Progress") -> None:
            nonlocal cells, failed, asked
            if step.event == "begun":
                bar.update(task, total=step.cells)
                return
            cells += step.cells
            asked += step.cells > 0
            if step.event == "failed":
                failed += 1
                bar.print(f"failed: {clean(step.name)}: {clean(step.reason)}")
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{60 * asked / elapsed:.0f} papers/min · " if asked and elapsed else ""
            trouble = f" · {failed} failed" if failed else ""
            bar.update(task, advance=1, rate=f"{rate}{cells:,} cells{trouble}")

        yield update


class _Lines:
    """A line for each paper, for logs."""

    def __init__(self) -> None:
        self.total = self.at = 0

    def __call__(self, step: "Progress") -> None:
        if step.event == "begun":
            self.total = step.cells
            return
        self.at += 1
        outcome = {
            "done": f"{count(step.cells, 'answer')}" if step.cells else "nothing to do",
            "failed": f"failed: {step.reason}",
            "elsewhere": "another run is asking it",
            "same": f"the same paper as {step.reason}",
        }[step.event]
        print(f"[{self.at}/{self.total}] {clean(step.name)}: {clean(outcome)}", file=sys.stderr, flush=True)
