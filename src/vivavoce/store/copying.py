"""Copies a study from one database to another, row by row, in one transaction: all of it or nothing.

Which tables and columns there are is asked of the databases, which have the same schema: a later version's
tables are copied by the same lines.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import sqlalchemy as sa

from vivavoce.store.search import is_index
from vivavoce.store.sql import insert_many

MANY = 500
"""Rows that are written at a time."""
NOT_COPIED = ("schema_steps", "claims")
"""Who is at work there is nothing that is kept; the steps are done when the copy is opened."""


def copy(source: sa.Connection, target: sa.Connection) -> dict[str, int]:
    """Copies every row into empty tables: how many rows, by table."""
    copied = {}
    for name in table_names(source):
        columns = [column["name"] for column in sa.inspect(source).get_columns(name)]
        table = sa.table(name, *(sa.column(column) for column in columns))
        rows = source.execution_options(yield_per=MANY).execute(sa.select(table)).mappings()
        copied[name] = 0
        for some in _batches(iter(rows)):
            insert_many(target, table, some)
            copied[name] += len(some)
        if target.dialect.name == "postgresql" and "number" in columns:
            _go_on_counting(target, name)
    return copied


def table_names(connection: sa.Connection) -> list[str]:
    """The tables that are copied."""
    every = sa.inspect(connection).get_table_names()
    return sorted(name for name in every if name not in NOT_COPIED and not is_index(name))


def _batches(rows: Iterator[Any]) -> Iterator[list[dict[str, Any]]]:
    while some := [dict(row) for row in islice(rows, MANY)]:
        yield some


def _go_on_counting(target: sa.Connection, table: str) -> None:
    """The next row's number follows the last one that was copied."""
    sequence = target.execute(sa.text(f"SELECT pg_get_serial_sequence('{table}', 'number')")).scalar()
    if sequence is not None:
        last = f"(SELECT coalesce(max(number), 0) + 1 FROM {table})"
        target.execute(sa.text(f"SELECT setval('{sequence}', {last}, false)"))
