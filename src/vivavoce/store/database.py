"""How the database is opened, and what its errors mean. No table is known here."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote as url_quote

import sqlalchemy as sa

from vivavoce.errors import VivaError
from vivavoce.migrations import STEPS, applied


@contextmanager
def said(path: Path) -> Iterator[None]:
    """The database's errors in our words."""
    try:
        yield
    except sa.exc.DatabaseError as error:
        raise VivaError(f"{path}: {_plain(str(error.orig))}") from error


def _plain(said: str) -> str:
    if "disk is full" in said or "disk I/O error" in said:
        return (
            "it can't be written: the disk is full, or fails. Make room and run the same command again; all "
            "that was done is kept."
        )
    if "readonly" in said or "unable to open" in said:
        return "it can't be written; is the folder read-only? Copy the study to a place where you may write."
    if "locked" in said:
        return "another program holds it; close that one and try again."
    if "malformed" in said or "not a database" in said:
        return f"it is damaged ({said}); restore it from a copy."
    return f"the database says: {said}"


def writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def engine(path: Path, readonly: bool) -> sa.Engine:
    place = f"file:{url_quote(str(path.resolve()))}"

    def connect() -> sqlite3.Connection:
        if readonly:  # nobody writes there, so it can't change under us, and WAL's own files are not needed
            mode = "?immutable=1" if not writable(path) else "?mode=ro"
            connection = sqlite3.connect(place + mode, uri=True, check_same_thread=False)
        else:
            connection = sqlite3.connect(place, uri=True, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing by this; a power cut may cost the last cells, never the database.
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.isolation_level = None  # transactions begin where we say, for DDL too
        return connection

    made = sa.create_engine("sqlite://", creator=connect, poolclass=sa.pool.QueuePool)

    @sa.event.listens_for(made, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return made


def check_version(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        done = applied(connection)
    if done != len(STEPS):
        raise VivaError(
            f"its schema ({done}) is not this version's ({len(STEPS)}), and it can't be changed here; copy "
            "the study to a place where you may write, or install the version it was made with."
        )
