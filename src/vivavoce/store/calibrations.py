"""What people's decisions taught the readers, as rows that only ever grow in number.

A calibration is a row for each reader and question, all with the same `calibration` number, written at once.
Taking it back is another row, which names the calibration that it undoes. The last one that was not undone
counts. The database refuses to change or delete a row.
"""

from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby

import sqlalchemy as sa

from vivavoce.records import Calibration, QuestionCalibration
from vivavoce.store.tables import CALIBRATIONS, QUESTIONS

_FIELDS = tuple(field.name for field in fields(QuestionCalibration))


def add(connection: sa.Connection, questions: tuple[QuestionCalibration, ...], at: str) -> None:
    """Writes a calibration down."""
    number = latest(connection) + 1
    rows = [
        {"calibration": number, **{name: getattr(one, name) for name in _FIELDS}, "at": at}
        for one in questions
    ]
    connection.execute(sa.insert(CALIBRATIONS), rows)


def undo(connection: sa.Connection, at: str) -> Calibration | None:
    """Takes back the last calibration that was not: that one, or none."""
    standing = [(number, one) for number, one in _numbered(connection) if not one.undone]
    if not standing:
        return None
    number, last = standing[-1]
    row = {name: getattr(last.questions[0], name) for name in _FIELDS}
    connection.execute(
        sa.insert(CALIBRATIONS).values(**row, calibration=latest(connection) + 1, undoes=number, at=at)
    )
    return last


def history(connection: sa.Connection) -> list[Calibration]:
    """All that there were, oldest first."""
    return [one for _, one in _numbered(connection)]


def latest(connection: sa.Connection) -> int:
    """The number of the last calibration or undoing of one."""
    return int(connection.execute(sa.select(sa.func.max(CALIBRATIONS.c.calibration))).scalar() or 0)


def problems(connection: sa.Connection) -> Iterator[str]:
    """Rows that undo, or are about, what is not there."""
    numbers = sa.select(CALIBRATIONS.c.calibration)
    lost = sa.select(sa.func.count()).where(
        CALIBRATIONS.c.undoes.is_not(None), CALIBRATIONS.c.undoes.not_in(numbers)
    )
    if number := connection.execute(lost).scalar():
        yield f"{number} undone calibrations are not there"
    strange = sa.select(sa.func.count()).where(CALIBRATIONS.c.question.not_in(sa.select(QUESTIONS.c.key)))
    if number := connection.execute(strange).scalar():
        yield f"{number} calibrated questions are not there"


def _numbered(connection: sa.Connection) -> Iterator[tuple[int, Calibration]]:
    rows = connection.execute(sa.select(CALIBRATIONS).order_by(CALIBRATIONS.c.number)).all()
    undone = {row.undoes for row in rows}
    written = (row for row in rows if row.undoes is None)
    for number, some in groupby(written, key=lambda row: int(row.calibration)):
        group = list(some)
        questions = tuple(
            QuestionCalibration(**{name: getattr(row, name) for name in _FIELDS}) for row in group
        )
        yield number, Calibration(questions, group[0].at, number in undone)
