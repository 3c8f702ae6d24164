"""Writes `settings.json`: fitted on the exported network, so that int8's shifts are in it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path

from benchmarks import gold

from training.calibrate import Example, fit
from training.data import Row
from vivavoce.questions import load as load_set
from vivavoce.readers import deciding
from vivavoce.readers.builtin import Builtin
from vivavoce.readers.deciding import Settings

FIRST = Settings(
    version="",
    judged=12,
    mix=0.5,
    slope=1.0,
    offset=0.0,
    floor=0.1,
    weights=(1.0,),
    bias=0.0,
    prior=0.0,
    unread=("figure", "reference"),
    penalty={"heading": 6.0, "title": 4.0, "front": 3.0},
)


def priors(rows: Sequence[Row]) -> dict[str, float]:
    """By the text of each shipped question: how often papers report it, in log odds from the average."""
    odds = {}
    for question in load_set("dl-methods").questions:
        reported = sum(bool(q.evidence) for row in rows for q in row.questions if q.id == question.id)
        share = (reported + 2) / (len(rows) + 4)
        odds[question.text] = log(share / (1 - share))
    average = sum(odds.values()) / len(odds)
    return {text: round(value - average, 3) for text, value in odds.items()}


def write(folder: Path, settings: Settings) -> None:
    values = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (folder / "settings.json").write_text(text + "\n", encoding="utf-8")
    deciding.settings.cache_clear()


def fitted(folder: Path, shared: Path, rows: Sequence[Row]) -> Settings:
    """The settings that ship: the rule fitted on all labelled papers, the version from the weights' bytes."""
    start = replace(FIRST, priors=priors(rows))
    write(folder, start)
    reader = Builtin()
    questions = load_set("dl-methods").questions
    cells: list[Example] = []
    sentences: list[tuple[float, bool]] = []
    for paper, labels in gold.read(shared):
        ranked = reader.rank(paper, questions)
        for n, cell in enumerate(labels):
            scored = ranked.judged(n)
            prior = start.priors[questions[n].text]
            cells.append(Example(tuple(s for _, s in scored), prior, cell.reported, cell.paper))
            sentences.extend(
                (s, any(gold.hits((x.start, x.end), span) for span in cell.spans)) for x, s in scored
            )
    rule = fit(cells)
    each = fit([Example((s,), 0.0, hit, "") for s, hit in sentences], only=1)
    return replace(
        start,
        version=_version(folder),
        weights=tuple(round(w, 4) for w in rule.weights),
        bias=round(rule.bias, 4),
        prior=round(rule.prior, 4),
        slope=round(each.weights[0], 4),
        offset=round(each.bias, 4),
    )


def _version(folder: Path) -> str:
    """Changes whenever the network does."""
    digest = hashlib.sha256()
    for name in ("encoder.onnx", "judge.onnx", "scorer.npz", "tokenizer.json"):
        digest.update((folder / name).read_bytes())
    return f"1-{digest.hexdigest()[:8]}"
