"""The trained network: token ids in, numbers out. It knows nothing of papers, questions or answers.

It has two parts, in `weights/` (how they were trained: `training/MODEL_CARD.md`):

- `encoder.onnx` turns a window of tokens into states, once per paper, and a question into states, once.
- the scorer (`scorer.npz`, in numpy) compares every sentence with every question at hardly any cost:
  the question looks for what it needs among the sentence's tokens, in three ways.

A number depends on its paper and its question alone, never on what else is asked: int8 arithmetic takes its
scale from a whole batch, so a batch never mixes papers, or questions.
"""

import os
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vivavoce.readers.builtin.windows import CLS, SEP, Window

Floats = NDArray[np.float32]

WEIGHTS = files("vivavoce.readers.builtin") / "weights"

LONGEST_QUESTION = 62
"""Tokens of a question that are read."""
QUESTIONS_KEPT = 1000
HEADS = 4
"""In which a question looks at a sentence."""
FAR = np.float32(-1e4)


class Asked(NamedTuple):
    """A question as the network sees it."""

    vector: Floats
    """What it is about, as one vector."""
    terms: Floats
    """A direction for each of its tokens."""
    weights: Floats
    """How much each of its tokens matters; they sum to 1."""


class Encoded(NamedTuple):
    """A batch of windows as the network sees it: token after token, sentence after sentence."""

    states: Floats
    starts: list[int]
    """Where each sentence begins."""
    sentences: list[int]
    """Which sentence of the paper each one is."""


class Network:
    width = 384
    """Numbers in a token's state."""

    def __init__(self, threads: int | None = None, weights: Traversable = WEIGHTS) -> None:
        # Read before the import: otherwise onnxruntime writes telemetry files under the home folder.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or len(os.sched_getaffinity(0))
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        model = (weights / "encoder.onnx").read_bytes()
        self._encoder: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_str((weights / "tokenizer.json").read_text(encoding="utf-8"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        with (weights / "scorer.npz").open("rb") as file, np.load(file) as arrays:
            self._w = {name: arrays[name].astype(np.float32) for name in arrays}
        self.question = lru_cache(maxsize=QUESTIONS_KEPT)(self._question)
        """A question as the network sees it; the same questions are asked of many papers."""

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [e.ids for e in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the text stands in it."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    def _question(self, text: str) -> Asked:
        ids = [CLS, *self.tokens([text])[0][:LONGEST_QUESTION], SEP]
        last = self._encode([ids])[0]
        w = self._w
        weights = last @ w["w.weight"][0] + w["w.bias"]
        weights[0] = FAR
        return Asked(last.mean(0), _unit(last @ w["u.weight"].T), _softmax(weights))

    def encode(self, windows: Sequence[Window]) -> Encoded:
        """A few windows, of one paper."""
        states = self._encode([w.tokens for w in windows])
        rows = [(n, piece) for n, window in enumerate(windows) for piece in window.pieces]
        starts = np.cumsum([0, *(p.last - p.first for _, p in rows)])[:-1].tolist()
        cut = np.concatenate([states[n, p.first : p.last] for n, p in rows])
        return Encoded(cut, starts, [p.sentence for _, p in rows])

    def score(self, last: Floats, starts: Sequence[int], asked: Sequence[Asked]) -> Floats:
        """How well each stretch of tokens answers each question, as logits: questions x stretches."""
        w = self._w
        about = np.stack([a.vector for a in asked])
        # Heads first: heads x tokens x dimensions, heads x questions x tokens.
        keys, held = (_heads(_affine(last, w, n)) for n in ("k", "v"))
        look = _heads(_affine(about, w, "q")) @ keys.transpose(0, 2, 1) / np.float32(keys.shape[2] ** 0.5)
        lengths = np.diff([*starts, len(last)])
        look = np.exp(look - np.repeat(np.maximum.reduceat(look, starts, axis=2), lengths, axis=2))
        look /= np.repeat(np.add.reduceat(look, starts, axis=2), lengths, axis=2)
        ends = [*starts[1:], len(last)]
        found = np.stack([look[:, :, a:b] @ held[:, a:b] for a, b in zip(starts, ends, strict=True)])
        found = found.transpose(2, 0, 1, 3).reshape(len(asked), len(starts), -1)
        directions = _unit(last @ w["t.weight"].T)
        terms = np.stack(
            [a.weights @ np.maximum.reduceat(a.terms @ directions.T, starts, axis=1) for a in asked]
        )
        sums: Floats = np.add.reduceat(last, starts, axis=0)
        alike = _unit(about) @ _unit(sums).T
        # The first layer sees what was found, that times a gate of the question's, and the two likenesses.
        # The gate goes into the weights, of which each question then has its own.
        size = found.shape[2]
        first = w["m1.weight"].T
        own = first[:size] * _affine(about, w, "q2")[:, :, None] + first[size : 2 * size]
        likenesses = 4 * np.stack([terms, alike], axis=2) @ first[2 * size :]
        hidden = _gelu(found @ own + likenesses + w["m1.bias"])
        scores = _affine(hidden, w, "m2")[:, :, 0] + 8 * terms + _affine(about, w, "bias")
        return np.asarray(scores, dtype=np.float32)

    def _encode(self, rows: Sequence[Sequence[int]]) -> Floats:
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for n, row in enumerate(rows):
            ids[n, : len(row)], mask[n, : len(row)] = row, 1
        return np.asarray(self._encoder.run(["last"], {"ids": ids, "mask": mask})[0], np.float32)


@cache
def network(threads: int | None = None) -> Network:
    """The network, loaded once in a process."""
    return Network(threads)


def _affine(x: Floats, weights: dict[str, Any], name: str) -> Floats:
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], np.float32)


def _heads(x: Floats) -> Floats:
    return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)


def _unit(x: Floats) -> Floats:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12), np.float32)


def _softmax(x: Floats) -> Floats:
    exp = np.exp(x - x.max())
    return np.asarray(exp / exp.sum(), np.float32)


def _gelu(x: Floats) -> Floats:
    return np.asarray(0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x * x * x))), np.float32)
