"""How good is the built-in reader? Measured on papers that were read in full.

    python benchmarks/accuracy.py [--shared FOLDER] [--wording own|published|hinted] [--list] [--first N]

Asks the 28 questions of the eight papers with the shipped network. The rule from scores to chances is
fitted again for each paper on the other seven, so no paper judges itself. Quotes are those that the reader
would give: none where it says "not reported". A quote hits when it shares more than half of the shorter
one's characters with a quote of the labels. Beside it: the published five-LLM vote on the same cells, and
"always reported".
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import gold
from benchmarks.calibrate import Example, cross_validated
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.deciding import features, settings
from vivavoce.readers.builtin.reader import Builtin, quotes, with_links
from vivavoce.readers.builtin.scoring import Scored
from vivavoce.records import Paper, Question

COLUMNS = ("accuracy", "kappa", "precision", "recall", "F1")


@dataclass(frozen=True)
class Result:
    cell: gold.Cell
    paper: Paper
    question: Question
    best: tuple[Scored, ...]
    """The sentences that may answer, best first."""
    quotes: tuple[tuple[int, int], ...]
    """The spans that would be quoted, were it reported."""
    chance: float = 0.0

    @property
    def said(self) -> bool:
        return self.chance >= 0.5

    def quote(self) -> str:
        """The words of the first quote."""
        start, end = self.quotes[0]
        return " ".join(self.paper.text[start:end].split())

    def example(self) -> Example:
        return Example(
            tuple(
                features(
                    [s.score for s in self.best],
                    [s.judged.score for s in self.best if s.judged],
                )
            ),
            self.cell.reported,
            self.cell.paper,
        )


def cells(shared: Path, questions: Sequence[Question], reader: Builtin) -> list[Result]:
    """Every cell as the reader ranks and quotes it, not yet decided."""
    found: list[Result] = []
    for paper, labels in gold.read(shared):
        scores = reader.score(paper, questions)
        for n, (cell, question) in enumerate(zip(labels, questions, strict=True)):
            best = tuple(scores.best(n))
            given = with_links(paper, question, quotes(best, settings()))
            spans = tuple((quote[0].start, quote[-1].end) for quote in given)
            found.append(Result(cell, paper, question, best, spans))
    return found


def results(shared: Path, questions: Sequence[Question]) -> list[Result]:
    """Every cell as the reader would answer it, with a rule fitted on the other papers."""
    found = cells(shared, questions, Builtin())
    chances = cross_validated([r.example() for r in found])
    return [replace(r, chance=chance) for r, chance in zip(found, chances, strict=True)]


def wordings(which: str, shared: Path) -> list[Question]:
    ours = asked(load_set("dl-methods"))
    if which == "own":
        return list(ours)
    lines = [x.strip() for x in (shared / "data" / "questions.txt").read_text(encoding="utf-8").splitlines()]
    texts = [x for x in lines if x]
    if which == "published":
        texts = [re.sub(r"\s*\(e\.g\.,.*\)", "", x) for x in texts]
    return [replace(q, text=text) for q, text in zip(ours, texts, strict=True)]


def quote_hits(found: Sequence[Result]) -> tuple[float, float]:
    """The share of the labels' quotes that were hit, and of reported cells whose first quote hits one."""
    hit = total = first = cells = 0
    for r in found:
        if not r.cell.spans:
            continue
        spans = r.quotes if r.said else ()
        cells += 1
        total += len(r.cell.spans)
        hit += sum(any(gold.hits(given, span) for given in spans) for span in r.cell.spans)
        first += bool(spans) and any(gold.hits(spans[0], span) for span in r.cell.spans)
    return hit / total, first / cells


def intervals(found: Sequence[Result]) -> str:
    """How sure the figures are: 95 % of what they come to when whole papers are resampled."""
    papers = sorted({r.cell.paper for r in found})
    cells = {paper: [r for r in found if r.cell.paper == paper] for paper in papers}
    drawn = [
        [r for paper in chance for r in cells[paper]]
        for chance in np.random.default_rng(0).choice(papers, (500, len(papers)))
    ]
    kappas = [
        gold.agreement([r.cell.reported for r in some], [r.said for r in some])["kappa"] for some in drawn
    ]
    firsts = [quote_hits(some)[1] for some in drawn]
    low, high = np.percentile([kappas, firsts], [2.5, 97.5], axis=1)
    return f"95 % by paper: kappa {low[0]:.2f} to {high[0]:.2f}, first quote {low[1]:.2f} to {high[1]:.2f}"


def report(found: Sequence[Result], votes: Sequence[bool]) -> None:
    for name, keep in (
        ("all cells", [True] * len(found)),
        ("without the debatable", [not r.cell.debatable for r in found]),
    ):
        some = [r for r, k in zip(found, keep, strict=True) if k]
        truth = [r.cell.reported for r in some]
        rows = {
            "builtin": [r.said for r in some],
            "five-LLM vote": [v for v, k in zip(votes, keep, strict=True) if k],
            "always reported": [True] * len(some),
        }
        print(f"\n{name} ({len(some)}, {sum(truth)} reported)")
        print(f"{'':18}" + "".join(f"{c:>11}" for c in COLUMNS))
        for who, said in rows.items():
            figures = gold.agreement(truth, said)
            print(f"{who:18}" + "".join(f"{figures[c]:11.3f}" for c in COLUMNS))
        share, first = quote_hits(some)
        ece = gold.calibration_error(truth, [r.chance for r in some])
        print(f"quotes hit {share:.3f}   first quote hits {first:.3f}   calibration error {ece:.3f}")
        print(intervals(some))


def listing(found: Sequence[Result]) -> None:
    """The errors, by question and one by one."""
    wrong = [r for r in found if r.said != r.cell.reported]
    print(
        "\nerrors by question: "
        + ", ".join(f"{k} {v}" for k, v in Counter(r.cell.id for r in wrong).most_common())
    )
    for r in sorted(wrong, key=lambda r: (r.said, r.cell.id)):
        kind = "false claim" if r.said else "missed"
        doubt = ", debatable" if r.cell.debatable else ""
        best = r.quote() if r.quotes else ""
        print(f"{kind:12}{r.cell.paper:>3} {r.cell.id:5}{r.chance:5.2f}{doubt}  {best[:150]}")


def first_quotes(found: Sequence[Result], many: int) -> None:
    """The first quotes of some cells that the reader calls reported, drawn by chance, to be judged by eye."""
    said = [r for r in found if r.said]
    for n, r in enumerate(random.Random(60).sample(said, min(many, len(said))), 1):
        start, end = r.quotes[0]
        print(f"{n}. paper {r.cell.paper}, {r.cell.id}: {r.question.text}")
        print(f"   page {r.paper.page_at(start)}, {start}-{end}: {r.quote()}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=gold.SHARED)
    parser.add_argument("--wording", choices=("own", "published", "hinted"), default="own")
    parser.add_argument("--list", action="store_true", help="the errors, one by one")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="N first quotes, to judge by eye")
    options = parser.parse_args()
    if not (options.shared / "gold").is_dir():
        sys.exit(f"no labels in {options.shared}/gold")
    found = results(options.shared, wordings(options.wording, options.shared))
    report(found, gold.votes(options.shared, [r.cell for r in found]))
    if options.list:
        listing(found)
    first_quotes(found, options.first)


if __name__ == "__main__":
    main()
