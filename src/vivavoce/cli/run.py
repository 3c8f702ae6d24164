"""`viva run`: a question set of many papers, kept in a study."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import (
    DEFAULTS,
    ContextOption,
    Json,
    MaxMb,
    MaxOcrPages,
    MaxPages,
    Memory,
    Timeout,
    dollars,
    limits_of,
    whole,
)
from vivavoce.cli.output import clean, count, print_json
from vivavoce.cli.status import document, show
from vivavoce.errors import VivaError

if TYPE_CHECKING:
    from vivavoce.study.progress import Progress, Summary


def run(
    papers: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PAPERS...", help="Files and folders; none: those of the study."),
    ] = None,
    study: Annotated[
        Path | None, typer.Option("--study", metavar="DIR", help="The study's folder; made if need be.")
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(
            "--questions",
            metavar="SET",
            help="A set that ships (see `viva questions`) or a file. Without it: the study's, or dl-methods.",
        ),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(
            "--reader",
            metavar="R",
            help="Who answers, besides the study's readers: builtin, table:FILE for answers from elsewhere, "
            "or a model such as openai:gpt-5-mini or http://localhost:8080/v1#model. Repeat it for several, "
            "which then vote.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            parser=whole("--workers", "a number of papers at a time"),
            metavar="N",
            help="Papers that are worked on at a time. Without it, one for each core.",
        ),
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", metavar="E", help="Where the work is done. So far: local.")
    ] = None,
    context: ContextOption = None,
    calls: Annotated[
        int | None,
        typer.Option(
            "--calls",
            parser=whole("--calls", "a number of calls"),
            metavar="N",
            help="Calls at a time to each provider of language models. Without it: the study's, or 8.",
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            parser=dollars,
            metavar="USD",
            help="Stop calling language models before this run has cost more US dollars.",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            parser=whole("--max-tokens", "a number of tokens"),
            metavar="N",
            help="Stop calling language models before this run has sent and received more tokens.",
        ),
    ] = None,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="Call nobody: work every answer out anew, those of language models from their kept replies, "
            "and tell what comes out otherwise.",
        ),
    ] = False,
    energy: Annotated[
        bool,
        typer.Option(
            "--energy",
            help="Measure the energy of what computes here, and estimate that of providers' models; needs "
            "vivavoce[energy].",
        ),
    ] = False,
    country: Annotated[
        str | None,
        typer.Option(
            "--country",
            metavar="ISO",
            help="Whose electricity is used, such as FRA: for CO2e. Without it, energy alone.",
        ),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait while another run is at work on the study.")
    ] = False,
    json: Json = False,
    timeout: Timeout = DEFAULTS.seconds,
    memory: Memory = DEFAULTS.memory_mb,
    max_pages: MaxPages = DEFAULTS.pages,
    max_mb: MaxMb = DEFAULTS.file_mb,
    max_ocr_pages: MaxOcrPages = DEFAULTS.ocr_pages,
) -> None:
    """Ask every paper the same questions, and keep the answers in a study.

    Stop it at any moment and give the same command again: only what is missing is done. Papers, questions
    and readers may be added later. Ctrl-C stops within three seconds, a second one at once. The exit code is
    1 when a paper failed: it is named with its reason, and tried again on the next run.
    """
    if study is None:
        raise VivaError("say where the answers are kept: --study DIR.")
    from vivavoce.papers.discovery import ENDINGS, find
    from vivavoce.readers.llm.limits import Budget
    from vivavoce.results.status import study_status
    from vivavoce.study.energy import LOCAL, Meter
    from vivavoce.study.engines import engine as find_engine
    from vivavoce.study.study import Study

    work = find_engine(engine or "local", workers)
    limits = limits_of(timeout, memory, max_pages, max_mb, max_ocr_pages)
    if not papers and not Study.exists(study):
        raise VivaError(f"{study}: there is no study here; name the papers that it is to ask.")
    files = find(papers or ())  # before anything is made
    if papers and not files:
        raise VivaError(f"{papers[0]}: there is no paper in it; papers end in {', '.join(ENDINGS)}.")
    models = {name: value for name, value in (("context", context), ("calls", calls)) if value}
    served = any(name.startswith(LOCAL) for name in reader or ())
    meter = Meter(country, whole_machine=served) if energy or country else None
    opened = Study.create(study, questions or "", reader or (), models=models, wait=wait)
    try:
        with _stoppable() as stop, _shown() as progress:
            summary = opened.run(
                files,
                on=work,
                limits=limits,
                progress=progress,
                stop=stop,
                wait=wait,
                budget=Budget(max_tokens, max_cost),
                replay=replay,
                meter=meter,
            )
        found = study_status(opened.store)
    finally:
        opened.close()
    differ = [{"file": file, "question": id, "reader": name} for file, id, name in summary.differ]
    if json:
        done = {"done": summary.cells, "stopped": summary.stopped}
        print_json({**document(study, found), **done, **({"differ": differ} if replay else {})})
    elif replay:
        _show_replay(summary)
    else:
        show(study, found)
        print(f"Next: viva export {clean(str(study))} --to answers.xlsx")
    if summary.stopped:
        print("viva: stopped; give the same command again to go on.", file=sys.stderr)
        raise typer.Exit(130)
    if found.failed or differ or (replay and summary.failed):
        raise typer.Exit(1)


def _show_replay(summary: "Summary") -> None:
    """What a replay came to, in words."""
    same = "all as they are kept" if not summary.differ else f"{len(summary.differ):,} came out otherwise:"
    print(f"{count(summary.cells, 'answer')} worked out anew, {same}{'' if summary.differ else '.'}")
    for file, question, reader in summary.differ:
        print(f"  {clean(file)}: {clean(question)}, {clean(reader)}")
    for file, reason in summary.failed:
        print(f"could not be replayed: {clean(file)}: {clean(reason)}")


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Ctrl-C, or the wish to end it, sets the event; the second one interrupts."""
    stop = threading.Event()

    def asked(number: int, frame: FrameType | None) -> None:
        del frame
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        print(
            f"\nviva: stopping ({signal.Signals(number).name}); once more to stop at once.", file=sys.stderr
        )

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _shown() -> Iterator[Callable[["Progress"], None]]:
    """Progress on stderr: a bar in a terminal, else a line for each paper."""
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

        def show_it(step: "Progress") -> None:
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

        yield show_it


class _Lines:
    """A line for each paper, for logs."""

    def __init__(self) -> None:
        self.total = self.at = 0

    def __call__(self, step: "Progress") -> None:
        if step.event == "begun":
            self.total = step.cells
            return
        self.at += 1
        told = {
            "done": f"{count(step.cells, 'answer')}" if step.cells else "nothing to do",
            "failed": f"failed: {step.reason}",
            "same": f"the same paper as {step.reason}",
        }[step.event]
        print(f"[{self.at}/{self.total}] {clean(step.name)}: {clean(told)}", file=sys.stderr, flush=True)
