"""All that the page of one cell shows, gathered for its template."""

from dataclasses import dataclass
from typing import Any

from vivavoce.errors import PaperError, VivaError
from vivavoce.panel.decisions import as_answer, is_decided
from vivavoce.panel.voting import vote_of
from vivavoce.papers.entries import is_entry
from vivavoce.records import DECIDABLE, Answer, Cell, Paper, PaperInfo, Question, Status
from vivavoce.results.costs import money
from vivavoce.store import HistoryEntry
from vivavoce.web.index import address, slug
from vivavoce.web.paper_text import Line, lines_of
from vivavoce.web.session import Highlight, Position, ReviewSession, best_reported


@dataclass(frozen=True, slots=True)
class Voice:
    """What one reader, or one person, says."""

    name: str
    person: bool
    answer: Answer
    agrees: bool | None
    """With the verdict; none where it says nothing of the paper."""
    cost: str
    places: tuple[int, ...]
    """Its quotes, by their place in the list."""


@dataclass(frozen=True, slots=True)
class CellPage:
    paper: PaperInfo
    question: Question
    slug: str
    address: str
    cell: Cell | None
    decided: bool
    mine: bool
    """Has this reviewer something here to undo?"""
    can_report: bool
    """Is there a quote for "reported"?"""
    voices: tuple[Voice, ...]
    places: tuple[Highlight, ...]
    history: tuple[HistoryEntry, ...]
    document: dict[str, Any]
    """For the script that draws pages: their sizes, and the boxes of each place."""
    lines: tuple[Line, ...]
    """The paper as text, where there are no pages to show."""
    no_pages: str
    """Why there are none; empty where there are."""
    links: dict[str, str]
    """Addresses of the cells around it."""
    queue: bool
    waiting: int
    statuses: tuple[Status, ...] = DECIDABLE

    @property
    def codes(self) -> tuple[tuple[str, str], ...]:
        """The codes that can be chosen, each with what it means; none for a question without codes."""
        question = self.question
        if question.kind == "yes_no":
            return (("yes", ""), ("no", ""))
        meanings = question.meanings or ("",) * len(question.choices)
        found = tuple(zip(question.choices, meanings, strict=True))
        return (*found, (question.absent, "the paper says nothing of it")) if question.absent else found

    @property
    def chosen(self) -> tuple[str, ...]:
        """The verdict's values."""
        return tuple(str(coded.value) for coded in self.cell.verdict.coded) if self.cell else ()

    @property
    def closest(self) -> tuple[tuple[int, Highlight], ...]:
        return tuple((n, place) for n, place in enumerate(self.places) if not place.by and not place.chosen)

    @property
    def quotes(self) -> tuple[tuple[int, Highlight], ...]:
        return tuple((n, place) for n, place in enumerate(self.places) if place.by or place.chosen)


def cell_page(session: ReviewSession, position: Position, queue: bool) -> CellPage:
    index = session.index()
    source, question = index.rows[position.row].paper, index.questions[position.column]
    cell = session.cell(position)
    paper, why = _paper(session, source)
    places = tuple(session.places(cell, paper)) if cell else ()
    drawn = paper is not None and paper.page_source is not None and not why
    marked = [(place.start, place.end) for place in places]
    _, _, waiting = session.after(position)
    return CellPage(
        paper=source,
        question=question,
        slug=slug(source),
        address=address(source, question),
        cell=cell,
        decided=cell is not None and is_decided(cell),
        mine=cell is not None
        and any(d.reviewer == session.reviewer.name and d.kind == session.kind for d in cell.decisions),
        can_report=cell is not None and best_reported(cell) is not None,
        voices=_voices(cell, places) if cell else (),
        places=places,
        history=tuple(session.history(cell)) if cell else (),
        document=_document(paper if drawn else None, places),
        lines=tuple(lines_of(paper, marked)) if paper and not drawn else (),
        no_pages=why,
        links=_links(session, position),
        queue=queue,
        waiting=waiting,
    )


def _paper(session: ReviewSession, source: PaperInfo) -> tuple[Paper | None, str]:
    """The paper, and why its pages can't be shown."""
    if not source.id:
        return None, "The file could not be opened, so there is nothing to show."
    try:
        paper = session.paper(source.id)
    except PaperError as error:
        return None, str(error)
    except VivaError:
        return None, "The file could not be read, so there is nothing to show."
    if is_entry(paper):
        return paper, "There is no file of this paper in the study, only its metadata. Nothing was checked."
    if paper.page_source is None:
        return paper, ""
    return paper, "" if session.has_file(
        paper
    ) else f"{source.file}: the file was moved or changed since it was read."


def _voices(cell: Cell, places: tuple[Highlight, ...]) -> tuple[Voice, ...]:
    at = {(place.start, place.end): n for n, place in enumerate(places)}
    shown = [(answer.reader, False, answer) for answer in cell.answers]
    shown += [(d.reviewer, True, as_answer(cell.vote, d)) for d in cell.decisions]
    outcome = vote_of(cell.verdict)
    return tuple(
        Voice(
            name,
            person,
            answer,
            None if outcome is None or vote_of(answer) is None else vote_of(answer) == outcome,
            _cost(answer),
            tuple(at[e.start, e.end] for e in answer.evidence if (e.start, e.end) in at),
        )
        for name, person, answer in shown
    )


def _cost(answer: Answer) -> str:
    """What it cost, where that is known."""
    cost = answer.cost
    return "" if cost is None else f"{cost.tokens_in + cost.tokens_out:,} tokens, {money(cost.dollars)}"


def _document(paper: Paper | None, places: tuple[Highlight, ...]) -> dict[str, Any]:
    return {
        "pages": [[page.width, page.height] for page in paper.pages] if paper else [],
        "places": [
            {
                "page": place.page,
                "boxes": place.boxes,
                "kind": "quote" if place.by or place.chosen else "close",
            }
            for place in places
        ],
    }


def _links(session: ReviewSession, position: Position) -> dict[str, str]:
    index = session.index()
    before, following, _ = session.after(position)

    def at(row: int, column: int) -> str:
        if not (0 <= row < len(index.rows) and 0 <= column < len(index.questions)):
            return ""
        return address(index.rows[row].paper, index.questions[column])

    return {
        "left": at(position.row, position.column - 1),
        "right": at(position.row, position.column + 1),
        "up": at(position.row - 1, position.column),
        "down": at(position.row + 1, position.column),
        "before": f"{at(before.row, before.column)}?queue=1" if before else "",
        "after": f"{at(following.row, following.column)}?queue=1" if following else "",
    }
