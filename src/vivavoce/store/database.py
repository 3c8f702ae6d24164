"""Which database a study's location means, and what the store needs of one.

A location is a study's folder, which holds a SQLite file, or a database URL. Nobody else knows the name of
the file. A further kind of database is a class with the methods of `Database`, under its URL's scheme in
`KINDS`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from vivavoce.errors import StudyError
from vivavoce.store.migrations import STEPS, applied
from vivavoce.store.sql import DamagedRow
from vivavoce.store.sqlite import SQLiteDatabase

DATABASE_FILE = "viva.db"
"""The SQLite file in a study's folder."""


class Database(Protocol):
    """Where a study's tables are kept."""

    @property
    def name(self) -> str:
        """What messages call it: a path or a URL without its password."""

    def exists(self) -> bool:
        """Is there a database, of whatever content?"""

    def is_writable(self) -> bool:
        """May we write to it, or create it?"""

    def engine(self, readonly: bool) -> sa.Engine:
        """SQLAlchemy's engine. A transaction of `for_writing(engine)` waits for its turn to write."""

    def explain(self, error: sa.exc.DatabaseError) -> str:
        """What an error means for the user, and what to do."""

    def damage(self, connection: sa.Connection) -> Iterator[str]:
        """What the database itself finds wrong with its files."""

    def change_mark(self) -> object:
        """A value that differs after anybody has written to the database."""


def _sqlite(url: str) -> Database:
    path = sa.make_url(url).database
    if not path:
        raise StudyError(f"{url}: names no file; write sqlite:///PATH.")
    return SQLiteDatabase(Path(path))


KINDS: dict[str, Callable[[str], Database]] = {"sqlite": _sqlite}
"""Databases by the scheme of their URLs."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://")


def find_database(location: str | Path) -> Database:
    """The database of a study's folder, or of a database URL. It need not exist."""
    if isinstance(location, str) and (url := _SCHEME.match(location)):
        scheme = url[1].partition("+")[0]
        if scheme not in KINDS:
            known = ", ".join(f"{kind}://" for kind in KINDS)
            raise StudyError(
                f"a study can't be kept in a {scheme}:// database yet; name a folder, or use {known}."
            )
        return KINDS[scheme](location)
    folder = Path(location)
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file; name the study's folder.")
    return SQLiteDatabase(folder / DATABASE_FILE)


@contextmanager
def translate_errors(database: Database) -> Iterator[None]:
    """Raises the database's errors as `VivaError`, in words that say what to do."""
    try:
        yield
    except sa.exc.DatabaseError as error:
        raise StudyError(f"{database.name}: {database.explain(error)}") from error
    except DamagedRow as error:
        raise StudyError(f"{database.name}: it is damaged ({error}); restore it from a copy.") from error


def check_version(engine: sa.Engine) -> None:
    """Refuses a schema that is not this version's, where it can't be migrated."""
    with engine.connect() as connection:
        done = applied(connection)
    if done != len(STEPS):
        raise StudyError(
            f"its schema ({done}) is not this version's ({len(STEPS)}), and it can't be changed here; copy "
            "the study to a place where you may write, or install the version it was made with."
        )
