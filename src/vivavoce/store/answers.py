"""The readers' answers with their quotes, and what could not be answered."""

from collections.abc import Sequence

import sqlalchemy as sa

from vivavoce.records import Answer, Evidence, Question
from vivavoce.store import convert
from vivavoce.store.entries import Failure, question_key
from vivavoce.store.sql import insert_many, insert_new, insert_numbered, now
from vivavoce.store.tables import ANSWERS, ASKED, EVIDENCE, FAILURES, QUESTIONS, READERS

CELL = ("paper", "question", "reader", "version")
"""The columns that say which cell an answer belongs to."""
_CELL = [ANSWERS.c[name] for name in CELL[1:]]


def add(connection: sa.Connection, paper: str, answer: Answer, run: int) -> bool:
    """Adds an answer unless its cell has one: was it new? "Unreadable" is no answer, and is replaced."""
    row = convert.of_answer(paper, answer)
    if answer.status != "unreadable":
        same = (ANSWERS.c[name] == row[name] for name in CELL)
        connection.execute(sa.delete(ANSWERS).where(*same, ANSWERS.c.status == "unreadable"))
    insert_new(connection, QUESTIONS, key=row["question"], text=answer.question.text)
    number = insert_numbered(connection, ANSWERS, **row, run=run, at=now())
    if number and answer.evidence:
        insert_many(connection, EVIDENCE, convert.of_evidence(number, answer.evidence))
    return number > 0


def add_all(connection: sa.Connection, paper: str, some: Sequence[Answer], run: int) -> int:
    """Adds answers about one paper: how many were new? Those without quotes are inserted together, unless
    other runs may write the same cells meanwhile."""
    if connection.dialect.name != "sqlite":
        return sum(add(connection, paper, answer, run) for answer in some)
    known = {tuple(row) for row in connection.execute(sa.select(*_CELL).where(ANSWERS.c.paper == paper))}
    plain: dict[tuple[str, ...], dict[str, object]] = {}
    new = 0
    for answer in some:
        row = convert.of_answer(paper, answer)
        cell = tuple(str(row[name]) for name in CELL[1:])
        if answer.evidence or cell in known or cell in plain:
            new += add(connection, paper, answer, run)
        else:
            plain[cell] = {**row, "run": run, "at": now()}
    if plain:
        texts = {question_key(answer.question): answer.question.text for answer in some}
        for key, text in texts.items():
            insert_new(connection, QUESTIONS, key=key, text=text)
        connection.execute(sa.insert(ANSWERS), list(plain.values()))
    return new + len(plain)


def done(connection: sa.Connection, paper: str) -> set[tuple[str, str, str]]:
    columns = (ANSWERS.c.question, ANSWERS.c.reader, ANSWERS.c.version)
    answered = (ANSWERS.c.paper == paper, ANSWERS.c.status != "unreadable")
    rows = connection.execute(sa.select(*columns).where(*answered)).all()
    return {(row[0], row[1], row[2]) for row in rows}


def of_paper(connection: sa.Connection, paper: str) -> dict[tuple[str, str], Answer]:
    """The current answers of a paper, by question key and reader."""
    rows = connection.execute(
        sa.select(ANSWERS, ASKED.c.id, ASKED.c.detail.label("asked"), QUESTIONS.c.text.label("words"))
        .join_from(ANSWERS, ASKED, ANSWERS.c.question == ASKED.c.question)
        .join(QUESTIONS, QUESTIONS.c.key == ASKED.c.question)
        .where(ANSWERS.c.paper == paper)
        .where(*_current())
    ).all()
    quotes: dict[int, list[Evidence]] = {}
    for e in connection.execute(
        sa.select(EVIDENCE)
        .where(EVIDENCE.c.answer.in_([row.number for row in rows]))
        .order_by(EVIDENCE.c.answer, EVIDENCE.c.rank)
    ):
        quotes.setdefault(e.answer, []).append(convert.evidence(e))
    return {
        (row.question, row.reader): convert.answer(row, tuple(quotes.get(row.number, ()))) for row in rows
    }


def _current() -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions: a question that is asked now, answered by a version that is asked now."""
    return (
        ANSWERS.c.question.in_(sa.select(ASKED.c.question)),
        sa.exists().where(READERS.c.name == ANSWERS.c.reader, READERS.c.version == ANSWERS.c.version),
    )


def add_failure(
    connection: sa.Connection,
    path: str,
    paper: str | None,
    reason: str,
    reader: str | None,
    questions: Sequence[Question | None],
    run: int,
) -> None:
    """A row for each question; one without a question when the file, or the reader, failed as a whole."""
    row = {"path": path, "paper": paper, "reader": reader, "reason": reason, "run": run, "at": now()}
    keys = [question and question_key(question) for question in questions]
    connection.execute(sa.insert(FAILURES), [{**row, "question": key} for key in keys])


def failures(connection: sa.Connection) -> list[Failure]:
    """The last failure of each file and cell, unless it was answered later, in the order of paths."""
    whose = (FAILURES.c.path, FAILURES.c.question, FAILURES.c.reader)
    last = sa.select(sa.func.max(FAILURES.c.number)).group_by(*whose)
    answered = sa.exists().where(
        ANSWERS.c.paper == FAILURES.c.paper,
        _later(ANSWERS, FAILURES),
        sa.or_(FAILURES.c.reader.is_(None), FAILURES.c.reader == ANSWERS.c.reader),
        sa.or_(FAILURES.c.question.is_(None), FAILURES.c.question == ANSWERS.c.question),
    )
    rows = connection.execute(
        sa.select(FAILURES)
        .where(FAILURES.c.number.in_(last), sa.not_(answered))
        .order_by(FAILURES.c.path, FAILURES.c.number)
    ).all()
    return [Failure(r.path, r.paper, r.question, r.reader, r.reason, r.at) for r in rows]


def _later(one: sa.TableClause, other: sa.TableClause) -> sa.ColumnElement[bool]:
    """Did one come later? A run that began earlier may still be at work: then the time tells."""
    return sa.or_(one.c.run > other.c.run, sa.and_(one.c.run < other.c.run, one.c.at > other.c.at))
