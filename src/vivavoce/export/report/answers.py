"""The cells of a study as the report shows them: each answer, with its quotes and their pages.

The built-in reader answers in sentences of the paper, which are in its quotes already. Such an answer is not
shown twice: the quotes have its sentences marked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from vivavoce.export.report.overview import MatrixMark, mark
from vivavoce.export.table import plain
from vivavoce.panel.decisions import as_answer
from vivavoce.records import Answer, Cell, Decision, Evidence, QuestionSet

_PAGE = re.compile(r"\[p\. \d+\]")
"""How the built-in reader gives the page of a sentence of its answer."""
_WORD = re.compile(r"\S+")

Piece = tuple[str, bool]
"""A piece of a quote, and whether it is the answer."""


@dataclass(frozen=True, slots=True)
class MarkedQuote:
    evidence: Evidence
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reader answered."""

    answer: Answer
    text: str
    """In words; empty when the quotes say it."""
    quotes: tuple[MarkedQuote, ...]


@dataclass(frozen=True, slots=True)
class CellSection:
    """A cell."""

    cell: Cell
    position: int
    """Of the question, from 1."""
    mark: MatrixMark
    replies: tuple[Reply, ...]
    """The readers', in the study's order."""
    people: tuple[tuple[Decision, Reply], ...]
    """What people decided, oldest first."""


def sections(questions: QuestionSet, cells: Sequence[Cell]) -> list[CellSection]:
    """The cells of one paper."""
    position = {question.id: n for n, question in enumerate(questions.questions, 1)}
    return [_section(cell, position[cell.question.id]) for cell in cells]


def _section(cell: Cell, position: int) -> CellSection:
    people = tuple((decision, reply(as_answer(cell.vote, decision))) for decision in cell.decisions)
    return CellSection(cell, position, mark(cell), tuple(map(reply, cell.answers)), people)


def reply(answer: Answer) -> Reply:
    """The answer, with its sentences marked in its quotes if it is made of nothing else."""
    quotes = [plain(evidence.quote) for evidence in answer.evidence]
    spans = _spans(plain(answer.text), quotes)
    shown = tuple(
        MarkedQuote(evidence, _pieces(quote, spans[n] if spans else ()))
        for n, (evidence, quote) in enumerate(zip(answer.evidence, quotes, strict=True))
    )
    return Reply(answer, "" if spans else plain(answer.text), shown)


def _spans(text: str, quotes: Sequence[str]) -> list[list[tuple[int, int]]] | None:
    """Where in each quote the answer's sentences are; none when one of them is in no quote."""
    sentences = [sentence for part in _PAGE.split(text) if (sentence := " ".join(part.strip(" …\n").split()))]
    if not sentences or not quotes:
        return None
    joined = [" ".join(quote.split()) for quote in quotes]
    found: list[list[tuple[int, int]]] = [[] for _ in quotes]
    for sentence in sentences:
        for spans, quote, words in zip(found, quotes, joined, strict=True):
            if (at := words.find(sentence)) >= 0:
                spans.append((_place(quote, words, at), _place(quote, words, at + len(sentence) - 1) + 1))
                break
        else:
            return None
    return found


def _place(quote: str, joined: str, at: int) -> int:
    """The place in the quote of the letter that is at `at` once all white space is single spaces."""
    word = joined.count(" ", 0, at)
    begin = next(islice(_WORD.finditer(quote), word, None)).start()
    return begin + at - (joined.rfind(" ", 0, at) + 1)


def _pieces(quote: str, spans: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    at = 0
    for start, end in sorted(spans):
        if start < at:  # inside the one before, in part or whole
            start = at
        if start < end:
            pieces += [(quote[at:start], False), (quote[start:end], True)]
            at = end
    pieces.append((quote[at:], False))
    return tuple(piece for piece in pieces if piece[0])
