"""Open science: stated or not, and which code, against the labels; beside two keyword tools.

    python -m benchmarks.open_science [--patterns] [--all] [--without-end-matter] [--first N] [--errors ITEM]
    python -m benchmarks.open_science --given

Asks the 16 items of the set `open-science` of each labelled paper of `../shared/data/open-science.jsonl.gz`,
of the papers that nothing was fitted on (`--all`: of every paper). `--patterns` uses the cues of the set
alone, no network: an item is stated where a sentence has a cue. What version 0.4.0 doesn't read of a file
(award groups, data statements) comes behind its sentences, as a parser gives it that reads it;
`--without-end-matter` leaves it out. Kappa of codes: over all codes of an item, `not_stated` among them;
"all" sums observed and expected disagreement over the items. The keyword tools were run elsewhere on 124
papers, these 84 among them. `--given`: of what is stated, how often the code is right where the labelled
evidence is quoted, by the cues alone, over all papers.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.labelled import SHARED, as_paper, evidence_of, held_out, lines
from vivavoce.evidence import cues
from vivavoce.evidence.coding import code
from vivavoce.questions import load
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.records import Paper, Question

KEYWORD_TOOLS = {
    "data": "ODDPub 7.3.0 0.73, rtransparent 0.2.5 0.66",
    "code": "ODDPub 7.3.0 0.68, rtransparent 0.2.5 0.64",
}
"""Kappa of "in a repository", on the 124 papers."""
ABSENT = "not_stated"
READ = ("prose", "caption", "table", "footnote", "front")
"""Kinds of sentences that cues are looked for in."""


class Cell(NamedTuple):
    paper: str
    item: str
    wanted: str
    said: str
    quote: str


def by_cues(paper: Paper, questions: Sequence[Question]) -> Iterator[tuple[str, str]]:
    """Code and first quote of each item, by the set's cues alone."""
    for question in questions:
        every = tuple(cue for some in question.cues for cue in some)
        pattern = cues.any_of(every)
        found = [n for n, s in enumerate(paper.sentences) if s.kind in READ and pattern.search(s.text)]
        quotes = evidence_of(paper, found[:5])
        chosen = code(question, quotes)
        yield (str(chosen[0].value), quotes[0].quote) if chosen else (ABSENT, "")


def by_reader(reader: Builtin, paper: Paper, questions: Sequence[Question]) -> Iterator[tuple[str, str]]:
    for answer in reader.read(paper, questions):
        value = answer.value
        first = value[0] if isinstance(value, list) else value
        yield str(first or ABSENT), answer.evidence[0].quote if answer.evidence else ""


def given() -> dict[str, list[bool]]:
    """Of each item with several codes, is the code right where the labelled evidence is quoted?"""
    right: dict[str, list[bool]] = {}
    questions = {question.id: question for question in load("open-science").questions}
    for row in lines(SHARED / "data" / "open-science.jsonl.gz"):
        paper = as_paper(row, row["end_matter"])
        for id, label in row["items"].items():
            if label["code"] == ABSENT or len(questions[id].choices) < 2:
                continue
            end = len(row["sentences"])
            places = [end + int(n[1:]) if isinstance(n, str) else n for n in label["evidence"][:5]]
            (chosen,) = code(questions[id], evidence_of(paper, places))
            right.setdefault(id, []).append(chosen.value == label["code"])
    return right


def measure(options: argparse.Namespace) -> tuple[list[Cell], float]:
    questions = load("open-science").questions
    reader = Builtin()
    found: list[Cell] = []
    papers, spent = 0, 0.0
    for row in lines(SHARED / "data" / "open-science.jsonl.gz"):
        if not options.all and not held_out(row["paper"]):
            continue
        if options.first and papers == options.first:
            break
        paper = as_paper(row, () if options.without_end_matter else row["end_matter"])
        begun = time.process_time()
        said = list(by_cues(paper, questions) if options.patterns else by_reader(reader, paper, questions))
        spent += time.process_time() - begun
        papers += 1
        for question, (chosen, quote) in zip(questions, said, strict=True):
            wanted = row["items"][question.id]["code"]
            found.append(Cell(row["paper"], question.id, wanted, chosen, quote))
    return found, spent / max(1, papers)


def disagreement(pairs: Sequence[tuple[Any, Any]]) -> tuple[float, float]:
    """Observed and expected, as numbers of cells."""
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = len(pairs) - sum(one[c] * other[c] for c in one) / max(1, len(pairs))
    return sum(a != b for a, b in pairs), expected


def kappa(groups: Sequence[Sequence[tuple[Any, Any]]]) -> float:
    """Cohen's kappa; of several groups with the disagreements summed up."""
    parts = [disagreement(group) for group in groups]
    expected = sum(e for _, e in parts)
    return 1 - sum(o for o, _ in parts) / expected if expected else float("nan")


def f1(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of "stated"."""
    both = sum(a and b for a, b in pairs)
    precision = both / max(1, sum(b for _, b in pairs))
    recall = both / max(1, sum(a for a, _ in pairs))
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0


def show(found: Sequence[Cell]) -> None:
    heads = ("stated", "said", "kappa", "prec.", "recall", "F1", "codes", "right")
    print(f"{'item':16}{'n':>5}" + "".join(f"{head:>8}" for head in heads))
    items = list(dict.fromkeys(cell.item for cell in found))
    for item in (*items, "all"):
        some = [[cell for cell in found if cell.item == one] for one in (items if item == "all" else [item])]
        stated = [[(c.wanted != ABSENT, c.said != ABSENT) for c in group] for group in some]
        flat = [pair for group in stated for pair in group]
        both = [c for group in some for c in group if ABSENT not in (c.wanted, c.said)]
        right = sum(c.wanted == c.said for c in both) / max(1, len(both))
        codes = kappa([[(c.wanted, c.said) for c in group] for group in some])
        pooled = kappa([flat])
        precision, recall, both_ways = f1(flat)
        counts = (sum(a for a, _ in flat), sum(b for _, b in flat))
        shares = (pooled, precision, recall, both_ways, codes, right)
        line = "".join(f"{n:8}" for n in counts) + "".join(f"{share:8.2f}" for share in shares)
        print(f"{item:16}{len(flat):5}{line}")
    for item, tools in KEYWORD_TOOLS.items():
        pairs = [(c.wanted == "repository", c.said == "repository") for c in found if c.item == item]
        precision, recall, _ = f1(pairs)
        print(f"{item} in a repository: kappa {kappa([pairs]):.2f} ({precision:.2f}, {recall:.2f}); {tools}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--patterns", action="store_true", help="cues alone, no network")
    parser.add_argument("--all", action="store_true", help="every paper, not those held out alone")
    parser.add_argument("--without-end-matter", action="store_true")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first N papers alone")
    parser.add_argument("--errors", metavar="ITEM", help="show what is wrong")
    parser.add_argument("--given", action="store_true", help="codes where the labelled evidence is quoted")
    options = parser.parse_args()
    if options.given:
        right = given()
        every = [one for some in right.values() for one in some]
        for item, ones in (*right.items(), ("all", every)):
            print(f"{item:16}{len(ones):5}{sum(ones) / len(ones):8.2f}")
        return
    found, seconds = measure(options)
    show(found)
    print(f"{seconds:.2f} s of processor time a paper")
    for cell in found:
        if cell.item == options.errors and cell.wanted != cell.said:
            print(f"- {cell.paper}: {cell.wanted}, said {cell.said}: {cell.quote[:200]}")


if __name__ == "__main__":
    main()
