"""Trains the plain cross-encoder, to compare with: question, end of the sentence before, sentence.

It learns from the same pairs as the judge.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from training.data import Row, Wordings
from training.judge import batches, pairs
from training.networks import CrossEncoder, pad
from training.scorer import descend, pace
from vivavoce.readers.network import Network
from vivavoce.readers.windows import BEFORE, CLS, LONGEST, SEP

BATCH = 32
RATE = 1e-4
BAR = 1064
"""The token "|": what follows it is the sentence in question."""


@dataclass(frozen=True)
class Text:
    ids: tuple[int, ...]
    split: int
    """Where the question ends."""
    target: float = 0.0
    weight: float = 1.0

    def __len__(self) -> int:
        return len(self.ids)


def text(question: Sequence[int], before: Sequence[int], sentence: Sequence[int]) -> Text:
    asked = (CLS, *question[:48], SEP)
    return Text((*asked, *before[-BEFORE:], BAR, *sentence[:LONGEST], SEP), len(asked))


def assemble(batch: Sequence[Text]) -> tuple[Tensor, Tensor, Tensor]:
    ids, mask = pad([t.ids for t in batch])
    part = mask.clone()
    for n, t in enumerate(batch):
        part[n, : t.split] = 0
    return ids, mask, part


def train(
    network: Network,
    rows: Sequence[Row],
    wordings: Wordings,
    *,
    most: int,
    seed: int,
) -> CrossEncoder:
    """The exported scorer only chooses the hard negatives."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    everything: list[Text] = []
    for row, asked, _, s, _, _, target, weight in pairs(network, rows, wordings, chance):
        before = row.tokens[s - 1] if s else ()
        made = text(network.tokens([asked])[0], before, row.tokens[s])
        everything.append(Text(made.ids, made.split, target, weight))
    used = chance.sample(everything, min(most, len(everything)))
    encoder = CrossEncoder()
    learnt = [p for p in encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=RATE, weight_decay=0.01)
    steps, began, shown = len(used) // BATCH, time.monotonic(), 0.0
    pool = batches(used, BATCH, chance)
    for step in range(steps):
        batch = pool.pop()
        pace(optimiser, (RATE,), step, steps, warm=60)
        targets, weights = (torch.tensor(x) for x in zip(*((t.target, t.weight) for t in batch), strict=True))
        each = F.binary_cross_entropy_with_logits(encoder(*assemble(batch)), targets, reduction="none")
        loss = (each * weights).mean()
        descend(optimiser, loss, encoder)
        shown = loss.item() if not step else 0.98 * shown + 0.02 * loss.item()
        if step % 100 == 0:
            print(f"cross {step}/{steps}  loss {shown:.3f}  {time.monotonic() - began:.0f} s", flush=True)
    return encoder.eval()
