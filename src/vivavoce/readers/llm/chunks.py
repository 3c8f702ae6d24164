"""Retrieve, then ask: a paper's text cut into chunks, and the chunks nearest to a question.

The text is cut at the end of a paragraph, a line, a sentence or a word, in this order, into pieces of at
most so many characters that overlap a little. The nearest are those whose embedding has the greatest cosine
with the question's. Everything is kept as spans of `Paper.text`, so that what was sent can be shown and
quoted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vivavoce.records import Paper, Question

SIZE, OVERLAP, NEAREST = 1_000, 50, 4
"""Characters of a chunk, characters that two neighbours share, and how many chunks a question is sent with:
those of the published pipeline (Kommineni et al. 2025)."""
_ENDS = ("\n\n", "\n", ". ", " ")


class Chunk(NamedTuple):
    """A span of a paper's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How chunks are made and chosen."""

    size: int = SIZE
    overlap: int = OVERLAP
    nearest: int = NEAREST
    encoder: str = "builtin"
    """The built-in reader's network, a folder with an ONNX model and its tokenizer, or a package that has
    them."""

    @property
    def version(self) -> str:
        return f"{self.size}-{self.overlap}-{self.nearest}-{self.encoder}"


def chunks(text: str, size: int = SIZE, overlap: int = OVERLAP) -> list[Chunk]:
    """The text in pieces of at most `size` characters, in order. Every character but white space is in
    one."""
    found: list[Chunk] = []
    start = _skip_space(text, 0)
    while start < len(text):
        end = start + size if start + size < len(text) else len(text)
        if end < len(text):
            end = _cut(text, start, end)
        found.append(Chunk(start, _trim(text, start, end)))
        if end >= len(text):
            break
        start = max(_word_start(text, end - overlap, end), start + 1)
    return found


def _cut(text: str, start: int, end: int) -> int:
    """Where to end a chunk that may go up to `end`: in its second half, at the best boundary there is."""
    for mark in _ENDS:
        at = text.rfind(mark, start + (end - start) // 2, end)
        if at >= 0:
            return at + len(mark)
    return end


def _word_start(text: str, at: int, end: int) -> int:
    """The first beginning of a word from here on, but not beyond `end`."""
    while at < end and not (text[at - 1].isspace() and not text[at].isspace()):
        at += 1
    return _skip_space(text, at)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _trim(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def nearest_chunks(paper: Paper, questions: Sequence[Question], how: Retrieval) -> list[list[int]]:
    """For each question its nearest chunks, nearest first, as starts and ends in turn."""
    import numpy as np

    from vivavoce.readers.embedding import embed

    pieces = chunks(paper.text, how.size, how.overlap)
    if not pieces:
        return [[] for _ in questions]
    # Questions one by one: an answer depends on its own question alone.
    vectors = embed([paper.text[piece.start : piece.end] for piece in pieces], how.encoder)
    found = []
    for question in questions:
        near = vectors @ embed([question.text], how.encoder)[0]
        best = np.argsort(-near, kind="stable")[: how.nearest]
        found.append([place for n in best for place in pieces[n]])
    return found


def as_chunks(places: Sequence[int]) -> tuple[Chunk, ...]:
    """Starts and ends in turn -> chunks."""
    return tuple(map(Chunk, places[::2], places[1::2]))
