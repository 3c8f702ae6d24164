"""Is what the store holds still what was read and answered?"""

from collections.abc import Iterator

import sqlalchemy as sa

from vivavoce.store import convert
from vivavoce.store.tables import ANSWERS, EVIDENCE, PAPERS


def problems(connection: sa.Connection) -> Iterator[str]:
    """Texts that have changed, quotes that are not in them, quotes that belong to no answer."""
    for paper in connection.execute(sa.select(PAPERS.c.id, PAPERS.c.text, PAPERS.c.text_hash)):
        if convert.hash_of(paper.text) != paper.text_hash:
            yield f"paper {paper.id[:12]}: its text has changed since it was read"
    quotes = connection.execute(
        sa.select(EVIDENCE.c.quote, EVIDENCE.c.start, EVIDENCE.c.end, ANSWERS.c.paper, ANSWERS.c.reader)
        .join_from(EVIDENCE, ANSWERS, EVIDENCE.c.answer == ANSWERS.c.number)
        .order_by(ANSWERS.c.paper)
    )
    id, text = "", ""
    for row in quotes:
        if row.paper != id:
            wanted = sa.select(PAPERS.c.text).where(PAPERS.c.id == row.paper)
            id, text = row.paper, connection.execute(wanted).scalar() or ""
        if text[row.start : row.end] != row.quote:
            yield f"paper {id[:12]}: a quote of {row.reader} is not in its text at {row.start}"
    orphans = sa.select(sa.func.count()).where(EVIDENCE.c.answer.not_in(sa.select(ANSWERS.c.number)))
    if lost := connection.execute(orphans).scalar():
        yield f"{lost} quotes belong to no answer"
