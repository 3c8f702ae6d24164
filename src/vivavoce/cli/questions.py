"""`viva questions`: list and show question sets, and check a file."""

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from vivavoce.cli.options import Json
from vivavoce.cli.output import clean, console, count, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.records import Question, QuestionSet

WIDTH = 100
GAP = 2
WIDEST_ID = 16
"""A longer id pushes its question to the right; the others stay where they are."""
COLUMNS = ("name", "questions", "title")
Line = tuple[str, str, str]
"""A style, a prefix, and the text; further lines of the text are indented by the prefix's width."""


def group(command: type[TyperCommand]) -> typer.Typer:
    """The commands, to be added to the application; `command` writes their help."""
    app = typer.Typer(rich_markup_mode=None)
    app.callback(invoke_without_command=True)(questions)
    app.command("list", cls=command)(list_sets)
    app.command(cls=command)(show)
    app.command(cls=command)(check)
    return app


def questions(context: typer.Context) -> None:
    """List question sets, show one, or check a file of your own.

    Without a command it lists them. A question set is what papers are asked: a YAML file, or plain text with
    one question per line.
    """
    if context.invoked_subcommand is None:
        list_sets()


def list_sets(json: Json = False) -> None:
    """List the question sets that ship, with the number of questions in each.

    Screening questions are not counted. When the output goes to a pipe or a file, it has one line per set
    with tabs between the columns.
    """
    from vivavoce.questions import asked, load, shipped

    sets = [load(name) for name in shipped()]
    if json:
        some = [
            {"name": s.name, "title": s.title, "questions": len(asked(s)), "about": s.about} for s in sets
        ]
        print_json({"sets": some})
        return
    rows = [(clean(s.name), str(len(asked(s))), clean(s.title), clean(s.about)) for s in sets]
    screen = console()
    if screen.is_terminal:
        _print_table(rows, screen)
    else:
        for row in ((*COLUMNS, "about"), *rows):
            print("\t".join(row))


def show(
    name: Annotated[
        str, typer.Argument(metavar="SET", help="The name of a set that ships, or a YAML or text file.")
    ],
    json: Json = False,
) -> None:
    """Show a question set: its questions by topic, what they are for, and where they come from."""
    from vivavoce.questions import load

    found = load(name)
    if json:
        print_json(asdict(found))
        return
    screen = console()
    width = min(WIDTH, screen.width) if screen.is_terminal else WIDTH
    for line in _lines(found):
        _print(line, width, screen)


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A question set: a YAML or text file.")],
    json: Json = False,
) -> None:
    """Check a question set, and list everything wrong with it, by line.

    A warning says what could be better; the set can still be used. The exit code is 2 when there is an
    error.
    """
    from vivavoce.questions import asked, load
    from vivavoce.questions import check as problems_of

    problems = problems_of(file)
    warnings = sum(problem.warning for problem in problems)
    errors = len(problems) - warnings
    found = None if errors else load(file)
    if json:
        print_json(
            {
                "file": file,
                "questions": len(asked(found)) if found else 0,
                "errors": errors,
                "warnings": warnings,
                "problems": [asdict(problem) for problem in problems],
            }
        )
    else:
        for problem in problems:
            mark = "warning: " if problem.warning else ""
            print(clean(f"{file}:{problem.line}: {mark}{problem.text}"))
        parts = [count(errors, "error")] if errors else []
        parts += [count(warnings, "warning")] if warnings else []
        if found:
            parts = [_how_many(found), *(parts or ["no problems"])]
        print(clean(f"{file}: {', '.join(parts)}."))
    if errors:
        raise typer.Exit(2)


def _how_many(found: "QuestionSet") -> str:
    from vivavoce.questions import asked

    most = count(len(asked(found)), "question")
    return most if len(asked(found)) == len(found.questions) else f"{most} and a screening question"


def _print_table(rows: list[tuple[str, str, str, str]], screen: "Console") -> None:
    """Columns, and below each set what it is for."""
    from rich.cells import cell_len
    from rich.text import Text

    first = max(cell_len(name) for name, *_ in [COLUMNS, *rows])
    second = len(COLUMNS[1])
    for number, (name, questions, title, about) in enumerate([(*COLUMNS, ""), *rows]):
        row = Text().append(name, style="bold cyan" if number else "bold")
        row.append(" " * (first - cell_len(name) + GAP))
        row.append(questions.rjust(second) + " " * GAP + title, style="" if number else "bold")
        screen.print(row, soft_wrap=True)
        for part in wrap(about, min(WIDTH, screen.width) - 4):
            screen.print(Text(" " * 4 + part, style="dim"), soft_wrap=True)


def _print(line: Line, width: int, screen: "Console") -> None:
    from rich.cells import cell_len
    from rich.text import Text

    style, before, text = line[0], clean(line[1]), clean(line[2])
    indent = cell_len(before)
    parts = wrap(text, max(20, width - indent), break_on_hyphens=False) or [""]
    for number, part in enumerate(parts):
        row = Text(before if not number else " " * indent).append(part, style=style)
        row.rstrip()
        screen.print(row, soft_wrap=True)


def _lines(found: "QuestionSet") -> Iterator[Line]:
    yield "bold", "", f"{found.name} · {found.title}" if found.title else found.name
    if found.about:
        yield "", "", found.about
    # A set without topics is one list; within a topic, questions keep their order.
    topics: dict[str, list[Question]] = {}
    for question in found.questions:
        topics.setdefault(question.topic, []).append(question)
    wide = min(WIDEST_ID, max(len(question.id) for question in found.questions))
    for topic, some in topics.items():
        yield "", "", ""
        if topic:
            yield "bold cyan", "", topic
        for question in some:
            yield from _question(question, wide)
    categories = dict.fromkeys(variable.category for variable in found.variables)
    for number, category in enumerate(categories):
        if not number:
            yield "", "", ""
            yield "bold", "", "Variables: what the answers add up to"
        yield "bold cyan", "  ", category
        for variable in (v for v in found.variables if v.category == category):
            how = " and " if variable.need == "all" else " or "
            yield "", "    ", f"{variable.name}: {how.join(variable.questions)}"
    for number, level in enumerate(found.levels):
        if not number:
            yield "", "", ""
            yield "bold", "", "Levels: a paper reaches one when it gives every variable of these categories"
        yield "", f"  {level.number}  ", f"{level.name}: {', '.join(level.categories)}"
    if found.source:
        yield "", "", ""
        yield "dim", "Source: ", found.source


def _question(question: "Question", wide: int) -> Iterator[Line]:
    indent = " " * (wide + 2 * GAP)
    kind = "" if question.kind in ("text", "choice") else f" [{question.kind}]"
    yield "", f"  {question.id.ljust(wide)}  ", question.text + kind
    if question.screen:
        yield "yellow", indent, "screening: a paper that clearly fails it is not asked the other questions"
    if question.choices:
        many = "one or more of" if question.several else "one of"
        yield "", indent, f"{many}: {'; '.join(question.choices)}"
    if question.hints:
        yield "dim", indent, question.hints
