"""Full text: which sentences have these words.

The index is filled when somebody searches, with the papers that are not in it yet: a run pays nothing for it.
On SQLite it is an FTS5 table without the text itself, which the paper has; a row's number is made of the
paper's and the sentence's. On PostgreSQL it is a table of `tsvector`s.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from vivavoce.store.sql import insert_numbered
from vivavoce.store.tables import PAPERS, SEARCHED, SENTENCE_WORDS, SENTENCES

MOST_SENTENCES = 1 << 20
"""Sentences of a paper that can be told apart."""
_WORD = re.compile(r"\w+")
_PHRASE = re.compile(r'"([^"]+)"')


class Hit(NamedTuple):
    """A sentence that was found."""

    paper: str
    """The paper's id."""
    number: int
    """The sentence's place in the paper."""
    score: float
    """The higher, the better; of one search alone."""


def is_index(table: str) -> bool:
    """Does the table belong to the index, which can be made again?"""
    return table == "searched" or table.startswith("sentence_words")


def missing(connection: sa.Connection) -> list[str]:
    """The papers that are not in the index."""
    known = sa.select(SEARCHED.c.paper)
    wanted = sa.select(PAPERS.c.id).where(PAPERS.c.id.not_in(known), PAPERS.c.unreadable == "")
    return [str(row.id) for row in connection.execute(wanted.order_by(PAPERS.c.id))]


def add(connection: sa.Connection, paper: str) -> None:
    """Adds a paper's sentences to the index."""
    number = insert_numbered(connection, SEARCHED, paper=paper)
    texts = _texts(connection, paper) if number else []
    if not texts:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(
            sa.text("INSERT INTO sentence_words VALUES (:paper, :number, to_tsvector('english', :words))"),
            # The server would take "example.org" for one word, and FTS5 for two, as it is looked for.
            [{"paper": number, "number": n, "words": " ".join(_WORD.findall(text))} for n, text in texts],
        )
    else:
        connection.execute(
            sa.text("INSERT INTO sentence_words (rowid, words) VALUES (:row, :words)"),
            [{"row": number * MOST_SENTENCES + n, "words": text} for n, text in texts],
        )


def forget(connection: sa.Connection, paper: str) -> None:
    """Takes a paper out of the index; before its text changes, which tells what is in there."""
    number = connection.execute(sa.select(SEARCHED.c.number).where(SEARCHED.c.paper == paper)).scalar()
    if number is None:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(sa.delete(SENTENCE_WORDS).where(SENTENCE_WORDS.c.paper == number))
    elif texts := _texts(connection, paper):
        connection.execute(
            sa.text(
                "INSERT INTO sentence_words (sentence_words, rowid, words) VALUES ('delete', :row, :words)"
            ),
            [{"row": number * MOST_SENTENCES + n, "words": text} for n, text in texts],
        )
    connection.execute(sa.delete(SEARCHED).where(SEARCHED.c.number == number))


def find(connection: sa.Connection, text: str, most: int) -> list[Hit]:
    """The sentences that have most of the text's words, best first. Words in double quotes stand together."""
    phrases = [words for phrase in _PHRASE.findall(text) if (words := _WORD.findall(phrase))]
    phrases += [[word] for word in _WORD.findall(_PHRASE.sub(" ", text))]
    if not phrases:
        return []
    find_in = _find_postgresql if connection.dialect.name == "postgresql" else _find_sqlite
    return find_in(connection, phrases, most)


def _find_sqlite(connection: sa.Connection, phrases: Sequence[Sequence[str]], most: int) -> list[Hit]:
    wanted = " OR ".join('"{}"'.format(" ".join(words)) for words in phrases)
    rows = connection.execute(
        sa.text(
            "SELECT s.paper, w.rowid % :sentences AS number, w.rank FROM sentence_words w "
            "JOIN searched s ON s.number = w.rowid / :sentences WHERE sentence_words MATCH :wanted "
            "ORDER BY w.rank, s.paper, number LIMIT :most"
        ),
        {"wanted": wanted, "sentences": MOST_SENTENCES, "most": most},
    )
    return [Hit(row.paper, row.number, -float(row.rank)) for row in rows]


def _find_postgresql(connection: sa.Connection, phrases: Sequence[Sequence[str]], most: int) -> list[Hit]:
    wanted = " || ".join(f"phraseto_tsquery('english', :p{n})" for n in range(len(phrases)))
    rows = connection.execute(
        sa.text(
            f"SELECT s.paper, w.number, ts_rank(w.words, {wanted}, 1) AS rank FROM sentence_words w "
            f"JOIN searched s ON s.number = w.paper WHERE w.words @@ ({wanted}) "
            "ORDER BY rank DESC, s.paper, w.number LIMIT :most"
        ),
        {"most": most, **{f"p{n}": " ".join(words) for n, words in enumerate(phrases)}},
    )
    return [Hit(row.paper, row.number, float(row.rank)) for row in rows]


def _texts(connection: sa.Connection, paper: str) -> list[tuple[int, str]]:
    """The paper's sentences as they are read: a row of a table with its heads."""
    text = connection.execute(sa.select(PAPERS.c.text).where(PAPERS.c.id == paper)).scalar() or ""
    columns = (SENTENCES.c.number, SENTENCES.c.start, SENTENCES.c.end, SENTENCES.c.reading)
    rows = connection.execute(sa.select(*columns).where(SENTENCES.c.paper == paper))
    return [(row.number, row.reading or text[row.start : row.end]) for row in rows]
