"""What the modules of the store share: transactions that write, and inserting a row once."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


class DamagedRow(Exception):
    """A row can't be read as what was written."""


def for_writing(engine: sa.Engine, alone: bool = False) -> sa.Engine:
    """The engine for transactions that write. SQLite's wait for their turn when they begin. Where several may
    write at once, those that are to be `alone` wait for each other: they read what they then replace, or give
    numbers that others read in their order."""
    return engine.execution_options(viva_write=True, viva_alone=alone)


def is_for_writing(connection: sa.Connection) -> bool:
    return bool(connection.get_execution_options().get("viva_write"))


def is_alone(connection: sa.Connection) -> bool:
    return bool(connection.get_execution_options().get("viva_alone"))


def insert_new(connection: sa.Connection, table: sa.TableClause, **values: Any) -> bool:
    """Inserts a row unless one with the same key exists: was it new?"""
    statement = _insert(connection, table, values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(statement).first() is not None


def insert_numbered(connection: sa.Connection, table: sa.TableClause, **values: Any) -> int:
    """`insert_new` for a table whose rows are numbered: the new row's number, or 0."""
    statement = _insert(connection, table, values).on_conflict_do_nothing().returning(table.c.number)
    return int(connection.execute(statement).scalar() or 0)


def insert_many(connection: sa.Connection, table: sa.TableClause, rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts rows that have the same columns; on PostgreSQL by COPY, which takes a fraction of the time."""
    if connection.dialect.name != "postgresql":
        connection.execute(sa.insert(table), rows)
        return
    columns = list(rows[0])
    names = ", ".join(f'"{column}"' for column in columns)
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row([row[column] for column in columns])


def insert_or_replace(connection: sa.Connection, table: sa.TableClause, by: str, **values: Any) -> None:
    """Inserts a row, or gives the one that is the same in the column `by` these values."""
    others = {name: value for name, value in values.items() if name != by}
    statement = _insert(connection, table, values).on_conflict_do_update(index_elements=[by], set_=others)
    connection.execute(statement)


def _insert(connection: sa.Connection, table: sa.TableClause, values: dict[str, Any]) -> Any:
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).values(**values)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
