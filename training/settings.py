"""Writes `settings.json`: fitted on the exported network, so that int8's shifts are in it."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from benchmarks import gold
from benchmarks.calibrate import Example, fit
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin import deciding
from vivavoce.readers.builtin.deciding import Settings
from vivavoce.readers.builtin.reader import Builtin

FIRST = Settings(
    version="",
    candidates=20,
    word_weight=1.0,
    slope=1.0,
    offset=0.0,
    neighbour_weight=1.0,
    quote_margin=3.0,
    min_quote_score=-1.5,
    weights=(1.0,),
    bias=0.0,
    unread=("figure", "reference"),
    penalty={
        "heading": 30.0,
        "title": 4.0,
        "front": 3.0,
        "caption": 0.5,
        "table": 0.5,
        "abstract": 1.0,
        "introduction": 0.5,
        "discussion": 0.5,
    },
)


def write(folder: Path, settings: Settings) -> None:
    values = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    text = json.dumps(values, indent=1, ensure_ascii=False)
    (folder / "settings.json").write_text(text + "\n", encoding="utf-8")
    deciding.settings.cache_clear()


def fitted(folder: Path, shared: Path) -> Settings:
    """The settings that ship: the rule fitted on all labelled papers."""
    write(folder, FIRST)
    reader = Builtin()
    questions = asked(load_set("dl-methods"))
    cells: list[Example] = []
    sentences: list[tuple[float, bool]] = []
    for paper, labels in gold.read(shared):
        scores = reader.score(paper, questions)
        for n, cell in enumerate(labels):
            best = scores.best(n)
            cells.append(Example(tuple(x.score for x in best), cell.reported, cell.paper))
            for x in best:
                span = (x.sentence.start, x.sentence.end)
                sentences.append((x.score, any(gold.hits(span, wanted) for wanted in cell.spans)))
    rule = fit(cells)
    each = fit([Example((s,), hit, "") for s, hit in sentences], only=1)
    settings = replace(
        FIRST,
        weights=tuple(round(w, 4) for w in rule.weights),
        bias=round(rule.bias, 4),
        slope=round(each.weights[0], 4),
        offset=round(each.bias, 4),
    )
    return replace(settings, version=_version(folder, settings))


def _version(folder: Path, settings: Settings) -> str:
    """Changes whenever the network or its settings do: then answers may change."""
    digest = hashlib.sha256(repr(settings).encode())
    for name in ("encoder.onnx", "scorer.npz", "tokenizer.json"):
        digest.update((folder / name).read_bytes())
    return f"1-{digest.hexdigest()[:8]}"
