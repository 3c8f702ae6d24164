"""A language model's reply -> an `Answer`. Its word counts only with a quote that was found in the paper.

What is checked: every quote is looked up; a sentence's number counts as a quote of that sentence, where
there is no quote or where it has a fact of the answer that no quote has; so does the only sentence shown
that has a name of the answer. "I don't know" is "not reported", whatever was ticked beside it. Then every
name, number and link in the answer must stand in a quote. If one does not, or if there are quotes and no
answer, the quotes' own words are the answer, and what was left out is a doubt: whoever reads an answer can
see each of its facts on the page. When nothing that was said stands in the paper, a quote beside it proves
something else, and the answer is `unsupported`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.replies import reported as comes_to
from vivavoce.evidence.spans import Span, find_span
from vivavoce.evidence.values import values
from vivavoce.papers.injection import speaks
from vivavoce.records import Answer, Doubt, Evidence, Paper, Question, Receipt, Sentence, Value

MOST = 5
"""Quotes of an answer."""
IN_ANSWER = 3
"""Quotes whose words are the answer, where the model's own can't be."""
SURE = 0.8
"""How sure a model counts as whose quotes were found word for word: a convention, not a measurement. Less for
quotes that are only close, and for "not reported", which nothing proves."""
LESS_SURE = 0.7

_FACT = re.compile(
    r"https?://[^\s)\]]+|\b10\.\d{4,9}/\S+"  # links
    r"|\b\d[\d.,]*(?:\s?%)?"  # numbers
    r"|\b(?:[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9-]*|[A-Za-z]+-?\d[A-Za-z0-9-]*)\b"  # ResNet, GTX, v100
)


_FREE = re.compile(r"(?<=[^\W\d])[-‐‑–](?=\d)|(?<=\d),(?=\d{3}(?!\d))")
_BEFORE, _AFTER = r"(?<!\w)(?<!\d[.,])", r"(?!\w|[.,]\d)"
_AFTER_NUMBER = r"(?!\d|[.,]\d|e[-−+\d])"
"""So that 3 stands neither in 3.5 nor in 3e-4, but 16 in 16GB, and 224 in 224x224."""
_NUMBERED = re.compile(r"\s*(?:(\[\d+\])|(\d{1,6})(?=\s))\s*")
_PLURAL = re.compile(r"(?<=[a-z]{2})s$")


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model replied to one question."""

    reported: bool
    answer: str = ""
    sentences: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What of it stands."""

    found: tuple[Evidence, ...]
    lost: tuple[str, ...] = ()
    """Quotes that are not in the paper, or of text in it that gives orders to models."""


def check(paper: Paper, said: ModelReply, shown: Sequence[int]) -> Checked:
    """Looks the quotes up, and the sentences that were named."""
    found: list[Evidence] = []
    lost: list[str] = []
    for quote in said.quotes:
        span = find_span(paper, _without_number(quote, said.sentences))
        if span is None or any(speaks(s.text) for s in paper.sentences_in(span.start, span.end)):
            lost.append(quote)
        elif all((span.start, span.end) != (e.start, e.end) for e in found):
            found.append(evidence_at(paper, span))
    best = sorted(found, key=lambda e: e.match != "exact")[:MOST]
    if said.reported:
        known = set(shown)
        for sentence in (paper.sentences[n] for n in dict.fromkeys(said.sentences) if n in known):
            if not found or _adds(sentence, said, best):
                best.append(_quote(paper, sentence))
        best += [_quote(paper, sentence) for sentence in _meant(paper, said, best, shown)]
        told = _FACT.findall(said.answer)
        best.sort(key=lambda e: -sum(stands(fact, _words([e])) for fact in told))
    return Checked(tuple(best[:MOST]), tuple(lost))


def _meant(
    paper: Paper, said: ModelReply, found: Sequence[Evidence], shown: Sequence[int]
) -> Iterator[Sentence]:
    """Sentences that a claim must be from: of those that the model was shown the only one with a name or link
    that stands in its answer and in none of its quotes. Small models often quote the sentence beside it."""
    if not found:
        return
    for fact in unproven(said.answer, found):
        if any(letter.isalpha() for letter in fact):
            holding = [n for n in shown if stands(fact, _read(paper.sentences[n]))]
            if len(holding) == 1:
                yield paper.sentences[holding[0]]


def _without_number(quote: str, named: Sequence[int]) -> str:
    """A quote without the number that stands before its sentence in the prompt."""
    number = _NUMBERED.match(quote)
    return quote[number.end() :] if number and (number[1] or int(number[2]) in named) else quote


def _adds(sentence: Sentence, said: ModelReply, found: Sequence[Evidence]) -> bool:
    """Has it a fact of the answer that no quote has?"""
    return any(stands(fact, _read(sentence)) for fact in unproven(said.answer, found))


def _read(sentence: Sentence) -> str:
    return f"{sentence.text} {sentence.reading}"


def _quote(paper: Paper, sentence: Sentence) -> Evidence:
    return evidence_at(paper, Span(sentence.start, sentence.end))


def strange_facts(paper: Paper, said: ModelReply, found: Sequence[Evidence]) -> tuple[str, ...]:
    """Names, numbers and links in the answer and its values that stand nowhere in the paper."""
    told = (*unproven(said.answer, found), *(v for v in said.values if not stands(v, _words(found))))
    return tuple(fact for fact in dict.fromkeys(told) if not stands(fact, paper.text))


def unproven(text: str, found: Sequence[Evidence]) -> tuple[str, ...]:
    """Names, numbers and links of the text that stand in no quote."""
    quoted = _words(found)
    return tuple(fact for fact in dict.fromkeys(_FACT.findall(text)) if not stands(fact, quoted))


def _words(found: Sequence[Evidence]) -> str:
    return " ".join(f"{e.quote} {e.reading}" for e in found)


def stands(fact: str, text: str) -> bool:
    """Does the text have it, as a word or words of its own? A link may be broken over lines. The s of a
    plural is free, and so are a hyphen before a number (ResNet-50) and a comma between thousands."""
    bare = _folded(fact).strip(".,;:")
    if "/" in bare:
        return "".join(bare.split()) in "".join(_folded(text).split())
    words = (_PLURAL.sub("", word) for word in bare.split())
    pattern = r"\s+".join(re.escape(word) + ("s?" if word[-1:].isalpha() else "") for word in words)
    after = _AFTER_NUMBER if bare[-1:].isdigit() else _AFTER
    return not bare or re.search(rf"{_BEFORE}{pattern}{after}", _folded(text)) is not None


def _folded(text: str) -> str:
    return _FREE.sub("", " ".join(text.lower().split()))


def answer(
    paper: Paper, question: Question, reader: str, version: str, said: ModelReply, checked: Checked
) -> Answer:
    """What the reply comes to."""
    if not comes_to(said.reported, said.answer):
        receipt = Receipt(
            len(paper.pages), sum(s.kind not in ("reference", "figure") for s in paper.sentences)
        )
        return Answer(question, reader, version, "not_reported", confidence=LESS_SURE, receipt=receipt)
    strange = strange_facts(paper, said, checked.found)
    doubts = [Doubt("fact_not_in_paper", f"not in the paper: {fact}") for fact in strange]
    if checked.lost:
        doubts.append(Doubt("quote_not_found", f"quotes that are not in the paper: {len(checked.lost)}"))
    if not checked.found or _invented(said, strange):
        return Answer(
            question,
            reader,
            version,
            "unsupported",
            said.answer,
            doubts=tuple(doubts) or (Doubt("no_quote", "no quote was found"),),
        )
    missing = unproven(said.answer, checked.found)
    doubts += [Doubt("fact_not_in_quotes", f"in no quote: {fact}") for fact in missing if fact not in strange]
    exact = checked.found[0].match == "exact"
    return Answer(
        question,
        reader,
        version,
        "reported",
        said.answer if said.answer.strip() and not missing else _told(checked.found),
        SURE if exact and not strange else LESS_SURE,
        checked.found,
        _values(said, checked.found),
        doubts=tuple(doubts),
    )


def _values(said: ModelReply, found: Sequence[Evidence]) -> tuple[Value, ...]:
    """Links and versions in the quotes, and the short facts that the model named and that stand in them."""
    formed = values(e.reading or e.quote for e in found)
    known = {value.text.lower() for value in formed}
    quoted = _words(found)
    facts = dict.fromkeys(" ".join(fact.split()) for fact in said.values)
    named = (
        Value("fact", fact) for fact in facts if fact and fact.lower() not in known and stands(fact, quoted)
    )
    return (*formed, *named)


def _invented(said: ModelReply, strange: Sequence[str]) -> bool:
    """Does nothing of what was said stand in the paper? Then a quote beside it proves something else."""
    told = (*dict.fromkeys(_FACT.findall(said.answer)), *said.values)
    return bool(told) and (not said.answer.strip() or told != said.values) and set(told) <= set(strange)


def _told(found: Sequence[Evidence]) -> str:
    """The quotes' own words, as an answer."""
    return " … ".join(" ".join((e.reading or e.quote).split()) for e in found[:IN_ANSWER])
