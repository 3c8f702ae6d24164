"""`viva read`: show a paper as it was read, sentence by sentence, with page and section."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from vivavoce.cli.options import Json, PaperLimits, whole
from vivavoce.cli.output import clean, console, count, hidden, print_json
from vivavoce.errors import InputError
from vivavoce.records import Kind

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.records import Paper, Sentence

KINDS: tuple[str, ...] = get_args(Kind)
MARGIN = 6
"""Columns left of the text, for the page's number."""
WIDTH = 100
"""Longer lines are hard to read."""


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The paper.")],
    json: Json = False,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help=f"Only sentences of this kind ({', '.join(KINDS)}). Repeat it for several kinds.",
        ),
    ] = None,
    page: Annotated[
        int | None,
        typer.Option(
            "--page",
            parser=whole("--page", "the number of a page"),
            metavar="N",
            help="Only sentences that begin on this page.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also show the text inside figures. The JSON always has it.")
    ] = False,
    limits: PaperLimits = PaperLimits(),
) -> None:
    """Show a paper as it was read: its sentences with pages and sections.

    Table rows are shown with their column headings. The exit code is 1 when the paper has no usable text.
    """
    for wanted in kind or ():
        if wanted not in KINDS:
            raise InputError(f"there is no kind '{wanted}'; the kinds are {', '.join(KINDS)}.")
    from vivavoce.papers import load

    paper = load(file, limits=limits.limits())
    if page is not None and page > len(paper.pages):
        raise InputError(f"{file}: {_no_page(paper, page)}")
    sentences = [
        sentence
        for sentence in paper.sentences
        if (not kind or sentence.kind in kind) and page in (None, sentence.page)
    ]
    if json:
        print_json(_document(paper, sentences))
    elif not paper.unreadable:
        shown = [s for s in sentences if everything or kind or s.kind != "figure"]
        _show(paper, shown, console())
        if len(shown) < len(sentences):
            left_out = count(len(sentences) - len(shown), "line")
            print(f"\n{left_out} of text inside figures left out; --all shows them.")
    if paper.unreadable:
        print(f"viva: {clean(_complaint(paper))}", file=sys.stderr)
        raise typer.Exit(1)


def _no_page(paper: "Paper", page: int) -> str:
    if len(paper.pages) == 1 and not paper.pages[0].width:
        return f"{paper.format} files have no pages; leave --page out."
    return f"there is no page {page}; it has pages 1 to {len(paper.pages)}."


def _complaint(paper: "Paper") -> str:
    line = f"{paper.file}: unreadable: {paper.unreadable.rstrip('.')}"
    if paper.format == "pdf" and "ocr" not in paper.unreadable.lower():
        line += "; if it is a scan, install OCR: pip install 'vivavoce[ocr]'"
    return f"{line}."


def _document(paper: "Paper", sentences: Sequence["Sentence"]) -> dict[str, object]:
    return {
        "paper": {
            "id": paper.id,
            "file": paper.file,
            "format": paper.format,
            "title": paper.title,
            "doi": paper.doi,
            "year": paper.year,
            "pages": len(paper.pages),
            "warnings": list(paper.warnings),
            "hidden": hidden(paper),
            "unreadable": paper.unreadable,
        },
        "sentences": [
            {
                "text": sentence.text,
                "page": sentence.page,
                "section": sentence.section,
                "kind": sentence.kind,
                "start": sentence.start,
                "end": sentence.end,
                "reading": sentence.reading,
            }
            for sentence in sentences
        ],
    }


def _show(paper: "Paper", sentences: Sequence["Sentence"], screen: "Console") -> None:
    from rich.text import Text

    width = min(WIDTH, screen.width) if screen.is_terminal else screen.width
    for line, style in _head(paper):
        for part in wrap(line, width) if line else [""]:
            screen.print(Text(part, style=style), soft_wrap=True)
    section = ""
    for sentence in sentences:
        if sentence.kind == "heading":
            section = " ".join(sentence.text.split())
            _heading(section, screen)
            continue
        if sentence.section != section:  # its heading was left out by --kind or --page
            section = sentence.section
            _heading(section, screen)
        _sentence(sentence, width, screen)


def _head(paper: "Paper") -> Iterator[tuple[str, str]]:
    """The lines above the text, each with its style."""
    yield clean(paper.title) or "(no title found)", "bold"
    facts = [paper.format]
    if paper.doi:
        facts.append(f"doi:{clean(paper.doi)}")
    if paper.year:
        facts.append(str(paper.year))
    if paper.pages[0].width:
        facts.append(count(len(paper.pages), "page"))
    facts.append(count(len(paper.sentences), "sentence"))
    yield " · ".join(facts), "dim"
    for warning in paper.warnings:
        yield f"warning: {clean(warning)}", "yellow"
    for item in paper.hidden:
        where = f" on page {item.page}" if paper.pages[0].width else ""
        yield f"hidden{where} ({clean(item.reason)}): {clean(item.text)}", "yellow"


def _heading(title: str, screen: "Console") -> None:
    from rich.text import Text

    screen.print()
    if title:
        screen.print(Text(" " * MARGIN + clean(title), style="bold underline"), soft_wrap=True)


def _sentence(sentence: "Sentence", width: int, screen: "Console") -> None:
    from rich.text import Text

    text = " ".join(clean(sentence.reading or sentence.text).split())
    if sentence.kind != "prose":
        text = f"[{sentence.kind}] {text}"
    lines = wrap(text, max(20, width - MARGIN), break_long_words=False, break_on_hyphens=False) or [""]
    margin = f"{sentence.page:>{MARGIN - 2}}  "
    for index, part in enumerate(lines):
        line = Text(margin if index == 0 else " " * MARGIN, style="cyan")
        line.append(part, style="not bold default" if sentence.kind == "prose" else "dim default")
        screen.print(line, soft_wrap=True)
