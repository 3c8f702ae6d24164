"""What `python -m training` does, step by step."""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks import accuracy, gold
from training import data, scorer
from training import settings as fitting
from training.export import export_scorer
from training.networks import Scorer, base
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.deciding import Settings
from vivavoce.readers.builtin.network import Network
from vivavoce.readers.builtin.scoring import PaperScores
from vivavoce.records import Paper, Question

WEIGHTS = Path(__file__).resolve().parents[1] / "src" / "vivavoce" / "readers" / "builtin" / "weights"
BRIEF = 1.0
"""Epochs of the scorer, in small steps, where five of them are compared."""
FOLDS = 4
QUESTIONS = asked(load_set("dl-methods"))


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

    def scorer(
        self,
        epochs: float,
        without: frozenset[str] = frozenset(),
        brief: bool = False,
    ) -> Scorer:
        return scorer.train(
            self.rows,
            self.wordings,
            self.tokenizer,
            epochs=epochs,
            seed=self.options.seed,
            without=without,
            brief=brief,
        )


def everything(options: argparse.Namespace) -> None:
    """Trains, exports, fits, measures."""
    network = Setup(options).scorer(options.epochs)
    torch.save(network.state_dict(), options.work / "scorer.pt")
    export_scorer(network, WEIGHTS)
    settings(options)


def settings(options: argparse.Namespace) -> None:
    """Fits the settings on the exported network, and measures what ships."""
    fitting.write(WEIGHTS, fitting.fitted(WEIGHTS, options.shared))
    found = accuracy.results(options.shared, QUESTIONS)
    accuracy.report(found, gold.votes(options.shared, [r.cell for r in found]))


def compare(options: argparse.Namespace) -> None:
    """What the plain additions to the network are worth, on the labelled papers."""
    network = Network(weights=WEIGHTS)
    designs = {
        "what ships": fitting.FIRST,
        "without the words": replace(fitting.FIRST, word_weight=0.0),
        "without neighbours": replace(fitting.FIRST, neighbour_weight=0.0),
        "without places": replace(fitting.FIRST, penalty=dict(list(fitting.FIRST.penalty.items())[:3])),
    }
    print(f"{HEAD}{'s/paper':>9}")
    for name, rule in designs.items():
        began = time.monotonic()
        found = accuracy.results(options.shared, QUESTIONS, ranking(network, rule))
        line(name, found, f"{(time.monotonic() - began) / 8:9.2f}")


def leave_out(options: argparse.Namespace) -> None:
    """Four times: a scorer trained without seven questions is asked just those; beside one that saw all."""
    setup, alone = Setup(options), fitting.FIRST

    def found(name: str, out: frozenset[str]) -> list[accuracy.Result]:
        folder = options.work / "leave-out" / name
        if not (folder / "scorer.npz").is_file():  # a run that was stopped goes on
            export_scorer(setup.scorer(BRIEF, out, brief=True), folder)
        return accuracy.results(options.shared, QUESTIONS, ranking(Network(weights=folder), alone))

    seen = found("seen", frozenset())
    unseen: list[accuracy.Result] = []
    print(HEAD)
    for fold in range(FOLDS):
        out = frozenset(q.id for q in QUESTIONS[fold::FOLDS])
        some = [r for r in found(f"fold{fold}", out) if r.cell.id in out]
        unseen.extend(some)
        line(f"fold {fold + 1}, unseen", some)
        line(f"fold {fold + 1}, seen", [r for r in seen if r.cell.id in out])
    line("all, seen", seen)
    line("all, unseen", unseen)


Rank = Callable[[Paper, Sequence[Question]], accuracy.Best]


def ranking(network: Network, rule: Settings) -> Rank:
    """How a network ranks with these settings."""

    def rank(paper: Paper, questions: Sequence[Question]) -> accuracy.Best:
        read = PaperScores(network, rule, paper, [q.text for q in questions])
        return [read.best(n) for n in range(len(questions))]

    return rank


HEAD = f"{'':24}" + "".join(f"{name:>10}" for name in ("kappa", "F1", "quotes", "first"))


def line(name: str, found: Sequence[accuracy.Result], more: str = "") -> None:
    figures = gold.agreement([r.cell.reported for r in found], [r.said for r in found])
    share, first = accuracy.quote_hits(found)
    each = (figures["kappa"], figures["F1"], share, first)
    print(f"{name:24}" + "".join(f"{x:10.3f}" for x in each) + more, flush=True)
