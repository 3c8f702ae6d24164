"""The store: one object for all that a study keeps. Each method is one transaction.

So a cell is there whole or not at all, whenever the process dies. Nothing that was answered is ever
overwritten: an answer belongs to a paper (by the hash of its bytes), a question (by its text), a reader and
the reader's version. What is asked *now*, and by which versions, are small tables of their own (`asked`,
`readers`, `files`), and older answers stay. The SQL is in the modules beside this one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from vivavoce.errors import InputError, StudyError, VivaError
from vivavoce.records import (
    Answer,
    Calibration,
    Decision,
    DecisionKind,
    Paper,
    PaperInfo,
    Question,
    QuestionSet,
)
from vivavoce.store import (
    answers,
    asked,
    calibrations,
    claims,
    copying,
    decisions,
    integrity,
    papers,
    replies,
    runs,
    search,
    states,
)
from vivavoce.store.database import (
    Database,
    check_version,
    find_database,
    is_url,
    translate_errors,
    without_password,
)
from vivavoce.store.entries import Failure, File, HistoryEntry
from vivavoce.store.migrations import migrate
from vivavoce.store.sql import for_writing, now
from vivavoce.store.tables import DECISIONS

PAPERS_AT_A_TIME = 50
"""Papers whose words are indexed in one transaction."""


class Store:
    """A study's database. Open one with `Store.open(folder_or_url)`."""

    @classmethod
    def open(cls, location: str | Path, *, create: bool = False, readonly: bool = False) -> "Store":
        """The store of the study in a folder, or at a database URL. Where we can't write, it is opened for
        reading."""
        database = find_database(location)
        if not create and not database.exists():
            database.close()
            raise StudyError(
                f"{location}: there is no study here; `viva run PAPERS... --study DIR` makes one."
            )
        return cls(database, location, readonly=readonly or not database.is_writable())

    @staticmethod
    def exists(location: str | Path) -> bool:
        """Is there a study in this folder, or at this database URL?"""
        with closing(find_database(location)) as database:
            return database.exists()

    def __init__(self, database: Database, location: str | Path, *, readonly: bool) -> None:
        self.database = database
        self.location = location
        """The folder or URL that it was opened with."""
        self.run = 0
        """The number of the run that writes; see `begin`."""
        self._alive: sa.Connection | None = None
        """Open while a run is at work that shares the study with others; see `claims`."""
        self.readonly = readonly
        self._engine = database.engine(readonly)
        try:
            with translate_errors(database):
                if readonly:
                    check_version(self._engine)
                else:
                    migrate(self._engine)
        except VivaError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The folder or URL that it was opened with, without a password."""
        return without_password(self.location) if is_url(self.location) else str(self.location)

    def close(self) -> None:
        if self._alive is not None:
            self._alive.close()
        self._engine.dispose()
        self.database.close()

    # What is asked now

    def set_asked(self, questions: QuestionSet) -> None:
        """What is asked from now on. Questions that were asked before keep their answers."""
        with self._write(alone=True) as connection:
            asked.set_questions(connection, questions)

    def asked(self) -> QuestionSet:
        with self._read() as connection:
            return asked.questions(connection)

    def set_readers(self, readers: Sequence[tuple[str, str]]) -> None:
        """Who answers from now on: names and versions."""
        with self._write(alone=True) as connection:
            asked.set_readers(connection, readers)

    def readers(self) -> list[tuple[str, str]]:
        with self._read() as connection:
            return asked.readers(connection)

    def set_weights(self, weights: Mapping[str, float] | None) -> None:
        """How much each reader's vote counts from now on, by its name; none when all count the same."""
        with self._write(alone=True) as connection:
            asked.set_weights(connection, weights)

    def weights(self) -> dict[str, float] | None:
        with self._read() as connection:
            return asked.weights(connection)

    def set_own_file(self, name: str, text: str) -> None:
        """Keeps a copy of one of the study's own files (`study.toml`, `questions.yaml`), so that a folder can
        be made from the store."""
        with self._write() as connection:
            asked.set_file(connection, name, text)

    def own_file(self, name: str) -> str | None:
        """The copy of that file; none in a study of an older version that was not run since."""
        with self._read() as connection:
            return asked.file(connection, name)

    # Papers

    def set_file(self, file: File) -> None:
        """A file of the study as it is now."""
        with self._write() as connection:
            papers.set_file(connection, file)

    def remove_file(self, path: str) -> None:
        """Takes a file out of the study. Its paper and its answers stay in the store."""
        with self._write() as connection:
            papers.remove_file(connection, path)

    def files(self) -> list[File]:
        """The study's files, by name."""
        with self._read() as connection:
            return papers.files(connection)

    def file(self, path: str) -> File | None:
        """A file of the study, if it is one."""
        with self._read() as connection:
            return papers.file(connection, path)

    def add_paper(self, paper: Paper) -> None:
        """Adds the paper unless it is known. A paper without usable text is replaced by one that has text."""
        with self._write() as connection:
            papers.add(connection, paper)

    def parsers(self) -> dict[str, tuple[str, str]]:
        """The format of each paper, and which version of the format's reader read it, by the paper's id."""
        with self._read() as connection:
            return papers.parsers(connection)

    def replace_paper(self, paper: Paper) -> bool:
        """Replaces a paper by a newer reading of the same file. When its text differs, its answers are
        deleted, to be asked again. A paper that people have quoted is left as it is when the new text doesn't
        have their quotes at the same places: was it replaced?"""
        with self._write(alone=True) as connection:
            return papers.replace(connection, paper)

    def paper(self, id: str, file: str = "") -> Paper:
        """The paper as it was read; without its `page_source`."""
        with self._read() as connection:
            found = papers.get(connection, id, file)
        if found is None:
            raise InputError(f"{self.location}: there is no paper {id} in this study.")
        return found

    def text(self, id: str) -> tuple[str, int]:
        """The text of a paper that is known, and how many sentences it has: all else of it is left unread."""
        with self._read() as connection:
            return papers.text(connection, id)

    def scanned(self, id: str) -> list[list[Any]]:
        """The lines of the paper that were read by OCR, with their places."""
        with self._read() as connection:
            return papers.scanned_lines(connection, id)

    def has_paper(self, id: str) -> bool:
        """Is it known, with usable text?"""
        with self._read() as connection:
            return papers.is_readable(connection, id)

    def sources(self) -> list[PaperInfo]:
        """Every paper of the study once, and every file that could not be read, by file name."""
        with self._read() as connection:
            return papers.infos(connection)

    # Answers

    def add_answer(self, paper: str, answer: Answer) -> bool:
        """Adds an answer with its quotes unless its cell has one: was it new? "Unreadable" is not an
        answer, and is replaced."""
        with self._write() as connection:
            return answers.add(connection, paper, answer, self.run)

    def add_answers(self, paper: str, some: Sequence[Answer]) -> int:
        """Adds the answers that came together, in one transaction: how many were new?"""
        with self._write() as connection:
            return answers.add_all(connection, paper, some, self.run)

    def done(self, paper: str) -> set[tuple[str, str, str]]:
        """Which cells of the paper are answered: question key, reader, version. "Unreadable" is not
        answered: the file may be readable next time."""
        with self._read() as connection:
            return answers.done(connection, paper)

    def answers(self, paper: str) -> dict[tuple[str, str], Answer]:
        """The current answers of a paper, by question key and reader."""
        with self._read() as connection:
            return answers.of_paper(connection, paper)

    def add_failure(
        self,
        path: str,
        paper: str | None,
        reason: str,
        reader: str | None = None,
        questions: Sequence[Question | None] = (None,),
    ) -> None:
        """A file that can't be read; or a paper that a reader could not be asked about: these questions, or
        any when none is named. It is tried again on the next run."""
        with self._write() as connection:
            answers.add_failure(connection, path, paper, reason, reader, questions, self.run)

    def failures(self) -> list[Failure]:
        """The last failure of each file and cell, unless it was answered later, in the order of paths."""
        with self._read() as connection:
            return answers.failures(connection)

    # Full text

    def index_words(self, done: Callable[[int, int], None] = lambda *_: None) -> int:
        """Makes the words of all papers known to `find_words`: of those that are new. `done` is told how many
        of how many. Returns how many are left out, since the database can't be written."""
        with self._read() as connection:
            left = search.missing(connection)
        if self.readonly:
            return len(left)
        for at in range(0, len(left), PAPERS_AT_A_TIME):
            some = left[at : at + PAPERS_AT_A_TIME]
            with self._write(alone=True) as connection:
                for paper in some:
                    search.add(connection, paper)
            done(at + len(some), len(left))
        return 0

    def find_words(self, text: str, most: int) -> list[search.Hit]:
        """The sentences that have most of the text's words, best first."""
        with self._read() as connection:
            return search.find(connection, text, most)

    # What readers keep of papers

    def add_states(self, paper: str, encoder: str, found: bytes, vectors: bytes) -> None:
        """What a reader (its `states_name`) keeps of a paper, and the vectors of the sentences."""
        with self._write() as connection:
            states.add(connection, paper, encoder, found, vectors)

    def states(self, paper: str, encoder: str) -> bytes | None:
        """What that reader kept of the paper, if it did."""
        with self._read() as connection:
            return states.get(connection, paper, encoder)

    def vectors(self, encoder: str) -> Iterator[tuple[str, bytes]]:
        """Of each paper that was kept, the vectors of its sentences."""
        with self._read() as connection:
            yield from states.vectors(connection, encoder)

    # Language models' replies

    def add_replies(self, reader: str, version: str, bodies: Mapping[str, str]) -> None:
        """A model's replies, word for word, by the hash of what it was sent. The first reply to it stays."""
        with self._write() as connection:
            replies.add(connection, reader, version, bodies)

    def reply(self, prompt: str) -> str | None:
        """The reply to the prompt with this hash, if there is one."""
        with self._read() as connection:
            return replies.get(connection, prompt)

    # People's decisions: rows are added, never changed

    def decide(self, paper: str, question: str, decision: Decision) -> None:
        """A person's decision on a paper and a question (its key). Earlier ones stay in the history."""
        with self._write(alone=True) as connection:
            decisions.add(connection, paper, question, replace(decision, at=decision.at or now()))

    def undo(
        self, paper: str, question: str, reviewer: str, kind: DecisionKind = "review"
    ) -> Decision | None:
        """Undoes the reviewer's last decision that still counts, and returns it; none if there is none.
        The one before it counts again."""
        with self._write(alone=True) as connection:
            return decisions.undo(connection, paper, question, reviewer, kind, now())

    def decisions(self, paper: str) -> dict[str, tuple[Decision, ...]]:
        """The decisions on a paper that count, oldest first, by the question's key."""
        with self._read() as connection:
            return decisions.counting(decisions.rows(connection, paper))

    def history(self, paper: str, question: str) -> list[HistoryEntry]:
        """All decisions on a cell, and those that undo one, oldest first."""
        with self._read() as connection:
            return decisions.entries(decisions.rows(connection, paper, DECISIONS.c.question == question))

    def reviewers(self) -> list[str]:
        """Who has a review that counts, by name."""
        with self._read() as connection:
            return decisions.reviewers(connection)

    def decided_after(self, mark: int) -> set[str]:
        """The papers with a decision, or an undone one, since the decisions' mark (see `marks`) was this."""
        with self._read() as connection:
            return decisions.papers_after(connection, mark)

    # What decisions taught the readers: rows are added, never changed

    def add_calibration(self, calibration: Calibration) -> Calibration:
        """Records a calibration, which counts from now on; returns it with its time."""
        recorded = replace(calibration, at=calibration.at or now())
        with self._write(alone=True) as connection:
            calibrations.add(connection, recorded.questions, recorded.at)
        return recorded

    def undo_calibration(self) -> Calibration | None:
        """Undoes the last calibration that still counts, and returns it; none if there is none. The one
        before it counts again."""
        with self._write(alone=True) as connection:
            return calibrations.undo(connection, now())

    def calibration(self) -> Calibration | None:
        """The calibration that counts; none if there is none."""
        return next((one for one in reversed(self.calibrations()) if not one.undone), None)

    def calibrations(self) -> list[Calibration]:
        """All that there were, oldest first."""
        with self._read() as connection:
            return calibrations.history(connection)

    # Changes

    def marks(self) -> tuple[tuple[int, ...], int]:
        """How far it has grown: its answers, failures, calibrations and runs; and its decisions. While the
        marks are the same, nothing was added."""
        with self._read() as connection:
            return runs.last_numbers(connection), decisions.latest(connection)

    def change_mark(self) -> object:
        """A value that differs after anybody has written to the database. Cheaper than `marks`."""
        return self.database.change_mark()

    # The run log

    def begin(self, detail: dict[str, Any]) -> None:
        """Begins a run: what is written from now on belongs to it."""
        with self._write(alone=True) as connection:
            self.run = runs.next_number(connection)
            runs.add(connection, self.run, "begun", detail)
        if self.several_runs:
            with translate_errors(self.database):
                self._alive = self._alive or self._engine.connect()
                claims.show_alive(self._alive, self.run)

    def end(self) -> None:
        """Ends a run: others may claim what it had claimed."""
        if self._alive is not None:
            with self._write() as connection:
                claims.drop(connection, self.run)
            self._alive.invalidate()  # the server lets go of its lock
            self._alive.close()
            self._alive = None

    @property
    def several_runs(self) -> bool:
        """May several runs work on the study at once?"""
        return self.database.several_runs

    def claim(self, path: str) -> bool:
        """Claims a file for this run: is it ours? Where one run works at a time, it always is."""
        if not self.several_runs:
            return True
        with self._write() as connection:
            return claims.take(connection, path, self.run)

    def abandoned(self, paths: Sequence[str]) -> set[str]:
        """Those of these files that were claimed by a run that died."""
        if not self.several_runs:
            return set()
        with self._read() as connection:
            return claims.abandoned(connection, paths)

    def log(self, event: str, detail: dict[str, Any]) -> None:
        with self._write() as connection:
            runs.add(connection, self.run, event, detail)

    def runs(self) -> list[dict[str, Any]]:
        """The run log, oldest first."""
        with self._read() as connection:
            return runs.all_events(connection)

    def copy_to(self, other: "Store") -> dict[str, int]:
        """Copies the whole study into another store, which holds none: how many rows, by table."""
        with self._read() as source, other._write(alone=True) as target:
            return copying.copy(source, target)

    def problems(self) -> Iterator[str]:
        """What is wrong with the store, if anything: damage, changed texts, quotes that are not in them."""
        with self._read() as connection:
            yield from self.database.damage(connection)
            yield from integrity.problems(connection)
            yield from decisions.problems(connection)
            yield from calibrations.problems(connection)

    # Transactions

    @contextmanager
    def _write(self, alone: bool = False) -> Iterator[sa.Connection]:
        with translate_errors(self.database), for_writing(self._engine, alone).begin() as connection:
            yield connection

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with translate_errors(self.database), self._engine.connect() as connection:
            yield connection
