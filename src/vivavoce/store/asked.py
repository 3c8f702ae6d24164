"""What is asked now: the questions, the readers with their versions, the weights of their votes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import sqlalchemy as sa

from vivavoce.records import Level, QuestionSet, Variable
from vivavoce.store import convert
from vivavoce.store.entries import question_key
from vivavoce.store.sql import insert_new, insert_or_replace
from vivavoce.store.tables import ASKED, META, QUESTIONS, READERS


def set_questions(connection: sa.Connection, questions: QuestionSet) -> None:
    """Replaces what is asked. Questions that were asked before keep their answers."""
    connection.execute(sa.delete(ASKED))
    for position, question in enumerate(questions.questions):
        detail = {k: v for k, v in asdict(question).items() if k not in ("text", "id")}
        key = question_key(question)
        insert_new(connection, QUESTIONS, key=key, text=question.text)
        row = {"position": position, "question": key, "id": question.id, "detail": convert.to_json(detail)}
        connection.execute(sa.insert(ASKED).values(**row))
    about = asdict(questions)
    del about["questions"]
    _set_meta(connection, "questions", convert.to_json(about))


def questions(connection: sa.Connection) -> QuestionSet:
    rows = connection.execute(
        sa.select(ASKED.c.id, ASKED.c.detail, QUESTIONS.c.text)
        .join_from(ASKED, QUESTIONS, ASKED.c.question == QUESTIONS.c.key)
        .order_by(ASKED.c.position)
    ).all()
    about = json.loads(_meta(connection, "questions") or "{}")
    about["variables"] = tuple(
        Variable(**{**v, "questions": tuple(v["questions"]), "values": tuple(v.get("values", ()))})
        for v in about.get("variables", ())
    )
    about["levels"] = tuple(
        Level(**{**v, "categories": tuple(v["categories"])}) for v in about.get("levels", ())
    )
    found = tuple(convert.question(row.text, row.id, row.detail) for row in rows)
    return QuestionSet(**{"name": "", **about, "questions": found})


def set_readers(connection: sa.Connection, readers: Sequence[tuple[str, str]]) -> None:
    connection.execute(sa.delete(READERS))
    for position, (name, version) in enumerate(readers):
        connection.execute(sa.insert(READERS).values(position=position, name=name, version=version))


def readers(connection: sa.Connection) -> list[tuple[str, str]]:
    rows = connection.execute(sa.select(READERS).order_by(READERS.c.position)).all()
    return [(row.name, row.version) for row in rows]


def set_weights(connection: sa.Connection, weights: Mapping[str, float] | None) -> None:
    _set_meta(connection, "weights", convert.to_json(None if weights is None else dict(weights)))


def weights(connection: sa.Connection) -> dict[str, float] | None:
    found: dict[str, float] | None = json.loads(_meta(connection, "weights") or "null")
    return found


def set_file(connection: sa.Connection, name: str, text: str) -> None:
    """Keeps a copy of one of the study's own files."""
    _set_meta(connection, f"file:{name}", text)


def file(connection: sa.Connection, name: str) -> str | None:
    """The copy of one of the study's own files; none in a study of an older version."""
    return _meta(connection, f"file:{name}")


def _meta(connection: sa.Connection, name: str) -> str | None:
    return connection.execute(sa.select(META.c.value).where(META.c.key == name)).scalar()


def _set_meta(connection: sa.Connection, name: str, value: str) -> None:
    insert_or_replace(connection, META, "key", key=name, value=value)
