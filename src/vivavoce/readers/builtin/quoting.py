"""Scored sentences -> evidence and the answer's words: what to quote, in which order, how much of it.

Every word of an answer is in the paper, in the paper's order. A long sentence is trimmed to the clauses that
hold the words that answer, and "…" marks what was left out; a table row is read with its column heads.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rapidfuzz import fuzz

from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.spans import Span
from vivavoce.records import Evidence, Paper, Sentence

MAX_QUOTES = 3
"""In one answer."""
MAX_QUOTES_WITH_LINKS = 5
"""In one answer, when deposits that its quotes cite are quoted with them."""
MAX_QUOTE_SENTENCES, MAX_QUOTE_CHARACTERS = 3, 700
"""In one quote."""
MAX_SCORE_GAP = 1.75
"""How much less than the best of them, as a logit, a sentence may score to be quoted together with it."""
SAME_TEXT_RATIO = 90
"""Two sentences that are this similar, out of 100, say the same."""
TRIM_OVER = 220
"""Characters; a longer sentence is trimmed to the clauses that answer."""
MIN_CLAUSE = 40
"""Characters; a shorter clause is not quoted without its neighbour."""
MIN_MARK = 0.4
"""The chance from which a word counts as one that answers."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CLAUSE = re.compile(
    r";\s+|:\s+(?=\w)|,\s+(?=(?:and|but|while|whereas|which|where|whose|using|with|because|since|although"
    r"|so that|then|after|before|as well as|in order to|including|resulting)\b)|\s+(?=\((?=[^)]{30}))"
    r"|\s+(?=(?:and then|because|whereas|while|which|using)\s)"
)


Marks = Sequence[tuple[int, int, float]]
"""Spans of a sentence's words, each with the chance that it belongs to those that answer."""

Quote = tuple[Sentence, ...]
"""Consecutive sentences that are quoted together."""


def joined(ranked: Sequence[tuple[int, Sentence, float]]) -> list[Quote]:
    """Sentences, given best first with their numbers in the paper and their scores, as quotes: those that
    follow each other in running text and answer about as well become one, in the place of the best."""
    sentences = {number: sentence for number, sentence, _ in ranked}
    scores = {number: score for number, _, score in ranked}
    taken: set[int] = set()
    quotes: list[Quote] = []
    for best, _, score in ranked:
        if best in taken:
            continue
        free = {n: s for n, s in sentences.items() if n not in taken and scores[n] >= score - MAX_SCORE_GAP}
        first = last = best
        while wider := [(a, b) for a, b in ((first - 1, last), (first, last + 1)) if _together(free, a, b)]:
            first, last = wider[0]
        taken.update(range(first, last + 1))
        quotes.append(tuple(sentences[n] for n in range(first, last + 1)))
    return quotes


def _together(sentences: dict[int, Sentence], first: int, last: int) -> bool:
    """May the sentences with these numbers be one quote?"""
    if any(n not in sentences for n in range(first, last + 1)):
        return False
    some = [sentences[n] for n in range(first, last + 1)]
    alike = {(s.kind, s.section) for s in some} == {("prose", some[0].section)}
    return alike and len(some) <= MAX_QUOTE_SENTENCES and some[-1].end - some[0].start <= MAX_QUOTE_CHARACTERS


def distinct(ranked: Iterable[Quote], most: int = MAX_QUOTES) -> list[Quote]:
    """The first few that each say something new."""
    kept: list[Quote] = []
    for quote in ranked:
        if len(kept) == most:
            break
        if not any(_same(_text(quote), _text(other)) for other in kept):
            kept.append(quote)
    return kept


def _text(quote: Quote) -> str:
    return " ".join(sentence.text for sentence in quote)


def _same(a: str, b: str) -> bool:
    """Does one repeat the other? Never when each has a number that the other lacks."""
    if fuzz.token_set_ratio(a.lower(), b.lower()) < SAME_TEXT_RATIO:
        return False
    numbers_a, numbers_b = set(_NUMBER.findall(a)), set(_NUMBER.findall(b))
    return numbers_a <= numbers_b or numbers_b <= numbers_a


def evidence(paper: Paper, quote: Quote) -> Evidence:
    """The quote, without boxes: these are asked for all quotes of a paper at once (`locating.with_boxes`)."""
    return evidence_at(paper, Span(quote[0].start, quote[-1].end))


def clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the clauses of a sentence, each long enough to be understood; they cover it."""
    cuts = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    spans: list[tuple[int, int]] = []
    for a, b in pairwise(cuts):
        if spans and (b - a < MIN_CLAUSE or spans[-1][1] - spans[-1][0] < MIN_CLAUSE):
            spans[-1] = (spans[-1][0], b)
        elif b > a:
            spans.append((a, b))
    return spans


def trim(text: str, marks: Marks) -> str:
    """A long sentence without the clauses before and after those that hold the words that answer; the whole
    of it when nobody knows which these are."""
    parts = clauses(text)
    if len(text) <= TRIM_OVER or len(parts) < 2 or not marks:
        return text
    least = min(MIN_MARK, max(chance for _, _, chance in marks))
    answering = [(a, b) for a, b, chance in marks if chance >= least]
    first, last = min(a for a, _ in answering), max(b for _, b in answering)
    a = max(start for start, _ in parts if start <= first)
    b = min(end for _, end in parts if end >= last)
    return ("… " if a else "") + text[a:b].strip() + (" …" if b < len(text) else "")


def words(paper: Paper, parts: Iterable[tuple[str, int]]) -> str:
    """The answer: its parts, each with its page where the paper has pages."""
    paged = bool(paper.pages and paper.pages[0].width)
    lines = (" ".join(text.split()) + (f" [p. {page}]" if paged else "") for text, page in parts)
    return " ".join(lines)
