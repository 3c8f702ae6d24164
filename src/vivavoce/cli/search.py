"""`viva search`: find what papers say."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import Json, StudyPlace, whole
from vivavoce.cli.output import clean, console, count, print_json
from vivavoce.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vivavoce.results.search import FoundPaper, Search
    from vivavoce.store import Store


def search(
    study: StudyPlace,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help='What to look for. Words in "double quotes" stand together.')
    ],
    limit: Annotated[
        int,
        typer.Option(
            "--limit", parser=whole("--limit", "a number of papers"), metavar="N", help="Papers to show."
        ),
    ] = 10,
    json: Json = False,
) -> None:
    """Find the papers of a study that say something like the text, with quotes.

    Sentences are found by their words; and, where a run has kept the built-in reader's states (`viva run
    --keep-states`), by what they mean. The first search reads the words of all papers, which takes a moment.
    """
    if not any(letter.isalnum() for letter in text):
        raise InputError("say what to look for: some words.")
    from vivavoce.results.search import search as find
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        found = find(store, text, limit, _meaning(store, text), _told)
    finally:
        store.close()
    if json:
        print_json(document(text, found))
    else:
        show(found)


def _meaning(store: "Store", text: str) -> tuple[str, bytes] | None:
    """Whose vectors the study has, and the direction of the text."""
    from vivavoce.readers.builtin.reader import Builtin
    from vivavoce.store import states_name

    reader = Builtin()
    name = states_name(reader.name, reader.version)
    if next(iter(store.vectors(name)), None) is None:
        return None
    return name, reader.direction(text)


def meaning_in(study: str) -> "Callable[[str], tuple[str, bytes] | None]":
    """For the review page, which knows no reader."""
    from vivavoce.store import Store

    def meaning(text: str) -> tuple[str, bytes] | None:
        store = Store.open(study, readonly=True)
        try:
            return _meaning(store, text)
        finally:
            store.close()

    return meaning


def _told(done: int, of: int) -> None:
    end = "\n" if done == of else "\r"
    if sys.stderr.isatty() or done == of:
        print(f"indexed {done:,} of {of:,} papers", file=sys.stderr, end=end, flush=True)


def document(text: str, found: "Search") -> dict[str, object]:
    """What `--json` prints."""
    return {
        "text": text,
        "by_meaning": found.by_meaning,
        "unindexed": found.unindexed,
        "papers": [_paper(one) for one in found.papers],
    }


def _paper(found: "FoundPaper") -> dict[str, object]:
    paper = found.paper
    return {
        "paper": {"id": paper.id, "file": paper.file, "title": paper.title, "doi": paper.doi},
        "quotes": [
            {"quote": one.text, "page": one.page, "start": one.start, "end": one.end}
            for one in found.passages
        ],
    }


def show(found: "Search") -> None:
    """The papers in words."""
    from rich.text import Text

    screen = console()
    for one in found.papers:
        title = clean(one.paper.title or one.paper.file)
        screen.print(Text(f"{title} ({clean(one.paper.file)})", style="bold"), soft_wrap=True)
        for passage in one.passages:
            screen.print(Text(f"  p. {passage.page}: {clean(passage.text)}"), soft_wrap=True)
    if not found.papers:
        screen.print(Text("No paper says anything like it."))
    if found.unindexed:
        missing = count(found.unindexed, "paper")
        print(f"viva: {missing} can't be searched: let somebody search who may write.", file=sys.stderr)
