"""The trained network: token ids in, numbers out. It knows nothing of papers, questions or answers.

It has three parts, in `weights/` (how they were trained: `training/MODEL_CARD.md`):

- `encoder.onnx` turns a window of tokens into states, once per paper, and a question into states, once.
- the scorer (in `heads.npz`, run by numpy) compares every sentence with every question at hardly any cost.
- `judge.onnx` reads a question and a sentence together, for the few sentences that the scorer likes best:
  does it give what is asked, which of its words answer, and is it a yes or a no?

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
Halves = NDArray[np.float16]

WEIGHTS = files("vivavoce.readers.builtin") / "weights"

LONGEST_QUESTION = 62
"""Tokens of a question that are read."""
QUESTIONS_KEPT = 1000
HEADS = 4
"""In which a question looks at a sentence."""
KINDS = ("text", "number", "yes_no", "list", "link", "date")
"""What a question may ask for."""


class Asked(NamedTuple):
    """A question as the network sees it."""

    vector: Floats
    """What it is about, as one vector."""
    terms: Floats
    """A direction for each of its tokens."""
    weights: Floats
    """How much each of its tokens matters; they sum to 1."""
    level: float
    """What a sentence's score must pass to answer it."""
    states: Halves
    """Of its tokens, as the judge takes them up."""

    def kinds(self, weights: dict[str, Floats]) -> dict[str, float]:
        """How likely it is that it asks for each kind of thing."""
        chances = _softmax(_affine(self.vector[None], weights, "kind")[0])
        return dict(zip(KINDS, map(float, chances), strict=True))


class Encoded(NamedTuple):
    """A batch of windows as the network sees it: token after token, sentence after sentence."""

    last: Floats
    states: Halves
    """As the judge takes them up."""
    starts: list[int]
    """Where each sentence begins."""
    sentences: list[int]
    """Which sentence of the paper each one is."""


class Judged(NamedTuple):
    """What the judge says of a sentence."""

    score: float
    """Does it answer the question? As a logit."""
    marks: Floats
    """Of each of its tokens the chance that it belongs to the words that answer."""
    yes: float
    """The chance that it answers yes, should the question ask for yes or no."""


class Network:
    def __init__(self, threads: int | None = None, weights: Traversable = WEIGHTS) -> None:
        # Read before the import: otherwise onnxruntime writes telemetry files under the home folder.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or len(os.sched_getaffinity(0))
        options.inter_op_num_threads = 1
        options.log_severity_level = 3

        def session(name: str) -> Any:
            model = (weights / name).read_bytes()
            return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

        self._encoder, self._judge = session("encoder.onnx"), session("judge.onnx")
        self._tokenizer = Tokenizer.from_str((weights / "tokenizer.json").read_text(encoding="utf-8"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        with (weights / "heads.npz").open("rb") as file, np.load(file) as arrays:
            self._w: dict[str, Floats] = {name: arrays[name].astype(np.float32) for name in arrays}
        self.widths = (self._w["w.weight"].shape[1], len(self._w["part"]))
        """Numbers in a token's last state, and in that which the judge takes up."""
        self.question = lru_cache(maxsize=QUESTIONS_KEPT)(self._question)
        """A question as the network sees it; the same questions are asked of many papers."""

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [e.ids for e in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where each token of the text stands in it."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    def kinds(self, asked: Asked) -> dict[str, float]:
        """How likely it is that the question asks for each kind of thing."""
        return asked.kinds(self._w)

    def vector(self, text: str, longest: int) -> Floats:
        """What a text is about: the mean of its tokens' states, of so many tokens at most."""
        ids = [CLS, *self.tokens([text])[0][: longest - 2], SEP]
        return np.asarray(self._encode([ids])[0][0].mean(0), np.float32)

    def _question(self, text: str) -> Asked:
        ids = [CLS, *self.tokens([text])[0][:LONGEST_QUESTION], SEP]
        last, states = (x[0] for x in self._encode([ids]))
        w = self._w
        weights = np.maximum(1 + last @ w["w.weight"][0] + w["w.bias"], np.float32(0.01))
        vector = last.mean(0)
        return Asked(
            vector,
            _unit(last),
            np.asarray(weights / weights.sum(), np.float32),
            float(_affine(vector[None], w, "level")[0, 0]),
            states,
        )

    def encode(self, windows: Sequence[Window]) -> Encoded:
        """A few windows, of one paper."""
        last, states = self._encode([w.tokens for w in windows])
        rows = [(n, piece) for n, window in enumerate(windows) for piece in window.pieces]
        starts = np.cumsum([0, *(p.last - p.first for _, p in rows)])[:-1].tolist()
        return Encoded(
            np.concatenate([last[n, p.first : p.last] for n, p in rows]),
            np.concatenate([states[n, p.first : p.last] for n, p in rows]),
            starts,
            [p.sentence for _, p in rows],
        )

    def score(
        self, last: Floats, starts: Sequence[int], asked: Sequence[Asked], matches: Floats, places: Floats
    ) -> Floats:
        """How far each stretch of tokens stands above each question's level, as logits: questions x
        stretches. Inputs besides the tokens are `matches` (questions x stretches x shares of words) and
        `places` (stretches x places)."""
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
        directions = _unit(last)
        terms = self._terms(directions, starts, asked)
        sums: Floats = np.add.reduceat(last, starts, axis=0)
        alike = _unit(about) @ _unit(sums).T
        plain = np.concatenate(
            [
                np.stack([terms, alike], axis=2),
                matches,
                np.broadcast_to(places, (len(asked), *places.shape)),
            ],
            axis=2,
        )
        # The first layer sees what was found, that times a gate of the question's, and the plain inputs.
        # The gate goes into the weights, of which each question then has its own.
        size = found.shape[2]
        first = w["m1.weight"].T
        own = first[:size] * _affine(about, w, "q2")[:, :, None] + first[size : 2 * size]
        hidden = _gelu(found @ own + plain @ first[2 * size :] + w["m1.bias"])
        scores = _affine(hidden, w, "m2")[:, :, 0] + _affine(plain, w, "direct")[:, :, 0]
        levels = np.array([a.level for a in asked], np.float32)
        return np.asarray(scores + _affine(about, w, "bias") - levels[:, None], np.float32)

    @staticmethod
    def _terms(directions: Floats, starts: Sequence[int], asked: Sequence[Asked]) -> Floats:
        """The weighted mean of how close the closest token comes to each of a question's."""
        best = np.maximum.reduceat(np.concatenate([a.terms for a in asked]) @ directions.T, starts, axis=1)
        ends = np.cumsum([len(a.terms) for a in asked])
        parts = np.split(best, ends[:-1])
        return np.stack([a.weights @ part for a, part in zip(asked, parts, strict=True)])

    def judge(self, asked: Asked, sentences: Sequence[Halves], scores: Sequence[float]) -> list[Judged]:
        """A question together with each of some sentences of a paper, given by their states and scores."""
        w = self._w
        longest, size = max(map(len, sentences)), len(asked.states)
        states = np.zeros((len(sentences), size + longest, asked.states.shape[1]), np.float32)
        mask = np.zeros(states.shape[:2], np.int64)
        for n, some in enumerate(sentences):
            states[n, :size] = asked.states
            states[n, size : size + len(some)] = some.astype(np.float32) + w["part"]
            mask[n, : size + len(some)] = 1
        out = np.asarray(self._judge.run(["last"], {"states": states, "mask": mask})[0], np.float32)
        verdicts, yes = (_affine(out[:, 0], w, name)[:, 0] for name in ("verdict", "yes"))
        judged = verdicts + w["gain"] * np.array(scores, np.float32)
        marks = _logistic(_affine(out[:, size:], w, "mark")[:, :, 0])
        return [
            Judged(float(judged[n]), marks[n, : len(some)], float(_logistic(yes[n])))
            for n, some in enumerate(sentences)
        ]

    def _encode(self, rows: Sequence[Sequence[int]]) -> tuple[Floats, Halves]:
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for n, row in enumerate(rows):
            ids[n, : len(row)], mask[n, : len(row)] = row, 1
        last, middle = self._encoder.run(["last", "middle"], {"ids": ids, "mask": mask})
        return np.asarray(last, np.float32), np.asarray(middle, np.float16)


@cache
def network(threads: int | None = None) -> Network:
    """The network, loaded once in a process."""
    return Network(threads)


def _affine(x: Floats, weights: dict[str, Floats], name: str) -> Floats:
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], np.float32)


def _heads(x: Floats) -> Floats:
    return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)


def _unit(x: Floats) -> Floats:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12), np.float32)


def _softmax(x: Floats) -> Floats:
    exp = np.exp(x - x.max())
    return np.asarray(exp / exp.sum(), np.float32)


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)), np.float32)


def _gelu(x: Floats) -> Floats:
    return np.asarray(0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x * x * x))), np.float32)
