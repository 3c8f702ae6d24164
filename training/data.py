"""The labelled papers, as training takes them.

A row is a paper: its sentences as token ids, and its questions with the sentences that answer them
(`evidence`) and those that only seem to (`near`). The 28 questions are asked in many wordings
(`wordings.py`, and the published ones with and without their examples); free questions as they are.
"""

import gzip
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from training.wordings import WORDINGS
from vivavoce.readers.builtin.windows import Window, windows


@dataclass(frozen=True)
class Asked:
    id: str
    """CQ1 to CQ28; empty for a free question."""
    text: str
    evidence: tuple[int, ...]
    near: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    paper: str
    tokens: list[list[int]]
    windows: list[Window]
    questions: tuple[Asked, ...]


class Wordings:
    """The ways in which each of the 28 questions may be asked."""

    def __init__(self, published: Path) -> None:
        lines = [line.strip() for line in published.read_text(encoding="utf-8").splitlines()]
        self.hinted = {f"CQ{n}": line for n, line in enumerate((x for x in lines if x), 1)}
        self.plain = {id: re.sub(r"\s*\(e\.g\.,.*\)", "", text) for id, text in self.hinted.items()}

    def draw(self, question: Asked, chance: random.Random) -> str:
        """A wording: mostly ours, sometimes the published one, with or without its examples."""
        if not question.id:
            return question.text
        at = chance.random()
        if at < 0.55:
            return chance.choice(WORDINGS[question.id])
        return self.plain[question.id] if at < 0.8 else self.hinted[question.id]


def load(folder: Path, tokenizer: Tokenizer) -> list[Row]:
    """All rows, always in the same order."""
    free = {row["paper"]: row["questions"] for row in _lines(folder / "free.jsonl.gz")}
    return [_row(raw, free.get(raw["paper"], []), tokenizer) for raw in _lines(folder / "sentences.jsonl.gz")]


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _row(raw: dict[str, Any], free: list[dict[str, Any]], tokenizer: Tokenizer) -> Row:
    encoded = tokenizer.encode_batch(list(raw["sentences"]), add_special_tokens=False)
    tokens = [e.ids for e in encoded]
    fixed = [
        Asked(id, "", tuple(raw["evidence"].get(id, ())), tuple(raw["near"].get(id, ()))) for id in WORDINGS
    ]
    asked = [Asked("", q["question"], tuple(q["evidence"]), tuple(q["near"])) for q in free]
    return Row(raw["paper"], tokens, windows(tokens), (*fixed, *asked))
