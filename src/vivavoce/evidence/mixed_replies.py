"""Replies that both deny and tell: "The text does not name the optimiser. However, it mentions Adam."

No rule of ours says which of them people take for an answer, so that was learned from their decisions: a
logistic regression on a reply's words, on what its clauses are, one after the other (`evidence.replies`),
and on how long and how concrete it is. Words that belong to a topic rather than to denying and telling are
left out: a word counts only if it stands in replies to many different questions. `training/replies.py`
makes `weights/replies.json` and measures it; docs/benchmarks.md has the figures.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

WEIGHTS = files("vivavoce.evidence") / "weights" / "replies.json"

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"\b[A-Z][A-Za-z]*[A-Z0-9]\w*")
_LIST = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_CLAUSES, _WORDS, _FACTS = (2, 3, 5, 8), (20, 40, 60, 90, 130, 180), (1, 3, 8)
"""Numbers of clauses of a kind, of words, and of numbers and names, that are told apart."""


def tells(text: str, sentences: Sequence[str], kinds: Sequence[Sequence[str]]) -> bool:
    """Would people take this reply for an answer? `sentences` are the reply's, in plain words; `kinds` what
    the clauses of each are."""
    bias, weights = _learned()
    return bias + sum(weights.get(feature, 0.0) for feature in features(text, sentences, kinds)) > 0


def features(text: str, sentences: Sequence[str], kinds: Sequence[Sequence[str]]) -> set[str]:
    """What the decision is made of: the words and pairs of words that are there, and marks in angle
    brackets."""
    found = _of_clauses([kind for some in kinds for kind in some])
    words = [["#" if word[0].isdigit() else word for word in _WORD.findall(s)] for s in sentences]
    every = [word for some in words for word in some]
    found |= {*every, *map(" ".join, pairwise(every))}
    if words:
        found |= {f"<begins {' '.join(words[0][:2])}>", f"<ends {' '.join(words[-1][:2])}>"}
    found |= {f"<{least} words>" for least in _WORDS if len(every) >= least}
    for name, pattern in (("numbers", _NUMBER), ("names", _NAME)):
        found |= {f"<{least} {name}>" for least in _FACTS if len(pattern.findall(text)) >= least}
    marks = {
        "<list>": _LIST.search(text),
        "<quotation>": '"' in text or "“" in text,
        "<link>": "http" in text,
    }
    return found | {mark for mark, there in marks.items() if there}


def _of_clauses(kinds: Sequence[str]) -> set[str]:
    """Which kinds there are, how many of each, and which follow each other."""
    row = ["^", *kinds, "$"]
    pairs = pairwise(row)
    threes = zip(row, row[1:], row[2:], strict=False)
    many = {f"<{kind} x{least}>" for kind, n in Counter(kinds).items() for least in _CLAUSES if n >= least}
    return {f"<{' '.join(some)}>" for some in [*((kind,) for kind in kinds), *pairs, *threes]} | many


@cache
def _learned() -> tuple[float, dict[str, float]]:
    found = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return float(found["bias"]), dict(found["weights"])
