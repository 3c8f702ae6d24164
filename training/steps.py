"""What `python -m training` does, step by step."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from benchmarks import accuracy, gold
from tokenizers import Tokenizer

from training import crossencoder, data, export, judge, scorer
from training import settings as fitting
from training.networks import CrossEncoder, Judge, Scorer, base
from vivavoce.questions import load as load_set
from vivavoce.readers.windows import windows
from vivavoce.records import Paper, Question, Sentence

PAIRS = 48_000
"""That the judge, or the cross-encoder, learns from."""
SMALL = (1.5, 16_000)
"""Epochs and pairs where many networks are compared."""
FOLDS = 4


class Setup:
    """What every step starts from."""

    def __init__(self, options: argparse.Namespace) -> None:
        torch.set_num_threads(2)  # another number would add up in another order
        torch.use_deterministic_algorithms(True)
        self.options = options
        self.tokenizer = Tokenizer.from_file(str(base() / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        folder: Path = options.shared / "data"
        self.wordings = data.Wordings(folder / "questions.txt")
        self.rows = data.load(folder, self.tokenizer)

    def scorer(self, epochs: float, without: frozenset[str] = frozenset()) -> Scorer:
        return scorer.train(
            self.rows,
            self.wordings,
            self.tokenizer,
            epochs=epochs,
            seed=self.options.seed,
            without=without,
        )

    def judge(self, network: Scorer, most: int, without: frozenset[str] = frozenset()) -> Judge:
        return judge.train(
            network,
            self.rows,
            self.wordings,
            self.tokenizer,
            most=most,
            seed=self.options.seed,
            without=without,
        )


def everything(options: argparse.Namespace) -> None:
    """Trains, exports, fits, measures."""
    setup = Setup(options)
    network = setup.scorer(options.epochs)
    torch.save(network.state_dict(), options.work / "scorer.pt")
    decider = setup.judge(network, PAIRS)
    torch.save(decider.state_dict(), options.work / "judge.pt")
    export.export(network, decider, options.weights)
    settings(options)


def settings(options: argparse.Namespace) -> None:
    """Fits the settings on the exported network, and measures what ships."""
    fitting.write(options.weights, fitting.fitted(options.weights, options.shared, Setup(options).rows))
    found = accuracy.results(options.shared, load_set("dl-methods").questions)
    accuracy.report(found, gold.votes(options.shared, [r.cell for r in found]))


class Ranking:
    """How a network in torch ranks a paper: `accuracy` measures it as it measures the one that ships."""

    def __init__(
        self, setup: Setup, network: Scorer, decider: Judge | CrossEncoder | None, mix: float
    ) -> None:
        self.setup, self.network, self.decider, self.mix = setup, network, decider, mix
        self.seconds: list[float] = []

    def __call__(self, paper: Paper, questions: Sequence[Question]) -> accuracy.Ranked:
        began = time.monotonic()
        first = fitting.FIRST
        sentences = [s for s in paper.sentences if s.kind not in first.unread]
        texts = [s.reading or s.text for s in sentences]
        encoded = self.setup.tokenizer.encode_batch(texts, add_special_tokens=False)
        tokens = [e.ids for e in encoded]
        half, last = judge.half_and_last(self.network, windows(tokens))
        asked = [q.text for q in questions]
        with torch.no_grad():
            _, scores = scorer.score(self.network, last, self.setup.tokenizer, asked)
        scores -= torch.tensor([first.penalty.get(s.kind, 0.0) for s in sentences])
        top = scores.argsort(dim=1, descending=True, stable=True)[:, : first.judged].tolist()
        ranked = [
            self._ranked(sentences, best, row, again)
            for best, row, again in zip(
                top, scores, self._decide(asked, top, scores, half, tokens), strict=True
            )
        ]
        self.seconds.append(time.monotonic() - began)
        return ranked

    def _ranked(
        self, sentences: Sequence[Sentence], best: Sequence[int], row: torch.Tensor, again: torch.Tensor
    ) -> list[tuple[Sentence, float]]:
        both = [
            (sentences[s], float(self.mix * again[n] + (1 - self.mix) * row[s])) for n, s in enumerate(best)
        ]
        return sorted(both, key=lambda pair: -pair[1])

    def _decide(
        self,
        asked: Sequence[str],
        top: Sequence[Sequence[int]],
        scores: torch.Tensor,
        half: dict[int, torch.Tensor],
        tokens: Sequence[Sequence[int]],
    ) -> list[torch.Tensor]:
        """The second opinion on the best sentences of each question."""
        tokenizer = self.setup.tokenizer
        found = []
        with torch.no_grad():
            states = judge.question_states(self.network, tokenizer, asked)
            ids = [e.ids for e in tokenizer.encode_batch(list(asked), add_special_tokens=False)]
            for n, best in enumerate(top):
                if isinstance(self.decider, Judge):
                    pairs = [judge.Pair(states[n], half[s], float(scores[n, s]), 0, 0) for s in best]
                    found.append(self.decider(*judge.assemble(pairs)))
                elif isinstance(self.decider, CrossEncoder):
                    each = [crossencoder.text(ids[n], tokens[s - 1] if s else (), tokens[s]) for s in best]
                    found.append(self.decider(*crossencoder.assemble(each)))
                else:
                    found.append(scores[n, list(best)])
        return found


def compare(options: argparse.Namespace) -> None:
    """The designs side by side, as float32 in torch, on the labelled papers."""
    setup = Setup(options)
    network = Scorer()
    network.load_state_dict(torch.load(options.work / "scorer.pt"))
    network.eval()
    decider = Judge(network.enc)
    decider.load_state_dict(torch.load(options.work / "judge.pt"))
    cross = crossencoder.train(
        network, setup.rows, setup.wordings, setup.tokenizer, most=PAIRS, seed=options.seed
    )
    torch.save(cross.state_dict(), options.work / "cross.pt")
    questions = load_set("dl-methods").questions
    designs = {
        "scorer alone": Ranking(setup, network, None, 0.0),
        "cross-encoder decides": Ranking(setup, network, cross, 1.0),
        "scorer + cross-encoder": Ranking(setup, network, cross, 0.5),
        "judge decides": Ranking(setup, network, decider.eval(), 1.0),
        "scorer + judge": Ranking(setup, network, decider.eval(), 0.5),
    }
    print(f"{'':24}{'kappa':>8}{'F1':>8}{'quotes':>8}{'first':>8}{'s/paper':>9}")
    for name, ranking in designs.items():
        line(name, accuracy.results(options.shared, questions, ranking), ranking)


def line(name: str, found: Sequence[accuracy.Result], ranking: Ranking | None = None) -> None:
    figures = gold.agreement([r.cell.reported for r in found], [r.said for r in found])
    share, first = accuracy.quote_hits(found)
    seconds = f"{sorted(ranking.seconds)[len(ranking.seconds) // 2]:9.2f}" if ranking else ""
    print(
        f"{name:24}{figures['kappa']:8.3f}{figures['F1']:8.3f}{share:8.3f}{first:8.3f}{seconds}", flush=True
    )


def leave_out(options: argparse.Namespace) -> None:
    """Four times: trained without seven questions, asked just those; beside a network that saw all."""
    setup = Setup(options)
    questions = load_set("dl-methods").questions
    epochs, most = SMALL
    network = setup.scorer(epochs)
    ranking = Ranking(setup, network, setup.judge(network, most), 0.5)
    seen = accuracy.results(options.shared, questions, ranking, prior=False)
    unseen: list[accuracy.Result] = []
    for fold in range(FOLDS):
        out = frozenset(q.id for q in questions[fold::FOLDS])
        network = setup.scorer(epochs, out)
        ranking = Ranking(setup, network, setup.judge(network, most, out), 0.5)
        found = accuracy.results(options.shared, questions, ranking, prior=False)
        unseen.extend(r for r in found if r.cell.id in out)
        line(f"fold {fold + 1}, unseen", [r for r in found if r.cell.id in out])
        line(f"fold {fold + 1}, seen", [replace(r) for r in seen if r.cell.id in out])
    print(f"{'':24}{'kappa':>8}{'F1':>8}{'quotes':>8}{'first':>8}")
    line("all seen", seen)
    line("all unseen", unseen)
