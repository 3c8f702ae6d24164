"""Who works on which paper, where several runs share a study.

A run claims a paper before it asks what is missing there. It shows that it is alive by a lock that its
connection holds as long as it lives: no clock, no lease. What a run claimed that is gone is free at once.
When a run ends it drops its claims: what it leaves behind, then, is what a run claimed that died.
"""

from collections.abc import Sequence

import sqlalchemy as sa

from vivavoce.store.sql import insert_new, now
from vivavoce.store.tables import CLAIMS

_LOCKS = (
    "SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND classid = 'claims'::regclass::oid "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def show_alive(connection: sa.Connection, run: int) -> None:
    """From now on, for as long as the connection is open, the run is alive."""
    connection.execute(sa.text("SELECT pg_advisory_lock('claims'::regclass::oid::int, :run)"), {"run": run})
    connection.commit()


def take(connection: sa.Connection, path: str, run: int) -> bool:
    """Claims a file for a run, unless another that is alive has it: is it ours now?"""
    if insert_new(connection, CLAIMS, path=path, run=run, at=now()):
        return True
    wanted = sa.select(CLAIMS.c.run).where(CLAIMS.c.path == path).with_for_update(skip_locked=True)
    holder = connection.execute(wanted).scalar()
    if holder is None:  # another is about to take it, or to drop it
        return False
    if holder != run:
        if holder in _alive(connection):
            return False
        connection.execute(sa.update(CLAIMS).where(CLAIMS.c.path == path).values(run=run, at=now()))
    return True


def drop(connection: sa.Connection, run: int) -> None:
    """The run has ended: it has done what it claimed, or said why not."""
    connection.execute(sa.delete(CLAIMS).where(CLAIMS.c.run == run))


def abandoned(connection: sa.Connection, paths: Sequence[str]) -> set[str]:
    """Those of these files that a run had claimed which is gone."""
    rows = connection.execute(sa.select(CLAIMS.c.path, CLAIMS.c.run)).all()
    alive, wanted = _alive(connection), set(paths)
    return {row.path for row in rows if row.path in wanted and row.run not in alive}


def _alive(connection: sa.Connection) -> set[int]:
    return {int(row[0]) for row in connection.execute(sa.text(_LOCKS))}
