"""The store's schema, as numbered steps: each is done once, in one transaction with the note that it was.

A step that has shipped is never edited; a change is a new step. Tables are declared here as they were at
that step, so that what a step does never depends on what the store looks like today.
"""

import json
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import StudyError
from vivavoce.store.sql import for_writing

Step = Callable[[sa.Connection], None]

SCHEMA = sa.table("schema_steps", sa.column("number"), sa.column("at"))
TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Ordered by its letters' codes in every database, so that exports have one order."""


def _column(name: str, kind: Any, primary_key: bool = False, nullable: bool = False) -> sa.Column[Any]:
    kind = TEXT if kind is sa.Text else kind
    return sa.Column(name, kind, primary_key=primary_key, nullable=nullable)


def _first(connection: sa.Connection) -> None:
    tables = sa.MetaData()
    for declare in (_papers, _questions_and_readers, _answers, _decisions_and_runs):
        declare(tables)
    sa.Index("failures_by_path", tables.tables["failures"].c.path)
    sa.Index("replies_by_prompt", tables.tables["replies"].c.prompt)
    sa.Index("decisions_by_cell", tables.tables["decisions"].c.paper, tables.tables["decisions"].c.question)
    tables.create_all(connection)


def _papers(tables: sa.MetaData) -> None:
    sa.Table("meta", tables, _column("key", sa.Text, primary_key=True), _column("value", sa.Text))
    sa.Table(
        "papers",
        tables,
        _column("id", sa.Text, primary_key=True),
        _column("format", sa.Text),
        _column("title", sa.Text),
        _column("doi", sa.Text),
        _column("year", sa.Integer, nullable=True),
        _column("pages", sa.Integer),
        _column("unreadable", sa.Text),
        _column("text", sa.Text),
        _column("text_hash", sa.Text),
        _column("layout", sa.LargeBinary),
        _column("parsed_by", sa.Text),
    )
    sa.Table(
        "sentences",
        tables,
        _column("paper", sa.Text, primary_key=True),
        _column("number", sa.Integer, primary_key=True),
        _column("start", sa.Integer),
        _column("end", sa.Integer),
        _column("page", sa.Integer),
        _column("kind", sa.Text),
        _column("section", sa.Text),
        _column("reading", sa.Text),
    )
    sa.Table(
        "files",
        tables,
        _column("path", sa.Text, primary_key=True),
        _column("name", sa.Text),
        _column("paper", sa.Text, nullable=True),
        _column("reason", sa.Text),
        _column("size", sa.Integer),
        _column("changed", sa.BigInteger),
    )


def _questions_and_readers(tables: sa.MetaData) -> None:
    sa.Table("questions", tables, _column("key", sa.Text, primary_key=True), _column("text", sa.Text))
    sa.Table(
        "asked",
        tables,
        _column("position", sa.Integer, primary_key=True),
        _column("question", sa.Text),
        _column("id", sa.Text),
        _column("detail", sa.Text),
    )
    sa.Table(
        "readers",
        tables,
        _column("position", sa.Integer, primary_key=True),
        _column("name", sa.Text),
        _column("version", sa.Text),
    )


def _answers(tables: sa.MetaData) -> None:
    sa.Table(
        "answers",
        tables,
        _column("number", sa.Integer, primary_key=True),
        _column("paper", sa.Text),
        _column("question", sa.Text),
        _column("reader", sa.Text),
        _column("version", sa.Text),
        _column("status", sa.Text),
        _column("text", sa.Text),
        _column("confidence", sa.Double),
        _column("reason", sa.Text),
        _column("detail", sa.Text),
        _column("run", sa.Integer),
        _column("at", sa.Text),
        sa.UniqueConstraint("paper", "question", "reader", "version", name="one_answer_per_cell"),
    )
    sa.Table(
        "evidence",
        tables,
        _column("answer", sa.Integer, primary_key=True),
        _column("rank", sa.Integer, primary_key=True),
        _column("quote", sa.Text),
        _column("page", sa.Integer),
        _column("match", sa.Text),
        _column("start", sa.Integer),
        _column("end", sa.Integer),
        _column("score", sa.Double),
        _column("reading", sa.Text),
        _column("boxes", sa.Text),
    )
    sa.Table(
        "failures",
        tables,
        _column("number", sa.Integer, primary_key=True),
        _column("path", sa.Text),
        _column("paper", sa.Text, nullable=True),
        _column("question", sa.Text, nullable=True),
        _column("reader", sa.Text, nullable=True),
        _column("reason", sa.Text),
        _column("run", sa.Integer),
        _column("at", sa.Text),
    )
    sa.Table(
        "replies",
        tables,
        _column("number", sa.Integer, primary_key=True),
        _column("prompt", sa.Text),
        _column("reader", sa.Text),
        _column("version", sa.Text),
        _column("body", sa.Text),
        _column("detail", sa.Text),
        _column("at", sa.Text),
    )


def _decisions_and_runs(tables: sa.MetaData) -> None:
    sa.Table(
        "decisions",
        tables,
        _column("number", sa.Integer, primary_key=True),
        _column("paper", sa.Text),
        _column("question", sa.Text),
        _column("reviewer", sa.Text),
        _column("status", sa.Text),
        _column("text", sa.Text),
        _column("evidence", sa.Text),
        _column("reason", sa.Text),
        _column("undoes", sa.Integer, nullable=True),
        _column("at", sa.Text),
    )
    sa.Table(
        "runs",
        tables,
        _column("number", sa.Integer, primary_key=True),
        _column("run", sa.Integer),
        _column("event", sa.Text),
        _column("detail", sa.Text),
        _column("at", sa.Text),
    )


def _kinds_of_decisions(connection: sa.Connection) -> None:
    """A decision is one reviewer's, or settles what reviewers disagree on. None is ever changed."""
    connection.exec_driver_sql("ALTER TABLE decisions ADD COLUMN kind TEXT NOT NULL DEFAULT 'review'")
    _rows_stay(connection, "decisions")


def _calibrations(connection: sa.Connection) -> None:
    """What people's decisions taught the readers. None is ever changed."""
    tables = sa.MetaData()
    sa.Table(
        "calibrations",
        tables,
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("calibration", sa.Integer, nullable=False),
        sa.Column("reader", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("offset", sa.Double, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("accuracy_before", sa.Double, nullable=False),
        sa.Column("accuracy_after", sa.Double, nullable=False),
        sa.Column("log_loss_before", sa.Double, nullable=False),
        sa.Column("log_loss_after", sa.Double, nullable=False),
        sa.Column("undoes", sa.Integer, nullable=True),
        sa.Column("at", sa.Text, nullable=False),
    )
    tables.create_all(connection)
    _rows_stay(connection, "calibrations")


def _rows_stay(connection: sa.Connection, table: str) -> None:
    """The database refuses to change or delete the table's rows."""
    refusal = f"{table} are never changed or deleted"
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(
            f"CREATE FUNCTION {table}_stay() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{refusal}'; END $$"
        )
        connection.exec_driver_sql(
            f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_stay()"
        )
        return
    for event in ("UPDATE", "DELETE"):
        connection.exec_driver_sql(
            f"CREATE TRIGGER {table}_stay_on_{event.lower()} BEFORE {event} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
        )


def _warnings_of_papers(connection: sa.Connection) -> None:
    """What there is to know about a paper is in a column of its own, so that results have it without the
    paper's layout. What was said before has no kinds."""
    connection.exec_driver_sql("ALTER TABLE papers ADD COLUMN warnings TEXT NOT NULL DEFAULT '[]'")
    papers = sa.table("papers", sa.column("id"), sa.column("layout"), sa.column("warnings"))
    for row in connection.execute(sa.select(papers.c.id, papers.c.layout)).all():
        try:
            said = json.loads(zlib.decompress(row.layout)).get("warnings", [])
        except (zlib.error, ValueError):
            continue  # a damaged row stays as it is; `viva doctor` names it
        kept = json.dumps([["other", text] for text in said], ensure_ascii=False)
        connection.execute(sa.update(papers).where(papers.c.id == row.id).values(warnings=kept))


def _values(connection: sa.Connection) -> None:
    """People choose codes, and papers know their journal. Readers' values are in the details of answers."""
    connection.exec_driver_sql("ALTER TABLE decisions ADD COLUMN value TEXT NOT NULL DEFAULT '[]'")
    connection.exec_driver_sql("ALTER TABLE papers ADD COLUMN journal TEXT NOT NULL DEFAULT ''")


def _claims(connection: sa.Connection) -> None:
    """Who works on which file, where several runs share a study."""
    tables = sa.MetaData()
    sa.Table(
        "claims",
        tables,
        _column("path", sa.Text, primary_key=True),
        _column("run", sa.Integer),
        _column("at", sa.Text),
    )
    tables.create_all(connection)
    if connection.dialect.name == "postgresql":  # SQLite's whole numbers are large anyway
        connection.exec_driver_sql("ALTER TABLE files ALTER COLUMN size TYPE BIGINT")


def _search(connection: sa.Connection) -> None:
    """The words of sentences, to search in. `search` fills this in when somebody searches."""
    tables = sa.MetaData()
    sa.Table(
        "searched",
        tables,
        _column("number", sa.Integer, primary_key=True),
        sa.Column("paper", TEXT, nullable=False, unique=True),
    )
    tables.create_all(connection)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(
            "CREATE TABLE sentence_words (paper INTEGER, number INTEGER, words TSVECTOR NOT NULL, "
            "PRIMARY KEY (paper, number))"
        )
        connection.exec_driver_sql("CREATE INDEX sentence_words_by_word ON sentence_words USING gin (words)")
    else:
        connection.exec_driver_sql(
            "CREATE VIRTUAL TABLE sentence_words USING fts5(words, content='', tokenize='porter unicode61')"
        )


def _states(connection: sa.Connection) -> None:
    """What the built-in reader's encoder made of papers, where it is kept."""
    tables = sa.MetaData()
    for name in ("states", "vectors"):
        sa.Table(
            name,
            tables,
            _column("paper", sa.Text, primary_key=True),
            _column("encoder", sa.Text, primary_key=True),
            _column("data", sa.LargeBinary),
        )
    tables.create_all(connection)


STEPS: tuple[Step, ...] = (
    _first,
    _kinds_of_decisions,
    _calibrations,
    _warnings_of_papers,
    _values,
    _claims,
    _search,
    _states,
)


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
        raise StudyError(
            f"this study was made by a newer version of vivavoce (its store has schema {done}, this version "
            f"knows {len(steps)}); install the newer version: pip install -U vivavoce."
        )
    for number, step in enumerate(steps[done:], done + 1):
        with for_writing(engine, alone=True).begin() as connection:
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
