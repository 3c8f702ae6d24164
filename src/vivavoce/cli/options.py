"""Options that several commands have, and how what is typed becomes a value."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from vivavoce.errors import InputError
from vivavoce.evidence.row_files import text_of
from vivavoce.papers.limits import Limits

DEFAULT_LIMITS = Limits()
LEAST_MEMORY = 300
"""Megabytes of address space. The program and its libraries take about 200 before a file is opened."""


def whole(option: str, what: str, least: int = 1) -> Callable[[object], int]:
    """A parser for whole numbers. Its error names the option and says what the option takes."""

    def parse(typed: object) -> int:
        try:
            value = int(str(typed))
        except ValueError:
            value = least - 1
        if value < least:
            raise InputError(f"{option} takes {what}, {least} or more, not '{typed}'.")
        return value

    return parse


def _seconds(typed: object) -> float:
    try:
        value = float(str(typed))
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 1e7:
        raise InputError(f"--timeout takes a number of seconds, 0.1 or more, not '{typed}'.")
    return value


def _dollars(typed: object) -> float:
    try:
        value = float(str(typed).lstrip("$"))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InputError(f"--max-cost takes a number of US dollars, 0 or more, not '{typed}'.")
    return value


def _context(typed: str) -> str:
    from vivavoce.readers.llm.context import CONTEXTS

    if typed not in CONTEXTS:
        raise InputError(f"--context takes one of {', '.join(CONTEXTS)}, not '{typed}'.")
    return typed


def _recipe(typed: str) -> str:
    from vivavoce.readers.llm.limits import RECIPES

    if typed not in RECIPES:
        raise InputError(f"--recipe takes one of {', '.join(RECIPES)}, not '{typed}'.")
    return typed


def reader_option(help: str) -> Any:
    """`--reader`, which may be given several times."""
    return typer.Option("--reader", metavar="R", help=help)


def questions_option(without: str) -> Any:
    """`--questions`; `without` says what is asked when it is not given."""
    return typer.Option(
        "--questions",
        metavar="SET",
        help=f"A question set that ships (see `viva questions`), or a file. Default: {without}.",
    )


StudyPlace = Annotated[
    str, typer.Argument(metavar="DIR", help="The study's folder, or its database URL (postgresql://...).")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@dataclass(frozen=True, slots=True)
class PaperLimits:
    """What reading one file may take."""

    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            parser=_seconds,
            metavar="SECONDS",
            help="Give up on a file after this many seconds.",
        ),
    ] = DEFAULT_LIMITS.seconds
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            parser=whole("--memory", "a number of megabytes", LEAST_MEMORY),
            metavar="MB",
            help=f"Give up on a file that needs more than this many MB of memory; {LEAST_MEMORY} or more.",
        ),
    ] = DEFAULT_LIMITS.memory_mb
    max_pages: Annotated[
        int,
        typer.Option(
            "--max-pages",
            parser=whole("--max-pages", "a number of pages"),
            metavar="N",
            help="Give up on a PDF with more pages than this.",
        ),
    ] = DEFAULT_LIMITS.pages
    max_mb: Annotated[
        int,
        typer.Option(
            "--max-mb",
            parser=whole("--max-mb", "a number of megabytes"),
            metavar="MB",
            help="Give up on a file larger than this many MB.",
        ),
    ] = DEFAULT_LIMITS.file_mb
    max_ocr_pages: Annotated[
        int,
        typer.Option(
            "--max-ocr-pages",
            parser=whole("--max-ocr-pages", "a number of pages", 0),
            metavar="N",
            help="Don't use OCR on a scan with more pages than this.",
        ),
    ] = DEFAULT_LIMITS.ocr_pages

    def limits(self) -> Limits:
        return replace(
            DEFAULT_LIMITS,
            seconds=self.timeout,
            memory_mb=self.memory,
            pages=self.max_pages,
            file_mb=self.max_mb,
            ocr_pages=self.max_ocr_pages,
        )


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How language models are asked."""

    context: Annotated[
        str | None,
        typer.Option(
            "--context",
            parser=_context,
            metavar="C",
            help="What language models see: evidence (the sentences that matter to a question, and their "
            "neighbours), passages (longer stretches), chunks (the nearest pieces of text of a fixed length) "
            "or paper (the whole paper once, followed by all questions). Default: evidence for models that "
            "run on this machine, paper for others.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class RunModelOptions(ModelOptions):
    """How a run's language models are asked, and what they may spend."""

    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe",
            parser=_recipe,
            metavar="R",
            help="Settings that go together: rag retrieves chunks, fills in a prompt and takes the reply as "
            "free text (--context chunks --free-text).",
        ),
    ] = None
    prompt: Annotated[
        Path | None,
        typer.Option(
            "--prompt",
            metavar="FILE",
            help="For replies in free text: a prompt of your own, with {context}, {question} and, if you "
            "like, {hints} in it.",
        ),
    ] = None
    free_text: Annotated[
        bool,
        typer.Option(
            "--free-text",
            help="Take replies in words, turn them into reported or not, and look for the sentences that "
            "bear them out in what was sent.",
        ),
    ] = False
    chunk_size: Annotated[
        int | None,
        typer.Option(
            "--chunk-size",
            parser=whole("--chunk-size", "a number of characters"),
            metavar="N",
            help="Characters of a chunk. Default: the study's setting, or 1000.",
        ),
    ] = None
    chunk_overlap: Annotated[
        int | None,
        typer.Option(
            "--chunk-overlap",
            parser=whole("--chunk-overlap", "a number of characters", 0),
            metavar="N",
            help="Characters that a chunk shares with the next. Default: the study's setting, or 50.",
        ),
    ] = None
    chunks: Annotated[
        int | None,
        typer.Option(
            "--chunks",
            parser=whole("--chunks", "a number of chunks"),
            metavar="K",
            help="How many chunks are sent with a question. Default: the study's setting, or 4.",
        ),
    ] = None
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="E",
            help="What finds the nearest chunks: builtin, or a folder or package with an ONNX sentence "
            "encoder. Default: the study's setting, or builtin.",
        ),
    ] = None
    calls: Annotated[
        int | None,
        typer.Option(
            "--calls",
            parser=whole("--calls", "a number of calls"),
            metavar="N",
            help="Calls at a time to each provider of language models. Default: the study's setting, or 8.",
        ),
    ] = None
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            parser=_dollars,
            metavar="USD",
            help="Stop calling language models before this run costs more than this many US dollars.",
        ),
    ] = None
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            parser=whole("--max-tokens", "a number of tokens"),
            metavar="N",
            help="Stop calling language models before this run sends and receives more tokens than this.",
        ),
    ] = None

    def settings(self) -> dict[str, str | int]:
        """What the study is to keep: those that were given."""
        from vivavoce.readers.llm.limits import RECIPES
        from vivavoce.readers.llm.templates import check_template

        given = {
            "context": self.context,
            "calls": self.calls,
            "free_text": self.free_text or bool(self.prompt),
            "prompt": check_template(str(self.prompt), text_of(self.prompt)) if self.prompt else None,
            "chunk_size": self.chunk_size,
            "chunk_overlap": self.chunk_overlap,
            "chunks": self.chunks,
            "encoder": self.encoder,
        }
        own = {
            name: value for name, value in given.items() if value or (name == "chunk_overlap" and value == 0)
        }
        return {**(RECIPES[self.recipe] if self.recipe else {}), **own}


@dataclass(frozen=True, slots=True)
class WorkOptions:
    """Where a run's work is done."""

    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            parser=whole("--workers", "a number of papers at a time"),
            metavar="N",
            help="How many papers to work on at a time. Default: one for each core.",
        ),
    ] = None
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            metavar="E",
            help="Where the work is done: local, on this machine, or ray, on a Ray cluster (needs `pip "
            "install 'vivavoce[ray]'`). Default: local.",
        ),
    ] = None
    ray_address: Annotated[
        str | None,
        typer.Option(
            "--ray-address",
            metavar="A",
            help="The Ray cluster's address, such as 10.0.0.1:6379. Default: RAY_ADDRESS, or a cluster on "
            "this machine.",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class EnergyOptions:
    """Whether a run's energy is measured."""

    energy: Annotated[
        bool,
        typer.Option(
            "--energy",
            help="Measure the energy of what runs on this machine, and estimate that of providers' models. "
            "Needs `pip install 'vivavoce[energy]'`.",
        ),
    ] = False
    country: Annotated[
        str | None,
        typer.Option(
            "--country",
            metavar="ISO",
            help="The country whose electricity is used, such as FRA, to compute CO2e. Default: energy only.",
        ),
    ] = None
