"""A study at a glance, and what can be searched in it: a few bytes and one string for each cell.

Made in one pass over the results, and kept in memory, so that ten thousand cells are sent in one small
document and a word is looked up in all of them between two key strokes. What it knows of a cell is what the
reviewer may see of it.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from vivavoce.panel.decisions import reviewers_disagree
from vivavoce.panel.voting import MIN_CONFIDENCE, needs_review, vote_of
from vivavoce.records import Cell, PaperInfo, Question
from vivavoce.results.review import Progress, review_priority, review_progress, review_queue
from vivavoce.results.statuses import NOT_ASKED, STATUSES
from vivavoce.results.summary import wilson
from vivavoce.results.values import value_words
from vivavoce.store import question_key
from vivavoce.web.invisible import plain, shown

REVIEW, DISAGREEMENT, UNSURE, DECIDED, MINE = 1, 2, 4, 8, 16
"""Flags of a cell: needs review; readers or reviewers disagree; unsure; decided; by this reviewer."""

_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


NOTHING = Progress(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Who looks, and how."""

    name: str
    blind: bool = False
    """Without seeing what others decided."""
    adjudicate: bool = False
    """To settle what others disagree on."""


@dataclass(slots=True)
class CellEntry:
    code: str = NOT_ASKED.code
    sure: int = 0
    """Confidence in percent."""
    flags: int = 0
    priority: float = 0.0
    """How urgently this reviewer should look at it; 0 when it does not wait for this reviewer."""
    progress: Progress = NOTHING
    page: int = 0
    """The page that is looked at first; 0 when there is nothing to look at."""
    words: str = ""
    """Answers, quotes and reasons, to search in."""
    value: str = ""
    """The code, of a question that has codes."""


@dataclass(slots=True)
class PaperRow:
    """A paper and its cells, in the order of the questions."""

    paper: PaperInfo
    slug: str
    title: str
    cells: list[CellEntry]
    name: str = field(default="")
    """Title and file, to search in."""


def slug(paper: PaperInfo) -> str:
    """What a paper is called in an address. A file that could not be opened has no id of its own."""
    if paper.id:
        return paper.id
    return "file-" + hashlib.sha256(paper.file.encode("utf-8", "surrogatepass")).hexdigest()[:15]


def question_slug(question: Question) -> str:
    """Its id where that can be part of an address, else its key."""
    return question.id if _PLAIN_ID.fullmatch(question.id) else question_key(question)


def address(paper: PaperInfo, question: Question) -> str:
    """Where a cell is shown."""
    return f"/cell/{slug(paper)}/{quote(question_slug(question), safe='')}"


def entry_of(cell: Cell, reviewer: Reviewer) -> CellEntry:
    """What the matrix shows of a cell, as this reviewer may see it."""
    verdict = cell.verdict
    flags = DECIDED if cell.decisions and not cell.screened_out else 0
    if any(d.reviewer == reviewer.name for d in cell.decisions):
        flags |= MINE
    if needs_review(verdict):
        flags |= REVIEW
    votes = {vote_of(answer) for answer in cell.answers} - {None}
    if len(votes) > 1 or reviewers_disagree(cell):
        flags |= DISAGREEMENT
    if verdict.status in ("reported", "not_reported") and verdict.confidence < MIN_CONFIDENCE:
        flags |= UNSURE
    waits = review_queue([cell], reviewer.name, reviewer.blind, reviewer.adjudicate)
    return CellEntry(
        STATUSES[verdict.status].code,
        round(verdict.confidence * 100),
        flags,
        review_priority(cell) if waits else 0.0,
        review_progress([cell], reviewer.name),
        _first_page(cell),
        _words(cell),
        shown(value_words(verdict)) if cell.question.kind in ("choice", "yes_no") else "",
    )


def _first_page(cell: Cell) -> int:
    """Of the first quote; without any, of the passage that came closest."""
    for answer in (cell.verdict, *cell.answers):
        if answer.evidence:
            return answer.evidence[0].page
    near = [answer.receipt.closest for answer in cell.answers if answer.receipt]
    return near[0][0].page if near and near[0] else 0


def _words(cell: Cell) -> str:
    texts: dict[str, None] = {}
    for answer in (cell.verdict, *cell.answers):
        texts |= dict.fromkeys((answer.text, answer.reason, *(e.quote for e in answer.evidence)))
        texts |= dict.fromkeys((value_words(answer), *(coded.name for coded in answer.coded)))
    for decision in cell.decisions:
        texts |= dict.fromkeys((decision.text, decision.reason, *(e.quote for e in decision.evidence)))
    return plain("\n".join(texts))


class Index:
    def __init__(self, questions: Sequence[Question], papers: Iterable[PaperInfo]) -> None:
        self.questions = tuple(questions)
        self.columns = {question_slug(question): n for n, question in enumerate(self.questions)}
        self._ids = {question.id: n for n, question in enumerate(self.questions)}
        self.rows = [
            PaperRow(
                paper,
                slug(paper),
                shown(" ".join(paper.title.split())) or shown(paper.file),
                [CellEntry() for _ in self.questions],
                plain(f"{paper.title}\n{paper.file}"),
            )
            for paper in papers
        ]
        self.by_slug = {row.slug: n for n, row in enumerate(self.rows)}
        self._waiting: list[tuple[int, int]] | None = None
        self._progress: Progress | None = None

    def put(self, cell: Cell, reviewer: Reviewer) -> None:
        """What became of a cell."""
        row = self.by_slug.get(slug(cell.paper))
        if row is not None:
            self.rows[row].cells[self._ids[cell.question.id]] = entry_of(cell, reviewer)
            self._waiting = self._progress = None

    def waiting(self) -> list[tuple[int, int]]:
        """Row and column of the cells that wait for the reviewer, most urgent first."""
        if self._waiting is None:
            found = [
                (-entry.priority, n, at)
                for n, row in enumerate(self.rows)
                for at, entry in enumerate(row.cells)
                if entry.priority
            ]
            self._waiting = [(n, at) for _, n, at in sorted(found)]
        return self._waiting

    def progress(self) -> Progress:
        """How far the reviewer is."""
        if self._progress is None:
            parts = [entry.progress for row in self.rows for entry in row.cells]
            self._progress = Progress(
                sum(p.total for p in parts),
                sum(p.to_review for p in parts),
                sum(p.decided for p in parts),
                sum(p.left for p in parts),
                sum(p.disagreements for p in parts),
            )
        return self._progress

    def search(self, text: str) -> list[int]:
        """The cells in which every word of the text occurs, counted through row by row. A word may occur in
        the paper's title or file name, too, but not all of them: then it is the paper that matches."""
        words = plain(text).split()
        found: list[int] = []
        width = len(self.questions)
        for n, row in enumerate(self.rows):
            left = [word for word in words if word not in row.name]
            if not left:
                found.extend(range(n * width, (n + 1) * width))
                continue
            found.extend(
                n * width + at
                for at, entry in enumerate(row.cells)
                if all(word in entry.words for word in left)
            )
        return found

    def document(self) -> dict[str, Any]:
        """All of it but the words, as small as it gets."""
        return {
            "statuses": {
                look.code: [look.name, look.sign, look.words] for look in (*STATUSES.values(), NOT_ASKED)
            },
            "questions": [self._column(n, question) for n, question in enumerate(self.questions)],
            "papers": [
                [row.slug, row.title, shown(row.paper.file), row.paper.year, row.paper.pages]
                for row in self.rows
            ],
            "status": ["".join(entry.code for entry in row.cells) for row in self.rows],
            "sure": [[entry.sure for entry in row.cells] for row in self.rows],
            "flags": [[entry.flags for entry in row.cells] for row in self.rows],
            "values": self._values(),
        }

    def _values(self) -> dict[str, list[str]]:
        """The codes of the questions that have codes, a column each, by the question's place."""
        columns = {n: [row.cells[n].value for row in self.rows] for n in range(len(self.questions))}
        return {str(n): codes for n, codes in columns.items() if any(codes)}

    def _column(self, n: int, question: Question) -> dict[str, Any]:
        codes = [row.cells[n].code for row in self.rows]
        reported = codes.count(STATUSES["reported"].code)
        read = reported + codes.count(STATUSES["not_reported"].code)
        low, high = wilson(reported, read)
        return {
            "id": shown(question.id),
            "slug": quote(question_slug(question), safe=""),
            "text": shown(question.text),
            "topic": shown(question.topic),
            "reported": reported,
            "read": read,
            "low": round(low, 4),
            "high": round(high, 4),
        }
