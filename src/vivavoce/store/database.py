"""Which database a study's location means, and what the store needs of one.

A location is a study's folder, or a database URL. A folder holds a SQLite file, unless its `study.toml` has
the URL of another database (`store = "postgresql://..."`). Nobody else knows the name of the file. A further
kind of database is a class with the methods of `Database`, under its URL's scheme in `KINDS`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeGuard

import sqlalchemy as sa

from vivavoce.errors import StudyError
from vivavoce.store.migrations import STEPS, applied
from vivavoce.store.sql import DamagedRow
from vivavoce.store.sqlite import SQLiteDatabase

DATABASE_FILE = "viva.db"
"""The SQLite file in a study's folder."""
DEFINITION = "study.toml"
"""The file in a study's folder that people may edit; `study.folder` reads the rest of it."""


class Database(Protocol):
    """Where a study's tables are kept."""

    several_runs: bool
    """May several runs work on the study at once? They claim papers then."""

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

    def close(self) -> None:
        """Lets go of its own connections."""


def _sqlite(url: str) -> Database:
    path = sa.make_url(url).database
    if not path:
        raise StudyError(f"{url}: names no file; write sqlite:///PATH.")
    return SQLiteDatabase(Path(path))


def _postgresql(url: str) -> Database:
    from vivavoce.store.postgresql import PostgreSQLDatabase

    return PostgreSQLDatabase(url)


KINDS: dict[str, Callable[[str], Database]] = {"sqlite": _sqlite, "postgresql": _postgresql}
"""Databases by the scheme of their URLs."""
_STORE = re.compile(r"^\s*store\s*=", re.MULTILINE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://")


def find_database(location: str | Path) -> Database:
    """The database of a study's folder, or of a database URL. It need not exist."""
    if is_url(location):
        scheme = str(location).partition("://")[0].partition("+")[0]
        if scheme not in KINDS:
            known = ", ".join(f"{kind}://" for kind in KINDS)
            raise StudyError(
                f"a study can't be kept in a {scheme}:// database yet; name a folder, or use {known}."
            )
        return KINDS[scheme](str(location))
    folder = Path(location)
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file; name the study's folder.")
    url = url_in(folder)
    return find_database(url) if url else SQLiteDatabase(folder / DATABASE_FILE)


def is_url(location: str | Path) -> TypeGuard[str]:
    """Is it a database's URL, and no folder?"""
    return isinstance(location, str) and _SCHEME.match(location) is not None


def without_password(url: str) -> str:
    """The URL as it may be shown, and written into a file."""
    return sa.make_url(url)._replace(password=None).render_as_string()


def url_in(folder: Path) -> str:
    """The URL of the database that the folder's `study.toml` names; empty when there is none. What else is
    wrong with the file is said by whoever reads the rest of it."""
    path = folder / DEFINITION
    try:
        text = path.read_text(encoding="utf-8")
        url = tomllib.loads(text).get("store", "") if _STORE.search(text) else ""
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return ""
    if url and not (isinstance(url, str) and is_url(url)):
        raise StudyError(f"{path}: `store` is a database URL, such as postgresql://HOST/NAME, not {url!r}.")
    return str(url)


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
