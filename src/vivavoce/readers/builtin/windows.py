"""Sentences -> windows of tokens, each sentence with a little of what stands before it.

The encoder reads a paper in windows of consecutive sentences: a sentence is understood with its
neighbours, and little is wasted on padding. A window begins with the heading of its section and the end of
the sentence before it, which are read but not scored there. A row of a table is read alone: the rows around
it only blur it. Training cuts windows by the same function.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

CLS, SEP = 101, 102
"""BERT's tokens that open and close a text."""
FULL_STOP = 1012
"""Stands for a sentence that has no token at all."""
WINDOW = 192
"""Tokens in a window."""
LONGEST = 120
"""Tokens of a sentence that are read in one piece; a longer one is cut into such pieces."""
BEFORE = 24
"""Tokens of the sentence before."""
HEADING = 12
"""Tokens of the section's heading."""


class Piece(NamedTuple):
    """Where a sentence, or a part of a long one, stands in a window."""

    sentence: int
    first: int
    last: int
    """Not included."""


class Window(NamedTuple):
    tokens: list[int]
    pieces: list[Piece]


def windows(
    sentences: Sequence[Sequence[int]],
    alone: Collection[int] = (),
    headings: Sequence[Sequence[int]] | None = None,
) -> list[Window]:
    """Cuts the sentences, given as token ids, into windows that cover every token once; the sentences with
    the numbers in `alone` have windows of their own. `headings`: what each sentence stands under."""

    def opening(index: int) -> list[int]:
        return [CLS, *(headings[index][:HEADING] if headings else ())]

    made: list[Window] = []
    for n, part in _parts(sentences, alone):
        tokens = [*opening(n), *part]
        made.append(Window([*tokens, SEP], [Piece(n, len(tokens) - len(part), len(tokens))]))
    parts = _parts(sentences, [n for n in range(len(sentences)) if n not in alone])
    at = 0
    while at < len(parts):
        tokens = [*opening(parts[at][0]), *(parts[at - 1][1][-BEFORE:] if at else ())]
        pieces: list[Piece] = []
        while at < len(parts):
            index, part = parts[at]
            if pieces and len(tokens) + len(part) + 1 > WINDOW:
                break
            pieces.append(Piece(index, len(tokens), len(tokens) + len(part)))
            tokens.extend(part)
            at += 1
        made.append(Window([*tokens, SEP], pieces))
    return made


def _parts(sentences: Sequence[Sequence[int]], which: Collection[int]) -> list[tuple[int, list[int]]]:
    """Of each of these sentences its number and its tokens, a long one in parts."""
    return [
        (index, list(tokens[at : at + LONGEST]))
        for index in sorted(which)
        for tokens in [sentences[index] or [FULL_STOP]]
        for at in range(0, len(tokens), LONGEST)
    ]
