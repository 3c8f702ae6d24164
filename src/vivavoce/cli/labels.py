"""`viva labels`: write an empty sheet for people to label a random sample of a study's cells."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from vivavoce.cli.options import whole
from vivavoce.cli.output import clean, count
from vivavoce.errors import InputError


def labels(
    study: Annotated[Path, typer.Argument(metavar="DIR", help="The study's folder.")],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="The sheet to write: .csv or .xlsx.")
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            parser=whole("--sample", "a number of cells"),
            metavar="N",
            help="How many cells to draw.",
        ),
    ] = 100,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            parser=whole("--seed", "a whole number", 0),
            metavar="S",
            help="Another seed draws other cells; the same one the same.",
        ),
    ] = 0,
) -> None:
    """Draw cells of a study by chance, and write an empty sheet in which people say what the papers report.

    What the readers said is not in it. Fill in `reported` with yes or no, and `quote` and `page` if you like;
    `coder` is for your name, if several people label. Then run `viva evaluate DIR --labels FILE`.
    """
    if to is None:
        raise InputError("say where to write: --to FILE, with a name that ends in .csv or .xlsx.")
    from vivavoce.results.cells import Results
    from vivavoce.results.label_sheets import sample as draw
    from vivavoce.results.label_sheets import write_sheet
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        cells = draw(Results.of(store), sample, seed)
    finally:
        store.close()
    write_sheet(cells, to)
    papers = len({paper.file for paper, _ in cells})
    print(
        f"{clean(str(to))}: {count(len(cells), 'cell')} of {count(papers, 'paper')} to label", file=sys.stderr
    )
