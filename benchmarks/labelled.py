"""Labelled papers of `../shared/data` as `Paper` records, and which of them are kept for measuring.

Used by `values.py` and `open_science.py`. The files hold sentences as version 0.4.0 read them; a paper made
of them has these sentences and nothing else, no pages and no file.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast, get_args

from vivavoce.records import Evidence, Kind, Page, Paper, Sentence

SHARED = Path(__file__).resolve().parents[2] / "shared"


def held_out(paper: str) -> bool:
    """Is it one of the sixth of the papers that nothing is fitted on?"""
    return int(hashlib.sha256(b"split " + paper.encode()).hexdigest(), 16) % 6 == 0


def rows(name: str, shared: Path = SHARED) -> Iterator[dict[str, Any]]:
    """The lines of a file of labels."""
    with gzip.open(shared / "data" / name, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def paper_of(row: dict[str, Any], more: Sequence[str] = ()) -> Paper:
    """The paper of a line; `more` are sentences that come behind it."""
    kinds = list(row.get("kinds") or [])
    headings = set(row["headings"])
    texts = [*row["sentences"], *more]
    sentences: list[Sentence] = []
    at, section = 0, ""
    for n, text in enumerate(texts):
        kind = kinds[n] if n < len(kinds) else "heading" if n in headings else "prose"
        if n in headings:
            section = text
        section = "" if n >= len(row["sentences"]) else section
        known = cast(Kind, kind if kind in get_args(Kind) else "prose")
        sentences.append(Sentence(text, at, at + len(text), 1, known, section))
        at += len(text) + 1
    id = hashlib.sha256(row["paper"].encode()).hexdigest()
    joined = "\n".join(texts)
    return Paper(id, row["paper"], "text", joined, tuple(sentences), (Page(1, 0, 0),), row.get("title", ""))


def evidence_of(paper: Paper, numbers: Sequence[int]) -> list[Evidence]:
    """Sentences as quotes."""
    found = (paper.sentences[n] for n in numbers)
    return [Evidence(s.text, s.page, "exact", s.start, s.end, reading=s.reading) for s in found]
