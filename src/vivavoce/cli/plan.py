"""`viva plan`: count calls, tokens and money before spending them."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import Json, ModelOptions, questions_option, reader_option
from vivavoce.cli.output import clean, count, print_json
from vivavoce.errors import InputError, VivaError
from vivavoce.results.costs import money

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vivavoce.records import Paper
    from vivavoce.study.plan import Plan


def plan(
    papers: Annotated[
        list[Path] | None, typer.Argument(metavar="PAPERS...", help="Files and folders.")
    ] = None,
    questions: Annotated[str | None, questions_option("dl-methods")] = None,
    reader: Annotated[
        list[str] | None,
        reader_option("Who would answer. Default: builtin. Repeat it for several readers."),
    ] = None,
    models: ModelOptions = ModelOptions(),
    json: Json = False,
) -> None:
    """Count calls, tokens and money before you spend them. No model is called.

    The prompts are made as a run would make them. Tokens are estimated from characters; prices are the
    providers' public ones. Questions that have to be asked again are not included. The exit code is 1 when a
    paper can't be read.
    """
    from vivavoce.papers.discovery import find
    from vivavoce.questions import DEFAULT_SET, parse, text_of
    from vivavoce.readers import reader as find_reader
    from vivavoce.readers.llm.limits import ModelSettings, RunLimits
    from vivavoce.readers.llm.session import ModelSession
    from vivavoce.study.plan import plan as make_plan

    if not papers:
        raise InputError("name the papers: files or folders.")
    asked = parse(questions or DEFAULT_SET, text_of(questions or DEFAULT_SET))
    limits = RunLimits(ModelSettings(models.context))
    readers = list(dict.fromkeys(reader or ["builtin"]))
    for name in readers:
        find_reader(name, session=ModelSession(limits))
    files = find(papers)
    if not files:
        raise InputError(f"{papers[0]}: there is no paper in it.")
    unread: list[tuple[str, str]] = []
    made = make_plan(_readable(files, unread), asked.questions, readers, limits)
    if json:
        print_json(
            {
                "papers": made.papers,
                "questions": made.questions,
                "readers": [asdict(planned) for planned in made.readers],
                "unread": [{"file": file, "reason": reason} for file, reason in unread],
            }
        )
    else:
        _show(made)
    for file, reason in unread:
        print(f"viva: {clean(file)}: not counted: {clean(reason)}", file=sys.stderr)
    if unread:
        raise typer.Exit(1)


def _readable(files: "list[Path]", unread: list[tuple[str, str]]) -> "Iterator[Paper]":
    """The papers that can be read. The others are added to `unread`, with the reason."""
    from vivavoce.papers.batch import load_all

    for path, found in load_all(files):
        if isinstance(found, VivaError) or found.unreadable:
            reason = found.unreadable if not isinstance(found, VivaError) else str(found)
            unread.append((str(path), reason.removeprefix(f"{path}: ")))
        else:
            yield found


def _show(made: "Plan") -> None:
    from rich.table import Table

    from vivavoce.cli.output import console

    screen = console()
    cells = made.papers * made.questions
    asked = f"{count(made.papers, 'paper')} × {count(made.questions, 'question')} = {count(cells, 'cell')}"
    screen.print(f"{asked} for each reader", highlight=False)
    table = Table(box=None, pad_edge=False)
    for name in ("reader", "context"):
        table.add_column(name)
    for name in ("calls", "tokens in", "tokens out", "cost", "at most"):
        table.add_column(name, justify="right")
    for planned in made.readers:
        cost = planned.cost
        table.add_row(
            clean(planned.reader),
            planned.context or "none",
            f"{round(cost.calls):,}",
            f"{cost.tokens_in:,}",
            f"{cost.tokens_out:,}",
            money(cost.dollars),
            money(planned.most.dollars),
        )
    screen.print(table)
    if len(made.readers) > 1:
        known = [p.cost.dollars for p in made.readers]
        total = None if None in known else sum(filter(None, known))
        screen.print(f"Total: {money(total)}", highlight=False)
    for planned in made.readers:
        if planned.papers < made.papers:
            screen.print(
                f"{clean(planned.reader)}: counted on {count(planned.papers, 'paper')}; the others are "
                "assumed to be similar.",
                highlight=False,
                soft_wrap=True,
            )
