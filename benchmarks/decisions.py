"""How much do people's decisions teach the reader? Kappa against the number of decisions per question.

    python benchmarks/decisions.py CELLS.jsonl [--group trials] [--json]

`CELLS.jsonl` is what `benchmarks/fields.py --cells FILE` writes: a line for each paper, question and
wording, with the chance that the reader gives before any decision, and whether the paper answers the
question.

Of each question some cells are decided by their labels: the least sure first, as the review queue has them,
or drawn at random (the mean of a few fixed seeds). `viva calibrate`'s own rule is fitted on them, and
adopted or not; all cells that were not decided measure it. What is left differs from row to row, and the
least sure are gone from it first, so each row has the kappa before, on the same cells, beside the kappa
after.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from vivavoce.panel.calibrated import log_odds
from vivavoce.panel.calibration import MIN_DECISIONS, Judged, fit
from vivavoce.results.scores import Score

DECISIONS = (0, 5, 10, 20, 40)
SEEDS = (1, 2, 3, 4, 5)

Draw = Callable[[Sequence[Judged]], list[Judged]]
"""The cells of a question in the order in which they are decided."""


@dataclass(frozen=True)
class Row:
    """What so many decisions of each question come to."""

    drawn: str
    decisions: int
    """Per question; a question with fewer cells has all but one decided."""
    decided: float
    """In all."""
    moved: float
    """Questions that got an offset."""
    measured: float
    """Cells that were not decided."""
    kappa_before: float
    kappa_after: float


def read_cells(path: Path, group: str) -> list[list[Judged]]:
    """The cells of each question, in its first wording: a study asks in one."""
    found: dict[int, dict[int, list[Judged]]] = defaultdict(lambda: defaultdict(list))
    with path.open(encoding="utf-8") as lines:
        for cell in map(json.loads, lines):
            if cell["group"] == group:
                found[cell["question"]][cell["wording"]].append(Judged(cell["chance"], cell["answered"]))
    return [wordings[min(wordings)] for _, wordings in sorted(found.items())]


def least_sure(cells: Sequence[Judged]) -> list[Judged]:
    return sorted(cells, key=lambda cell: max(cell.chance, 1 - cell.chance))


def at_random(seed: int) -> Draw:
    source = random.Random(seed)
    return lambda cells: source.sample(list(cells), len(cells))


def simulate(questions: Sequence[Sequence[Judged]], decisions: int, draw: Draw, drawn: str = "") -> Row:
    """Decides so many cells of each question, and measures on all others."""
    ordered = [draw(cells) for cells in questions]
    numbers = [min(decisions, len(cells) - 1) for cells in questions]
    fits = [
        fit(cells[:number]) if number >= MIN_DECISIONS else None
        for cells, number in zip(ordered, numbers, strict=True)
    ]
    gain = fsum(one.decisions * (one.log_loss_before - one.log_loss_after) for one in fits if one)
    offsets = [one.offset if one and one.adopted and gain > 0 else 0.0 for one in fits]
    before: list[tuple[bool, bool]] = []
    after: list[tuple[bool, bool]] = []
    for cells, number, offset in zip(ordered, numbers, offsets, strict=True):
        before += [(log_odds(cell.chance) >= 0, cell.reported) for cell in cells[number:]]
        after += [(log_odds(cell.chance) + offset >= 0, cell.reported) for cell in cells[number:]]
    moved = sum(map(bool, offsets))
    return Row(drawn, decisions, sum(numbers), moved, len(after), kappa(before), kappa(after))


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Of what was said and what is true; 0 where both only ever say one thing."""
    tp, fp, fn, tn = (pairs.count((said, true)) for said, true in TABLE)
    return Score(tp, fp, fn, tn).kappa or 0.0


TABLE = ((True, True), (True, False), (False, True), (False, False))
"""What was said and what is true, in the order of a score's counts."""


def curve(questions: Sequence[Sequence[Judged]], numbers: Sequence[int] = DECISIONS) -> list[Row]:
    rows = [simulate(questions, number, least_sure, "queue") for number in numbers]
    for number in numbers:
        some = [simulate(questions, number, at_random(seed)) for seed in SEEDS]
        names = ("decided", "moved", "measured", "kappa_before", "kappa_after")
        rows.append(Row("random", number, *(fmean(getattr(row, name) for row in some) for name in names)))
    return rows


def report(rows: Sequence[Row], questions: int) -> str:
    lines = [f"{questions} questions", "drawn   decisions  decided  moved  measured  kappa before  after"]
    lines += [
        f"{row.drawn:<8}{row.decisions:>9}{row.decided:>9.0f}{row.moved:>7.1f}{row.measured:>10.0f}"
        f"{row.kappa_before:>14.3f}{row.kappa_after:>7.3f}"
        for row in rows
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Kappa against the number of decisions per question.")
    parser.add_argument("cells", type=Path, help="what benchmarks/fields.py --cells wrote")
    parser.add_argument("--group", default="trials")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args(arguments)
    questions = read_cells(options.cells, options.group)
    if not questions:
        sys.exit(f"{options.cells}: no cell of the group {options.group}; see its field `group`.")
    rows = curve(questions)
    if options.json:
        fields = Row.__dataclass_fields__
        print(json.dumps([{name: getattr(row, name) for name in fields} for row in rows], indent=2))
    else:
        print(report(rows, len(questions)))


if __name__ == "__main__":
    main()
