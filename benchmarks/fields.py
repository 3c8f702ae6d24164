"""How good is the built-in reader in other fields? Measured on labelled papers that training never saw.

    python benchmarks/fields.py [--shared FOLDER] [--reader R] [--sources NAME ...] [--cells FILE]

Asks each paper its questions, each in all of its wordings. The rule from scores to chances is cross-validated
by paper over all sources.

- `first`: the best sentence is a labelled one, over the answered questions; `BM25` and `top 3` likewise
- `quotes`: the share of the quotes shown that hold a labelled sentence
- `false`: the share of the unanswered questions that the reader claims to be answered
- `agree`: two wordings of a question get the same status

The ranges hold 95 % of what the figures come to when whole papers are drawn again.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import gold
from benchmarks.bm25 import BM25
from benchmarks.calibrate import Example, cross_validated
from benchmarks.labelled import SOURCES, LabelledPaper, LabelledQuestion, read
from vivavoce.readers.builtin.deciding import features, settings
from vivavoce.readers.builtin.reader import Builtin, quotes
from vivavoce.readers.builtin.scoring import READ, Scored
from vivavoce.records import Question

MEASURED = ("fields", "spirit-consort-tm", "somesci", "sofc-exp", "covid-qa", "qasper-full-text")


@dataclass(frozen=True)
class Cell:
    """A question in one wording, asked of a paper."""

    source: str
    paper: str
    number: int
    """Of the question in its paper."""
    question: LabelledQuestion
    best: tuple[Scored, ...]
    bm25: int
    """The sentence that BM25 puts first."""
    chance: float = 0.0

    @property
    def said(self) -> bool:
        return self.chance >= 0.5

    @property
    def first(self) -> bool:
        return bool(self.best) and self.best[0].number in self.question.evidence

    @property
    def top3(self) -> bool:
        return any(scored.number in self.question.evidence for scored in self.best[:3])

    def example(self) -> Example:
        return Example(
            tuple(
                features(
                    [s.score for s in self.best],
                    [s.judged.score for s in self.best if s.judged],
                )
            ),
            self.question.reported,
            self.paper,
        )


def cells(papers: Sequence[LabelledPaper], reader: Builtin) -> Iterator[Cell]:
    for labelled in papers:
        pairs = [(n, q, text) for n, q in enumerate(labelled.questions) for text in q.wordings]
        scores = reader.score(labelled.paper, [Question(text) for _, _, text in pairs])
        read_ = [n for n, s in enumerate(labelled.paper.sentences) if s.kind in READ]
        plain = BM25([labelled.paper.sentences[n].text for n in read_])
        for m, (n, question, text) in enumerate(pairs):
            best = tuple(scores.best(m))
            if best:
                first = read_[plain.best(text)]
                yield Cell(labelled.source, labelled.paper.file, n, question, best, first)


def collect(shared: Path, sources: Sequence[str], reader: Builtin, most: int = 0) -> list[Cell]:
    """Every cell of these sources, decided by a rule fitted on other papers."""
    found: list[Cell] = []
    for source in sources:
        papers = list(read(shared / "data", source))
        found += cells(papers[:most] if most else papers, reader)
    return decided(found)


def decided(found: Sequence[Cell]) -> list[Cell]:
    """With the chance that the paper answers, by a rule fitted on other papers."""
    chances = cross_validated([cell.example() for cell in found])
    return [replace(cell, chance=chance) for cell, chance in zip(found, chances, strict=True)]


def auc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    order = np.argsort(np.argsort(np.asarray(scores), kind="stable"))
    yes = np.asarray(truth, bool)
    many, few = int(yes.sum()), int((~yes).sum())
    return float((order[yes].sum() - many * (many - 1) / 2) / (many * few)) if many and few else float("nan")


def measures(some: Sequence[Cell], variant: str = "full") -> dict[str, float]:
    answered = [c for c in some if c.question.reported]
    silent = [c for c in some if not c.question.reported]
    rule = settings("fast" if variant == "fast" else "full")
    shown = [
        any(
            s.start == scored.sentence.start and scored.number in c.question.evidence
            for s in quote
            for scored in c.best
        )
        for c in some
        if c.said
        for quote in quotes(c.best, rule)
    ]
    by_question = defaultdict(list)
    for c in some:
        by_question[c.paper, c.number].append(c.said)
    pairs = [a == b for said in by_question.values() for a, b in combinations(said, 2)]
    found = {
        "first": _mean([c.first for c in answered]),
        "BM25": _mean([c.bm25 in c.question.evidence for c in answered]),
        "top 3": _mean([c.top3 for c in answered]),
        "quotes": _mean(shown),
        "agree": _mean(pairs),
    }
    if silent:
        truth, chances = [c.question.reported for c in some], [c.chance for c in some]
        found |= {
            "AUC": auc(truth, chances),
            "kappa": gold.agreement(truth, [c.said for c in some])["kappa"],
            "false": _mean([c.said for c in silent]),
            "ECE": gold.calibration_error(truth, chances),
        }
    return found


def _mean(values: Sequence[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")


def intervals(some: Sequence[Cell], variant: str, draws: int = 200) -> dict[str, tuple[float, float]]:
    """95 % of what the figures come to when whole papers are drawn anew."""
    by_paper = defaultdict(list)
    for c in some:
        by_paper[c.paper].append(c)
    names = sorted(by_paper)
    chance = np.random.default_rng(0)
    drawn = []
    for _ in range(draws):
        pick = chance.choice(len(names), len(names))
        cells_ = [
            replace(c, paper=f"{n} {c.paper}") for n, at in enumerate(pick) for c in by_paper[names[at]]
        ]
        drawn.append(measures(cells_, variant))
    keys = ("first", "kappa", "AUC")
    return {
        key: tuple(np.nanpercentile([d.get(key, float("nan")) for d in drawn], [2.5, 97.5]))  # type: ignore[misc]
        for key in keys
    }


def write_cells(found: Sequence[Cell], path: Path) -> None:
    """A line for each cell, for `decisions.py`. The same question of several papers has one number."""
    numbers: dict[tuple[str, str], int] = {}
    wordings: dict[tuple[str, str, int], int] = defaultdict(int)
    with path.open("w", encoding="utf-8") as file:
        for c in found:
            number = numbers.setdefault((c.source, c.question.wordings[0]), len(numbers))
            line = {
                "group": SOURCES[c.source],
                "paper": c.paper,
                "question": number,
                "wording": wordings[c.source, c.paper, number],
                "chance": c.chance,
                "answered": c.question.reported,
            }
            wordings[c.source, c.paper, number] += 1
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


COLUMNS = ("first", "BM25", "top 3", "AUC", "kappa", "quotes", "agree", "false", "ECE")


def report(found: Sequence[Cell], variant: str) -> None:
    print(f"{'':20}{'papers':>7}{'cells':>7}" + "".join(f"{c:>8}" for c in COLUMNS))
    for source in dict.fromkeys(c.source for c in found):
        some = [c for c in found if c.source == source]
        figures = measures(some, variant)
        line = f"{SOURCES[source]:20}{len({c.paper for c in some}):7}{len(some):7}"
        print(line + "".join(f"{figures[c]:8.3f}" if c in figures else f"{'':8}" for c in COLUMNS))
        ranges = intervals(some, variant)
        shown = [f"{k} {a:.2f} to {b:.2f}" for k, (a, b) in ranges.items() if not np.isnan(a)]
        print(f"{'':20}95 % by paper: {', '.join(shown)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=gold.SHARED)
    parser.add_argument("--reader", choices=("builtin", "builtin:fast"), default="builtin")
    parser.add_argument("--sources", nargs="+", default=MEASURED, choices=MEASURED)
    parser.add_argument("--most", type=int, default=0, help="papers of each source at most; 0: all")
    parser.add_argument("--cells", type=Path, metavar="FILE", help="write every cell, for decisions.py")
    options = parser.parse_args()
    if not (options.shared / "data").is_dir():
        sys.exit(f"no labelled papers in {options.shared}/data")
    variant = "fast" if options.reader == "builtin:fast" else "full"
    found = collect(options.shared, options.sources, Builtin(variant=variant), options.most)
    if options.cells:
        write_cells(found, options.cells)
    report(found, variant)


if __name__ == "__main__":
    main()
