"""Trials: the items of the set `trial-reporting` against people's labels, reported or not.

    python -m benchmarks.trials [--first N] [--all]

The labels are `../shared/data/human/spirit-consort-tm.jsonl.gz`. Only papers that nothing was fitted on are
asked, a sixth of them by a hash of the name (`--all`: every paper). An item without a label in a paper is
left out. Beside each item's kappa is how often the more frequent label is right by itself ("majority").
"""

import argparse
from collections import defaultdict

from benchmarks.labelled import SHARED, as_paper, held_out, lines
from benchmarks.open_science import f1, kappa
from vivavoce.questions import asked, load
from vivavoce.readers.builtin.reader import Builtin


def measure(first: int, every: bool) -> dict[str, list[tuple[bool, bool]]]:
    """Of each item, labelled and said for each paper."""
    questions = asked(load("trial-reporting"))
    reader = Builtin()
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    papers = 0
    for row in lines(SHARED / "data" / "human" / "spirit-consort-tm.jsonl.gz"):
        if not every and not held_out(row["paper"]):
            continue
        if first and papers == first:
            break
        papers += 1
        labels = {q["id"]: q["answerable"] for q in row["questions"] if q["answerable"] is not None}
        wanted = [question for question in questions if question.id in labels]
        for question, answer in zip(wanted, reader.read(as_paper(row), wanted), strict=True):
            found[question.id].append((labels[question.id], answer.status == "reported"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first N papers alone")
    parser.add_argument("--all", action="store_true", help="every paper, not those held out alone")
    options = parser.parse_args()
    found = measure(options.first, options.all)
    heads = ("labelled", "said", "kappa", "right", "majority")
    print(f"{'item':46}{'n':>5}" + "".join(f"{head:>10}" for head in heads))
    every = [pair for pairs in found.values() for pair in pairs]
    for item, pairs in (*found.items(), ("all", every)):
        yes, said = sum(a for a, _ in pairs), sum(b for _, b in pairs)
        right = sum(a == b for a, b in pairs) / len(pairs)
        majority = max(yes, len(pairs) - yes) / len(pairs)
        print(f"{item:46}{len(pairs):5}{yes:10}{said:10}{kappa([pairs]):10.2f}{right:10.2f}{majority:10.2f}")
    precision, recall, both = f1(every)
    print(f"all: precision {precision:.2f}, recall {recall:.2f}, F1 {both:.2f}")


if __name__ == "__main__":
    main()
