"""What the encoder makes of a paper's windows: computed, or kept from an earlier time.

The encoder takes nine tenths of the time of a paper. Where its states are kept, a new question is asked
without it. They are kept in eight bits, with a scale for each token; what comes back differs a little from
what was computed, and `benchmarks/scale.py` measures how often an answer does.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vivavoce.readers.builtin.network import Encoded, Floats, Halves
from vivavoce.readers.builtin.windows import Window

STEPS = 127
"""The largest value of eight bits."""


class Encoder(Protocol):
    widths: tuple[int, int]
    """Numbers in a token's last state, and in that which the judge takes up."""

    def tokens(self, texts: Sequence[str]) -> list[list[int]]: ...

    def encode(self, windows: Sequence[Window]) -> Encoded: ...


class States:
    """The states of one paper's windows, batch after batch. Batches are the same every time: they depend on
    the paper alone."""

    def __init__(self, encoder: Encoder, kept: bytes = b"", keep: bool = False) -> None:
        """`kept`: from an earlier time; without any they are computed. `keep`: they will be asked for."""
        self._encoder = encoder
        self._kept = memoryview(kept) if kept else None
        self._at = 0
        self._keep = keep
        self._computed: list[bytes] = []
        self._sums: dict[int, Floats] = {}

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The sentences' tokens, of which windows are made. When their states are kept, there are as many
        tokens as there were, of no meaning. Asked for once, before anything is encoded."""
        if self._kept is not None:
            lengths = np.frombuffer(self._kept, np.uint32, len(texts))
            self._at = lengths.nbytes
            return [[0] * length for length in lengths.tolist()]
        tokens = self._encoder.tokens(texts)
        if self._keep:
            self._computed.append(np.array([len(some) for some in tokens], np.uint32).tobytes())
        return tokens

    def encode(self, windows: Sequence[Window]) -> Encoded:
        if self._kept is not None:
            return self._taken(self._kept, windows)
        encoded = self._encoder.encode(windows)
        if self._keep:
            self._computed += [quantised(encoded.last), quantised(encoded.states)]
            sums = np.add.reduceat(encoded.last, encoded.starts, axis=0)
            for sentence, own in zip(encoded.sentences, sums, strict=True):
                self._sums[sentence] = self._sums.get(sentence, 0) + own
        return encoded

    def _taken(self, kept: memoryview, windows: Sequence[Window]) -> Encoded:
        """The next batch of what was kept."""
        pieces = [piece for window in windows for piece in window.pieces]
        starts = np.cumsum([0, *(piece.last - piece.first for piece in pieces)]).tolist()
        last, states = (self._rows(kept, starts[-1], width) for width in self._encoder.widths)
        return Encoded(last, states.astype(np.float16), starts[:-1], [piece.sentence for piece in pieces])

    def _rows(self, kept: memoryview, many: int, width: int) -> Floats:
        """The next rows, as they were before they were `quantised`, or nearly so."""
        scales = np.frombuffer(kept, np.float32, many, self._at)
        values = np.frombuffer(kept, np.int8, many * width, self._at + scales.nbytes)
        self._at += scales.nbytes + values.nbytes
        return np.multiply(values.reshape(many, width), scales[:, None], dtype=np.float32)

    def to_keep(self) -> bytes:
        """What was computed, to be stored: how many tokens each sentence has (uint32); then, batch after
        batch, and of the last states before those for the judge, a scale for each token (float32), and the
        tokens' values (int8)."""
        return b"".join(self._computed)

    def vectors(self, numbers: Sequence[int], many: int) -> bytes:
        """Of each of the paper's `many` sentences its direction (int8), to search by; zeros if it was not
        read. `numbers` are the places in the paper of those that were."""
        sums = np.zeros((many, self._encoder.widths[0]), np.float32)
        for sentence, own in self._sums.items():
            sums[numbers[sentence]] = own
        return directions(sums)


def quantised(states: Floats | Halves) -> bytes:
    """The rows in eight bits: the scale of each, then their values."""
    states = states.astype(np.float32)
    scales = np.maximum(np.abs(states).max(axis=1) / STEPS, 1e-12).astype(np.float32)
    values: NDArray[np.int8] = np.rint(states / scales[:, None]).astype(np.int8)
    return bytes(scales.tobytes() + values.tobytes())


def directions(sums: Floats) -> bytes:
    """Vectors of the length 1, in eight bits, to search by."""
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    values: NDArray[np.int8] = np.rint(sums / lengths * STEPS).astype(np.int8)
    return values.tobytes()
