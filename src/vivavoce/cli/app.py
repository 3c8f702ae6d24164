"""The Typer application: which commands there are. What they do is in a module each."""

from typing import Annotated

import typer

from vivavoce.cli.check import check
from vivavoce.cli.read import read

app = typer.Typer(
    name="viva",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)
app.command()(check)
app.command()(read)


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
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave."),
    ] = False,
) -> None:
    """Ask every paper the same questions, and see where each answer stands on the page.

    Start with `viva check FOLDER`: can each paper be read?
    """
    del version
    if context.invoked_subcommand is None:
        print(context.get_help())
