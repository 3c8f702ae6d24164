"""A paper's words as a reviewer can select them: over the picture of a page, or as plain text.

Over a picture lies a layer of its words, each in its place, that nobody sees but that can be selected as on
any page. A paper without pages, or whose file is gone, is shown as its sentences.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from vivavoce.papers.pages import boxes as boxes_of
from vivavoce.records import Paper

_WORD = re.compile(r"\S+")
MOST_WORDS = 5000
"""No more of a page: a page of small print has some two thousand."""


class Word(NamedTuple):
    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class Piece(NamedTuple):
    """A stretch of text that is marked as a whole, or not at all."""

    text: str
    at: tuple[int, ...]
    """The places that cover it, by their number."""

    @property
    def marked(self) -> bool:
        return bool(self.at)


class Line(NamedTuple):
    """A sentence as it is shown."""

    kind: str
    page: int
    pieces: tuple[Piece, ...]


def words_on(paper: Paper, page: int) -> list[Word]:
    """The words of a page in reading order, with their places. Of one that is broken over two lines, the
    place is its first part's."""
    spans = [
        (sentence.start + found.start(), sentence.start + found.end())
        for sentence in paper.sentences
        if sentence.page in (page, page - 1)  # one that begins on the page before may go on here
        for found in _WORD.finditer(sentence.text)
    ]
    spans = [span for span in spans if paper.page_at(span[0]) == page][:MOST_WORDS]
    return [
        Word(paper.text[start:end], *boxes[0][1:])
        for (start, end), boxes in zip(spans, boxes_of(paper, spans), strict=True)
        if boxes and boxes[0].page == page
    ]


def lines_of(paper: Paper, marked: Sequence[tuple[int, int]]) -> list[Line]:
    """The paper's sentences, with these spans marked."""
    found: list[Line] = []
    for sentence in paper.sentences:
        cuts = {0, len(sentence.text)}
        inside: list[tuple[int, int, int]] = []
        for n, (start, end) in enumerate(marked):
            a, b = max(start, sentence.start) - sentence.start, min(end, sentence.end) - sentence.start
            if a < b:
                inside.append((a, b, n))
                cuts |= {a, b}
        edges = sorted(cuts)
        pieces = []
        for a, b in pairwise(edges):
            over = tuple(n for first, last, n in inside if first <= a and b <= last)
            pieces.append(Piece(sentence.text[a:b], over))
        found.append(Line(sentence.kind, sentence.page, tuple(pieces)))
    return found
