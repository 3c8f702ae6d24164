"""What readers keep of papers: the states of their networks, and a vector of each sentence to search by."""

from collections.abc import Iterator

import sqlalchemy as sa

from vivavoce.store.sql import insert_new
from vivavoce.store.tables import STATES, VECTORS


def states_name(reader: str, version: str) -> str:
    """Whose states they are: another version can't use them."""
    return f"{reader} {version}"


def add(connection: sa.Connection, paper: str, encoder: str, states: bytes, vectors: bytes) -> None:
    insert_new(connection, STATES, paper=paper, encoder=encoder, data=states)
    insert_new(connection, VECTORS, paper=paper, encoder=encoder, data=vectors)


def get(connection: sa.Connection, paper: str, encoder: str) -> bytes | None:
    wanted = sa.select(STATES.c.data).where(STATES.c.paper == paper, STATES.c.encoder == encoder)
    return connection.execute(wanted).scalar()


def vectors(connection: sa.Connection, encoder: str) -> Iterator[tuple[str, bytes]]:
    """Of each paper the vectors of its sentences, a few papers at a time."""
    wanted = sa.select(VECTORS.c.paper, VECTORS.c.data).where(VECTORS.c.encoder == encoder)
    for row in connection.execution_options(yield_per=100).execute(wanted.order_by(VECTORS.c.paper)):
        yield row.paper, row.data


def forget(connection: sa.Connection, paper: str) -> None:
    """Its text is another now."""
    for table in (STATES, VECTORS):
        connection.execute(sa.delete(table).where(table.c.paper == paper))
