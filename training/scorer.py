"""Trains the scorer: all sentences of a paper against all its questions at once.

A step is one paper: some of its windows, every question. Evidence counts four times a plain sentence, near
misses three times; where the annotator stopped at six sentences, others may be evidence and count less.
"""

import random
import time
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from training.data import Asked, Row, Wordings
from training.networks import Scorer, pad, simulate_int8, stack
from vivavoce.readers.builtin.windows import Window

WINDOWS, FEW = 12, 4
"""Of a paper, in one step; the second where many scorers are compared."""
FULL = 6
"""Evidence sentences at which the annotators stopped."""
ROUNDED_FROM = 0.75
"""The share of the steps after which rounding to int8 is simulated, so that the network gets used to it."""
RATES = (1e-4, 5e-4)
"""Of the encoder and of what is on top of it."""


def train(
    rows: Sequence[Row],
    wordings: Wordings,
    tokenizer: Tokenizer,
    *,
    epochs: float,
    seed: int,
    without: frozenset[str] = frozenset(),
    brief: bool = False,
) -> Scorer:
    """A scorer trained on these rows, without the questions named in `without`. A brief training has small
    steps."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    scorer = Scorer()
    body = [p for p in scorer.enc.parameters() if p.requires_grad]
    head = [p for name, p in scorer.named_parameters() if not name.startswith("enc.")]
    optimiser = torch.optim.AdamW(
        [{"params": group, "lr": rate} for group, rate in zip((body, head), RATES, strict=True)],
        weight_decay=0.01,
    )
    steps = int(epochs * len(rows))
    order: list[Row] = []
    began, shown = time.monotonic(), 0.0
    for step in range(steps):
        if step == int(ROUNDED_FROM * steps):
            simulate_int8(scorer)
        if not order:
            order = chance.sample(rows, len(rows))
        pace(optimiser, RATES, step, steps, warm=60)
        row = order.pop()
        questions = [q for q in row.questions if q.id not in without]
        texts = [wordings.draw(q, chance) for q in questions]
        loss = _loss(
            *_forward(
                scorer, tokenizer, _some(row, questions, FEW if brief else WINDOWS, chance), questions, texts
            )
        )
        descend(optimiser, loss, scorer)
        shown = loss.item() if not step else 0.98 * shown + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"scorer {step}/{steps}  loss {shown:.3f}  {time.monotonic() - began:.0f} s", flush=True)
    return scorer.eval()


def pace(optimiser: torch.optim.Optimizer, rates: Sequence[float], step: int, steps: int, warm: int) -> None:
    """Warms up, then slows down in a straight line."""
    share = min(1.0, (step + 1) / warm) * max(0.02, 1 - step / steps)
    for group, rate in zip(optimiser.param_groups, rates, strict=True):
        group["lr"] = rate * share


def descend(optimiser: torch.optim.Optimizer, loss: Tensor, network: torch.nn.Module) -> None:
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def _some(row: Row, questions: Sequence[Asked], most: int, chance: random.Random) -> list[Window]:
    """Some windows of a long paper: mostly such with labelled sentences."""
    if len(row.windows) <= most:
        return row.windows
    labelled = {s for q in questions for s in (*q.evidence, *q.near)}
    hot = [w for w in row.windows if any(p.sentence in labelled for p in w.pieces)]
    cold = [w for w in row.windows if not any(p.sentence in labelled for p in w.pieces)]
    few = min(len(cold), max(1, most // 5))
    return chance.sample(cold, few) + chance.sample(hot, min(len(hot), most - few))


def sentence_states(scorer: Scorer, windows: Sequence[Window]) -> dict[int, Tensor]:
    """The states of each sentence's tokens; of a sentence in several pieces, of the first."""
    found: dict[int, Tensor] = {}
    by_length = sorted(windows, key=lambda w: len(w.tokens))
    for at in range(0, len(by_length), 8):
        batch = by_length[at : at + 8]
        states = scorer.states(*pad([w.tokens for w in batch]))
        for n, window in enumerate(batch):
            for piece in window.pieces:
                found.setdefault(piece.sentence, states[n, piece.first : piece.last])
    return dict(sorted(found.items()))


def score(
    scorer: Scorer, found: dict[int, Tensor], tokenizer: Tokenizer, texts: Sequence[str]
) -> tuple[list[int], Tensor]:
    """Which sentences, and their logits: questions x sentences."""
    sentences = list(found)
    asked = scorer.question(*pad([e.ids for e in tokenizer.encode_batch(list(texts))]))
    lengths = torch.tensor([len(found[s]) for s in sentences])
    order = lengths.argsort(stable=True)
    parts = [scorer.score(*stack([found[sentences[i]] for i in some]), asked) for some in order.chunk(5)]
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order))
    return sentences, torch.cat(parts, 1)[:, back]


def _forward(
    scorer: Scorer,
    tokenizer: Tokenizer,
    windows: Sequence[Window],
    questions: Sequence[Asked],
    texts: Sequence[str],
) -> tuple[Tensor, Tensor, Tensor]:
    """Logits, targets and weights, questions x sentences."""
    sentences, logits = score(scorer, sentence_states(scorer, windows), tokenizer, texts)
    place = {s: n for n, s in enumerate(sentences)}
    targets, weights = torch.zeros_like(logits), torch.ones_like(logits)
    for n, question in enumerate(questions):
        if len(question.evidence) >= FULL:
            weights[n] = 0.4
        for s in question.near:
            if s in place:
                weights[n, place[s]] = 3
        for s in question.evidence:
            if s in place:
                targets[n, place[s]], weights[n, place[s]] = 1, 4
    return logits, targets, weights


def _loss(logits: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Is each one evidence? And, of a question that is answered: do its evidence sentences come first?"""
    each = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    loss = 4 * (each * weights).sum() / weights.sum()
    answered = targets.sum(1) > 0
    if answered.any():
        share = targets[answered] / targets[answered].sum(1, keepdim=True)
        loss = loss - 0.15 * (logits[answered].log_softmax(-1) * share).sum(1).mean()
    return loss
