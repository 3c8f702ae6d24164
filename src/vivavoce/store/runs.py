"""The run log, and how far the store has grown."""

import json
from typing import Any

import sqlalchemy as sa

from vivavoce.store import convert
from vivavoce.store.sql import now
from vivavoce.store.tables import ANSWERS, CALIBRATIONS, FAILURES, RUNS

RECENT = 1000
"""Rows among which one may still be missing that another run is about to write."""


def next_number(connection: sa.Connection) -> int:
    return (connection.execute(sa.select(sa.func.max(RUNS.c.run))).scalar() or 0) + 1


def add(connection: sa.Connection, run: int, event: str, detail: dict[str, Any]) -> None:
    row = {"run": run, "event": event, "detail": convert.to_json(detail), "at": now()}
    connection.execute(sa.insert(RUNS).values(**row))


def all_events(connection: sa.Connection) -> list[dict[str, Any]]:
    rows = connection.execute(sa.select(RUNS).order_by(RUNS.c.number)).all()
    return [{"run": r.run, "event": r.event, "at": r.at, "detail": json.loads(r.detail)} for r in rows]


def last_numbers(connection: sa.Connection) -> tuple[int, ...]:
    """The numbers of the last answer, failure, calibration and log entry, and how many of the last rows there
    are: of two who write at once, the one with the lower number may be done later. While they are the same,
    nothing was added."""
    found: list[int] = []
    for table in (ANSWERS, FAILURES, CALIBRATIONS, RUNS):
        last = connection.execute(sa.select(sa.func.max(table.c.number))).scalar() or 0
        recent = sa.select(sa.func.count()).where(table.c.number > last - RECENT)
        found += [last, int(connection.execute(recent).scalar_one())]
    return tuple(found)
