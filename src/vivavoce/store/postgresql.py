"""A study's database on a PostgreSQL server: how it is opened, and what its errors mean.

Several runs and many reviewers write at once. A database holds one study for each schema: `?schema=NAME`
behind the URL says which, otherwise it is the user's default schema. The password is best left to libpq
(`PGPASSWORD`, `~/.pgpass`).
"""

import re
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import InputError, MissingExtra, StudyError
from vivavoce.store.letters import escaped, unescaped
from vivavoce.store.sql import is_alone, is_for_writing

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_CHANGED = sa.text(
    "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() "
    "ELSE pg_current_wal_insert_lsn() END::text"
)
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('vivavoce'), hashtext(current_schema()))"
_WRITABLE = sa.text(
    "SELECT NOT pg_is_in_recovery() AND (to_regclass('answers') IS NULL "
    "OR has_table_privilege(to_regclass('answers')::oid, 'INSERT'))"
)


class PostgreSQLDatabase:
    """The study at a PostgreSQL URL."""

    several_runs = True

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise MissingExtra("PostgreSQL needs an extra: pip install 'vivavoce[postgres]'.") from None
        try:
            given = sa.make_url(url)
        except (sa.exc.ArgumentError, ValueError):
            raise InputError("the database URL can't be understood; write postgresql://HOST/NAME.") from None
        schema = given.query.get("schema", "")
        if schema and (not isinstance(schema, str) or not _SCHEMA.fullmatch(schema)):
            raise InputError(f"schema={schema}: a schema's name has small letters, digits and '_'.")
        self._schema = str(schema)
        self._given = given
        self._url = given.difference_update_query(["schema"]).set(drivername="postgresql+psycopg")
        self._looking: sa.Engine | None = None

    @property
    def name(self) -> str:
        return self._given._replace(drivername="postgresql", password=None).render_as_string()

    def exists(self) -> bool:
        return bool(self._ask(sa.text("SELECT to_regclass('schema_steps') IS NOT NULL")))

    def is_writable(self) -> bool:
        return bool(self._ask(_WRITABLE))

    def change_mark(self) -> object:
        return self._ask(_CHANGED)

    def damage(self, _: sa.Connection) -> Iterator[str]:
        """The server checks its files itself."""
        return iter(())

    def engine(self, readonly: bool = False) -> sa.Engine:
        path = f" -csearch_path={self._schema}" if self._schema else ""
        mode = " -cdefault_transaction_read_only=on" if readonly else ""
        made = sa.create_engine(
            self._url,
            connect_args={"options": f"{path}{mode}".strip(), "application_name": "vivavoce"},
            pool_pre_ping=True,  # after the server was restarted
        )
        sa.event.listen(made, "connect", _adapt)
        if self._schema and not readonly:
            sa.event.listen(made, "first_connect", self._make_schema, insert=True)

        @sa.event.listens_for(made, "begin")
        def _begin(connection: sa.Connection) -> None:
            if is_for_writing(connection) and is_alone(connection):
                connection.exec_driver_sql(_ALONE)

        return made

    def _make_schema(self, connection: Any, _: Any) -> None:
        """Before the first look: the study's tables are made in it."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (self._schema,))
            if cursor.fetchone() is None:
                cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
        connection.commit()

    def _ask(self, question: sa.TextClause) -> Any:
        self._looking = self._looking or self.engine(readonly=True)
        try:
            with self._looking.connect() as connection:
                return connection.execute(question).scalar()
        except sa.exc.DatabaseError as error:
            raise StudyError(f"{self.name}: {self.explain(error)}") from error

    def close(self) -> None:
        if self._looking is not None:
            self._looking.dispose()

    def explain(self, error: sa.exc.DatabaseError) -> str:
        return explain(error.orig)


def _adapt(connection: Any, _: Any) -> None:
    """Text goes in and comes out with what the server doesn't take escaped; see `letters`."""
    from psycopg.types.string import StrDumperUnknown, TextLoader

    class Dumper(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(escaped(obj))

    class Loader(TextLoader):
        def load(self, data: Any) -> Any:
            text = super().load(data)
            return unescaped(text) if isinstance(text, str) else text

    connection.adapters.register_dumper(str, Dumper)
    connection.adapters.register_loader("text", Loader)


def explain(error: BaseException | None) -> str:
    """What the server's error means for the user, and what to do."""
    state = getattr(error, "sqlstate", None) or ""
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if state == "3D000" or re.search(r'database ".*" does not exist', said):
        return "there is no such database on the server; create it (createdb NAME)."
    if state in ("42501", "25006"):
        return f"this user may not write there ({said}); ask for the right to, or copy the study (viva copy)."
    if state == "53100":
        return "it can't be written: the server's disk is full. Everything done so far is kept."
    if state.startswith("57P"):
        return "the server has ended the connection; give the same command again."
    if not state or state.startswith(("08", "28")):
        return (
            f"can't be reached ({said}); is the server running, and are host, port and user right? "
            "The password is taken from PGPASSWORD or ~/.pgpass."
        )
    return f"the database says: {said}"
