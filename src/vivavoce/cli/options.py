"""Options that several commands have."""

from typing import Annotated

import typer

from vivavoce.papers.limits import Limits

DEFAULTS = Limits()

Timeout = Annotated[
    float,
    typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Give a file up after so many seconds."),
]
Memory = Annotated[
    int,
    typer.Option("--memory", min=100, metavar="MB", help="Give a file up when it needs more memory."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
