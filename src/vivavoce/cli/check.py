"""`viva check`: check whether each paper can be read, before anything is spent on it."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from vivavoce.cli.options import Json, PaperLimits
from vivavoce.cli.output import clean, console, count, hidden, print_json, short
from vivavoce.errors import InputError, PaperError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from vivavoce.errors import InputError, PaperError
    from vivavoce.papers import Limits
    from vivavoce.records import Paper

Status = Literal["readable", "unreadable", "failed"]

COLUMNS = ("file", "format", "pages", "sentences", "status")
NUMBERS = (1, 2)
"""Which columns after the file's name hold numbers."""
NOTHING_FOUND: dict[str, Any] = {
    "warning_kinds": [],
    "kind": "",
    "language": "",
    "words": 0,
    "sections": [],
    "references": 0,
    "statements": [],
    "hidden_share": 0.0,
    "hidden_reasons": [],
}
"""Of a file that failed."""
FOUND = ("kind", "language", "words", "sections", "references", "statements", "hidden")
"""The columns on what was found, behind all others."""
GAP = 2
"""Spaces between two columns."""
TITLE_WIDTH = 20
"""In less room than this a title says nothing, and the column is left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown about one file."""

    file: str
    status: Status
    reason: str
    """Why it's unreadable or failed."""
    paper: dict[str, Any]
    """format, id, title, ... as the JSON has them; empty values for a file that failed."""


def check(
    papers: Annotated[list[Path], typer.Argument(metavar="PAPERS...", help="Files and folders.")],
    json: Json = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Also write a web page that shows what was read: each page with a box around each sentence, "
            "coloured by its kind.",
        ),
    ] = None,
    paper_limits: PaperLimits = PaperLimits(),
) -> None:
    """Check whether each paper can be read, before you spend anything on it.

    Folders are searched with their subfolders. The exit code is 1 when a paper can't be read. When the output
    goes to a pipe or a file, it has one line per paper with tabs between the columns.
    """
    from vivavoce.papers import ENDINGS, find

    files = find(papers)
    if not files:
        where = ", ".join(str(path) for path in papers)
        raise InputError(f"{where}: no papers found; looked for files ending in {' '.join(ENDINGS)}.")
    with _page(html) as write:
        lines = list(_lines(files, paper_limits.limits(), write))
    counts = {status: sum(line.status == status for line in lines) for status in get_args(Status)}
    if json:
        documents = [
            {"file": line.file, **line.paper, "status": line.status, "reason": line.reason} for line in lines
        ]
        print_json({"papers": documents, **counts})
    elif (screen := console()).is_terminal:
        _print_table(lines, screen)
        print(_summary(counts))
    else:
        _print_rows(lines)
        print(_summary(counts), file=sys.stderr)
    if counts["readable"] < len(lines):
        raise typer.Exit(1)


@contextmanager
def _page(file: Path | None) -> Iterator["Callable[[Path, Paper | PaperError], None]"]:
    """Gives a function that writes a paper's section of the web page; it does nothing when none is asked
    for."""
    if file is None:
        yield lambda _path, _outcome: None
        return
    from vivavoce.papers import check_page

    try:
        page = file.open("w", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InputError(f"{file}: can't be written ({error.strerror}); name another file.") from None
    with page:
        page.write(check_page.page_start())

        def write(path: Path, outcome: "Paper | PaperError") -> None:
            if isinstance(outcome, PaperError):
                page.write(check_page.failed_section(str(path), str(outcome).removeprefix(f"{path}: ")))
            else:
                page.write(check_page.section(outcome))

        yield write
        page.write(check_page.page_end())


def _lines(
    files: list[Path], limits: "Limits", write: "Callable[[Path, Paper | PaperError], None]"
) -> Iterator[Line]:
    """One line per file; papers are not kept, so a large folder needs little memory."""
    from vivavoce.papers import load_all

    with _progress(len(files)) as advance:
        for path, outcome in load_all(files, workers=min(4, os.cpu_count() or 1), limits=limits):
            write(path, outcome)
            yield _line(path, outcome)
            advance()


def _line(path: Path, outcome: "Paper | PaperError") -> Line:
    if isinstance(outcome, Exception):
        nothing = {"format": "", "id": "", "title": "", "doi": "", "year": None, "pages": 0, "sentences": 0}
        return Line(
            str(path),
            "failed",
            str(outcome).removeprefix(f"{path}: "),
            {**nothing, "warnings": [], "hidden": [], **NOTHING_FOUND},
        )
    from vivavoce.papers.about import describe

    about = describe(outcome)
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
            "hidden": hidden(outcome),
            "warning_kinds": [warning.kind for warning in outcome.warnings],
            "kind": about.kind,
            "language": about.language,
            "words": about.words,
            "sections": list(about.sections),
            "references": about.references,
            "statements": list(about.statements),
            "hidden_share": round(about.hidden_share, 4),
            "hidden_reasons": list(about.hidden_reasons),
        },
    )


def _verdict(line: Line) -> tuple[str, str]:
    """Can it be read, in a word, and the word's colour."""
    if line.status == "failed":
        return "error", "red"
    if line.status == "unreadable":
        return "unreadable", "red"
    return ("warning", "yellow") if line.paper["warnings"] else ("readable", "green")


def _remarks(line: Line) -> list[str]:
    """Why it can't be read, and what else there is to know."""
    return [clean(remark) for remark in (line.reason, *line.paper["warnings"]) if remark]


def _facts(line: Line) -> list[str]:
    """Format, pages and sentences, as they are shown."""
    if line.status == "failed":
        return ["", "", ""]
    return [line.paper["format"], str(line.paper["pages"]), str(line.paper["sentences"])]


def _found(line: Line) -> list[str]:
    """What the file is and what was found in it, as it is shown."""
    paper = line.paper
    if line.status == "failed":
        return [""] * len(FOUND)
    reasons = f" ({', '.join(paper['hidden_reasons'])})" if paper["hidden_reasons"] else ""
    return [
        paper["kind"],
        paper["language"],
        str(paper["words"]),
        str(len(paper["sections"])),
        str(paper["references"]),
        ", ".join(paper["statements"]),
        clean(f"{paper['hidden_share']:.1%}{reasons}") if paper["hidden_share"] else "",
    ]


def _sentence(line: Line) -> str:
    """The same in a line for people."""
    kind, language, words, sections, references, statements, hidden_part = _found(line)
    if not kind:
        return ""
    said = [
        kind,
        language,
        f"{int(words):,} words",
        count(int(sections), "section"),
        count(int(references), "reference"),
    ]
    said += [f"statements: {statements}"] if statements else []
    said += [f"hidden: {hidden_part}"] if hidden_part else []
    return ", ".join(filter(None, said))


def _print_rows(lines: Sequence[Line]) -> None:
    """For programs: a line per file with tabs between the columns, nothing cut."""
    print("\t".join((*COLUMNS, "title", "remarks", *FOUND)))
    for line in lines:
        title = clean(line.paper["title"])
        cells = (
            clean(line.file),
            *_facts(line),
            _verdict(line)[0],
            title,
            "; ".join(_remarks(line)),
            *_found(line),
        )
        print("\t".join(cells))


def _print_table(lines: Sequence[Line], screen: "Console") -> None:
    """For people: columns, and below a file in full lines what there is to know of it.

    A file's name is never cut or broken, so that it can be copied. One that is too long for its column
    has a line of its own; titles are shown as far as there is room."""
    from rich.cells import cell_len
    from rich.text import Text

    facts = [[*_facts(line), _verdict(line)[0]] for line in lines]
    widths = [max(map(len, column)) for column in zip(COLUMNS[1:], *facts, strict=True)]
    names = [clean(line.file) for line in lines]
    rest = sum(widths) + GAP * len(widths)
    most = max(len(COLUMNS[0]), screen.width - rest)
    width = max(cell_len(name) for name in (COLUMNS[0], *names) if cell_len(name) <= most)
    room = screen.width - width - rest - GAP
    for name, fact, line in [(COLUMNS[0], COLUMNS[1:], None), *zip(names, facts, lines, strict=True)]:
        if cell_len(name) > width:
            screen.print(Text(name), soft_wrap=True)
            name = ""
        row = Text(name + " " * (width - cell_len(name)), style="bold" if line is None else "")
        for index, (cell, wide) in enumerate(zip(fact, widths, strict=True)):
            cell = cell.rjust(wide) if index in NUMBERS else cell.ljust(wide)
            row.append(" " * GAP)
            row.append(cell, style=_verdict(line)[1] if line and index == len(widths) - 1 else "")
        if room >= TITLE_WIDTH:
            title = "title" if line is None else clean(line.paper["title"])
            row.append(" " * GAP + short(title, room))
        row.rstrip()
        screen.print(row, soft_wrap=True)
        indent = " " * 4
        for part in wrap(_sentence(line) if line else "", max(20, screen.width - 4), break_long_words=False):
            screen.print(Text(indent + part, style="dim"), soft_wrap=True)
        for remark in _remarks(line) if line else ():
            for part in wrap(remark, max(20, screen.width - 4), break_long_words=False):
                screen.print(Text(indent + part, style=_verdict(line)[1] if line else ""), soft_wrap=True)


def _summary(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    parts = [f"{count(total, 'paper')}: {counts['readable']} readable"]
    if counts["unreadable"]:
        parts.append(f"{counts['unreadable']} unreadable")
    if counts["failed"]:
        parts.append(f"{counts['failed']} failed")
    return ", ".join(parts)


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
