"""How results reach stdout: as JSON, or as text that is safe to show.

What a file says is never trusted on its way to a terminal: a title may hold escape sequences.
"""

import json
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.records import Paper

PLAIN_WIDTH = 100_000
"""Into a file or a pipe nothing is wrapped or cut."""


def print_json(document: object) -> None:
    """The one document that `--json` prints."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(document, ensure_ascii=not utf8, indent=2))


def clean(text: str) -> str:
    """On one line, with nothing that a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def count(number: int, what: str) -> str:
    """1 page, 2 pages."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def hidden(paper: "Paper") -> list[dict[str, object]]:
    """The text that nobody sees on the page, as JSON has it."""
    return [{"page": item.page, "text": item.text, "reason": item.reason} for item in paper.hidden]


def short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def console() -> "Console":
    """Rich's console for results: plain and unwrapped unless stdout is a terminal."""
    from rich.console import Console

    class Results(Console):
        def on_broken_pipe(self) -> NoReturn:
            """Rich would exit with 1, which says that a paper failed; `main` knows better."""
            raise BrokenPipeError

    if sys.stdout.isatty():
        return Results(highlight=False, markup=False, emoji=False)
    return Results(
        highlight=False, markup=False, emoji=False, width=PLAIN_WIDTH, color_system=None, force_terminal=False
    )
