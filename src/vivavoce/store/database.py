"""How the database is opened, and what its errors mean. No table is known here."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import sqlalchemy as sa

from vivavoce.errors import VivaError
from vivavoce.store.migrations import STEPS, applied


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
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
    place = f"file:{url_quote(os.fsencode(path.resolve()))}"

    def connect() -> sqlite3.Connection:
        if readonly:
            mode = "?mode=ro" if writable(path) or _has_log(path) else "?immutable=1"
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

    made = sa.create_engine("sqlite://", creator=connect, poolclass=sa.pool.QueuePool)

    @sa.event.listens_for(made, "begin")
    def _begin(connection: sa.Connection) -> None:
        # Who means to write says so at once: a transaction that has read first could not wait for its turn.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write(connection) else "BEGIN")

    @sa.event.listens_for(made, "before_cursor_execute", retval=True)
    def _escape(_c: Any, _k: Any, statement: str, values: Any, _x: Any, many: bool) -> tuple[str, Any]:
        return statement, [_escaped(row) for row in values] if many else _escaped(values)

    return made


def to_write(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that write."""
    return engine.execution_options(viva_write=True)


def is_write(connection: sa.Connection) -> bool:
    return bool(connection.get_execution_options().get("viva_write"))


def _has_log(path: Path) -> bool:
    """Is there something in WAL's own file that is not in the database yet? Then that file must be read,
    too. Else, where nobody can write, the database alone is all there is, and can't change under us."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


# A file's name may hold bytes that are no text, which Python has as lone surrogates; a database takes no such
# thing. They are kept as four hexadecimal digits behind a mark that is no character.
_MARK = "\uffff"
_NO_TEXT = re.compile("[\ud800-\udfff\uffff]")
_ESCAPE = re.compile("\uffff([0-9a-f]{4})")


def _escaped(row: Any) -> tuple[Any, ...]:
    return tuple(
        _NO_TEXT.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", value) if isinstance(value, str) else value
        for value in row
    )


def _unescaped(data: bytes) -> str:
    text = data.decode("utf-8", "replace")  # damage is found by the hash of the text
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if _MARK in text else text


def check_version(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        done = applied(connection)
    if done != len(STEPS):
        raise VivaError(
            f"its schema ({done}) is not this version's ({len(STEPS)}), and it can't be changed here; copy "
            "the study to a place where you may write, or install the version it was made with."
        )
