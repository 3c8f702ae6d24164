"""The store's schema, as numbered steps: each is done once, in one transaction with the note that it was.

A step that has shipped is never edited; a change is a new step. Tables are declared here as they were at
that step, so that what a step does never depends on what the store looks like today.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import VivaError
from vivavoce.store.sql import for_writing

Step = Callable[[sa.Connection], None]

SCHEMA = sa.table("schema_steps", sa.column("number"), sa.column("at"))


def _first(connection: sa.Connection) -> None:
    tables = sa.MetaData()
    text, number = sa.Text, sa.Integer

    def column(name: str, kind: Any, primary_key: bool = False, nullable: bool = False) -> sa.Column[Any]:
        return sa.Column(name, kind, primary_key=primary_key, nullable=nullable)

    sa.Table("meta", tables, column("key", text, primary_key=True), column("value", text))
    sa.Table(
        "papers",
        tables,
        column("id", text, primary_key=True),
        column("format", text),
        column("title", text),
        column("doi", text),
        column("year", number, nullable=True),
        column("pages", number),
        column("unreadable", text),
        column("text", text),
        column("text_hash", text),
        column("layout", sa.LargeBinary),
        column("parsed_by", text),
    )
    sa.Table(
        "sentences",
        tables,
        column("paper", text, primary_key=True),
        column("number", number, primary_key=True),
        column("start", number),
        column("end", number),
        column("page", number),
        column("kind", text),
        column("section", text),
        column("reading", text),
    )
    sa.Table(
        "files",
        tables,
        column("path", text, primary_key=True),
        column("name", text),
        column("paper", text, nullable=True),
        column("reason", text),
        column("size", number),
        column("changed", sa.BigInteger),
    )
    sa.Table("questions", tables, column("key", text, primary_key=True), column("text", text))
    sa.Table(
        "asked",
        tables,
        column("position", number, primary_key=True),
        column("question", text),
        column("id", text),
        column("detail", text),
    )
    sa.Table(
        "readers",
        tables,
        column("position", number, primary_key=True),
        column("name", text),
        column("version", text),
    )
    sa.Table(
        "answers",
        tables,
        column("number", number, primary_key=True),
        column("paper", text),
        column("question", text),
        column("reader", text),
        column("version", text),
        column("status", text),
        column("text", text),
        column("confidence", sa.Double),
        column("reason", text),
        column("detail", text),
        column("run", number),
        column("at", text),
        sa.UniqueConstraint("paper", "question", "reader", "version", name="one_answer_per_cell"),
    )
    sa.Table(
        "evidence",
        tables,
        column("answer", number, primary_key=True),
        column("rank", number, primary_key=True),
        column("quote", text),
        column("page", number),
        column("match", text),
        column("start", number),
        column("end", number),
        column("score", sa.Double),
        column("reading", text),
        column("boxes", text),
    )
    sa.Table(
        "failures",
        tables,
        column("number", number, primary_key=True),
        column("path", text),
        column("paper", text, nullable=True),
        column("question", text, nullable=True),
        column("reader", text, nullable=True),
        column("reason", text),
        column("run", number),
        column("at", text),
    )
    sa.Table(
        "replies",
        tables,
        column("number", number, primary_key=True),
        column("prompt", text),
        column("reader", text),
        column("version", text),
        column("body", text),
        column("detail", text),
        column("at", text),
    )
    sa.Table(
        "decisions",
        tables,
        column("number", number, primary_key=True),
        column("paper", text),
        column("question", text),
        column("reviewer", text),
        column("status", text),
        column("text", text),
        column("evidence", text),
        column("reason", text),
        column("undoes", number, nullable=True),
        column("at", text),
    )
    sa.Table(
        "runs",
        tables,
        column("number", number, primary_key=True),
        column("run", number),
        column("event", text),
        column("detail", text),
        column("at", text),
    )
    sa.Index("failures_by_path", tables.tables["failures"].c.path)
    sa.Index("replies_by_prompt", tables.tables["replies"].c.prompt)
    sa.Index("decisions_by_cell", tables.tables["decisions"].c.paper, tables.tables["decisions"].c.question)
    tables.create_all(connection)


def _kinds_of_decisions(connection: sa.Connection) -> None:
    """A decision is one reviewer's, or settles what reviewers disagree on. None is ever changed."""
    connection.exec_driver_sql("ALTER TABLE decisions ADD COLUMN kind TEXT NOT NULL DEFAULT 'review'")
    for event in ("UPDATE", "DELETE") if connection.dialect.name == "sqlite" else ():
        connection.exec_driver_sql(
            f"CREATE TRIGGER decisions_stay_on_{event.lower()} BEFORE {event} ON decisions "
            "BEGIN SELECT RAISE(ABORT, 'decisions are never changed or deleted'); END"
        )


STEPS: tuple[Step, ...] = (_first, _kinds_of_decisions)


def applied(connection: sa.Connection) -> int:
    """The number of the last step that was done; 0 for an empty database."""
    if not sa.inspect(connection).has_table("schema_steps"):
        return 0
    return connection.execute(sa.select(sa.func.max(SCHEMA.c.number))).scalar() or 0


def migrate(engine: sa.Engine, steps: Sequence[Step] = STEPS) -> None:
    """Does the steps that are missing. A database from a later version is refused."""
    with engine.connect() as connection:
        done = applied(connection)
    if done > len(steps):
        raise VivaError(
            f"this study was made by a newer version of vivavoce (its store has schema {done}, this version "
            f"knows {len(steps)}); install the newer version: pip install -U vivavoce."
        )
    for number, step in enumerate(steps[done:], done + 1):
        with for_writing(engine).begin() as connection:
            if applied(connection) >= number:
                continue  # somebody else did it, while we waited for our turn
            if number == 1:
                schema = sa.MetaData()
                sa.Table(
                    "schema_steps",
                    schema,
                    sa.Column("number", sa.Integer, primary_key=True),
                    sa.Column("at", sa.Text, nullable=False),
                )
                schema.create_all(connection)
            step(connection)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute(sa.insert(SCHEMA).values(number=number, at=now))
