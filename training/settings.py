"""Writes `settings.json`: fitted on the exported network, so that int8's shifts are in it.

Two small rules are fitted, on papers that training never saw: the chance that a sentence is evidence, and the
chance that the paper answers. Papers of many fields and the eight that were read in full count alike.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

from benchmarks import accuracy, fields, gold
from benchmarks.calibrate import Example, fit
from benchmarks.labelled import read
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin import deciding
from vivavoce.readers.builtin.deciding import Settings, Variant, decide, features, sentence_features
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.readers.builtin.scoring import Scored

CANDIDATES = 8
QUOTE_CHANCE = 0.35
FIRST: dict[Variant, Settings] = {
    "full": Settings("", CANDIDATES, True, (0.0,) * 7, (0.5, 0.5, 0.0, 0.0), QUOTE_CHANCE),
    "fast": Settings("", CANDIDATES, False, (0.0,) * 4, (1.0, 0.0, 0.0), QUOTE_CHANCE),
}
WEIGHTS = {"fields": 1.0, "spirit-consort-tm": 0.5, "somesci": 0.5, "sofc-exp": 0.5, "gold": 1.0}
"""What the cells of each source weigh together, beside the others'."""


def write(folder: Path, settings: dict[Variant, Settings]) -> None:
    values = {variant: asdict(some) for variant, some in settings.items()}
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (folder / "settings.json").write_text(text + "\n", encoding="utf-8")
    deciding.settings.cache_clear()


class Labelled(NamedTuple):
    """The best sentences of one question of one paper, with what is right."""

    best: tuple[Scored, ...]
    evidence: tuple[bool, ...]
    """Of each of them: does it answer?"""
    reported: bool
    group: str


def fitted(folder: Path, shared: Path) -> dict[Variant, Settings]:
    """The settings that ship."""
    write(folder, FIRST)
    cells = list(_cells(shared))
    made: dict[Variant, Settings] = {}
    for variant, start in FIRST.items():
        inputs = [_inputs(cell.best, start.judges) for cell in cells]
        papers = [
            Example(tuple(features(*some)), cell.reported, cell.group)
            for cell, some in zip(cells, inputs, strict=True)
        ]
        settings = replace(start, paper=_rounded(fit(_balanced(papers))))
        sentences = [
            Example(tuple(values), right, cell.group)
            for cell, some in zip(cells, inputs, strict=True)
            for values, right in zip(
                sentence_features(*some, decide(settings, *some).paper), cell.evidence, strict=True
            )
        ]
        settings = replace(settings, sentence=_rounded(fit(_balanced(sentences))))
        made[variant] = replace(settings, version=_version(folder, settings))
    return made


def _inputs(best: Sequence[Scored], judges: bool) -> tuple[list[float], list[float]]:
    """Scores of the scorer, and of the judge."""
    return [s.score for s in best], [s.judged.score for s in best if s.judged and judges]


def _cells(shared: Path) -> Iterator[Labelled]:
    reader = Builtin()
    for source in WEIGHTS:
        if source == "gold":
            continue
        for cell in fields.cells(list(read(shared / "data", source)), reader):
            right = tuple(scored.number in cell.question.evidence for scored in cell.best)
            yield Labelled(cell.best, right, cell.question.reported, f"{source} {cell.paper}")
    for result in accuracy.cells(shared, asked(load_set("dl-methods")), reader):
        spans = [(scored.sentence.start, scored.sentence.end) for scored in result.best]
        right = tuple(any(gold.hits(span, wanted) for wanted in result.cell.spans) for span in spans)
        yield Labelled(result.best, right, result.cell.reported, f"gold {result.cell.paper}")


def _balanced(examples: Sequence[Example]) -> list[Example]:
    """Weighted so that each source counts what it should, however many cells it has."""
    sources = Counter(e.group.split()[0] for e in examples)
    mean = len(examples) / len(sources)
    return [
        replace(e, weight=WEIGHTS[source] * mean / sources[source])
        for e in examples
        for source in [e.group.split()[0]]
    ]


def _rounded(rule: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(value, 4) for value in rule)


def _version(folder: Path, settings: Settings) -> str:
    """Changes whenever the network or its settings do: then answers may change."""
    digest = hashlib.sha256(repr(settings).encode())
    for name in ("encoder.onnx", "judge.onnx", "heads.npz", "tokenizer.json"):
        digest.update((folder / name).read_bytes())
    return f"2-{digest.hexdigest()[:8]}"
