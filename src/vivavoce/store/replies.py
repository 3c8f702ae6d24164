"""Language models' replies, word for word, by the hash of what was sent."""

from collections.abc import Mapping

import sqlalchemy as sa

from vivavoce.store.sql import now
from vivavoce.store.tables import REPLIES


def add(connection: sa.Connection, reader: str, version: str, replies: Mapping[str, str]) -> None:
    """Adds replies. The first reply to a prompt stays."""
    for prompt, body in replies.items():
        if get(connection, prompt) is None:
            row = {"prompt": prompt, "reader": reader, "version": version, "body": body, "detail": "{}"}
            connection.execute(sa.insert(REPLIES).values(**row, at=now()))


def get(connection: sa.Connection, prompt: str) -> str | None:
    wanted = sa.select(REPLIES.c.body).where(REPLIES.c.prompt == prompt).order_by(REPLIES.c.number).limit(1)
    return connection.execute(wanted).scalar()
