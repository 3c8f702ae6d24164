"""The network in torch: an encoder, a scorer of every sentence for every question, and a judge of the best.

- The encoder reads windows of sentences, and questions, apart from each other.
- The scorer compares every sentence with every question at hardly any cost: the question picks what it wants
  among the sentence's tokens (attention), each of its tokens looks for its like (weighted MaxSim), the two
  are compared as wholes (cosine); the words they share and the sentence's place in the paper are inputs, too.
  `level` is what a sentence must pass for the question to be answered: it depends on the question.
- The judge is two layers of joint attention over a question's and a sentence's states, for the best
  sentences: does it give what is asked? It also marks the words that answer, and says yes or no.

`readers.builtin.network` runs what is exported; the names of the layers are those in its files.
"""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import BertModel

from training import base
from training.data import KINDS
from vivavoce.readers.builtin.places import PLACES

SIZE, HEADS, WIDTH = 128, 4, 384
JUDGE_LAYERS = 2
FROZEN = 6
"""Layers of the encoder that stay as they are, like its embeddings."""
MATCHES = 3
"""Shares of the question's words: in the sentence, around it, in the paper."""


class Int8Linear(nn.Linear):
    """A linear layer that, when `simulated` is on, rounds as the exported int8 network will: weights to seven
    bits per output, inputs to eight bits per batch. Gradients pass as if nothing were rounded."""

    simulated = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.simulated:
            return F.linear(x, self.weight, self.bias)
        x = x.float()
        low, high = (
            edge.clamp(**{side: 0.0}) for edge, side in zip(x.detach().aminmax(), ("max", "min"), strict=True)
        )
        scale = ((high - low) / 255).clamp(min=1e-8)
        zero = (-low / scale).round().to(torch.int32)
        x = torch.fake_quantize_per_tensor_affine(x, scale, zero, 0, 255)
        most = self.weight.detach().abs().amax(1).clamp(min=1e-8) / 63
        none = torch.zeros(len(most), dtype=torch.int32)
        return F.linear(
            x, torch.fake_quantize_per_channel_affine(self.weight, most, none, 0, -64, 63), self.bias
        )


def simulate_int8(network: nn.Module, on: bool = True) -> None:
    for layer in network.modules():
        if isinstance(layer, Int8Linear):
            layer.simulated = on


def encoder() -> BertModel:
    """The base model, with its lower layers as they are."""
    bert = base.model()
    bert.embeddings.requires_grad_(False)
    for layer in bert.encoder.layer[:FROZEN]:
        layer.requires_grad_(False)
    for layer in bert.encoder.modules():
        if type(layer) is nn.Linear:
            layer.__class__ = Int8Linear
    return bert


class Asked(NamedTuple):
    """Questions as the network sees them."""

    vectors: Tensor
    directions: Tensor
    weights: Tensor
    levels: Tensor
    middle: Tensor
    """States that the judge takes up: questions x tokens x width."""
    mask: Tensor


class Judged(NamedTuple):
    logits: Tensor
    marks: Tensor
    """Of each token of the sentence: does it belong to the words that answer?"""
    yes: Tensor


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.enc = encoder()
        self.k, self.v = nn.Linear(WIDTH, SIZE), nn.Linear(WIDTH, SIZE)
        self.q, self.q2 = nn.Linear(WIDTH, SIZE), nn.Linear(WIDTH, SIZE)
        self.w, self.bias = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        self.level, self.kind = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, len(KINDS))
        self.m1, self.m2 = nn.Linear(2 * SIZE + 2 + MATCHES + len(PLACES), 128), nn.Linear(128, 1)
        self.direct = nn.Linear(2 + MATCHES + len(PLACES), 1)
        for layer in (self.w, self.bias, self.level, self.m2, self.direct):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():
            self.direct.weight[0, 0] = 20.0  # it starts from plain MaxSim
            self.direct.weight[0, 2] = 1.0
            self.level.bias.fill_(14.0)
        self.judge = nn.ModuleList(copy.deepcopy(layer) for layer in self.enc.encoder.layer[-JUDGE_LAYERS:])
        self.part = nn.Parameter(torch.zeros(WIDTH))
        """Tells the judge which tokens are the sentence's."""
        self.gain = nn.Parameter(torch.tensor([0.5]))
        """What the judge takes over of the scorer's score: it learns to correct it."""
        self.verdict, self.mark, self.yes = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.verdict.bias)
        nn.init.constant_(self.mark.bias, -1.5)

    def states(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Of each token: its last state, and the one that the judge takes up."""
        bias = attention_bias(mask)
        states = self.enc.embeddings(input_ids=ids)
        for n, layer in enumerate(self.enc.encoder.layer):
            if n == len(self.enc.encoder.layer) - JUDGE_LAYERS:
                middle = states
            states = through(layer, states, bias)
        return states.float(), middle

    def question(self, ids: Tensor, mask: Tensor) -> Asked:
        states, middle = self.states(ids, mask)
        whole = mask.unsqueeze(-1).float()
        vector = (states * whole).sum(1) / whole.sum(1)
        weights = (1 + self.w(states).squeeze(-1)).clamp(min=0.01) * mask
        weights = weights / weights.sum(1, keepdim=True)
        directions = F.normalize(states, dim=-1)
        return Asked(vector, directions, weights, self.level(vector).squeeze(-1), middle, mask)

    def score(self, tokens: Tensor, mask: Tensor, asked: Asked, matches: Tensor, places: Tensor) -> Tensor:
        """Logits, questions x sentences, from sentences x tokens x width, questions x sentences x matches,
        sentences x places."""
        many, longest, _ = tokens.shape
        some, part = len(asked.vectors), SIZE // HEADS
        hidden = mask == 0
        keys = self.k(tokens).view(many, longest, HEADS, part)
        held = self.v(tokens).view(many, longest, HEADS, part)
        wanted = self.q(asked.vectors).view(some, HEADS, part)
        look = torch.einsum("slhd,qhd->qshl", keys, wanted) / part**0.5
        look = look.masked_fill(hidden[None, :, None, :], -1e4).softmax(-1)
        found = torch.einsum("qshl,slhd->qshd", look, held).reshape(some, many, SIZE)
        alike = torch.einsum("qid,sld->qisl", asked.directions, F.normalize(tokens, dim=-1))
        best = alike.masked_fill(hidden[None, None], -1.0).amax(-1)
        terms = (best * asked.weights.unsqueeze(-1)).sum(1)
        mean = (tokens * mask.unsqueeze(-1)).sum(1)
        whole = F.normalize(asked.vectors, dim=-1) @ F.normalize(mean, dim=-1).T
        plain = torch.cat(
            [terms.unsqueeze(-1), whole.unsqueeze(-1), matches, places.expand(some, -1, -1)], -1
        )
        gated = found * self.q2(asked.vectors)[:, None, :]
        deep = self.m2(F.gelu(self.m1(torch.cat([gated, found, plain], -1)), approximate="tanh"))
        return (deep + self.direct(plain)).squeeze(-1) + self.bias(asked.vectors)

    def judged(self, question: Tensor, question_mask: Tensor, sentence: Tensor, mask: Tensor) -> Judged:
        """Pairs of a question and a sentence, by their middle states."""
        width = question.shape[1]
        states = torch.cat([question, sentence + self.part], 1)
        bias = attention_bias(torch.cat([question_mask, mask], 1))
        for layer in self.judge:
            states = through(layer, states, bias)
        states = states.float()
        first = states[:, 0]
        marks = self.mark(states[:, width:]).squeeze(-1)
        return Judged(self.verdict(first).squeeze(-1), marks, self.yes(first).squeeze(-1))


def attention_bias(mask: Tensor) -> Tensor:
    bias = (1 - mask.float())[:, None, None, :] * -1e4
    return bias.expand(-1, 1, mask.shape[1], -1)


def through(layer: nn.Module, states: Tensor, bias: Tensor) -> Tensor:
    if torch.is_autocast_enabled("cpu"):
        bias = bias.to(torch.bfloat16)
    out = layer(states, bias)
    return out[0] if isinstance(out, tuple) else out


def pad(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Token ids and their mask."""
    width = max(map(len, rows))
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for n, row in enumerate(rows):
        ids[n, : len(row)], mask[n, : len(row)] = torch.tensor(row), 1
    return ids, mask


class States(NamedTuple):
    """The states of several sentences' tokens, one after the other."""

    sentences: list[int]
    starts: Tensor
    lengths: Tensor
    last: Tensor
    middle: Tensor

    def only(self, which: Sequence[int]) -> "States":
        """Those in these places."""
        return self._replace(
            sentences=[self.sentences[n] for n in which],
            starts=self.starts[list(which)],
            lengths=self.lengths[list(which)],
        )


def block(flat: Tensor, starts: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Stretches of a long row of states as a padded block, and its mask."""
    steps = torch.arange(int(lengths.max()))
    mask = (steps < lengths[:, None]).float()
    where = (starts[:, None] + steps).clamp(max=len(flat) - 1)
    return flat.index_select(0, where.flatten()).view(*where.shape, -1), mask
