"""What `python -m training` does, step by step."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks import accuracy, fields, gold
from benchmarks.labelled import read
from training import base
from training import settings as fitting
from training.data import Row, Sources, held_out
from training.export import export
from training.fit import Trainer
from training.networks import Reader
from vivavoce.readers.builtin.reader import Builtin

WEIGHTS = Path(__file__).resolve().parents[1] / "src" / "vivavoce" / "readers" / "builtin" / "weights"


def everything(options: argparse.Namespace) -> None:
    """Trains, exports, fits, measures."""
    export(_trained(options, options.work / "network.pt"), base.tokenizer_file(), WEIGHTS)
    settings(options)


def settings(options: argparse.Namespace) -> None:
    """Fits the settings on the exported network, and measures what ships."""
    fitting.write(WEIGHTS, fitting.fitted(WEIGHTS, options.shared))
    measure(options)


def measure(options: argparse.Namespace) -> None:
    """All fields, and the eight papers that were read in full."""
    found = fields.collect(options.shared, fields.MEASURED, Builtin())
    fields.report(found, "full")
    results = accuracy.results(options.shared, accuracy.wordings("own", options.shared))
    accuracy.report(results, gold.votes(options.shared, [r.cell for r in results]))


def leave_out(options: argparse.Namespace) -> None:
    """Trains without some sources, and measures on just these, beside BM25."""
    out = options.work / ("without-" + "-".join(options.without))
    network = _trained(options, out.with_suffix(".pt"), options.without)
    export(network, base.tokenizer_file(), WEIGHTS)
    fitting.write(WEIGHTS, fitting.FIRST)
    reader = Builtin()
    for source in options.without:
        fields.report(
            fields.decided(list(fields.cells(list(read(options.shared / "data", source)), reader))), "full"
        )


def _trained(options: argparse.Namespace, checkpoint: Path, without: Sequence[str] = ()) -> Reader:
    """A network trained on all papers that are not held out; a run that was stopped goes on."""
    torch.set_num_threads(2)
    tokenizer = Tokenizer.from_file(str(base.tokenizer_file()))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    trainer = Trainer(
        list(_rows(options.shared, tokenizer, without)), tokenizer, steps=options.steps, seed=options.seed
    )
    if checkpoint.is_file():
        trainer.resume(checkpoint)
    trainer.train(checkpoint)
    return trainer.averaged()


def _rows(shared: Path, tokenizer: Tokenizer, without: Sequence[str]) -> list[Row]:
    """Papers on deep learning are all taken: what they are measured on are the eight others."""
    return [
        row
        for row in Sources(shared / "data", tokenizer).rows()
        if row.source not in without and (row.source == "deep-learning" or not held_out(row.paper))
    ]
