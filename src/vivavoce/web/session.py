"""A review session: an open study, its index, its papers and their pictures, and one reviewer's decisions.

Threads share it. When the database has changed (this reviewer decides, or somebody else), the index reads
the papers again that have new decisions; while a study runs, the whole index is rebuilt from time to time.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from vivavoce.errors import InputError, PaperError, VivaError
from vivavoce.evidence.locating import boxed, evidence_at, locate
from vivavoce.evidence.spans import Span
from vivavoce.panel.decisions import reviewers_disagree
from vivavoce.papers.pages import boxes as page_boxes
from vivavoce.records import Answer, Box, Cell, Decision, DecisionKind, Evidence, Paper, Question, Status
from vivavoce.results.cells import Results
from vivavoce.results.papers import lacks_boxes, paper_of, with_calibrated_boxes
from vivavoce.results.review import ReviewerPair, reviewer_agreement
from vivavoce.results.search import Search, search
from vivavoce.results.values import Distribution, ValueCounts
from vivavoce.store import HistoryEntry, Store, is_url, question_key
from vivavoce.web.cache import Cache
from vivavoce.web.index import Index, Reviewer
from vivavoce.web.invisible import meant
from vivavoce.web.page_pictures import PagePictures
from vivavoce.web.paper_text import Word, words_on

Meaning = Callable[[str], tuple[str, bytes] | None]
"""Of a text: the name of the reader's states that the study has, and the text's direction; see `search`."""


class NotFound(VivaError):
    """An address that means nothing in this study."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something to look at in a paper: a quote, or a passage that came close."""

    quote: str
    page: int
    start: int
    end: int
    boxes: tuple[Box, ...]
    by: tuple[str, ...]
    """Whose evidence it is; empty for a passage that came close."""
    match: str = ""
    score: float = 1.0
    chosen: bool = False
    """Is it evidence of the verdict?"""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """A cell in the matrix."""

    row: int
    column: int


class ReviewSession:
    def __init__(self, folder: str | Path, reviewer: Reviewer, meaning: Meaning | None = None) -> None:
        """`meaning` gives the direction of a text, to search by; who calls us knows the reader."""
        self.folder, self.reviewer, self._meaning = folder, reviewer, meaning
        self.store = Store.open(folder)
        self.pictures = PagePictures()
        self._lock = threading.RLock()
        self._index: Index | None = None
        self._results: Results | None = None
        self._stamp: object = None
        self._marks: tuple[tuple[int, ...], int] = ((), 0)
        self._again = 0.0
        self._papers = Cache[str, Paper](24)
        self._words = Cache[tuple[str, int], list[Word]](200)
        self._cells = Cache[str, list[Cell]](64)
        self._values: tuple[object, list[Distribution]] | None = None
        self._near = Cache[tuple[str, tuple[tuple[int, int], ...]], list[tuple[Box, ...]]](500)

    @property
    def name(self) -> str:
        """What the page calls the study: its folder's name, or its database."""
        return self.store.name if is_url(self.folder) else Path(self.folder).resolve().name

    def search(self, text: str) -> Search:
        """The papers that say something like this."""
        return search(self.store, text, meaning=self._meaning(text) if self._meaning else None)

    def close(self) -> None:
        self.pictures.close()
        self.store.close()

    def draw_ahead(self) -> None:
        """The pages that are looked at first: those of the queue, then all others in the matrix's order."""
        index = self.index()
        every = [(r, c) for r in range(len(index.rows)) for c in range(len(index.questions))]
        positions = [(index.rows[r], index.rows[r].cells[c].page) for r, c in index.waiting() + every]
        self.pictures.ahead(
            self.paper, dict.fromkeys((row.paper.id, page) for row, page in positions if page)
        )

    # At a glance

    def index(self) -> Index:
        """The whole study, as it is now. While a run goes on, as it was a short while ago."""
        with self._lock:
            stamp = self._changed()
            if self._index is None or self._results is None:
                self._read(stamp)
            elif stamp != self._stamp:
                marks = self.store.marks()
                if marks[0] != self._marks[0] and time.monotonic() > self._again:
                    self._read(stamp)
                else:
                    self._put(self.store.decided_after(self._marks[1]))
                    self._stamp = stamp if marks[0] == self._marks[0] else self._stamp
                    self._marks = (self._marks[0], marks[1])
            assert self._index is not None
            return self._index

    def _read(self, stamp: object) -> None:
        """Rebuilds the index from the whole study."""
        begun = time.monotonic()
        self._stamp, self._marks = stamp, self.store.marks()
        results = Results.of(self.store, seen_by=self.reviewer.name if self.reviewer.blind else None)
        index = Index(results.questions.questions, results.papers)
        for cell in results.cells():
            index.put(cell, self.reviewer)
        self._cells.clear()
        self._results, self._index = results, index
        # Not for each new answer while a study runs: at most a tenth of the time goes into rebuilding.
        self._again = time.monotonic() + 10 * (time.monotonic() - begun)

    def _put(self, papers: Iterable[str]) -> None:
        """Updates the rows of some papers. All cells of each: a screening question affects the others."""
        assert self._index is not None
        assert self._results is not None
        self._cells.clear()
        known = {row.paper.id for row in self._index.rows}
        for paper in known.intersection(papers):
            for cell in self._results.cells_of(paper):
                self._index.put(cell, self.reviewer)

    def results(self) -> Results:
        with self._lock:
            self.index()
            assert self._results is not None
            return self._results

    def _changed(self) -> object:
        """Something that differs when the database has been written to."""
        return self.store.change_mark()

    def pairs(self) -> tuple[ReviewerPair, ...]:
        """How far reviewers agree."""
        return reviewer_agreement(self.results().cells())

    def disagreements(self) -> list[Cell]:
        """What waits for an adjudication."""
        return [cell for cell in self.results().cells() if reviewers_disagree(cell)]

    def distributions(self) -> list[Distribution]:
        """How often each value is given, as this reviewer may see it."""
        results = self.results()
        stamp = self._changed()
        if self._values is None or self._values[0] != stamp:
            counts = ValueCounts()
            for cell in results.cells():
                counts.add(cell)
            self._values = (stamp, counts.distributions(results.questions.questions))
        return self._values[1]

    def distribution(self, question: str) -> tuple[Question, Distribution]:
        """That of the question in an address."""
        index = self.index()
        column = index.columns.get(question)
        asked = index.questions[column] if column is not None else None
        for one in self.distributions():
            if asked is not None and one.question.id == asked.id:
                return asked, one
        raise NotFound("There is no such question with values in this study.")

    # One cell

    def position(self, paper: str, question: str) -> Position:
        """The cell of an address."""
        index = self.index()
        row, column = index.by_slug.get(paper), index.columns.get(question)
        if row is None or column is None:
            raise NotFound("There is no such paper or question in this study.")
        return Position(row, column)

    def cell(self, position: Position) -> Cell | None:
        """What is known of it now; none when nobody has tried yet."""
        index, results = self.index(), self.results()
        paper, question = index.rows[position.row].paper, index.questions[position.column]
        name = paper.id or paper.file
        cells = self._cells.get(name, lambda: results.cells_of(name))
        found = next((cell for cell in cells if cell.question.id == question.id), None)
        return found and self._with_boxes(found)

    def _with_boxes(self, cell: Cell) -> Cell:
        """The cell, with boxes for evidence that calibrating made: nobody has looked at it before."""
        every = (*cell.answers, cell.verdict, cell.vote)
        if not any(lacks_boxes(answer) for answer in every):
            return cell
        *answers, verdict, vote = with_calibrated_boxes(self.store, every)
        return replace(cell, answers=tuple(answers), verdict=verdict, vote=vote)

    def after(self, position: Position) -> tuple[Position | None, Position | None, int]:
        """The cells before and after it in the queue, and how many wait. One that does not wait itself comes
        before all others."""
        waiting = self.index().waiting()
        here = (position.row, position.column)
        if here not in waiting:
            return None, Position(*waiting[0]) if waiting else None, len(waiting)
        if len(waiting) == 1:
            return None, None, 1
        at = waiting.index(here)
        return Position(*waiting[at - 1]), Position(*waiting[(at + 1) % len(waiting)]), len(waiting)

    def history(self, cell: Cell) -> list[HistoryEntry]:
        """What was decided of it, as far as this reviewer may see that."""
        if not cell.paper.id:
            return []
        found = self.store.history(cell.paper.id, question_key(cell.question))
        mine = self.reviewer.name
        return [
            entry
            for entry in found
            if not self.reviewer.blind
            or (entry.decision.reviewer == mine and entry.decision.kind == "review")
        ]

    # The paper behind it

    def paper(self, id: str) -> Paper:
        return self._papers.get(id, lambda: paper_of(self.store, id))

    def paper_at(self, slug: str) -> Paper:
        """The paper of an address."""
        index = self.index()
        row = index.by_slug.get(slug)
        if row is None or not index.rows[row].paper.id:
            raise NotFound("There is no such paper in this study.")
        return self.paper(index.rows[row].paper.id)

    def has_file(self, paper: Paper) -> bool:
        """Is the file there that its pages are drawn from?"""
        return paper.page_source is not None and Path(paper.page_source.path).is_file()

    def picture(self, slug: str, page: int) -> bytes:
        paper = self.paper_at(slug)
        if paper.page_source is None or not 1 <= page <= len(paper.pages):
            raise NotFound("There is no such page.")
        return self.pictures.get(paper, page)

    def words(self, slug: str, page: int) -> list[Word]:
        """The words of a page in their places."""
        paper = self.paper_at(slug)
        if paper.page_source is None or not 1 <= page <= len(paper.pages):
            raise NotFound("There is no such page.")
        return self._words.get((paper.id, page), lambda: words_on(paper, page))

    def places(self, cell: Cell, paper: Paper | None) -> list[Highlight]:
        """All that there is to look at: the verdict's quotes, then the others', then what came close."""
        whose: dict[tuple[int, int], list[str]] = {}
        first: dict[tuple[int, int], Evidence] = {}
        quoted = [(answer.reader, answer.evidence) for answer in cell.answers]
        quoted += [(decision.reviewer, decision.evidence) for decision in cell.decisions]
        for e in cell.verdict.evidence:
            first.setdefault((e.start, e.end), e)
        for name, evidence in quoted:
            for e in evidence:
                first.setdefault((e.start, e.end), e)
                whose.setdefault((e.start, e.end), []).append(name)
        chosen = {(e.start, e.end) for e in cell.verdict.evidence}
        found = [
            Highlight(
                e.quote,
                e.page,
                *span,
                e.boxes,
                tuple(whose.get(span, ())),
                e.match,
                e.score,
                span in chosen,
                e.reading,
            )
            for span, e in first.items()
        ]
        return found + self._closest(cell, paper, set(first))

    def _closest(self, cell: Cell, paper: Paper | None, known: set[tuple[int, int]]) -> list[Highlight]:
        near = [
            closest
            for answer in cell.answers
            if answer.receipt
            for closest in answer.receipt.closest
            if (closest.start, closest.end) not in known
        ]
        near = list({(c.start, c.end): c for c in near}.values())
        spans = tuple((c.start, c.end) for c in near)
        boxes: list[tuple[Box, ...]] = [()] * len(near)
        # A file that is gone, or another one by now, has none: the page says so where it would be shown.
        with suppress(PaperError):
            if paper is not None and near:
                boxes = self._near.get((paper.id, spans), lambda: page_boxes(paper, spans))
        return [
            Highlight(c.text, c.page, c.start, c.end, b, (), score=c.score)
            for c, b in zip(near, boxes, strict=True)
        ]

    # Deciding

    @property
    def kind(self) -> DecisionKind:
        return "adjudication" if self.reviewer.adjudicate else "review"

    def find(self, slug: str, words: str, page: int | None) -> Evidence:
        """Words that were selected or typed, looked up in the paper."""
        found = locate(self.paper_at(slug), meant(words), page)
        if found is None:
            raise InputError(
                "These words are not in the paper; select them on the page, or copy them exactly."
            )
        return found

    def accept(self, position: Position, reason: str = "") -> None:
        """The verdict as it is."""
        cell = self._decidable(position)
        if cell.verdict.status == "failed":
            raise InputError(
                "A failure can't be accepted: decide what the paper says, or run the study again."
            )
        verdict = cell.verdict
        values = tuple(coded.value for coded in verdict.coded)
        self._write(cell, verdict.status, verdict.text, verdict.evidence, reason, values)

    def side(self, position: Position, reviewer: str) -> None:
        """What a reviewer decided, as one's own decision: how one settles a disagreement."""
        cell = self._decidable(position)
        for decision in cell.decisions:
            if decision.reviewer == reviewer and decision.kind == "review":
                said = (decision.text, decision.evidence, decision.reason, decision.values)
                self._write(cell, decision.status, *said)
                return
        raise InputError("That reviewer's decision is gone; load the page again.")

    def correct(self, position: Position, status: Status, reason: str = "") -> None:
        """Another status; when it is "reported", with the best answer that says so."""
        cell = self._decidable(position)
        text = ""
        evidence: tuple[Evidence, ...] = ()
        if status == "reported":
            best = best_reported(cell)
            if best is None:
                raise InputError("Nobody has a quote for it: press e, and select the words on the page.")
            text, evidence = best.text, best.evidence
        self._write(cell, status, text, evidence, reason)

    def choose(self, position: Position, values: Sequence[str], reason: str = "") -> None:
        """Another code, from the question's list: with the best answer's quotes, for no code is without."""
        cell = self._decidable(position)
        question = cell.question
        if list(values) == [question.absent] and question.absent:
            self._write(cell, "not_reported", "", (), reason)
            return
        known = question.choices if question.kind == "choice" else ("yes", "no")
        wrong = [value for value in values if value not in known]
        if wrong or not values or (len(values) > 1 and not question.several):
            raise InputError(f"Choose {'some' if question.several else 'one'} of {', '.join(known)}.")
        best = best_reported(cell)
        if best is None:
            raise InputError("Nobody has a quote for it: press e, and select the words on the page.")
        self._write(cell, "reported", best.text, best.evidence, reason, tuple(values))

    def decide(
        self,
        position: Position,
        status: Status,
        text: str,
        spans: Sequence[tuple[int, int]],
        reason: str,
        values: Sequence[str] = (),
    ) -> None:
        """Everything as the reviewer wants it. The quotes are the paper's words at these spans."""
        cell = self._decidable(position)
        evidence: tuple[Evidence, ...] = ()
        if spans:
            paper = self.paper(cell.paper.id)
            known = {(e.start, e.end): e for a in (cell.verdict, *cell.answers) for e in a.evidence}
            known |= {(e.start, e.end): e for d in cell.decisions for e in d.evidence}
            new = [_evidence(paper, *span) for span in dict.fromkeys(spans) if span not in known]
            known |= {(e.start, e.end): e for e in boxed(paper, new)}
            evidence = tuple(known[span] for span in dict.fromkeys(spans))
        codes = cell.question.choices or (("yes", "no") if cell.question.kind == "yes_no" else ())
        if codes and (wrong := [value for value in values if value not in codes]):
            raise InputError(f"{wrong[0]} is none of this question's codes; load the page again.")
        given = tuple(value.strip() for value in values if value.strip()) if status == "reported" else ()
        self._write(cell, status, text, evidence, reason, given)

    def undo(self, position: Position) -> bool:
        """Takes back this reviewer's last decision of the cell: was there one?"""
        cell = self._decidable(position)
        done = self.store.undo(cell.paper.id, question_key(cell.question), self.reviewer.name, self.kind)
        return done is not None

    def _decidable(self, position: Position) -> Cell:
        cell = self.cell(position)
        if cell is None:
            raise InputError("Nobody has answered this yet; run the study first.")
        if not cell.paper.id:
            raise InputError("The file could not be opened, so there is no paper to decide on.")
        if cell.screened_out:
            raise InputError("The paper fails the screening question; decide that one first.")
        return cell

    def _write(
        self,
        cell: Cell,
        status: Status,
        text: str,
        evidence: tuple[Evidence, ...],
        reason: str,
        values: tuple[str | int | float, ...] = (),
    ) -> None:
        name, words = self.reviewer.name, (text.strip(), evidence, reason.strip())
        decision = Decision(name, status, *words, kind=self.kind, values=values)
        self.store.decide(cell.paper.id, question_key(cell.question), decision)


def best_reported(cell: Cell) -> Answer | None:
    """The answer that says "reported" with a quote and is surest of it."""
    if cell.verdict.status == "reported" and cell.verdict.evidence:
        return cell.verdict
    some = [answer for answer in cell.answers if answer.status == "reported" and answer.evidence]
    return max(some, key=lambda answer: answer.confidence, default=None)


def _evidence(paper: Paper, start: int, end: int) -> Evidence:
    if not 0 <= start < end <= len(paper.text):
        raise InputError("That quote is not in the paper; add it again.")
    return evidence_at(paper, Span(start, end))
