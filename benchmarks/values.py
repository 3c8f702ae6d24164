"""How good are coded values, where the right passage is quoted?

    python benchmarks/values.py [--patterns] [--all] [--errors KIND]

Of each answered question of `../shared/data/fields.jsonl.gz`, the labelled evidence is given as the quotes,
and the value is compared with the labelled one: exact match and token F1, by kind. Papers that nothing was
fitted on: a sixth, by a hash of the paper's name (`--all`: every paper). `--patterns` uses no network. For
the kinds text and list, "sentence" is the token F1 of giving the first quote as it stands.

Exact: the same numbers for numbers; the same date but for the preposition before it; the same link but for
white space and `doi:`; yes or no. Every value is looked up in its quote; one that does not stand there counts
as `elsewhere`, and there must be none.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.labelled import SHARED, as_paper, evidence_of, held_out, lines
from vivavoce.evidence.coding import code
from vivavoce.evidence.numbers import numbers
from vivavoce.evidence.signals import NOTHING
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.records import Coded, Evidence, Question

_WORD = re.compile(r"[^\W_]+")
_ARTICLES = {"a", "an", "the"}
_DIGITS = re.compile(r"\d[\d,.]*\d|\d")
_PREPOSITION = re.compile(
    r"^(?:(?:from|between|in|on|by|during|since|until|starting|at|through|over|the|period)\s)+", re.IGNORECASE
)


@dataclass(frozen=True)
class Score:
    kind: str
    exact: bool
    f1: float
    sentence_f1: float
    given: bool
    elsewhere: int
    question: str
    wanted: tuple[str, ...]
    said: tuple[str, ...]


def tokens(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _ARTICLES]


def token_f1(said: str, wanted: str) -> float:
    one, other = Counter(tokens(said)), Counter(tokens(wanted))
    both = (one & other).total()
    return 2 * both / (one.total() + other.total()) if both else 0.0


def same(kind: str, said: str, wanted: str) -> bool:
    """Is it the labelled value?"""
    if kind == "number":
        one, other = (_numbers(text) for text in (said, wanted))
        return one == other if one or other else tokens(said) == tokens(wanted)
    if kind == "date":
        return tokens(_PREPOSITION.sub("", said)) == tokens(_PREPOSITION.sub("", wanted))
    if kind == "link":
        return _link(said) == _link(wanted)
    return tokens(said) == tokens(wanted)


def _numbers(text: str) -> list[str]:
    """The numbers in a text, in words as well."""
    found = [n.replace(",", "").rstrip(".") for n in _DIGITS.findall(text)]
    return found or [str(number.value) for number in numbers(text)]


def _link(text: str) -> str:
    plain = re.sub(r"\s", "", text).lower().rstrip("/.")
    return re.sub(r"^(?:https?://)?(?:dx\.)?(?:doi\.org/|doi:|www\.)?", "", plain)


def score(
    kind: str, question: str, wanted: Sequence[str], quotes: Sequence[Evidence], found: Sequence[Coded]
) -> Score:
    words = [quotes[c.quote or 0].quote[c.start : c.end] for c in found]
    said = [str(c.value) for c in found] if kind in ("yes_no", "link") else words
    if kind in ("text", "list"):
        exact = sorted(map(tokens, said)) == sorted(map(tokens, wanted))
    else:
        exact = bool(said) and any(same(kind, said[0], value) for value in wanted)
    missing = sum(not word.strip() for word in words)
    return Score(
        kind,
        exact,
        token_f1(" ".join(said), " ".join(wanted)),
        token_f1(quotes[0].quote, " ".join(wanted)),
        bool(said),
        missing,
        question,
        tuple(wanted),
        tuple(said),
    )


def measure(patterns: bool, every: bool) -> list[Score]:
    reader = Builtin()
    found = []
    for row in lines(SHARED / "data" / "fields.jsonl.gz"):
        if not every and not held_out(row["paper"]):
            continue
        paper = as_paper(row)
        asked = [q for q in row["questions"] if q["answerable"] and q["value"]]
        questions = [Question(q["question"], q["id"], kind=q["kind"]) for q in asked]
        quotes = [evidence_of(paper, q["evidence"]) for q in asked]
        said = [NOTHING] * len(asked) if patterns else reader.signals(paper, questions, quotes)
        for label, question, evidence, signals in zip(asked, questions, quotes, said, strict=True):
            coded = code(question, evidence, signals)
            value = label["value"] if isinstance(label["value"], list) else [label["value"]]
            found.append(score(label["kind"], question.text, value, evidence, coded))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--patterns", action="store_true", help="no network")
    parser.add_argument("--all", action="store_true", help="every paper, not those held out alone")
    parser.add_argument("--errors", metavar="KIND", help="show what is wrong")
    options = parser.parse_args()
    found = measure(options.patterns, options.all)
    by_kind = defaultdict(list)
    for one in found:
        by_kind[one.kind].append(one)
    print(f"{'kind':10}{'n':>6}{'given':>8}{'exact':>8}{'F1':>8}{'sentence':>10}{'elsewhere':>11}")
    for kind, some in sorted(by_kind.items()):
        n = len(some)
        print(
            f"{kind:10}{n:6}{sum(s.given for s in some) / n:8.2f}{sum(s.exact for s in some) / n:8.3f}"
            f"{sum(s.f1 for s in some) / n:8.3f}{sum(s.sentence_f1 for s in some) / n:10.3f}"
            f"{sum(s.elsewhere for s in some):11}"
        )
    for one in by_kind.get(options.errors, []):
        if not one.exact:
            print(f"- {one.question}\n    wanted {list(one.wanted)}\n    said   {list(one.said)}")


if __name__ == "__main__":
    main()
