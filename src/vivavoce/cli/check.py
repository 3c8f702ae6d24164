"""`viva check`: can each paper be read? Asked before anything is spent on them."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from vivavoce.cli.options import DEFAULTS, Json, Memory, Timeout
from vivavoce.cli.output import clean, console, print_json, short
from vivavoce.errors import VivaError

if TYPE_CHECKING:
    from vivavoce.errors import PaperError
    from vivavoce.papers import Limits
    from vivavoce.records import Paper

Status = Literal["readable", "unreadable", "failed"]

TITLE_WIDTH = 50


@dataclass(frozen=True, slots=True)
class Line:
    """What is said of one file."""

    file: str
    status: Status
    reason: str
    """Why it's unreadable or failed."""
    paper: dict[str, Any]
    """format, id, title, ... as the JSON has them; empty values for a file that failed."""


def check(
    papers: Annotated[list[Path], typer.Argument(metavar="PAPERS...", help="Files and folders.")],
    json: Json = False,
    timeout: Timeout = DEFAULTS.seconds,
    memory: Memory = DEFAULTS.memory_mb,
) -> None:
    """Can each paper be read? Try it before you spend anything on them.

    Folders are searched with all that is below them. The exit code is 1 when a paper can't be read.
    """
    from vivavoce.papers import ENDINGS, find

    files = find(papers)
    if not files:
        where = ", ".join(str(path) for path in papers)
        raise VivaError(f"{where}: no papers found; looked for files ending in {' '.join(ENDINGS)}.")
    limits = replace(DEFAULTS, seconds=timeout, memory_mb=memory)
    lines = list(_lines(files, limits))
    counts = {status: sum(line.status == status for line in lines) for status in get_args(Status)}
    if json:
        documents = [
            {"file": line.file, **line.paper, "status": line.status, "reason": line.reason} for line in lines
        ]
        print_json({"papers": documents, **counts})
    else:
        _print_table(lines)
        print(_summary(counts))
    if counts["readable"] < len(lines):
        raise typer.Exit(1)


def _lines(files: list[Path], limits: "Limits") -> Iterator[Line]:
    """One line per file; the papers themselves are let go at once, so a large folder needs little memory."""
    from vivavoce.papers import load_all

    with _progress(len(files)) as advance:
        for path, outcome in load_all(files, workers=min(4, os.cpu_count() or 1), limits=limits):
            yield _line(path, outcome)
            advance()


def _line(path: Path, outcome: "Paper | PaperError") -> Line:
    if isinstance(outcome, Exception):
        nothing = {"format": "", "id": "", "title": "", "doi": "", "year": None, "pages": 0, "sentences": 0}
        return Line(
            str(path),
            "failed",
            str(outcome).removeprefix(f"{path}: "),
            {**nothing, "warnings": [], "hidden": []},
        )
    return Line(
        str(path),
        "unreadable" if outcome.unreadable else "readable",
        outcome.unreadable,
        {
            "format": outcome.format,
            "id": outcome.id,
            "title": outcome.title,
            "doi": outcome.doi,
            "year": outcome.year,
            "pages": len(outcome.pages),
            "sentences": len(outcome.sentences),
            "warnings": list(outcome.warnings),
            "hidden": [
                {"page": item.page, "text": item.text, "reason": item.reason} for item in outcome.hidden
            ],
        },
    )


def _verdict(line: Line) -> tuple[str, str]:
    """What the last column says, and its colour."""
    if line.status == "failed":
        return f"error: {line.reason}", "red"
    if line.status == "unreadable":
        return f"unreadable: {line.reason}", "red"
    if line.paper["warnings"]:
        return f"warning: {'; '.join(line.paper['warnings'])}", "yellow"
    return "readable", "green"


def _print_table(lines: Sequence[Line]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console()
    names = [line.file for line in lines]
    if screen.is_terminal:
        names = _short_names(names)
    table = Table(box=box.SIMPLE_HEAD if screen.is_terminal else None, pad_edge=False, header_style="bold")
    table.add_column("file", overflow="fold")
    table.add_column("format")
    table.add_column("pages", justify="right")
    table.add_column("sentences", justify="right")
    table.add_column("title", overflow="fold")
    table.add_column("can it be read?", overflow="fold")
    for line, name in zip(lines, names, strict=True):
        paper = line.paper
        verdict, colour = _verdict(line)
        failed = line.status == "failed"
        table.add_row(
            Text(clean(name)),
            paper["format"] or "-",
            "-" if failed else str(paper["pages"]),
            "-" if failed else str(paper["sentences"]),
            Text(short(clean(paper["title"]), TITLE_WIDTH) or "-"),
            Text(clean(verdict), style=colour),
        )
    if screen.is_terminal:
        screen.print(table)
        return
    with screen.capture() as capture:
        screen.print(table)
    print("\n".join(row.rstrip() for row in capture.get().splitlines()))


def _short_names(files: list[str]) -> list[str]:
    """The paths without the folder that they all are in: a terminal is narrow."""
    folders = [os.path.dirname(os.path.abspath(file)) for file in files]
    common = os.path.commonpath(folders)
    return [os.path.relpath(file, common) for file in files]


def _summary(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    said = [f"{total} paper{'s' if total != 1 else ''}: {counts['readable']} readable"]
    if counts["unreadable"]:
        said.append(f"{counts['unreadable']} unreadable")
    if counts["failed"]:
        said.append(f"{counts['failed']} failed")
    return ", ".join(said)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A bar on stderr while somebody watches; nothing otherwise. Gives a function to call per file."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=total)
        yield lambda: bar.advance(task)
