"""A language model's reply -> an `Answer`. What it says counts only with a quote that was found in the paper.

Every quote is looked up. The number of a sentence counts as a quote of that sentence where there is no quote,
or where the sentence has a fact of the answer that no quote has. So does the only sentence shown that has a
name of the answer. "I don't know" is "not reported", whatever `reported` says.

Then every name, number and link in the answer must be in a quote. If one is not, or if there are quotes and
no answer, the quotes' own words are the answer, and what was left out is a doubt: whoever reads an answer can
see each of its facts on the page. When none of its facts is in the paper, its quotes prove something else,
and the answer is `unsupported`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vivavoce.evidence import replies
from vivavoce.evidence.coding import code, said_values
from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.spans import Span, find_span
from vivavoce.evidence.values import values
from vivavoce.papers.injection import speaks
from vivavoce.readers.llm.facts import appears_in, facts_in, quoted_words, unproven_facts
from vivavoce.records import Answer, Coded, Doubt, Evidence, Paper, Question, Receipt, Sentence, Value

MOST_QUOTES = 5
"""Of an answer."""
MOST_QUOTES_AS_ANSWER = 3
"""Quotes whose words are the answer, where the model's own can't be."""
CONFIDENCE = 0.8
"""Of an answer whose quotes were found word for word: a convention, not a measurement."""
LOWER_CONFIDENCE = 0.7
"""Where quotes are only close, and of "not reported", which nothing proves."""

_SENTENCE_NUMBER = re.compile(r"\s*(?:(\[\d+\])|(\d{1,6})(?=\s))\s*")


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
    """What was found of a reply's quotes."""

    found: tuple[Evidence, ...]
    lost: tuple[str, ...] = ()
    """Quotes that are not in the paper, or of text in it that gives orders to models."""


def check(paper: Paper, reply: ModelReply, shown: Sequence[int]) -> Checked:
    """Looks up the quotes, and the sentences that are given by number. `shown` are the numbers of the
    sentences that the model has seen."""
    found: list[Evidence] = []
    lost: list[str] = []
    for quote in reply.quotes:
        span = find_span(paper, _without_number(quote, reply.sentences))
        if span is None or any(speaks(s.text) for s in paper.sentences_in(span.start, span.end)):
            lost.append(quote)
        elif all((span.start, span.end) != (e.start, e.end) for e in found):
            found.append(evidence_at(paper, span))
    best = sorted(found, key=lambda e: e.match != "exact")[:MOST_QUOTES]
    if reply.reported:
        known = set(shown)
        for sentence in (paper.sentences[n] for n in dict.fromkeys(reply.sentences) if n in known):
            if not found or _adds_fact(sentence, reply, best):
                best.append(_evidence(paper, sentence))
        best += [_evidence(paper, sentence) for sentence in _only_sources(paper, reply, best, shown)]
        facts = facts_in(reply.answer)
        best.sort(key=lambda e: -sum(appears_in(fact, quoted_words([e])) for fact in facts))
    return Checked(tuple(best[:MOST_QUOTES]), tuple(lost))


def _only_sources(
    paper: Paper, reply: ModelReply, found: Sequence[Evidence], shown: Sequence[int]
) -> Iterator[Sentence]:
    """Of the sentences that the model was shown, those that alone have a name or link of its answer that none
    of its quotes has. Small models often quote the sentence beside the right one."""
    if not found:
        return
    for fact in unproven_facts(reply.answer, found):
        if any(letter.isalpha() for letter in fact):
            holding = [n for n in shown if appears_in(fact, _words(paper.sentences[n]))]
            if len(holding) == 1:
                yield paper.sentences[holding[0]]


def _without_number(quote: str, named: Sequence[int]) -> str:
    """The quote without the number that its sentence has in the prompt."""
    number = _SENTENCE_NUMBER.match(quote)
    return quote[number.end() :] if number and (number[1] or int(number[2]) in named) else quote


def _adds_fact(sentence: Sentence, reply: ModelReply, found: Sequence[Evidence]) -> bool:
    """Has it a fact of the answer that no quote has?"""
    return any(appears_in(fact, _words(sentence)) for fact in unproven_facts(reply.answer, found))


def _words(sentence: Sentence) -> str:
    return f"{sentence.text} {sentence.reading}"


def _evidence(paper: Paper, sentence: Sentence) -> Evidence:
    return evidence_at(paper, Span(sentence.start, sentence.end))


def invented_facts(
    paper: Paper, question: Question, reply: ModelReply, found: Sequence[Evidence]
) -> tuple[str, ...]:
    """Names, numbers and links in the answer and its values that are nowhere in the paper."""
    words = quoted_words(found)
    codes = {text.casefold() for text in _codes(question)} if question.kind in CODED_KINDS else set()
    named = (v for v in reply.values if v.casefold() not in codes and not appears_in(v, words))
    unproven = (*unproven_facts(reply.answer, found), *named)
    return tuple(fact for fact in dict.fromkeys(unproven) if not appears_in(fact, paper.text))


def make_answer(
    paper: Paper, question: Question, reader: str, version: str, reply: ModelReply, checked: Checked
) -> Answer:
    """What the reply comes to."""
    if not replies.reported(reply.reported, reply.answer):
        receipt = Receipt(
            len(paper.pages), sum(s.kind not in ("reference", "figure") for s in paper.sentences)
        )
        return Answer(question, reader, version, "not_reported", confidence=LOWER_CONFIDENCE, receipt=receipt)
    invented = invented_facts(paper, question, reply, checked.found)
    doubts = [Doubt("fact_not_in_paper", f"not in the paper: {fact}") for fact in invented]
    if checked.lost:
        doubts.append(Doubt("quote_not_found", f"quotes that are not in the paper: {len(checked.lost)}"))
    if not checked.found or _all_invented(reply, invented):
        doubts = doubts or [Doubt("no_quote", "no quote was found")]
        return Answer(question, reader, version, "unsupported", reply.answer, doubts=tuple(doubts))
    missing = unproven_facts(reply.answer, checked.found)
    doubts += [
        Doubt("fact_not_in_quotes", f"in no quote: {fact}") for fact in missing if fact not in invented
    ]
    exact = checked.found[0].match == "exact"
    return Answer(
        question,
        reader,
        version,
        "reported",
        reply.answer if reply.answer.strip() and not missing else _quotes_as_answer(checked.found),
        CONFIDENCE if exact and not invented else LOWER_CONFIDENCE,
        checked.found,
        _values(reply, checked.found),
        doubts=(*doubts, *_code_doubts(question, reply)),
        coded=_coded(question, reply, checked.found),
    )


def _values(reply: ModelReply, found: Sequence[Evidence]) -> tuple[Value, ...]:
    """Links and versions in the quotes, and the short facts that the model named and that are in them."""
    formed = values(e.reading or e.quote for e in found)
    known = {value.text.lower() for value in formed}
    words = quoted_words(found)
    facts = dict.fromkeys(" ".join(fact.split()) for fact in reply.values)
    named = (
        Value("fact", fact)
        for fact in facts
        if fact and fact.lower() not in known and appears_in(fact, words)
    )
    return (*formed, *named)


CODED_KINDS = ("choice", "yes_no")
"""Kinds of questions whose values are codes, which stand in no quote themselves."""


def _codes(question: Question) -> tuple[str, ...]:
    return question.choices if question.kind == "choice" else ("yes", "no")


def _coded(question: Question, reply: ModelReply, found: Sequence[Evidence]) -> tuple[Coded, ...]:
    """The values that the model named, as far as each is a code of the question or stands in a quote; where
    none does, what the quotes say by themselves."""
    own = code(question, found)
    if question.kind in CODED_KINDS:
        known = {text.casefold(): text for text in _codes(question)}
        named = dict.fromkeys(
            known[v.casefold().strip(" .")] for v in reply.values if v.casefold().strip(" .") in known
        )
        chosen = list(named) if question.several else list(named)[:1]
        return said_values(question, chosen, found, own) if chosen else own
    words = quoted_words(found)
    named = dict.fromkeys(" ".join(v.split()) for v in reply.values if v.strip() and appears_in(v, words))
    if question.kind == "text" and not named:
        return own
    placed = [coded for value in named if (coded := _placed(question, value, found)) is not None]
    return tuple(placed) or own


def _placed(question: Question, value: str, found: Sequence[Evidence]) -> Coded | None:
    """A value where it stands in a quote, in the form of its kind; none when it stands in none as written."""
    for n, e in enumerate(found):
        at = e.quote.casefold().find(value.casefold())
        if at < 0:
            continue
        inside = [c for c in code(question, [e]) if c.start >= at and c.end <= at + len(value)]
        if question.kind in ("number", "date", "link") and inside:
            return replace(inside[0], quote=n)
        return Coded(e.quote[at : at + len(value)], "", "", "", n, at, at + len(value))
    return None


def _code_doubts(question: Question, reply: ModelReply) -> tuple[Doubt, ...]:
    """A model that names no code of the question leaves the choice to the quotes' own words."""
    if question.kind not in CODED_KINDS:
        return ()
    known = {text.casefold() for text in _codes(question)}
    if any(value.casefold().strip(" .") in known for value in reply.values):
        return ()
    return (Doubt("values_differ", "the model named none of the codes; this one is by the quotes' words"),)


def _all_invented(reply: ModelReply, invented: Sequence[str]) -> bool:
    """Is none of its facts in the paper? Then a quote beside them proves something else."""
    facts = (*dict.fromkeys(facts_in(reply.answer)), *reply.values)
    return bool(facts) and (not reply.answer.strip() or facts != reply.values) and set(facts) <= set(invented)


def _quotes_as_answer(found: Sequence[Evidence]) -> str:
    """The quotes' own words."""
    return " … ".join(" ".join((e.reading or e.quote).split()) for e in found[:MOST_QUOTES_AS_ANSWER])
