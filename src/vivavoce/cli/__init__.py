"""The `viva` command: thin commands, a file each, over the package's own functions.

`main` is the one place where errors become exit codes: 0 done; 1 done, but something could not be;
2 the call was wrong; 130 interrupted. An error is one line on stderr. Results go to stdout.
"""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        # A file's name or a paper's letters may be beyond the terminal's encoding; they are shown escaped.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # `viva read paper.pdf | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except KeyboardInterrupt:
        print("viva: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    import typer
    from typer.main import get_command

    from vivavoce.cli.app import app
    from vivavoce.cli.output import clean
    from vivavoce.errors import VivaError

    # What Typer raises for a wrong call. Its name depends on the version, for Typer once used Click and
    # now has its own copy of it; this base class of its public exception does not.
    usage: type[Exception] = typer.BadParameter.__bases__[0]
    command = get_command(app)
    try:
        with command.make_context("viva", arguments) as context:
            command.invoke(context)
    except typer.Exit as leaving:
        return leaving.exit_code
    except typer.Abort:
        return 130
    except usage as error:
        wrong = str(getattr(error, "format_message", error.__str__)())
        command_path = getattr(getattr(error, "ctx", None), "command_path", "viva")
        stop = "" if wrong.endswith((".", "?")) else "."
        print(f"viva: {wrong}{stop} See `{command_path} --help`.", file=sys.stderr)
        return 2
    except VivaError as error:
        print(f"viva: {clean(str(error))}", file=sys.stderr)
        return 2
    return 0
