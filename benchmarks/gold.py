"""Papers that were read in full, as labels, and the measures by which readers are compared with them.

Used by `accuracy.py`, `boxes.py` and training's calibration. Needs `../shared`, or a folder like it.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivavoce import Paper
from vivavoce.evidence import locating
from vivavoce.papers import load

SHARED = Path(__file__).resolve().parents[2] / "shared"


@dataclass(frozen=True)
class Cell:
    """One question of one paper, as the annotator answered it."""

    paper: str
    id: str
    reported: bool
    debatable: bool
    spans: tuple[tuple[int, int], ...]
    """Where the quotes that answer it stand in `Paper.text`."""


def read(shared: Path = SHARED) -> list[tuple[Paper, list[Cell]]]:
    """Each paper with its cells, in order."""
    found = []
    for file in sorted((shared / "gold").glob("*.json")):
        labels = json.loads(file.read_text(encoding="utf-8"))
        paper = load(shared / "papers" / f"{labels['paper']}.pdf")
        found.append((paper, [_cell(paper, str(labels["paper"]), raw) for raw in labels["questions"]]))
    return found


def quoted(shared: Path = SHARED) -> Iterator[tuple[Paper, str, int]]:
    """(paper, quote, page) of every piece of evidence, in order."""
    for file in sorted((shared / "gold").glob("*.json")):
        labels = json.loads(file.read_text(encoding="utf-8"))
        paper = load(shared / "papers" / f"{labels['paper']}.pdf")
        for question in labels["questions"]:
            for item in question["evidence"]:
                yield paper, item["quote"], item["page"]


def _cell(paper: Paper, name: str, raw: dict[str, Any]) -> Cell:
    located = [locating.locate(paper, e["quote"]) for e in raw["evidence"]]
    return Cell(
        name,
        raw["id"],
        raw["reported"],
        "debatable" in (raw["note"] or "").lower(),
        tuple((e.start, e.end) for e in located if e),
    )


def votes(shared: Path, cells: Sequence[Cell]) -> list[bool]:
    """What the published five-LLM vote said of these cells."""
    wanted = {(c.paper, c.id) for c in cells}
    said: dict[tuple[str, str], bool] = {}
    with gzip.open(shared / "data" / "answers.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if (key := (row["paper"], row["question"])) in wanted:
                yes = [vote == "yes" for vote in row["votes"].values()]
                said[key] = sum(yes) * 2 > len(yes)
    return [said[c.paper, c.id] for c in cells]


def hits(given: tuple[int, int], gold: tuple[int, int]) -> bool:
    """Do the two spans share more than half of the shorter one?"""
    shared = min(given[1], gold[1]) - max(given[0], gold[0])
    return shared > 0.5 * min(given[1] - given[0], gold[1] - gold[0])


def agreement(truth: Sequence[bool], said: Sequence[bool]) -> dict[str, float]:
    """accuracy, kappa, precision, recall and F1 of `reported`."""
    t, s = np.asarray(truth, bool), np.asarray(said, bool)
    accuracy = float((t == s).mean())
    chance = float(t.mean() * s.mean() + (1 - t.mean()) * (1 - s.mean()))
    right = float((t & s).sum())
    precision, recall = right / max(1, s.sum()), right / max(1, t.sum())
    return {
        "accuracy": accuracy,
        "kappa": (accuracy - chance) / (1 - chance) if chance < 1 else 0.0,
        "precision": float(precision),
        "recall": float(recall),
        "F1": float(2 * precision * recall / (precision + recall)) if right else 0.0,
    }


def calibration_error(truth: Sequence[bool], chances: Sequence[float], bins: int = 10) -> float:
    """ECE: how far the confidence in the status is from the share that is right, over bins of confidence."""
    p = np.asarray(chances)
    right = (p >= 0.5) == np.asarray(truth, bool)
    sure = np.maximum(p, 1 - p)
    which = np.minimum((sure * bins).astype(int), bins - 1)
    error = 0.0
    for n in range(bins):
        inside: NDArray[np.bool_] = which == n
        if inside.any():
            error += float(inside.mean()) * abs(float(right[inside].mean()) - float(sure[inside].mean()))
    return error
