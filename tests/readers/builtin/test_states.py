"""States that were kept: they come back in their places, nearly as they were."""

from collections.abc import Sequence

import numpy as np
import pytest

from vivavoce.readers.builtin.network import Encoded
from vivavoce.readers.builtin.states import States, directions, quantised
from vivavoce.readers.builtin.windows import Window, windows

TEXTS = ["one two three", "four", "", "five six"]


class Small:
    """An encoder whose states tell which token they are of."""

    widths = (4, 3)

    def __init__(self) -> None:
        self.encoded = 0

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [[len(word) for word in text.split()] for text in texts]

    def encode(self, windows: Sequence[Window]) -> Encoded:
        self.encoded += 1
        pieces = [(w, piece) for w in windows for piece in w.pieces]
        lengths = [piece.last - piece.first for _, piece in pieces]
        tokens = [(n, token) for n, (w, p) in enumerate(pieces) for token in w.tokens[p.first : p.last]]
        rows = [[token, -token, 0.5, n] for n, token in tokens]
        starts = np.cumsum([0, *lengths])[:-1].tolist()
        middle = [[n, token, -0.25] for n, token in tokens]
        return Encoded(
            np.array(rows, np.float32),
            np.array(middle, np.float16),
            starts,
            [piece.sentence for _, piece in pieces],
        )


def both(encoder: Small, kept: bytes, keep: bool) -> tuple[list[Encoded], States]:
    states = States(encoder, kept, keep)
    cut = windows(states.tokens(TEXTS), {3})
    return [states.encode([window]) for window in cut], states


def test_what_was_kept_comes_back_without_the_encoder() -> None:
    encoder = Small()
    computed, states = both(encoder, b"", keep=True)
    assert encoder.encoded == len(computed) == 2
    again, _ = both(encoder, states.to_keep(), keep=False)
    assert encoder.encoded == 2
    for one, other in zip(computed, again, strict=True):
        assert (one.starts, one.sentences) == (other.starts, other.sentences)
        assert (one.states.dtype, one.states.shape) == (other.states.dtype, other.states.shape)
        for was, now in ((one.last, other.last), (one.states.astype(float), other.states.astype(float))):
            scales = np.abs(was).max(axis=1, keepdims=True) / 127
            assert (np.abs(was - now) <= scales / 2 + 2e-3).all()


def test_each_sentence_has_a_direction_and_one_that_was_not_read_has_none() -> None:
    _, states = both(Small(), b"", keep=True)
    found = np.frombuffer(states.vectors([0, 1, 2, 5], 6), np.int8).reshape(6, 4)
    assert (found[[3, 4]] == 0).all()
    lengths = np.linalg.norm(found[[0, 1, 2, 5]].astype(float), axis=1)
    assert lengths == pytest.approx(127, abs=2)


def test_a_row_of_zeros() -> None:
    assert np.frombuffer(quantised(np.zeros((1, 4), np.float32))[4:], np.int8).tolist() == [0] * 4
    assert np.frombuffer(directions(np.zeros((1, 4), np.float32)), np.int8).tolist() == [0] * 4
