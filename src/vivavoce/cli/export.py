"""`viva export`: write a study's answers to a table, a workbook, JSON lines or a report."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import StudyPlace
from vivavoce.cli.output import clean, count
from vivavoce.errors import InputError

if TYPE_CHECKING:
    from collections import Counter

    from vivavoce.records import Status


def export(
    study: StudyPlace,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="The file to write; its ending says the format: .csv .jsonl .xlsx .html. A name without an "
            "ending and with `answers` in it is a folder with a text file for each answer. Repeat it for "
            "several files.",
        ),
    ] = None,
    wide: Annotated[
        bool,
        typer.Option(
            "--wide", help="In a .csv, a row per paper and a column per question, with the verdicts."
        ),
    ] = False,
    cells: Annotated[
        str | None,
        typer.Option(
            "--cells",
            metavar="C",
            help="What the cells of a wide table hold: status or text. Implies --wide.",
        ),
    ] = None,
) -> None:
    """Write a study's answers to a file: a table, a workbook, JSON lines, or a report to share.

    A table has one row per paper, question and reader, and one for each verdict. A report (.html) is a single
    page that loads nothing from elsewhere. It shows the matrix, figures, every answer with its quotes, what
    failed, what it cost and how to recompute it, and needs `pip install 'vivavoce[report]'`. The same answers
    give the same bytes. An existing file is replaced once the new one is complete.
    """
    if not to:
        raise InputError(
            "say where to write: --to FILE, with a name that ends in .csv, .jsonl, .xlsx or .html."
        )
    from vivavoce.export import check, write
    from vivavoce.export.wide import wide_writer
    from vivavoce.results.cells import Results
    from vivavoce.store import Store

    files = list(dict.fromkeys(to))
    if cells not in (None, "status", "text"):
        raise InputError(f"--cells takes status or text, not '{cells}'.")
    for file in files:
        check(file)
        if (wide or cells) and file.suffix.lower() != ".csv":
            raise InputError(f"{file}: --wide and --cells are for a .csv file.")
    writer = wide_writer(cells or "status") if wide or cells else None
    store = Store.open(study)
    try:
        results = Results.of(store)
        for file in files:
            statuses = write(results, file, writer)
            print(f"{clean(str(file))}: {_counted(len(results.papers), statuses)}", file=sys.stderr)
    finally:
        store.close()


def _counted(papers: int, statuses: "Counter[Status]") -> str:
    """How much was written, and how much of it is an error."""
    counted = f"{count(papers, 'paper')}, {count(statuses.total(), 'answer')}"
    return f"{counted}, {statuses['failed']} of them failed" if statuses["failed"] else counted
