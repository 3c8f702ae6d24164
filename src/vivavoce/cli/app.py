"""The Typer application: which commands there are. What they do is in a module each."""

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from vivavoce.cli.agreement import agreement
from vivavoce.cli.ask import ask
from vivavoce.cli.calibrate import calibrate
from vivavoce.cli.check import check
from vivavoce.cli.check_table import check_table
from vivavoce.cli.copy import copy
from vivavoce.cli.doctor import doctor
from vivavoce.cli.evaluate import evaluate
from vivavoce.cli.export import export
from vivavoce.cli.labels import labels
from vivavoce.cli.option_groups import expand_groups
from vivavoce.cli.plan import plan
from vivavoce.cli.questions import group as questions
from vivavoce.cli.read import read
from vivavoce.cli.review import review
from vivavoce.cli.run import run
from vivavoce.cli.screening import screening
from vivavoce.cli.search import search
from vivavoce.cli.status import status


class Command(TyperCommand):
    """A command whose help lists arguments and options only. Typer would add Python types, in a notation
    that changes with its version."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        arguments = [p.metavar or "" for p in self.params if p.param_type_name == "argument"]
        formatter.write_usage(ctx.command_path, " ".join([*arguments, "[OPTIONS]"]))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for p in self.get_params(ctx):
            rows[p.param_type_name].append(_help_row(p))
        for kind, some in rows.items():
            with formatter.section(f"{kind.capitalize()}s"):
                formatter.write_dl(some)


def _help_row(parameter: Any) -> tuple[str, str]:
    """How an argument or option is written, and what it means."""
    if parameter.param_type_name == "argument":
        return parameter.metavar, parameter.help
    names = ", ".join(sorted(parameter.opts, key=len))
    if parameter.is_flag:
        return names, parameter.help
    default = "" if parameter.default is None else f" Default: {parameter.default:g}."
    return f"{names} {parameter.metavar}", parameter.help + default


app = typer.Typer(
    name="viva",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)
for function, short in (
    (ask, "Ask one paper one question."),
    (check, "Check whether each paper can be read."),
    (check_table, "Say what a table of answers would be taken for."),
    (plan, "Count calls, tokens and money before spending them."),
    (run, "Ask many papers a question set; keep the answers in a study."),
    (status, "Show how far a study is, and what failed."),
    (search, "Find what a study's papers say."),
    (review, "Open the review page: look, check and decide."),
    (calibrate, "Let people's decisions teach a study's readers."),
    (export, "Write a study's answers to a table, workbook or report."),
    (evaluate, "Compare a study with your labels."),
    (labels, "Write an empty sheet to label a random sample."),
    (agreement, "Measure how far a study's readers agree."),
    (screening, "Show what a study's filter does."),
    (copy, "Copy a study to another folder, or to a database and back."),
    (read, "Show a paper as it was read, sentence by sentence."),
    (doctor, "Show what is installed; check a study."),
):
    app.command(cls=Command, short_help=short)(expand_groups(function))
app.add_typer(
    questions(Command), name="questions", short_help="List and show question sets; check one of your own."
)


def _version(wanted: bool) -> None:
    if wanted:
        from vivavoce import __version__

        print(f"viva {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def viva(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Ask scientific papers questions; get answers with quotes and pages, or "not reported".

    Start with `viva ask FILE QUESTION`: it asks one paper one question, offline. `viva run FOLDER --study
    DIR` asks many papers a whole question set. `viva export DIR --to answers.xlsx` writes the answers to a
    workbook.
    """
    del version
    if context.invoked_subcommand is None:
        print(context.get_help())
