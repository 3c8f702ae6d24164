"""A study's database: what was read, asked, answered, decided, and what went wrong. SQL lives here alone.

SQLite through SQLAlchemy Core, in WAL mode: one process writes, others may look at the same time. Every
method that writes is one transaction, so that a cell is there whole or not at all, whenever the process
dies. Nothing that was answered is ever overwritten: an answer belongs to a paper (by the hash of its bytes),
a question (by its text), a reader and the reader's version; what is asked *now*, and by which versions, are
small tables of their own (`asked`, `readers`, `files`), and older answers stay.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import VivaError
from vivavoce.records import (
    Answer,
    Decision,
    DecisionKind,
    Evidence,
    Level,
    Paper,
    PaperInfo,
    Question,
    QuestionSet,
    Variable,
)
from vivavoce.store import convert, decisions
from vivavoce.store.database import check_version, engine, to_write, translate_errors, writable
from vivavoce.store.migrations import migrate
from vivavoce.store.tables import (
    ANSWERS,
    ASKED,
    DECISIONS,
    EVIDENCE,
    FAILURES,
    FILES,
    META,
    PAPERS,
    QUESTIONS,
    READERS,
    REPLIES,
    RUNS,
    SENTENCES,
    Failure,
    File,
    HistoryEntry,
    file_id,
    question_key,
)

__all__ = ["Failure", "File", "HistoryEntry", "Store", "file_id", "question_key"]


class Store:
    def __init__(self, path: Path, *, create: bool = False, readonly: bool = False) -> None:
        if not create and not path.is_file():
            raise VivaError(f"{path}: there is no study here; `viva run PAPERS... --study DIR` makes one.")
        self.path = path
        self.run = 0
        """The number of the run that writes; see `begin`."""
        readonly = readonly or not writable(path)
        self._engine = engine(path, readonly)
        try:
            with translate_errors(self.path):
                if readonly:
                    check_version(self._engine)
                else:
                    migrate(self._engine)
        except VivaError:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    # What is asked now

    def set_asked(self, questions: QuestionSet) -> None:
        """What is asked from now on. Questions that were asked before keep their answers."""
        with self._write() as connection:
            connection.execute(sa.delete(ASKED))
            for position, question in enumerate(questions.questions):
                detail = {k: v for k, v in asdict(question).items() if k not in ("text", "id")}
                _insert_new(connection, QUESTIONS, key=question_key(question), text=question.text)
                connection.execute(
                    sa.insert(ASKED).values(
                        position=position,
                        question=question_key(question),
                        id=question.id,
                        detail=convert.to_json(detail),
                    )
                )
            about = asdict(questions)
            del about["questions"]
            _put(connection, "questions", convert.to_json(about))

    def asked(self) -> QuestionSet:
        with self._read() as connection:
            raw = connection.execute(sa.select(META.c.value).where(META.c.key == "questions")).scalar()
            rows = connection.execute(
                sa.select(ASKED.c.id, ASKED.c.detail, QUESTIONS.c.text)
                .join_from(ASKED, QUESTIONS, ASKED.c.question == QUESTIONS.c.key)
                .order_by(ASKED.c.position)
            ).all()
        about = json.loads(raw or "{}")
        about["variables"] = tuple(
            Variable(**{**v, "questions": tuple(v["questions"])}) for v in about.get("variables", ())
        )
        about["levels"] = tuple(
            Level(**{**v, "categories": tuple(v["categories"])}) for v in about.get("levels", ())
        )
        questions = tuple(convert.question(row.text, row.id, row.detail) for row in rows)
        return QuestionSet(**{"name": "", **about, "questions": questions})

    def set_readers(self, readers: Sequence[tuple[str, str]]) -> None:
        """Who answers from now on: names and versions."""
        with self._write() as connection:
            connection.execute(sa.delete(READERS))
            for position, (name, version) in enumerate(readers):
                connection.execute(sa.insert(READERS).values(position=position, name=name, version=version))

    def readers(self) -> list[tuple[str, str]]:
        with self._read() as connection:
            rows = connection.execute(sa.select(READERS).order_by(READERS.c.position)).all()
        return [(row.name, row.version) for row in rows]

    def set_weights(self, weights: Mapping[str, float] | None) -> None:
        """How much each reader's vote counts from now on, by its name; none when all count the same."""
        with self._write() as connection:
            _put(connection, "weights", convert.to_json(None if weights is None else dict(weights)))

    def weights(self) -> dict[str, float] | None:
        with self._read() as connection:
            raw = connection.execute(sa.select(META.c.value).where(META.c.key == "weights")).scalar()
        found: dict[str, float] | None = json.loads(raw or "null")
        return found

    # Papers

    def set_file(self, file: File) -> None:
        """A file of the study as it is now."""
        with self._write() as connection:
            connection.execute(sa.delete(FILES).where(FILES.c.path == file.path))
            connection.execute(sa.insert(FILES).values(**file._asdict()))

    def files(self) -> list[File]:
        """In the order of their names."""
        with self._read() as connection:
            rows = connection.execute(sa.select(FILES).order_by(FILES.c.name, FILES.c.path)).all()
        return [File._make(row) for row in rows]

    def add_paper(self, paper: Paper, parsed_by: str = "") -> None:
        """The paper, unless it is there. One that had no usable text gives way to one that has."""
        with self._write() as connection:
            before = sa.delete(PAPERS).where(PAPERS.c.id == paper.id, PAPERS.c.unreadable != "")
            if not paper.unreadable and connection.execute(before).rowcount:
                connection.execute(sa.delete(SENTENCES).where(SENTENCES.c.paper == paper.id))
            if _insert_new(connection, PAPERS, **convert.of_paper(paper, parsed_by)) and paper.sentences:
                connection.execute(sa.insert(SENTENCES), convert.of_sentences(paper))

    def paper(self, id: str, file: str = "") -> Paper:
        """The paper as it was read; without its `view`."""
        with self._read() as connection:
            row = connection.execute(sa.select(PAPERS).where(PAPERS.c.id == id)).one_or_none()
            found = connection.execute(
                sa.select(SENTENCES).where(SENTENCES.c.paper == id).order_by(SENTENCES.c.number)
            ).all()
        if row is None:
            raise VivaError(f"{self.path}: there is no paper {id} in this study.")
        return convert.paper(row, found, self._layout(row.layout), file)

    def scanned(self, id: str) -> list[list[Any]]:
        """The lines of the paper that were read by OCR, with their places."""
        with self._read() as connection:
            layout = connection.execute(sa.select(PAPERS.c.layout).where(PAPERS.c.id == id)).scalar_one()
        return list(self._layout(layout)["scanned"])

    def has_paper(self, id: str) -> bool:
        """Is it there, with usable text?"""
        readable = (PAPERS.c.id == id, PAPERS.c.unreadable == "")
        with self._read() as connection:
            return connection.execute(sa.select(PAPERS.c.id).where(*readable)).first() is not None

    def sources(self) -> list[PaperInfo]:
        """Every paper of the study once, and every file that is none, in the order of their names."""
        columns = (PAPERS.c.id, PAPERS.c.title, PAPERS.c.doi, PAPERS.c.year, PAPERS.c.pages)
        with self._read() as connection:
            known = {row.id: row for row in connection.execute(sa.select(*columns))}
        found: dict[str, PaperInfo] = {}
        for file in self.files():
            row = known.get(file.paper or "")
            if row is not None:
                found.setdefault(
                    row.id, PaperInfo(row.id, file.name, row.title, row.doi, row.year, row.pages)
                )
            else:
                found.setdefault(file.paper or file.path, PaperInfo(file.paper or "", file.name))
        return list(found.values())

    # Answers

    def add_answer(self, paper: str, answer: Answer) -> bool:
        """One cell, whole: was it new? One that is there already stays as it is; only "unreadable", which is
        no answer, gives way."""
        row = convert.of_answer(paper, answer)
        with self._write() as connection:
            if answer.status != "unreadable":
                same = (ANSWERS.c[name] == row[name] for name in ("paper", "question", "reader", "version"))
                connection.execute(sa.delete(ANSWERS).where(*same, ANSWERS.c.status == "unreadable"))
            _insert_new(connection, QUESTIONS, key=row["question"], text=answer.question.text)
            number = _insert_new(connection, ANSWERS, **row, run=self.run, at=_now())
            if number and answer.evidence:
                connection.execute(sa.insert(EVIDENCE), convert.of_evidence(number, answer.evidence))
        return number > 0

    def add_failure(
        self,
        path: str,
        paper: str | None,
        reason: str,
        reader: str | None = None,
        questions: Sequence[Question | None] = (None,),
    ) -> None:
        """A file that can't be read; or a paper of which a reader could not be asked these questions, or any
        (none named). Tried again on the next run."""
        with self._write() as connection:
            connection.execute(
                sa.insert(FAILURES),
                [
                    {
                        "path": path,
                        "paper": paper,
                        "question": question and question_key(question),
                        "reader": reader,
                        "reason": reason,
                        "run": self.run,
                        "at": _now(),
                    }
                    for question in questions
                ],
            )

    def done(self, paper: str) -> set[tuple[str, str, str]]:
        """Which cells the paper has: question key, reader, version. "Unreadable" is none: it may be read."""
        columns = (ANSWERS.c.question, ANSWERS.c.reader, ANSWERS.c.version)
        answered = (ANSWERS.c.paper == paper, ANSWERS.c.status != "unreadable")
        with self._read() as connection:
            rows = connection.execute(sa.select(*columns).where(*answered)).all()
        return {(row[0], row[1], row[2]) for row in rows}

    def answers(self, paper: str) -> dict[tuple[str, str], Answer]:
        """The current answers of a paper, by question key and reader."""
        with self._read() as connection:
            rows = connection.execute(
                sa.select(ANSWERS, ASKED.c.id, ASKED.c.detail.label("asked"), QUESTIONS.c.text.label("words"))
                .join_from(ANSWERS, ASKED, ANSWERS.c.question == ASKED.c.question)
                .join(QUESTIONS, QUESTIONS.c.key == ASKED.c.question)
                .where(ANSWERS.c.paper == paper)
                .where(*_current())
            ).all()
            quotes: dict[int, list[Evidence]] = {}
            for e in connection.execute(
                sa.select(EVIDENCE)
                .where(EVIDENCE.c.answer.in_([row.number for row in rows]))
                .order_by(EVIDENCE.c.answer, EVIDENCE.c.rank)
            ):
                quotes.setdefault(e.answer, []).append(convert.evidence(e))
        return {
            (row.question, row.reader): convert.answer(row, tuple(quotes.get(row.number, ()))) for row in rows
        }

    def failures(self) -> list[Failure]:
        """The last failure of each file, and of each of its cells, that has one, in the order of their paths;
        without those of papers, or cells, that were answered later."""
        whose = (FAILURES.c.path, FAILURES.c.question, FAILURES.c.reader)
        last = sa.select(sa.func.max(FAILURES.c.number)).group_by(*whose)
        answered = sa.exists().where(
            ANSWERS.c.paper == FAILURES.c.paper,
            ANSWERS.c.run > FAILURES.c.run,
            sa.or_(FAILURES.c.reader.is_(None), FAILURES.c.reader == ANSWERS.c.reader),
            sa.or_(FAILURES.c.question.is_(None), FAILURES.c.question == ANSWERS.c.question),
        )
        with self._read() as connection:
            rows = connection.execute(
                sa.select(FAILURES)
                .where(FAILURES.c.number.in_(last), sa.not_(answered))
                .order_by(FAILURES.c.path, FAILURES.c.number)
            ).all()
        return [Failure(r.path, r.paper, r.question, r.reader, r.reason, r.at) for r in rows]

    # Language models' replies

    def add_replies(self, reader: str, version: str, replies: Mapping[str, str]) -> None:
        """A model's replies, word for word, by the hash of what it was sent. The first reply to it stays."""
        with self._write() as connection:
            for prompt, body in replies.items():
                same = sa.select(REPLIES.c.number).where(REPLIES.c.prompt == prompt)
                if connection.execute(same).first() is None:
                    connection.execute(
                        sa.insert(REPLIES).values(
                            prompt=prompt, reader=reader, version=version, body=body, detail="{}", at=_now()
                        )
                    )

    def reply(self, prompt: str) -> str | None:
        """The reply that is kept for what has this hash."""
        with self._read() as connection:
            wanted = sa.select(REPLIES.c.body).where(REPLIES.c.prompt == prompt)
            return connection.execute(wanted).scalar()

    # Decisions of people: rows are added, never changed

    def decide(self, paper: str, question: str, decision: Decision) -> None:
        """A person's decision on a paper and a question (its key). Earlier ones stay in the history."""
        with self._write() as connection:
            decisions.add(connection, paper, question, replace(decision, at=decision.at or _now()))

    def undo(
        self, paper: str, question: str, reviewer: str, kind: DecisionKind = "review"
    ) -> Decision | None:
        """Takes back the reviewer's last decision that still stands, and says which; none if there is none.
        The one before it counts again."""
        with self._write() as connection:
            return decisions.undo(connection, paper, question, reviewer, kind, _now())

    def decisions(self, paper: str) -> dict[str, tuple[Decision, ...]]:
        """The decisions on a paper that count, oldest first, by the question's key."""
        with self._read() as connection:
            return decisions.counting(decisions.rows(connection, paper))

    def history(self, paper: str, question: str) -> list[HistoryEntry]:
        """All that was ever decided of a cell and taken back, in its order."""
        with self._read() as connection:
            return decisions.entries(decisions.rows(connection, paper, DECISIONS.c.question == question))

    def reviewers(self) -> list[str]:
        """Who has a review that counts, by name."""
        with self._read() as connection:
            return decisions.reviewers(connection)

    def marks(self) -> tuple[tuple[int, ...], int]:
        """How far it has grown: its answers, failures and runs; and its decisions. While they are the same,
        nothing was added."""
        grown = (ANSWERS, FAILURES, RUNS)
        with self._read() as connection:
            found = [connection.execute(sa.select(sa.func.max(t.c.number))).scalar() or 0 for t in grown]
            return tuple(found), decisions.latest(connection)

    def decided_after(self, mark: int) -> set[str]:
        """The papers of which something was decided, or undone, since the decisions' mark was that."""
        with self._read() as connection:
            return decisions.papers_after(connection, mark)

    # The run log

    def begin(self, detail: dict[str, Any]) -> None:
        """A run begins: what is written from here on is its."""
        with self._write() as connection:
            self.run = (connection.execute(sa.select(sa.func.max(RUNS.c.run))).scalar() or 0) + 1
            _log(connection, self.run, "begun", detail)

    def log(self, event: str, detail: dict[str, Any]) -> None:
        with self._write() as connection:
            _log(connection, self.run, event, detail)

    def runs(self) -> list[dict[str, Any]]:
        """The run log, in its order."""
        with self._read() as connection:
            rows = connection.execute(sa.select(RUNS).order_by(RUNS.c.number)).all()
        return [{"run": r.run, "event": r.event, "at": r.at, "detail": json.loads(r.detail)} for r in rows]

    # Proof

    def problems(self) -> Iterator[str]:
        """What is wrong with the store, if anything: damage, changed texts, quotes that are not in them."""
        with self._read() as connection:
            for row in connection.execute(sa.text("PRAGMA integrity_check")):
                if row[0] != "ok":
                    yield f"the database is damaged: {row[0]}"
            for paper in connection.execute(sa.select(PAPERS.c.id, PAPERS.c.text, PAPERS.c.text_hash)):
                if convert.hash_of(paper.text) != paper.text_hash:
                    yield f"paper {paper.id[:12]}: its text has changed since it was read"
            quotes = connection.execute(
                sa.select(
                    EVIDENCE.c.quote, EVIDENCE.c.start, EVIDENCE.c.end, ANSWERS.c.paper, ANSWERS.c.reader
                )
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
            yield from decisions.problems(connection)

    # How it is done

    def _layout(self, packed: bytes) -> dict[str, Any]:
        try:
            return dict(json.loads(zlib.decompress(packed)))
        except (zlib.error, ValueError) as error:
            raise VivaError(f"{self.path}: it is damaged ({error}); restore it from a copy.") from error

    @contextmanager
    def _write(self) -> Iterator[sa.Connection]:
        with translate_errors(self.path), to_write(self._engine).begin() as connection:
            yield connection

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with translate_errors(self.path), self._engine.connect() as connection:
            yield connection


def _current() -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions: a question that is asked now, answered by a version that is asked now."""
    return (
        ANSWERS.c.question.in_(sa.select(ASKED.c.question)),
        sa.exists().where(READERS.c.name == ANSWERS.c.reader, READERS.c.version == ANSWERS.c.version),
    )


def _insert_new(connection: sa.Connection, table: sa.TableClause, **values: Any) -> int:
    """Inserts a row unless its like is there: the new row's number, or 0."""
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    done = connection.execute(
        sa.text(f"INSERT INTO {table.name} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"), values
    )
    return int(done.lastrowid) if done.rowcount else 0


def _put(connection: sa.Connection, name: str, value: str) -> None:
    connection.execute(sa.delete(META).where(META.c.key == name))
    connection.execute(sa.insert(META).values(key=name, value=value))


def _log(connection: sa.Connection, run: int, event: str, detail: dict[str, Any]) -> None:
    connection.execute(
        sa.insert(RUNS).values(run=run, event=event, detail=convert.to_json(detail), at=_now())
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
