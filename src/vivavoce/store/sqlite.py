"""A study's database as a SQLite file: how it is opened, and what its errors mean.

In WAL mode one process writes and others may read at the same time.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import sqlalchemy as sa

from vivavoce.store.letters import escaped, unescaped
from vivavoce.store.sql import is_for_writing


class SQLiteDatabase:
    """The SQLite file at a path."""

    several_runs = False
    """One process writes at a time, so one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        return self.path.is_file()

    def is_writable(self) -> bool:
        path = self.path
        return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))

    def engine(self, readonly: bool = False) -> sa.Engine:
        made = sa.create_engine(
            "sqlite://", creator=lambda: self._connect(readonly), poolclass=sa.pool.QueuePool
        )

        @sa.event.listens_for(made, "begin")
        def _begin(connection: sa.Connection) -> None:
            # A transaction that reads first and writes later can't wait for its turn: SQLite refuses it.
            connection.exec_driver_sql("BEGIN IMMEDIATE" if is_for_writing(connection) else "BEGIN")

        @sa.event.listens_for(made, "before_cursor_execute", retval=True)
        def _escape(_c: Any, _k: Any, statement: str, values: Any, _x: Any, many: bool) -> tuple[str, Any]:
            return statement, [_escaped(row) for row in values] if many else _escaped(values)

        return made

    def _connect(self, readonly: bool) -> sqlite3.Connection:
        place = f"file:{url_quote(os.fsencode(self.path.resolve()))}"
        if readonly:
            mode = "?mode=ro" if self.is_writable() or self._has_log() else "?immutable=1"
            connection = sqlite3.connect(place + mode, uri=True, check_same_thread=False)
        else:
            connection = sqlite3.connect(place, uri=True, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            # A killed process loses nothing by this; a power cut may cost the last cells, never the database.
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA busy_timeout = 10000")
        connection.isolation_level = None  # transactions begin where we say, for DDL too
        connection.text_factory = _unescaped
        return connection

    @property
    def _log(self) -> Path:
        """WAL's own file, with what has not been moved to the database yet."""
        return self.path.with_name(f"{self.path.name}-wal")

    def _has_log(self) -> bool:
        """Then the log must be read, too. Without it, where nobody can write, the database can't change while
        we read it."""
        return self._log.exists() and self._log.stat().st_size > 0

    def explain(self, error: sa.exc.DatabaseError) -> str:
        return explain(error.orig)

    def damage(self, connection: sa.Connection) -> Iterator[str]:
        for row in connection.execute(sa.text("PRAGMA integrity_check")):
            if row[0] != "ok":
                yield f"the database is damaged: {row[0]}"

    def close(self) -> None:
        """It has no connections of its own."""

    def change_mark(self) -> object:
        marks = []
        for path in (self.path, self._log):
            try:
                status = path.stat()
                marks.append((status.st_size, status.st_mtime_ns))
            except OSError:
                marks.append((0, 0))
        return marks


def explain(error: BaseException | None) -> str:
    """What SQLite's error means for the user, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the detail in its upper bits
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return (
            "it can't be written: the disk is full or failing. Make room and run the same command again; "
            "everything done so far is kept."
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return "it can't be written; is the folder read-only? Copy the study to a place where you may write."
    if code in (sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_BUSY):
        return "another program is using it; close that program and try again."
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"it is damaged ({error}); restore it from a copy."
    return f"the database says: {error}"


def _escaped(row: Any) -> tuple[Any, ...]:
    return tuple(escaped(value) if isinstance(value, str) else value for value in row)


def _unescaped(data: bytes) -> str:
    return unescaped(data.decode("utf-8", "replace"))  # damage is found by the hash of the text
