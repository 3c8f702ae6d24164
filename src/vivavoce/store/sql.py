"""What the modules of the store share: transactions that write, and inserting a row once."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa


class DamagedRow(Exception):
    """A row can't be read as what was written."""


def for_writing(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that write: they wait for their turn when they begin."""
    return engine.execution_options(viva_write=True)


def is_for_writing(connection: sa.Connection) -> bool:
    return bool(connection.get_execution_options().get("viva_write"))


def insert_new(connection: sa.Connection, table: sa.TableClause, **values: Any) -> int:
    """Inserts a row unless one with the same key exists: the new row's number, or 0."""
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    done = connection.execute(
        sa.text(f"INSERT INTO {table.name} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"), values
    )
    return int(done.lastrowid) if done.rowcount else 0


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
