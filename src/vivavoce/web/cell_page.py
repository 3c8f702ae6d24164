"""All that the page of one cell shows, gathered for its template."""

from dataclasses import dataclass
from typing import Any

from vivavoce.errors import PaperError, VivaError
from vivavoce.panel.decisions import by_person, is_decided
from vivavoce.panel.voting import said_reported
from vivavoce.records import DECIDABLE, Answer, Cell, Paper, PaperInfo, Question, Status
from vivavoce.results.costs import money
from vivavoce.store import HistoryEntry
from vivavoce.web.desk import Desk, Place, Spot, best_reported
from vivavoce.web.index import address, slug
from vivavoce.web.texts import Line, lines_of


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
    places: tuple[Place, ...]
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
    def closest(self) -> tuple[tuple[int, Place], ...]:
        return tuple((n, place) for n, place in enumerate(self.places) if not place.by and not place.chosen)

    @property
    def quotes(self) -> tuple[tuple[int, Place], ...]:
        return tuple((n, place) for n, place in enumerate(self.places) if place.by or place.chosen)


def cell_page(desk: Desk, spot: Spot, queue: bool) -> CellPage:
    index = desk.index()
    source, question = index.rows[spot.row].paper, index.questions[spot.column]
    cell = desk.cell(spot)
    paper, why = _paper(desk, source)
    places = tuple(desk.places(cell, paper)) if cell else ()
    drawn = paper is not None and paper.view is not None and not why
    marked = [(place.start, place.end) for place in places]
    _, _, waiting = desk.after(spot)
    return CellPage(
        paper=source,
        question=question,
        slug=slug(source),
        address=address(source, question),
        cell=cell,
        decided=cell is not None and is_decided(cell),
        mine=cell is not None
        and any(d.reviewer == desk.reviewer.name and d.kind == desk.kind for d in cell.decisions),
        can_report=cell is not None and best_reported(cell) is not None,
        voices=_voices(cell, places) if cell else (),
        places=places,
        history=tuple(desk.history(cell)) if cell else (),
        document=_document(paper if drawn else None, places),
        lines=tuple(lines_of(paper, marked)) if paper and not drawn else (),
        no_pages=why,
        links=_links(desk, spot),
        queue=queue,
        waiting=waiting,
    )


def _paper(desk: Desk, source: PaperInfo) -> tuple[Paper | None, str]:
    """The paper, and why its pages can't be shown."""
    if not source.id:
        return None, "The file could not be opened, so there is nothing to show."
    try:
        paper = desk.paper(source.id)
    except PaperError as error:
        return None, str(error)
    except VivaError:
        return None, "The file could not be read, so there is nothing to show."
    if paper.view is None:
        return paper, ""
    return paper, "" if desk.has_file(
        paper
    ) else f"{source.file}: the file was moved or changed since it was read."


def _voices(cell: Cell, places: tuple[Place, ...]) -> tuple[Voice, ...]:
    at = {(place.start, place.end): n for n, place in enumerate(places)}
    said = [(answer.reader, False, answer) for answer in cell.answers]
    said += [(d.reviewer, True, by_person(cell.vote, d)) for d in cell.decisions]
    outcome = said_reported(cell.verdict)
    return tuple(
        Voice(
            name,
            person,
            answer,
            None if outcome is None or said_reported(answer) is None else said_reported(answer) == outcome,
            _cost(answer),
            tuple(at[e.start, e.end] for e in answer.evidence if (e.start, e.end) in at),
        )
        for name, person, answer in said
    )


def _cost(answer: Answer) -> str:
    """What it cost, where that is known."""
    cost = answer.cost
    return "" if cost is None else f"{cost.tokens_in + cost.tokens_out:,} tokens, {money(cost.dollars)}"


def _document(paper: Paper | None, places: tuple[Place, ...]) -> dict[str, Any]:
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


def _links(desk: Desk, spot: Spot) -> dict[str, str]:
    index = desk.index()
    before, following, _ = desk.after(spot)

    def at(row: int, column: int) -> str:
        if not (0 <= row < len(index.rows) and 0 <= column < len(index.questions)):
            return ""
        return address(index.rows[row].paper, index.questions[column])

    return {
        "left": at(spot.row, spot.column - 1),
        "right": at(spot.row, spot.column + 1),
        "up": at(spot.row - 1, spot.column),
        "down": at(spot.row + 1, spot.column),
        "before": f"{at(before.row, before.column)}?queue=1" if before else "",
        "after": f"{at(following.row, following.column)}?queue=1" if following else "",
    }
