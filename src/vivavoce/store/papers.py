"""The study's files, and the papers that were read from them."""

import json
import zlib
from typing import Any

import sqlalchemy as sa

from vivavoce.records import Paper, PaperInfo
from vivavoce.store import convert, decisions, search, states
from vivavoce.store.entries import File
from vivavoce.store.sql import DamagedRow, insert_many, insert_new, insert_or_replace
from vivavoce.store.tables import ANSWERS, EVIDENCE, FILES, PAPERS, SENTENCES


def set_file(connection: sa.Connection, file: File) -> None:
    insert_or_replace(connection, FILES, "path", **file._asdict())


def remove_file(connection: sa.Connection, path: str) -> None:
    connection.execute(sa.delete(FILES).where(FILES.c.path == path))


def files(connection: sa.Connection) -> list[File]:
    rows = connection.execute(sa.select(FILES).order_by(FILES.c.name, FILES.c.path)).all()
    return [File._make(row) for row in rows]


def file(connection: sa.Connection, path: str) -> File | None:
    row = connection.execute(sa.select(FILES).where(FILES.c.path == path)).one_or_none()
    return None if row is None else File._make(row)


def add(connection: sa.Connection, paper: Paper) -> None:
    """Adds the paper unless it is known. A paper without usable text is replaced by one that has text."""
    before = sa.delete(PAPERS).where(PAPERS.c.id == paper.id, PAPERS.c.unreadable != "")
    if not paper.unreadable and connection.execute(before).rowcount:
        connection.execute(sa.delete(SENTENCES).where(SENTENCES.c.paper == paper.id))
    if insert_new(connection, PAPERS, **convert.of_paper(paper)) and paper.sentences:
        insert_many(connection, SENTENCES, convert.of_sentences(paper))


def parsers(connection: sa.Connection) -> dict[str, tuple[str, str]]:
    """The format of each paper, and which version of the format's reader read it, by the paper's id."""
    columns = (PAPERS.c.id, PAPERS.c.format, PAPERS.c.parsed_by)
    return {row.id: (row.format, row.parsed_by) for row in connection.execute(sa.select(*columns))}


def replace(connection: sa.Connection, paper: Paper) -> bool:
    """Replaces a paper by a newer reading of the same file. When its text differs, its answers are deleted,
    since their quotes are places in the old text. A paper with people's quotes that the new text doesn't have
    at their places is left as it is: was it replaced?"""
    text = connection.execute(sa.select(PAPERS.c.text).where(PAPERS.c.id == paper.id)).scalar()
    if text != paper.text:
        if not decisions.quotes_hold(connection, paper.id, paper.text):
            return False
        numbers = sa.select(ANSWERS.c.number).where(ANSWERS.c.paper == paper.id)
        connection.execute(sa.delete(EVIDENCE).where(EVIDENCE.c.answer.in_(numbers)))
        connection.execute(sa.delete(ANSWERS).where(ANSWERS.c.paper == paper.id))
    states.forget(connection, paper.id)
    search.forget(connection, paper.id)
    connection.execute(sa.delete(SENTENCES).where(SENTENCES.c.paper == paper.id))
    connection.execute(sa.delete(PAPERS).where(PAPERS.c.id == paper.id))
    add(connection, paper)
    return True


def get(connection: sa.Connection, id: str, file: str) -> Paper | None:
    row = connection.execute(sa.select(PAPERS).where(PAPERS.c.id == id)).one_or_none()
    if row is None:
        return None
    found = connection.execute(
        sa.select(SENTENCES).where(SENTENCES.c.paper == id).order_by(SENTENCES.c.number)
    ).all()
    return convert.paper(row, found, _layout(row.layout), file)


def text(connection: sa.Connection, id: str) -> tuple[str, int]:
    """The paper's text, and how many sentences it has."""
    found = connection.execute(sa.select(PAPERS.c.text).where(PAPERS.c.id == id)).scalar_one()
    count = sa.select(sa.func.count()).where(SENTENCES.c.paper == id)
    return str(found), int(connection.execute(count).scalar_one())


def scanned_lines(connection: sa.Connection, id: str) -> list[list[Any]]:
    layout = connection.execute(sa.select(PAPERS.c.layout).where(PAPERS.c.id == id)).scalar_one()
    return list(_layout(layout)["scanned"])


def is_readable(connection: sa.Connection, id: str) -> bool:
    readable = (PAPERS.c.id == id, PAPERS.c.unreadable == "")
    return connection.execute(sa.select(PAPERS.c.id).where(*readable)).first() is not None


def infos(connection: sa.Connection) -> list[PaperInfo]:
    names = ("id", "title", "doi", "year", "pages", "warnings", "journal")
    columns = [PAPERS.c[name] for name in names]
    known = {row.id: row for row in connection.execute(sa.select(*columns))}
    found: dict[str, PaperInfo] = {}
    for file in files(connection):
        row = known.get(file.paper or "")
        if row is not None:
            warnings = convert.warnings(row.warnings)
            about = (row.title, row.doi, row.year, row.pages, warnings, row.journal)
            found.setdefault(row.id, PaperInfo(row.id, file.name, *about))
        else:
            found.setdefault(file.paper or file.path, PaperInfo(file.paper or "", file.name))
    return list(found.values())


def _layout(packed: bytes) -> dict[str, Any]:
    try:
        return dict(json.loads(zlib.decompress(packed)))
    except (zlib.error, ValueError) as error:
        raise DamagedRow(str(error)) from error
