"""The run log, and how far the store has grown."""

import json
from typing import Any

import sqlalchemy as sa

from vivavoce.store import convert
from vivavoce.store.sql import now
from vivavoce.store.tables import ANSWERS, CALIBRATIONS, FAILURES, RUNS


def next_number(connection: sa.Connection) -> int:
    return (connection.execute(sa.select(sa.func.max(RUNS.c.run))).scalar() or 0) + 1


def add(connection: sa.Connection, run: int, event: str, detail: dict[str, Any]) -> None:
    row = {"run": run, "event": event, "detail": convert.to_json(detail), "at": now()}
    connection.execute(sa.insert(RUNS).values(**row))


def all_events(connection: sa.Connection) -> list[dict[str, Any]]:
    rows = connection.execute(sa.select(RUNS).order_by(RUNS.c.number)).all()
    return [{"run": r.run, "event": r.event, "at": r.at, "detail": json.loads(r.detail)} for r in rows]


def last_numbers(connection: sa.Connection) -> tuple[int, ...]:
    """The numbers of the last answer, failure, calibration and log entry. While they are the same, nothing
    was added."""
    tables = (ANSWERS, FAILURES, CALIBRATIONS, RUNS)
    return tuple(connection.execute(sa.select(sa.func.max(t.c.number))).scalar() or 0 for t in tables)
