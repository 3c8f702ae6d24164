"""Trains the judge on the scorer's states: evidence, near misses, what the scorer wrongly likes, and chance.

The scorer is fixed by now, so every paper is encoded once.
"""

import random
import time
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from training.data import Row, Wordings
from training.networks import HALF, Judge, Scorer, pad
from training.scorer import FULL, descend, pace, score
from vivavoce.readers.windows import Window

BATCH = 64
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


def half_and_last(scorer: Scorer, windows: Sequence[Window]) -> tuple[dict[int, Tensor], dict[int, Tensor]]:
    """Half-way and last states of every sentence."""
    half: dict[int, Tensor] = {}
    last: dict[int, Tensor] = {}
    by_length = sorted(windows, key=lambda w: len(w.tokens))
    for at in range(0, len(by_length), 8):
        batch = by_length[at : at + 8]
        ids, mask = pad([w.tokens for w in batch])
        with torch.no_grad():
            out = scorer.enc(input_ids=ids, attention_mask=mask, output_hidden_states=True)
        for n, window in enumerate(batch):
            for piece in window.pieces:
                span = slice(piece.first, piece.last)
                half.setdefault(piece.sentence, out.hidden_states[HALF][n, span].half())
                last.setdefault(piece.sentence, out.last_hidden_state[n, span])
    return half, dict(sorted(last.items()))


def question_states(scorer: Scorer, tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tensor]:
    ids, mask = pad([e.ids for e in tokenizer.encode_batch(list(texts))])
    with torch.no_grad():
        out = scorer.enc(input_ids=ids, attention_mask=mask, output_hidden_states=True)
    return [out.hidden_states[HALF][n, : int(mask[n].sum())].half() for n in range(len(texts))]


def choose(
    sentences: Sequence[int],
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
    others = [sentences[i] for i in order if sentences[i] not in said and sentences[i] not in seeming]
    liked = 0.4 if len(said) >= FULL else 1.0
    return [
        *((s, 1.0, 1.5) for s in sorted(said)),
        *((s, 0.0, 1.5) for s in seeming),
        *((s, 0.0, liked) for s in others[:hard]),
        *((s, 0.0, 1.0) for s in chance.sample(others, min(1, len(others)))),
    ]


def pairs(
    scorer: Scorer,
    rows: Sequence[Row],
    wordings: Wordings,
    tokenizer: Tokenizer,
    chance: random.Random,
    without: frozenset[str] = frozenset(),
) -> list[Pair]:
    made: list[Pair] = []
    for row in rows:
        half, last = half_and_last(scorer, row.windows)
        questions = [q for q in row.questions if q.id not in without]
        texts = [wordings.draw(q, chance) for q in questions]
        with torch.no_grad():
            sentences, scores = score(scorer, last, tokenizer, texts)
        place = {s: n for n, s in enumerate(sentences)}
        for n, states in enumerate(question_states(scorer, tokenizer, texts)):
            picked = choose(
                sentences, scores[n], questions[n].evidence, questions[n].near, hard=5, chance=chance
            )
            made.extend(
                Pair(states, half[s], float(scores[n, place[s]]), target, weight)
                for s, target, weight in picked
            )
    return made


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
    rows: Sequence[Row],
    wordings: Wordings,
    tokenizer: Tokenizer,
    *,
    most: int,
    seed: int,
    without: frozenset[str] = frozenset(),
) -> Judge:
    chance = random.Random(seed)
    torch.manual_seed(seed)
    everything = pairs(scorer, rows, wordings, tokenizer, chance, without)
    used = chance.sample(everything, min(most, len(everything)))
    judge = Judge(scorer.enc)
    optimiser = torch.optim.AdamW(judge.parameters(), lr=RATE, weight_decay=0.01)
    steps = len(used) // BATCH
    pool = batches(used, BATCH, chance)
    began, shown = time.monotonic(), 0.0
    for step in range(steps):
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
