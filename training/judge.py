"""Trains the judge on the scorer's states: evidence, near misses, what the scorer wrongly likes, and chance.

The scorer is fixed and exported by now: its states and scores are those of the int8 network that ships.
"""

import random
import time
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor

from training.data import Row, Wordings
from training.networks import Judge, Scorer, simulate_int8
from training.scorer import ROUNDED_FROM, descend, pace
from vivavoce.readers.builtin.network import Asked, Network
from vivavoce.readers.builtin.windows import Window

BATCH = 64
BATCH_OF_WINDOWS = 8
RATE = 1e-4

Item = TypeVar("Item", bound=Sized)


@dataclass(frozen=True)
class Pair:
    question: Tensor
    sentence: Tensor
    score: float
    target: float
    weight: float

    def __len__(self) -> int:
        return len(self.question) + len(self.sentence)


def states_and_scores(
    network: Network, windows: Sequence[Window], asked: Sequence[Asked]
) -> tuple[dict[int, Tensor], Tensor]:
    """Half-way states of every sentence (the first piece of a long one), and questions x sentences scores."""
    half: dict[int, Tensor] = {}
    columns: dict[int, Tensor] = {}
    by_length = sorted(windows, key=lambda w: len(w.tokens))
    for at in range(0, len(by_length), BATCH_OF_WINDOWS):
        read = network.encode(by_length[at : at + BATCH_OF_WINDOWS])
        scores = torch.from_numpy(network.score(read.last, read.starts, asked))
        ends = [*read.starts[1:], len(read.last)]
        for n, (a, b, s) in enumerate(zip(read.starts, ends, read.sentences, strict=True)):
            half.setdefault(s, torch.from_numpy(read.half[a:b]).half())
            columns.setdefault(s, scores[:, n])
    return half, torch.stack([columns[s] for s in sorted(columns)], 1)


def choose(
    scores: Tensor,
    evidence: Sequence[int],
    near: Sequence[int],
    *,
    hard: int,
    chance: random.Random,
) -> list[tuple[int, float, float]]:
    """Sentences to learn from, each with target and weight."""
    said = set(evidence)
    seeming = sorted(set(near) - said)
    order = scores.argsort(descending=True, stable=True).tolist()
    others = [s for s in order if s not in said and s not in seeming]
    # Where some sentences answer, others that look like it may do so too and were not listed.
    liked = 0.3 if said else 1.0
    return [
        *((s, 1.0, 1.5) for s in sorted(said)),
        *((s, 0.0, 1.5) for s in seeming),
        *((s, 0.0, liked) for s in others[:hard]),
        *((s, 0.0, 1.0) for s in chance.sample(others, min(1, len(others)))),
    ]


def pairs(network: Network, rows: Sequence[Row], wordings: Wordings, chance: random.Random) -> Iterator[Pair]:
    """All that there is to learn from."""
    for row in rows:
        asked = [network.question(wordings.draw(q, chance)) for q in row.questions]
        half, scores = states_and_scores(network, row.windows, asked)
        for n, q in enumerate(row.questions):
            states = torch.from_numpy(asked[n].states)
            for s, target, weight in choose(scores[n], q.evidence, q.near, hard=5, chance=chance):
                yield Pair(states, half[s], float(scores[n, s]), target, weight)


def assemble(batch: Sequence[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    """What the judge takes."""
    states = torch.zeros(len(batch), max(map(len, batch)), batch[0].question.shape[1])
    part = torch.full(states.shape[:2], -1)
    for n, pair in enumerate(batch):
        asked = len(pair.question)
        states[n, :asked], states[n, asked : len(pair)] = pair.question.float(), pair.sentence.float()
        part[n, :asked], part[n, asked : len(pair)] = 0, 1
    return states, part, torch.tensor([p.score for p in batch])


def train(
    scorer: Scorer,
    network: Network,
    rows: Sequence[Row],
    wordings: Wordings,
    *,
    most: int,
    seed: int,
) -> Judge:
    """Starts from the scorer's upper layers; `network` is the scorer as it was exported."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    everything = list(pairs(network, rows, wordings, chance))
    used = chance.sample(everything, min(most, len(everything)))
    print(f"judge: {len(everything)} pairs, {len(used)} used", flush=True)
    judge = Judge(scorer.enc)
    optimiser = torch.optim.AdamW(judge.parameters(), lr=RATE, weight_decay=0.01)
    steps = len(used) // BATCH
    pool = batches(used, BATCH, chance)
    began, shown = time.monotonic(), 0.0
    for step in range(steps):
        if step == int(ROUNDED_FROM * steps):
            simulate_int8(judge)
        batch = pool.pop()
        pace(optimiser, (RATE,), step, steps, warm=40)
        logits = judge(*assemble(batch))
        targets, weights = (torch.tensor(x) for x in zip(*((p.target, p.weight) for p in batch), strict=True))
        loss = (F.binary_cross_entropy_with_logits(logits, targets, reduction="none") * weights).mean()
        descend(optimiser, loss, judge)
        shown = loss.item() if not step else 0.98 * shown + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"judge {step}/{steps}  loss {shown:.3f}  {time.monotonic() - began:.0f} s", flush=True)
    return judge.eval()


def batches(items: Sequence[Item], size: int, chance: random.Random) -> list[list[Item]]:
    """Batches of items of about the same length, in random order."""
    mixed = chance.sample(items, len(items))
    made: list[list[Item]] = []
    for at in range(0, len(mixed), size * 16):
        some = sorted(mixed[at : at + size * 16], key=len)
        made.extend(some[i : i + size] for i in range(0, len(some), size))
    chance.shuffle(made)
    return made
