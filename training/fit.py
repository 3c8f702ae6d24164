"""Trains the network, paper by paper.

A step is one paper: some of its windows, encoded once, and some of its questions in two wordings, all scored
against all of the windows' sentences. The loss is listwise: each evidence sentence against all that are none,
and against the question's own level; an unanswered question's level against all sentences. The judge learns
the same on the best sentences, with the words that answer, and yes or no. Windows are taken that hold
evidence, near misses, and what the network wrongly took for evidence before.
"""

import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from training.data import ANY_OF, KINDS, Question, Row, draw
from training.networks import Asked, Reader, States, block, pad, simulate_int8
from vivavoce.readers.builtin.windows import CLS, SEP, Window

SHARES = {
    "fields": 0.50,
    "deep-learning": 0.20,
    "open-science": 0.05,
    "spirit-consort-tm": 0.08,
    "consort-tm": 0.02,
    "somesci": 0.04,
    "sofc-exp": 0.03,
    "covid-qa": 0.04,
    "qasper-full-text": 0.02,
    "qasper-cut-text": 0.01,
    "evidence-inference-2": 0.01,
}
"""How often a step takes a paper of each source."""
WINDOWS, QUESTIONS, WORDINGS = 16, 13, 2
CANDIDATES = 6
"""Sentences of a question that the judge sees in training."""
LONGEST_QUESTION = 62
ROUNDED_FROM = 0.8
"""The share of the steps after which rounding to int8 is simulated, so that the network gets used to it."""
AVERAGED_FROM, AVERAGING = 0.4, 0.995
"""From then on a running average of the weights is kept; that is what ships."""
RATES = (1e-4, 1e-3)
"""Of the encoder and judge, and of what is on top of them."""


class Trainer:
    def __init__(self, rows: Sequence[Row], tokenizer: Tokenizer, *, steps: int, seed: int) -> None:
        self.chance = random.Random(seed)
        torch.manual_seed(seed)
        self.tokenizer, self.steps, self.step = tokenizer, steps, 0
        self.by_source: dict[str, list[Row]] = {}
        for row in rows:
            self.by_source.setdefault(row.source, []).append(row)
        self.network = Reader()
        self.average: dict[str, Tensor] = {}
        layers = [
            p
            for n, p in self.network.named_parameters()
            if n.startswith(("enc.", "judge.")) and p.requires_grad
        ]
        head = [p for n, p in self.network.named_parameters() if not n.startswith(("enc.", "judge."))]
        self.optimiser = torch.optim.AdamW(
            [{"params": some, "lr": rate} for some, rate in zip((layers, head), RATES, strict=True)],
            weight_decay=0.01,
        )
        self.queue: dict[str, list[Row]] = {}
        self.resumed = 0
        """The step that it went on from."""

    def next_row(self) -> Row:
        shares = {name: share for name, share in SHARES.items() if name in self.by_source}
        source = self.chance.choices(list(shares), list(shares.values()))[0]
        if not self.queue.get(source):
            self.queue[source] = self.chance.sample(self.by_source[source], len(self.by_source[source]))
        return self.queue[source].pop()

    def train(self, save: Path) -> None:
        began = told = saved = time.monotonic()
        sums: dict[str, float] = {}
        while self.step < self.steps:
            if self.step == int(ROUNDED_FROM * self.steps):
                simulate_int8(self.network)
            share = min(1.0, (self.step - self.resumed + 1) / 60) * max(0.02, 1 - self.step / self.steps)
            for group, rate in zip(self.optimiser.param_groups, RATES, strict=True):
                group["lr"] = rate * share
            losses = self.losses(self.next_row())
            self.step += 1
            if losses:
                loss = torch.stack(list(losses.values())).sum()
                self.optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
                self.optimiser.step()
                for name, part in losses.items():
                    sums[name] = part.item() if name not in sums else 0.98 * sums[name] + 0.02 * part.item()
            if self.step >= AVERAGED_FROM * self.steps:
                self.keep_average()
            now = time.monotonic()
            if now - told > 60:
                told = now
                parts = "  ".join(f"{name} {value:.3f}" for name, value in sums.items())
                print(f"{self.step}/{self.steps}  {parts}  {now - began:.0f} s", flush=True)
            if now - saved > 300:
                saved = now
                self.save(save)
        self.save(save)

    @torch.no_grad()
    def keep_average(self) -> None:
        for name, parameter in self.network.named_parameters():
            if not parameter.requires_grad:
                continue
            if name not in self.average:
                self.average[name] = parameter.detach().clone()
            else:
                self.average[name].lerp_(parameter.detach(), 1 - AVERAGING)

    def averaged(self) -> Reader:
        """The network with the running average of its weights."""
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                if name in self.average:
                    parameter.copy_(self.average[name])
        return self.network

    def save(self, path: Path) -> None:
        state = {
            "network": self.network.state_dict(),
            "average": self.average,
            "step": self.step,
        }
        part = path.with_suffix(".part")  # a run that is killed meanwhile leaves the last one whole
        torch.save(state, part)
        part.replace(path)

    def resume(self, path: Path) -> None:
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average, self.step = state["average"], state["step"]
        self.resumed = self.step
        if self.step >= ROUNDED_FROM * self.steps:
            simulate_int8(self.network)
        self.chance.seed(self.step)

    # one step

    def losses(self, row: Row) -> dict[str, Tensor]:
        chosen = self.chance.sample(range(len(row.questions)), min(QUESTIONS, len(row.questions)))
        use = self.some_windows(row, chosen)
        with torch.autocast("cpu", torch.bfloat16):
            states = sentence_states(self.network, [row.windows[n] for n in use])
            states = states.only([n for n, s in enumerate(states.sentences) if s in row.readable])
            if len(states.sentences) < 2:
                return {}
            pairs = [(n, text) for n in chosen for text in draw(row.questions[n], WORDINGS, self.chance)]
            texts = [text for _, text in pairs]
            asked = ask(self.network, self.tokenizer, texts)
        placed = self.chance.random() < 0.85  # papers whose parts nobody told must be read, too
        scores = score(self.network, row, states, asked, texts, placed)
        sentences = states.sentences
        margins, listwise = [], []
        any_of = row.source in ANY_OF
        at = {s: n for n, s in enumerate(sentences)}
        for n, (which, _) in enumerate(pairs):
            question = row.questions[which]
            margins.append(scores[n].logsumexp(0) - asked.levels[n])
            loss = _listwise(scores[n], asked.levels[n], question, at, any_of)
            if loss is not None:
                listwise.append(loss)
        if not listwise:
            return {}
        losses = {"scorer": torch.stack(listwise).mean()}
        agree = [
            F.smooth_l1_loss(a, b)
            for a, b, p, q in zip(margins, margins[1:], pairs, pairs[1:], strict=False)
            if p[0] == q[0]
        ]
        if agree:
            losses["agree"] = 0.1 * torch.stack(agree).mean()
        kinds = [
            (n, KINDS.index(row.questions[which].kind))
            for n, (which, _) in enumerate(pairs)
            if row.questions[which].kind
        ]
        if kinds and row.source == "fields":
            said = self.network.kind(asked.vectors[[n for n, _ in kinds]])
            losses["kind"] = 0.1 * F.cross_entropy(said, torch.tensor([kind for _, kind in kinds]))
        self.remember(row, use, pairs, scores.detach(), asked.levels.detach(), sentences)
        losses |= self.judge_losses(row, states, asked, scores.detach(), pairs, at)
        return losses

    def some_windows(self, row: Row, chosen: Sequence[int]) -> list[int]:
        """Windows with evidence and near misses first, then the network's mistakes, then any."""
        holds = {n: {p.sentence for p in w.pieces} for n, w in enumerate(row.windows)}
        evidence = {s for n in chosen for s in row.questions[n].evidence}
        near = {s for n in chosen for s in row.questions[n].near}
        first = [n for n, some in holds.items() if some & evidence]
        second = [n for n, some in holds.items() if some & near and n not in first]
        self.chance.shuffle(first)
        self.chance.shuffle(second)
        use = (first + second)[: WINDOWS - 3]
        rest = [n for n in holds if n not in set(use)]
        self.chance.shuffle(rest)
        feared = sorted(rest, key=lambda n: -max(row.seen.get((q, n), -1.0) for q in chosen))
        for n in feared[: (WINDOWS - len(use)) // 2]:
            use.append(n)
            rest.remove(n)
        return use + rest[: WINDOWS - len(use)]

    def remember(
        self,
        row: Row,
        use: Sequence[int],
        pairs: Sequence[tuple[int, str]],
        scores: Tensor,
        levels: Tensor,
        sentences: Sequence[int],
    ) -> None:
        window = {p.sentence: n for n in use for p in row.windows[n].pieces}
        columns: dict[int, list[int]] = {}
        for column, sentence in enumerate(sentences):
            columns.setdefault(window[sentence], []).append(column)
        margins = scores - levels[:, None]
        for n, (which, _) in enumerate(pairs):
            right = set(row.questions[which].evidence)
            for number, some in columns.items():
                wrong = [c for c in some if sentences[c] not in right]
                if wrong:
                    row.seen[which, number] = float(margins[n, wrong].max())

    def judge_losses(
        self,
        row: Row,
        states: States,
        asked: Asked,
        scores: Tensor,
        pairs: Sequence[tuple[int, str]],
        at: dict[int, int],
    ) -> dict[str, Tensor]:
        sentences = states.sentences
        rows: list[tuple[int, int]] = []
        """The number of the pair, the column of the sentence."""
        seen = set()
        for n, (which, _) in enumerate(pairs):
            if which in seen:
                continue
            seen.add(which)
            question = row.questions[which]
            right = [at[s] for s in question.evidence if s in at]
            if question.evidence and not right:
                continue
            self.chance.shuffle(right)
            near = [at[s] for s in question.near if s in at]
            self.chance.shuffle(near)
            order = [int(c) for c in scores[n].argsort(descending=True)]
            wrong = [c for c in order if c not in right and c not in near[:1]]
            use = dict.fromkeys([*right[:2], *near[:1], *wrong])
            rows += [(n, c) for c in list(use)[:CANDIDATES]]
        if not rows:
            return {}
        found: dict[tuple[int, int], tuple[Tensor, Tensor, Tensor]] = {}
        by_length = sorted(rows, key=lambda pair: int(states.lengths[pair[1]]))
        for start in range(0, len(by_length), 40):
            some = by_length[start : start + 40]
            questions, columns = [n for n, _ in some], [c for _, c in some]
            with torch.autocast("cpu", torch.bfloat16):
                tokens, mask = block(states.middle, states.starts[columns], states.lengths[columns])
                judged = self.network.judged(asked.middle[questions], asked.mask[questions], tokens, mask)
            for m, pair in enumerate(some):
                size = int(states.lengths[pair[1]])
                found[pair] = (judged.logits[m], judged.marks[m, :size], judged.yes[m])
        listwise, marks, yes = [], [], []
        for n, (which, _) in enumerate(pairs):
            question = row.questions[which]
            columns = [c for m, c in rows if m == n]
            if not columns:
                continue
            logits = torch.stack([found[n, c][0] for c in columns]).float()
            logits = logits + self.network.gain * (scores[n, columns] - asked.levels[n].detach())
            here = {sentences[c]: m for m, c in enumerate(columns)}
            loss = _listwise(logits, torch.zeros(()), question, here, False)
            if loss is not None:
                listwise.append(loss)
            for c in columns:
                if sentences[c] not in question.evidence:
                    continue
                if question.kind == "yes_no" and question.values:
                    wanted = torch.tensor(float(question.values[0] == "yes"))
                    yes.append(F.binary_cross_entropy_with_logits(found[n, c][2].float(), wanted))
                elif question.values:
                    target = self.marked(row.sentences[sentences[c]], question.values, len(found[n, c][1]))
                    if target is not None:
                        marks.append(
                            F.binary_cross_entropy_with_logits(
                                found[n, c][1].float(), target, pos_weight=torch.tensor(2.0)
                            )
                        )
        losses = {}
        if listwise:
            losses["judge"] = torch.stack(listwise).mean()
        if marks:
            losses["marks"] = 0.4 * torch.stack(marks).mean()
        if yes:
            losses["yes"] = 0.15 * torch.stack(yes).mean()
        return losses

    def marked(self, text: str, values: Sequence[str], size: int) -> Tensor | None:
        """Which of a sentence's tokens belong to the values."""
        spans = [(text.find(v), text.find(v) + len(v)) for v in values if v in text]
        if not spans:
            return None
        offsets = self.tokenizer.encode(text, add_special_tokens=False).offsets[:size]
        marks = [float(any(a < end and b > start for start, end in spans)) for a, b in offsets]
        return torch.tensor(marks + [0.0] * (size - len(marks)))


def _listwise(
    scores: Tensor, level: Tensor, question: Question, at: dict[int, int], any_of: bool
) -> Tensor | None:
    """One question against the sentences here, given by their places in `scores`."""
    right = [at[s] for s in question.evidence if s in at]
    if question.evidence and not right:
        return None
    weight = torch.zeros(len(scores))
    for s in question.evidence:
        for beside in (s - 1, s + 1):
            if beside in at:
                weight[at[beside]] = -0.7  # it may well belong to the answer
    for s in question.near:
        if s in at:
            weight[at[s]] = 0.7
    weight[right] = -1e4
    others = torch.logaddexp((scores + weight).logsumexp(0), level)
    if not right:
        return others - level
    if any_of:
        best = scores[right].logsumexp(0)
        return torch.logaddexp(best, others) - best
    return (torch.logaddexp(scores[right], others) - scores[right]).mean()


def sentence_states(network: Reader, windows: Sequence[Window]) -> States:
    """Of the sentences in these windows; of a sentence in several pieces the first one's."""
    last, middle, places, size = [], [], {}, 0
    by_length = sorted(windows, key=lambda w: len(w.tokens))
    for start in range(0, len(by_length), 10):
        some = by_length[start : start + 10]
        ids, mask = pad([w.tokens for w in some])
        states, half = network.states(ids, mask)
        last.append(states.flatten(0, 1))
        middle.append(half.flatten(0, 1))
        for n, window in enumerate(some):
            for piece in window.pieces:
                at = size + n * ids.shape[1]
                places.setdefault(piece.sentence, (at + piece.first, piece.last - piece.first))
        size += ids.numel()
    numbers = sorted(places)
    return States(
        numbers,
        torch.tensor([places[n][0] for n in numbers]),
        torch.tensor([places[n][1] for n in numbers]),
        torch.cat(last),
        torch.cat(middle),
    )


def ask(network: Reader, tokenizer: Tokenizer, texts: Sequence[str]) -> Asked:
    encoded = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return network.question(*pad([[CLS, *e.ids[:LONGEST_QUESTION], SEP] for e in encoded]))


def score(
    network: Reader, row: Row, states: States, asked: Asked, texts: Sequence[str], placed: bool = True
) -> Tensor:
    """Questions x sentences."""
    matches = torch.stack([torch.from_numpy(row.lexicon.match(t)[states.sentences]) for t in texts])
    places = torch.from_numpy(row.places[states.sentences]) * float(placed)
    order = states.lengths.argsort(stable=True)
    parts = []
    for some in order.chunk(max(1, min(6, len(order) // 20))):
        tokens, mask = block(states.last, states.starts[some], states.lengths[some])
        parts.append(network.score(tokens, mask, asked, matches[:, some], places[some]))
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order))
    return torch.cat(parts, 1)[:, back]
