"""A language model's reply -> an `Answer`. Its word counts only with a quote that was found in the paper.

What is checked: every quote is looked up; a sentence's number counts as a quote of that sentence; names,
numbers and links in the answer that stand in no quote and nowhere in the paper are noted; "I don't know" is
"not reported", whatever was ticked beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.injection import speaks
from vivavoce.quotes import locate
from vivavoce.records import Answer, Evidence, Paper, Question, Receipt
from vivavoce.replies import reported as comes_to
from vivavoce.values import values

MOST = 5
"""Quotes of an answer."""
SURE = 0.8
"""How sure a model counts as whose quotes were found word for word: a convention, not a measurement. Less for
quotes that are only close, and for "not reported", which nothing proves."""
LESS_SURE = 0.7

_FACT = re.compile(
    r"https?://[^\s)\]]+|\b10\.\d{4,9}/\S+"  # links
    r"|\b\d[\d.,]*(?:\s?%)?"  # numbers
    r"|\b(?:[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9-]*|[A-Za-z]+-?\d[A-Za-z0-9-]*)\b"  # ResNet, GTX, v100
)


@dataclass(frozen=True, slots=True)
class Said:
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


def check(paper: Paper, said: Said, shown: Sequence[int]) -> Checked:
    """Looks the quotes up; without one, the sentences that were named."""
    found: list[Evidence] = []
    lost: list[str] = []
    for quote in said.quotes:
        evidence = locate(paper, quote)
        if evidence is None or any(speaks(s.text) for s in paper.sentences_in(evidence.start, evidence.end)):
            lost.append(quote)
        elif all((evidence.start, evidence.end) != (e.start, e.end) for e in found):
            found.append(evidence)
    if not found:
        known = set(shown)
        for number in dict.fromkeys(said.sentences):
            if number in known:
                sentence = paper.sentences[number]
                boxes = paper.boxes(sentence.start, sentence.end)
                found.append(
                    Evidence(
                        sentence.text,
                        sentence.page,
                        "exact",
                        sentence.start,
                        sentence.end,
                        boxes,
                        reading=sentence.reading,
                    )
                )
    exact_first = sorted(found, key=lambda e: e.match != "exact")
    return Checked(tuple(exact_first[:MOST]), tuple(lost))


def strange_facts(paper: Paper, said: Said, found: Sequence[Evidence]) -> tuple[str, ...]:
    """Names, numbers and links in the answer and its values that stand nowhere in the paper."""
    quoted = " ".join(e.reading or e.quote for e in found)
    facts = dict.fromkeys([*_FACT.findall(said.answer), *said.values])
    return tuple(fact for fact in facts if not _stands(fact, quoted) and not _stands(fact, paper.text))


def _stands(fact: str, text: str) -> bool:
    """Does the text have it, as a word or words of its own? A link may be broken over lines."""
    bare = " ".join(fact.lower().split()).strip(".,;:")
    if "/" in bare:
        return "".join(bare.split()) in "".join(text.lower().split())
    words = r"\s+".join(map(re.escape, bare.split()))
    return not bare or re.search(rf"(?<!\w){words}(?!\w)", text.lower()) is not None


def answer(
    paper: Paper, question: Question, reader: str, version: str, said: Said, checked: Checked
) -> Answer:
    """What the reply comes to."""
    if not comes_to(said.reported, said.answer):
        receipt = Receipt(
            len(paper.pages), sum(s.kind not in ("reference", "figure") for s in paper.sentences)
        )
        return Answer(question, reader, version, "not_reported", confidence=LESS_SURE, receipt=receipt)
    strange = strange_facts(paper, said, checked.found)
    doubts = [f"not in the paper: {fact}" for fact in strange]
    if checked.lost:
        doubts.append(f"quotes that are not in the paper: {len(checked.lost)}")
    if not checked.found:
        return Answer(
            question,
            reader,
            version,
            "unsupported",
            said.answer,
            doubts=tuple(doubts or ["no quote was found"]),
        )
    exact = checked.found[0].match == "exact"
    return Answer(
        question,
        reader,
        version,
        "reported",
        said.answer,
        SURE if exact and not strange else LESS_SURE,
        checked.found,
        values(e.reading or e.quote for e in checked.found),
        doubts=tuple(doubts),
    )
