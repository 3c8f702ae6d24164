"""What people decided, as rows that only ever grow in number.

A decision is a row. Taking one back is another row, which names the one that it undoes. What counts is worked
out from all rows of a cell: of each reviewer the last review that was not undone, and the last adjudication
that was not, whoever made it. The database refuses to change or delete a row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import InputError
from vivavoce.records import DECIDABLE, Decision, DecisionKind
from vivavoce.store import convert
from vivavoce.store.entries import HistoryEntry
from vivavoce.store.tables import ASKED, DECISIONS, FILES, PAPERS, QUESTIONS


def add(connection: sa.Connection, paper: str, question: str, decision: Decision) -> None:
    """Writes a decision down; refuses one that could not be shown later."""
    _check(connection, paper, question, decision)
    connection.execute(sa.insert(DECISIONS).values(**convert.of_decision(paper, question, decision)))


def undo(
    connection: sa.Connection, paper: str, question: str, reviewer: str, kind: DecisionKind, at: str
) -> Decision | None:
    """Takes back the reviewer's last decision that was not: that one, or none."""
    mine = (DECISIONS.c.question == question, DECISIONS.c.reviewer == reviewer, DECISIONS.c.kind == kind)
    standing = _standing(rows(connection, paper, *mine))
    if not standing:
        return None
    last = convert.decision(standing[-1])
    nothing = replace(last, text="", evidence=(), reason="", at=at, values=())
    undoing = convert.of_decision(paper, question, nothing)
    connection.execute(sa.insert(DECISIONS).values(**undoing, undoes=standing[-1].number))
    return last


def rows(connection: sa.Connection, paper: str, *more: sa.ColumnElement[bool]) -> Sequence[Any]:
    """All that was ever decided of a paper, in its order."""
    wanted = sa.select(DECISIONS).where(DECISIONS.c.paper == paper, *more)
    return connection.execute(wanted.order_by(DECISIONS.c.number)).all()


def counting(found: Sequence[Any]) -> dict[str, tuple[Decision, ...]]:
    """Those of a paper's rows that count, oldest first, by the question's key."""
    last: dict[tuple[str, str, str], Any] = {}
    for row in _standing(found):
        last[row.question, row.kind, row.reviewer if row.kind == "review" else ""] = row
    by_question: dict[str, list[Decision]] = {}
    for row in sorted(last.values(), key=lambda row: int(row.number)):
        by_question.setdefault(row.question, []).append(convert.decision(row))
    return {question: tuple(some) for question, some in by_question.items()}


def entries(found: Sequence[Any]) -> list[HistoryEntry]:
    """The rows of a cell, for people to read."""
    by_number = {row.number: row for row in found}
    undone = {row.undoes for row in found}
    return [
        HistoryEntry(
            replace(convert.decision(by_number.get(row.undoes, row)), at=row.at),
            undo=row.undoes is not None,
            undone=row.number in undone,
        )
        for row in found
    ]


def reviewers(connection: sa.Connection) -> list[str]:
    """Who has a review that was not undone, of a question that is asked now; by name."""
    undone = sa.select(DECISIONS.c.undoes).where(DECISIONS.c.undoes.is_not(None))
    found = connection.execute(
        sa.select(DECISIONS.c.reviewer)
        .distinct()
        .where(DECISIONS.c.kind == "review", DECISIONS.c.undoes.is_(None), DECISIONS.c.number.not_in(undone))
        .where(DECISIONS.c.question.in_(sa.select(ASKED.c.question)))
    )
    return sorted(row.reviewer for row in found)


def latest(connection: sa.Connection) -> int:
    """The number of the last row."""
    return int(connection.execute(sa.select(sa.func.max(DECISIONS.c.number))).scalar() or 0)


def papers_after(connection: sa.Connection, number: int) -> set[str]:
    """The papers of the rows after that one."""
    wanted = sa.select(DECISIONS.c.paper).distinct().where(DECISIONS.c.number > number)
    return {str(row.paper) for row in connection.execute(wanted)}


def quotes_hold(connection: sa.Connection, paper: str, text: str) -> bool:
    """Are all quotes of a paper's decisions in this text, at their places?"""
    found = (convert.decision(row) for row in rows(connection, paper))
    return all(text[e.start : e.end] == e.quote for decision in found for e in decision.evidence)


def problems(connection: sa.Connection) -> Iterator[str]:
    """Quotes that are not in the paper's text, and rows that undo what is not there."""
    for row in connection.execute(sa.select(DECISIONS).order_by(DECISIONS.c.number)).all():
        try:
            decision = convert.decision(row)
        except (TypeError, ValueError, KeyError, AttributeError):
            yield f"paper {row.paper[:12]}: the evidence of a decision by {row.reviewer} can't be read"
            continue
        for e in _misplaced(connection, row.paper, decision):
            yield f"paper {row.paper[:12]}: a quote of person:{row.reviewer} is not in its text at {e}"
    known = sa.select(DECISIONS.c.number)
    lost = sa.select(sa.func.count()).where(DECISIONS.c.undoes.is_not(None), DECISIONS.c.undoes.not_in(known))
    if number := connection.execute(lost).scalar():
        yield f"{number} decisions undo one that is not there"


def _standing(found: Iterable[Any]) -> list[Any]:
    """The rows that are decisions and were not undone."""
    every = list(found)
    undone = {row.undoes for row in every}
    return [row for row in every if row.undoes is None and row.number not in undone]


def _check(connection: sa.Connection, paper: str, question: str, decision: Decision) -> None:
    name = decision.reviewer
    if not name or name != " ".join(name.split()) or not name.isprintable():
        raise InputError(f"{name!r}: a decision needs the reviewer's name, without odd characters or spaces.")
    if decision.status not in DECIDABLE:
        raise InputError(f"{decision.status}: a person can decide {', '.join(DECIDABLE)}.")
    if connection.execute(sa.select(QUESTIONS.c.key).where(QUESTIONS.c.key == question)).first() is None:
        raise InputError(f"there is no question {question} in this study.")
    papers = sa.select(PAPERS.c.id).where(PAPERS.c.id == paper)
    files = sa.select(FILES.c.paper).where(FILES.c.paper == paper)
    if not any(connection.execute(wanted).first() for wanted in (papers, files)):
        raise InputError(f"there is no paper {paper} in this study.")
    if list(_misplaced(connection, paper, decision)):
        raise InputError("a quote is not in the paper at the given place; look it up again.")


def _misplaced(connection: sa.Connection, paper: str, decision: Decision) -> Iterator[int]:
    """The places of the decision's quotes that are not in the paper's text there."""
    if decision.evidence:
        text = connection.execute(sa.select(PAPERS.c.text).where(PAPERS.c.id == paper)).scalar() or ""
        for e in decision.evidence:
            if text[e.start : e.end] != e.quote:
                yield e.start
