"""What every format reader makes of a file, before it is a `Paper`: blocks in reading order.

A block is a heading, a paragraph, a caption, one table row, one reference. Its text is a chain of
runs; a run knows which characters of which page it came from. `assemble` splits blocks into
sentences and lays all of them end to end as the paper's one text.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from vivavoce.papers.sentences import split
from vivavoce.records import Anchor, Kind, Sentence


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of cleaned text and the source characters it stands for."""

    text: str
    page: int = 1
    char: int = -1
    """Index of the first source character in the page's text layer; -1 where there is none."""
    width: int = 0
    """How many source characters."""


@dataclass(frozen=True, slots=True)
class Block:
    kind: Kind
    runs: tuple[Run, ...]
    reading: str = ""
    """For a table row: its cells with their headers (see `records.Sentence.reading`)."""

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def page(self) -> int:
        return self.runs[0].page if self.runs else 1


def block(kind: Kind, text: str, page: int = 1, reading: str = "") -> Block:
    """A block of a format that has no places on a page."""
    return Block(kind, (Run(text, page),), reading)


WHOLE: frozenset[Kind] = frozenset({"title", "heading", "table", "figure", "reference"})
"""Kinds that are one sentence however many full stops they hold."""


def assemble(blocks: Iterable[Block]) -> tuple[str, tuple[Sentence, ...], tuple[Anchor, ...]]:
    """Blocks in reading order -> the paper's text, its sentences, and where the text comes from."""
    parts: list[str] = []
    sentences: list[Sentence] = []
    anchors: list[Anchor] = []
    length = 0
    section = ""
    for item in blocks:
        text = item.text
        spans = [(0, len(text))] if item.kind in WHOLE else split(text)
        spans = [(a, b) for a, b in (_trim(text, a, b) for a, b in spans) if a < b]
        if not spans:
            continue
        placed = _pages(item)
        for a, b in spans:
            page = next((p for end, p in placed if a < end), item.page)
            sentences.append(
                Sentence(text[a:b], length + a, length + b, page, item.kind, section, item.reading)
            )
        if item.kind == "heading":
            section = " ".join(text.split())
        offset = length
        for run in item.runs:
            end = offset + len(run.text)
            if run.char >= 0 and end > offset:
                anchors.append(Anchor(offset, end, run.page, run.char, run.width))
            offset = end
        parts.append(text)
        parts.append("\n")
        length += len(text) + 1
    return "".join(parts), tuple(sentences), tuple(anchors)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _pages(item: Block) -> list[tuple[int, int]]:
    """(end offset, page) of each stretch of the block that stands on one page."""
    placed: list[tuple[int, int]] = []
    offset = 0
    for run in item.runs:
        offset += len(run.text)
        if placed and placed[-1][1] == run.page:
            placed[-1] = (offset, run.page)
        else:
            placed.append((offset, run.page))
    return placed
