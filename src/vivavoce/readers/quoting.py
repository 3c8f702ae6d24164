"""Scored sentences -> evidence and the answer's words: what to quote, in which order, how much of it.

Every word of an answer stands in the paper. A long sentence is trimmed to the clauses that answer, and "…"
marks what was left out; a table row is read with its column heads.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from vivavoce.records import Evidence, Paper, Sentence

MOST = 5
"""Quotes that an answer gives."""
IN_ANSWER = 3
"""Quotes that the answer's words are taken from."""
SAME = 90
"""Two sentences that are this alike, of 100, say the same."""
LONG = 220
"""Characters; a longer sentence is trimmed to what answers."""
SHORT = 40
"""Characters; a shorter clause is not worth quoting without its neighbour."""
LOSS = 0.7
"""How much of a sentence's score, as a logit, trimming may cost."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CLAUSE = re.compile(
    r";\s+|:\s+(?=\w)|,\s+(?=(?:and|but|while|whereas|which|where|whose|using|with|because|since|although"
    r"|so that|then|after|before|as well as|in order to|including|resulting)\b)|\s+(?=\((?=[^)]{30}))"
    r"|\s+(?=(?:and then|because|whereas|while|which|using)\s)"
)


Rate = Callable[[Sequence[tuple[int, int]]], Sequence[float]]
"""How well spans of a sentence answer, as logits."""


def distinct(ranked: Iterable[Sentence], most: int = MOST) -> list[Sentence]:
    """The first few that each say something new."""
    kept: list[Sentence] = []
    for sentence in ranked:
        if len(kept) == most:
            break
        if not any(_same(sentence.text, other.text) for other in kept):
            kept.append(sentence)
    return kept


def _same(a: str, b: str) -> bool:
    """Does one repeat the other? Never when each has a number that the other lacks."""
    if fuzz.token_set_ratio(a.lower(), b.lower()) < SAME:
        return False
    numbers_a, numbers_b = set(_NUMBER.findall(a)), set(_NUMBER.findall(b))
    return numbers_a <= numbers_b or numbers_b <= numbers_a


def evidence(paper: Paper, sentence: Sentence) -> Evidence:
    """The sentence as a quote with its place."""
    return Evidence(
        quote=paper.text[sentence.start : sentence.end],
        page=sentence.page,
        match="exact",
        start=sentence.start,
        end=sentence.end,
        boxes=paper.boxes(sentence.start, sentence.end),
        reading=sentence.reading,
    )


def clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the clauses of a sentence, each long enough to be understood; they cover it."""
    cuts = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    spans: list[tuple[int, int]] = []
    for a, b in pairwise(cuts):
        if spans and (b - a < SHORT or spans[-1][1] - spans[-1][0] < SHORT):
            spans[-1] = (spans[-1][0], b)
        elif b > a:
            spans.append((a, b))
    return spans


def trim(text: str, rate: Rate) -> str:
    """A long sentence without the clauses that its answer can spare; `rate` rates spans of it."""
    parts = clauses(text)
    if len(text) <= LONG or len(parts) < 2:
        return text
    runs = [(parts[i][0], parts[j][1]) for i in range(len(parts)) for j in range(i, min(len(parts), i + 4))]
    rated = dict(zip(runs, rate(runs), strict=True))
    whole = (0, len(text))
    best = max(rated.values())
    fit = [run for run in runs if rated[run] >= best - LOSS] or [whole]
    a, b = min(fit, key=lambda run: (run[1] - run[0], run[0]))
    return ("… " if a else "") + text[a:b].strip() + (" …" if b < len(text) else "")


def words(paper: Paper, parts: Iterable[tuple[str, int]]) -> str:
    """The answer: its parts, each with its page where the paper has pages."""
    paged = bool(paper.pages and paper.pages[0].width)
    lines = (" ".join(text.split()) + (f" [p. {page}]" if paged else "") for text, page in parts)
    return " ".join(lines)
