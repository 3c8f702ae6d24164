"""A language model that replies in words: the published way of asking, as a reader.

A prompt is filled in from a template and a few chunks of the paper, and what comes back is taken as it is.
It is turned into reported or not by its words (`evidence.replies`). Then the sentences of the chunks that
bear it out are looked for: an answer whose words stand in no chunk that was sent is `unsupported`, and says
so. Prompt, chunks and reply are kept with the answer.
"""

import re
from collections.abc import Iterator, Sequence

from vivavoce.evidence.coding import code
from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.replies import reported
from vivavoce.evidence.spans import Span, find_span
from vivavoce.evidence.values import values
from vivavoce.readers.llm.checking import CONFIDENCE, LOWER_CONFIDENCE
from vivavoce.readers.llm.chunks import Chunk
from vivavoce.readers.llm.facts import appears_in, facts_in, unproven_facts
from vivavoce.records import Answer, Doubt, Evidence, Paper, Question, Receipt, Seen, Sentence

VERSION = "1"
MOST_QUOTES = 3
LEAST_SHARED = 0.5
"""Of a sentence's content words, or of the reply's, that both have: then the one bears the other out."""
LEAST_WITH_FACT = 0.2
"""The same, where they also share a name or a number."""
_QUOTED = re.compile(r"[\"“]([^\"“”]{15,400})[\"”]")
_WORD = re.compile(r"[^\W\d_]{4,}|\d[\d.,]*\d|\d")
_COMMON = frozenset(
    (
        "that",
        "this",
        "with",
        "from",
        "were",
        "have",
        "been",
        "which",
        "their",
        "they",
        "also",
        "using",
        "used",
        "paper",
        "text",
        "context",
        "study",
        "based",
        "provided",
        "given",
        "mentioned",
        "mentions",
        "states",
        "stated",
        "describes",
        "described",
        "according",
        "model",
        "data",
        "deep",
        "learning",
    )
)
"""Words that say nothing of what a sentence is about."""


def answer_of(
    paper: Paper, question: Question, reader: str, version: str, seen: Seen, shown: Sequence[Chunk]
) -> Answer:
    """What a reply in words comes to."""
    text = seen.reply.strip()
    sentences = list(_in_chunks(paper, shown))
    if not reported(None, text):
        receipt = Receipt(len({sentence.page for sentence in sentences}), len(sentences))
        return Answer(
            question, reader, version, "not_reported", confidence=LOWER_CONFIDENCE, receipt=receipt, seen=seen
        )
    found = _evidence(paper, text, sentences, shown)
    if not found:
        doubt = Doubt("no_quote", "its words are in no chunk that was sent")
        return Answer(question, reader, version, "unsupported", text, doubts=(doubt,), seen=seen)
    missing = unproven_facts(text, found)
    doubts = tuple(
        Doubt("fact_not_in_quotes", f"in no quote: {fact}")
        if appears_in(fact, paper.text)
        else Doubt("fact_not_in_paper", f"not in the paper: {fact}")
        for fact in missing
    )
    confidence = LOWER_CONFIDENCE if doubts else CONFIDENCE
    return Answer(
        question,
        reader,
        version,
        "reported",
        text,
        confidence,
        found,
        values(e.reading or e.quote for e in found),
        doubts=doubts,
        coded=code(question, found),
        seen=seen,
    )


def _in_chunks(paper: Paper, shown: Sequence[Chunk]) -> Iterator[Sentence]:
    """The sentences that stand in the chunks, at least by half, each once."""
    once: set[int] = set()
    for chunk in shown:
        for sentence in paper.sentences_in(chunk.start, chunk.end):
            inside = min(chunk.end, sentence.end) - max(chunk.start, sentence.start)
            if sentence.start not in once and 2 * inside >= sentence.end - sentence.start:
                once.add(sentence.start)
                yield sentence


def _evidence(
    paper: Paper, text: str, sentences: Sequence[Sentence], shown: Sequence[Chunk]
) -> tuple[Evidence, ...]:
    """What the reply quotes, and the sentences that share most of their words with it; best first."""
    spans = [
        span
        for quoted in _QUOTED.findall(text)
        if (span := find_span(paper, quoted))
        and any(c.start <= span.start and span.end <= c.end for c in shown)
    ]
    reply, facts = _words(text), set(facts_in(text))
    ranked = []
    for sentence in sentences:
        own = _words(f"{sentence.text} {sentence.reading}")
        if not own or not reply:
            continue
        share = len(own & reply) / min(len(own), len(reply))
        proven = sum(appears_in(fact, f"{sentence.text} {sentence.reading}") for fact in facts)
        if (share >= LEAST_SHARED and len(own & reply) > 1) or (proven and share >= LEAST_WITH_FACT):
            ranked.append((proven, share, sentence))
    ranked.sort(key=lambda one: (-one[0], -one[1], one[2].start))
    places = dict.fromkeys([*spans, *(Span(s.start, s.end) for _, _, s in ranked)])
    return tuple(evidence_at(paper, span) for span in list(places)[:MOST_QUOTES])


def _words(text: str) -> set[str]:
    return {word for word in map(str.lower, _WORD.findall(text)) if word not in _COMMON}
