"""Reads a sample paper's content file into blocks.

The format puts **one sentence on a line**, so that the file itself is the truth about where sentences
end; a blank line ends a paragraph. `*words*` are italic and `{^1}` is a footnote mark. Lines that begin
with `#`, `!figure`, `!table`, `!equation`, `!footnote` or `- ` (a reference) are what they say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOOTNOTE_MARK = re.compile(r"\{\^(\w+)\}")


@dataclass(frozen=True)
class Heading:
    text: str
    level: int


@dataclass(frozen=True)
class Footnote:
    mark: str
    text: str


@dataclass(frozen=True)
class Paragraph:
    sentences: tuple[str, ...]
    """As in the content file, with marks for italics and footnotes."""
    footnotes: tuple[Footnote, ...] = ()


@dataclass(frozen=True)
class Figure:
    name: str
    caption: str


@dataclass(frozen=True)
class Table:
    caption: str
    rows: tuple[tuple[str, ...], ...]
    """The first row is the header."""


@dataclass(frozen=True)
class Equation:
    text: str
    number: str


@dataclass(frozen=True)
class Reference:
    text: str


Block = Heading | Paragraph | Figure | Table | Equation | Reference


@dataclass(frozen=True)
class SamplePaper:
    name: str
    about: dict[str, str]
    """title, authors, journal, doi, date, notice, short (the running head), first-page, imprint."""
    blocks: tuple[Block, ...] = field(default=())


def read_paper(path: Path) -> SamplePaper:
    """Reads one content file."""
    head, _, body = path.read_text(encoding="utf-8").partition("---\n")
    about = dict(line.split(": ", 1) for line in head.splitlines() if line)
    chunks = [chunk.splitlines() for chunk in body.split("\n\n") if chunk.strip()]
    blocks = [block for chunk in chunks for block in _blocks([line for line in chunk if line])]
    return SamplePaper(path.stem, about, tuple(blocks))


def plain(text: str) -> str:
    """The text as a reader would write it: no italics, no footnote marks."""
    return FOOTNOTE_MARK.sub("", text).replace("*", "")


def _blocks(lines: list[str]) -> list[Block]:
    first = lines[0]
    if first.startswith("#"):
        marks, _, text = first.partition(" ")
        return [Heading(text, len(marks))]
    if first.startswith("!figure "):
        name, _, caption = first.removeprefix("!figure ").partition(" | ")
        return [Figure(name, caption)]
    if first.startswith("!table "):
        rows = tuple(tuple(line.split(" | ")) for line in lines[1:])
        return [Table(first.removeprefix("!table "), rows)]
    if first.startswith("!equation "):
        pairs = (line.removeprefix("!equation ").partition(" | ") for line in lines)
        return [Equation(text, number) for text, _, number in pairs]
    if first.startswith("- "):
        return [Reference(line.removeprefix("- ")) for line in lines]
    notes = [line.split(" ", 2)[1:] for line in lines if line.startswith("!footnote ")]
    sentences = tuple(line for line in lines if not line.startswith("!"))
    return [Paragraph(sentences, tuple(Footnote(mark, text) for mark, text in notes))]
