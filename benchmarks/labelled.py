"""Labelled papers of many fields as `Paper` records, so that the reader itself is measured on them.

Used by `fields.py`, `values.py`, `open_science.py`, `trials.py` and by training. Needs `../shared/data`, or a
folder like it. One paper in six is held out: training never sees it.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from vivavoce.records import Evidence, Kind, Page, Paper, Sentence

SHARED = Path(__file__).resolve().parents[2] / "shared"

SOURCES = {
    "fields": "many fields",
    "spirit-consort-tm": "trials",
    "somesci": "software mentions",
    "sofc-exp": "fuel cells",
    "covid-qa": "COVID-QA",
    "qasper-full-text": "QASPER",
    "open-science": "open science",
}


def held_out(paper: str) -> bool:
    """Is the paper kept for measuring?"""
    return int(hashlib.sha256(b"split " + paper.encode()).hexdigest(), 16) % 6 == 0


@dataclass(frozen=True)
class LabelledQuestion:
    wordings: tuple[str, ...]
    evidence: frozenset[int]
    """Numbers of the sentences that answer."""
    kind: str = ""
    values: tuple[str, ...] = ()

    @property
    def reported(self) -> bool:
        return bool(self.evidence)


@dataclass(frozen=True)
class LabelledPaper:
    paper: Paper
    source: str
    field: str
    questions: tuple[LabelledQuestion, ...]


def read(folder: Path, source: str) -> Iterator[LabelledPaper]:
    """The papers of a source that were held out from training."""
    name = f"{source}.jsonl.gz" if source in ("fields", "open-science") else f"human/{source}.jsonl.gz"
    for raw in lines(folder / name):
        if not held_out(raw["paper"]):
            continue
        questions = _questions(raw, source)
        if questions:
            yield LabelledPaper(as_paper(raw), source, raw["field"], tuple(questions))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _questions(raw: dict[str, Any], source: str) -> Iterator[LabelledQuestion] | list[LabelledQuestion]:
    if source == "fields":
        return [
            LabelledQuestion(
                (q["question"], *q["also"]), frozenset(q["evidence"]), q["kind"], tuple(q["value"])
            )
            for q in raw["questions"]
        ]
    return [
        LabelledQuestion((q["question"],), frozenset(q["evidence"]))
        for q in raw["questions"]
        if q["answerable"] is not None
        and bool(q["evidence"]) == q["answerable"]
        and not re.match(r"(1[a-g]|2)_", q["id"])
    ]


def as_paper(raw: dict[str, Any], more: Sequence[str] = ()) -> Paper:
    """Labelled sentences as a paper without pages; `more` are sentences that come behind them."""
    headings = set(raw["headings"])
    own = len(raw["sentences"])
    kinds = raw.get("kinds") or ["heading" if n in headings else "prose" for n in range(own)]
    texts, kinds = [*raw["sentences"], *more], [*kinds, *["prose"] * len(more)]
    sentences, section, at = [], "", 0
    for n, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        section = text if kind == "heading" else section if n < own else ""
        sentences.append(Sentence(text, at, at + len(text), 1, cast(Kind, kind), section))
        at += len(text) + 1
    text = "\n".join(texts)
    name = raw["paper"]
    return Paper(
        hashlib.sha256(text.encode()).hexdigest(),
        name,
        "text",
        text,
        tuple(sentences),
        (Page(1, 0, 0),),
        raw["title"],
    )


def evidence_of(paper: Paper, numbers: Sequence[int]) -> list[Evidence]:
    """Sentences as quotes."""
    found = (paper.sentences[n] for n in numbers)
    return [Evidence(s.text, s.page, "exact", s.start, s.end, reading=s.reading) for s in found]
