"""Options that several commands have, and how what is typed becomes a number."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

from vivavoce.errors import VivaError
from vivavoce.papers.limits import Limits

DEFAULTS = Limits()
LEAST_MEMORY = 300
"""Megabytes of address space. The program and its libraries take about 200 before a file is opened."""


def whole(option: str, what: str, least: int = 1) -> Callable[[object], int]:
    """Reads a whole number; a wrong one is said in our words rather than in the validator's."""

    def parse(typed: object) -> int:
        try:
            value = int(str(typed))
        except ValueError:
            value = least - 1
        if value < least:
            raise VivaError(f"{option} takes {what}, {least} or more, not '{typed}'.")
        return value

    return parse


def _seconds(typed: object) -> float:
    try:
        value = float(str(typed))
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 1e7:
        raise VivaError(f"--timeout takes a number of seconds, 0.1 or more, not '{typed}'.")
    return value


Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        parser=_seconds,
        metavar="SECONDS",
        help="Give a file up that takes longer than this many seconds.",
    ),
]
Memory = Annotated[
    int,
    typer.Option(
        "--memory",
        parser=whole("--memory", "a number of megabytes", LEAST_MEMORY),
        metavar="MB",
        help=f"Give a file up that needs more than this many MB of memory; {LEAST_MEMORY} or more.",
    ),
]
MaxPages = Annotated[
    int,
    typer.Option(
        "--max-pages",
        parser=whole("--max-pages", "a number of pages"),
        metavar="N",
        help="Give a PDF up that has more than this many pages.",
    ),
]
MaxMb = Annotated[
    int,
    typer.Option(
        "--max-mb",
        parser=whole("--max-mb", "a number of megabytes"),
        metavar="MB",
        help="Give a file up that is larger than this many MB.",
    ),
]
MaxOcrPages = Annotated[
    int,
    typer.Option(
        "--max-ocr-pages",
        parser=whole("--max-ocr-pages", "a number of pages", 0),
        metavar="N",
        help="Leave a scan as it is that has more than this many pages to read by OCR.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def _context(typed: str) -> str:
    from vivavoce.readers.llm.context import CONTEXTS

    if typed not in CONTEXTS:
        raise VivaError(f"--context takes one of {', '.join(CONTEXTS)}, not '{typed}'.")
    return typed


def dollars(typed: object) -> float:
    try:
        value = float(str(typed).lstrip("$"))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise VivaError(f"--max-cost takes a number of US dollars, 0 or more, not '{typed}'.")
    return value


ContextOption = Annotated[
    str | None,
    typer.Option(
        "--context",
        parser=_context,
        metavar="C",
        help="What language models see: evidence (the sentences that matter to a question, and their "
        "neighbours), passages (longer stretches) or paper (all of it, once, with all questions behind it). "
        "Without it: evidence for models that run here, paper for others.",
    ),
]


def limits_of(timeout: float, memory: int, max_pages: int, max_mb: int, max_ocr_pages: int) -> Limits:
    """The limits that a command was given."""
    return replace(
        DEFAULTS,
        seconds=timeout,
        memory_mb=memory,
        pages=max_pages,
        file_mb=max_mb,
        ocr_pages=max_ocr_pages,
    )
