"""What every format reader makes of a file, before it is a `Paper`: blocks in reading order.

A block is a heading, a paragraph, a caption, one table row, one reference. Its text is a chain of
runs; a run knows which characters of which page it came from. `assemble` splits blocks into
sentences and lays all of them end to end as the paper's one text.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from vivavoce.papers.sentences import split
from vivavoce.records import Anchor, Kind, Sentence


class Run(NamedTuple):
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
        spans = [_trimmed(text)] if item.kind in WHOLE else split(text)
        if not spans or spans[0][0] == spans[-1][1]:
            continue
        pages = _pages(item)
        for start, end in spans:
            page = pages[0][1] if len(pages) == 1 else next(number for stop, number in pages if start < stop)
            sentences.append(
                Sentence(
                    text[start:end], length + start, length + end, page, item.kind, section, item.reading
                )
            )
        if item.kind == "heading":
            section = " ".join(text.split())
        offset = length
        for words, number, char, width in item.runs:
            end = offset + len(words)
            if char >= 0 and words:
                anchors.append(Anchor(offset, end, number, char, width))
            offset = end
        parts += (text, "\n")
        length += len(text) + 1
    return "".join(parts), tuple(sentences), tuple(anchors)


def _trimmed(text: str) -> tuple[int, int]:
    """The span of the text without the white space around it."""
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


def _pages(item: Block) -> list[tuple[int, int]]:
    """(end offset, page) of each stretch of the block that stands on one page."""
    runs = item.runs
    if runs and runs[0].page == runs[-1].page:  # runs go forward: then all stand there
        return [(sum(len(run.text) for run in runs), runs[0].page)]
    placed: list[tuple[int, int]] = []
    offset = 0
    for run in runs:
        offset += len(run.text)
        if placed and placed[-1][1] == run.page:
            placed[-1] = (offset, run.page)
        else:
            placed.append((offset, run.page))
    return placed
