"""Writes docs/reference/cli.md from the commands' own help.

    python docs/make_cli_reference.py            write the file
    python docs/make_cli_reference.py --check    exit 1 if it is not current

Only what the program itself declares is used (names, defaults, help), not the help as it is printed:
that depends on the width of the terminal and on the version of Typer.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.main import get_command

from vivavoce.cli.app import app

FILE = Path(__file__).resolve().parent / "reference" / "cli.md"

HEAD = """\
# The command line

<!-- Made by docs/make_cli_reference.py: change the help texts in src/vivavoce/cli, then run `make docs`. -->
"""

TAIL = """\
## What all commands share

- Results go to stdout. Messages, errors and the progress bar go to stderr.
- `--json` prints one JSON document and nothing else. Its fields are in [formats.md](formats.md#json).
- Into a pipe or a file nothing is coloured, wrapped or cut. There `viva check` prints a line per paper with
  tabs between the columns (`file`, `format`, `pages`, `sentences`, `status`, `title`, `remarks`; the first
  line names them), and its summary goes to stderr.
- An error is one line that begins with `viva:` and says what to do next.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | done, but a paper could not be read; it is named |
| 2 | the call was wrong: no such file or option, a file that is not a paper, a question set with an error |
| 130 | interrupted with Ctrl-C |
| 141 | whoever read the output stopped reading, as `head` does |
"""


def render() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_with_subcommands("viva", get_command(app)), TAIL])


def _with_subcommands(path: str, command: Any) -> Iterator[str]:
    yield from _command(path, command)
    for name, one in sorted(getattr(command, "commands", {}).items()):
        if not one.hidden:
            yield from _with_subcommands(f"{path} {name}", one)


def _command(path: str, command: Any) -> Iterator[str]:
    yield f"## {path}\n"
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and not p.hidden]
    words = [path, *(p.metavar or p.name.upper() for p in arguments), "[OPTIONS]"]
    if hasattr(command, "commands"):
        words += ["COMMAND ..."]
    yield f"```\n{' '.join(words)}\n```\n"
    yield f"{_paragraphs(command.help)}\n"
    subcommands = sorted(getattr(command, "commands", {}).items())
    if subcommands:
        yield from _table(
            ("command", "what it does"),
            [
                (f"[`{name}`](#{path.replace(' ', '-')}-{name})", _first(one.help))
                for name, one in subcommands
                if not one.hidden
            ],
        )
    if arguments:
        yield from _table(("argument", "meaning"), [(f"`{p.metavar or p.name}`", p.help) for p in arguments])
    shown = [(_spelling(p), _meaning(p)) for p in options]
    yield from _table(("option", "meaning"), [*shown, ("`-h`, `--help`", "Show the help and leave.")])


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


def _first(text: str) -> str:
    return _paragraphs(text).split("\n\n")[0]


def _spelling(option: Any) -> str:
    value = "" if option.is_flag else f" {option.metavar or option.name.upper()}"
    return ", ".join(f"`{name}{value}`" for name in (*option.opts, *option.secondary_opts))


def _meaning(option: Any) -> str:
    parts = [option.help or ""]
    if not option.is_flag and option.default is not None:
        parts.append(f"Default: {option.default:g}.")
    return " ".join(parts)


def _table(head: tuple[str, str], rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    lines += [f"| {name} | {meaning.replace('|', chr(92) + '|')} |" for name, meaning in rows]
    yield "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write docs/reference/cli.md from the commands' help.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it is not current")
    options = parser.parse_args(arguments)
    wanted = render()
    current = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    if current == wanted:
        return 0
    if options.check:
        print(f"{FILE} is not current; run `make docs`.", file=sys.stderr)
        return 1
    FILE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
