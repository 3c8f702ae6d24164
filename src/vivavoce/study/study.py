"""A study: papers x questions x readers, in a folder that can be killed, resumed, extended and shared.

The one module that joins the stages: files become papers, readers answer, the store keeps every cell as it is
done. `study.toml` says who answers, and people may edit it; the store holds what came of it. A run does the
cells that are missing, so running again is how one resumes, adds papers, questions or readers, or retries
what failed.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vivavoce.errors import VivaError
from vivavoce.evidence.locating import locate
from vivavoce.papers.limits import Limits
from vivavoce.questions import DEFAULT_SET, parse, text_of
from vivavoce.readers import absolute_name, portable_name
from vivavoce.readers import reader as find_reader
from vivavoce.readers.llm.limits import Budget, RunLimits
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import (
    Answer,
    Cell,
    Decision,
    DecisionKind,
    Evidence,
    Paper,
    QuestionSet,
    Status,
)
from vivavoce.results.cells import Results
from vivavoce.results.papers import paper_of
from vivavoce.store import File, Store, question_key
from vivavoce.study.energy import Meter, of_run
from vivavoce.study.engines import Engine, find_engine
from vivavoce.study.folder import Definition, checked, locked, read_definition, write_definition, write_text
from vivavoce.study.pending import pending_jobs, study_files
from vivavoce.study.progress import Progress, RunCounter, Summary
from vivavoce.study.saving import save_outcome

if TYPE_CHECKING:
    import pandas

QUESTIONS = "questions.yaml"


class Study:
    """Open one with `Study.open(folder)`, make one with `Study.create(folder)`."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store

    @classmethod
    def open(cls, folder: str | Path) -> "Study":
        """The study in a folder, to look at or to go on with."""
        return cls(Path(folder), Store.open(folder))

    @staticmethod
    def exists(folder: str | Path) -> bool:
        """Is there a study in this folder?"""
        return Store.exists(folder)

    @classmethod
    def create(
        cls,
        folder: str | Path,
        questions: str = "",
        readers: Sequence[str] = (),
        *,
        models: Mapping[str, Any] | None = None,
        wait: bool = False,
    ) -> "Study":
        """The study in a folder, made if there is none, with these questions (a set's name or a file) and
        readers. In a study that is there, the questions replace its own and the readers are added. `models`
        says how language models are asked, by the names of the fields of `ModelSettings`."""
        path = Path(folder)
        new = not Store.exists(path)
        name = questions or DEFAULT_SET
        text = text_of(name) if new or questions else ""
        if text:
            parse(name, text)  # before anything is written
        for reader in readers:
            find_reader(reader)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise VivaError(f"{path}: the study's folder can't be made ({error.strerror}).") from None
        _may_write(path)
        with locked(path, wait):
            if text:
                write_text(path / QUESTIONS, text)
            was = read_definition(path) if (path / "study.toml").exists() else Definition()
            added = [portable_name(name, path) for name in readers]
            now = replace(
                was,
                readers=tuple(dict.fromkeys([*was.readers, *added])) or ("builtin",),
                models=replace(was.models, **(models or {})),
            )
            checked(path, now)
            if now != was:
                write_definition(path, now)
            study = cls(path, Store.open(path, create=True))
            try:
                study._sync_store(now)
            except VivaError:
                study.close()
                raise
        return study

    def close(self) -> None:
        self.store.close()

    def _sync_store(self, definition: Definition) -> None:
        """What the store takes for asked: the study's files have the last word."""
        self.store.set_asked(self.questions())
        session = ModelSession(RunLimits(definition.models))
        named = [
            (name, find_reader(absolute_name(name, self.folder), session=session))
            for name in definition.readers
        ]
        self.store.set_readers([(name, reader.version) for name, reader in named])
        self.store.set_weights(definition.weights if definition.vote == "weighted" else None)

    def questions(self) -> QuestionSet:
        """What is asked."""
        path = self.folder / QUESTIONS
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VivaError(
                f"{path}: the study's questions can't be read ({error}); give --questions."
            ) from None
        return parse(str(path), text)

    # Running

    def run(
        self,
        papers: Iterable[str | Path] = (),
        *,
        workers: int | None = None,
        on: Engine | None = None,
        limits: Limits = Limits(),
        progress: Callable[[Progress], None] = lambda _: None,
        stop: threading.Event | None = None,
        wait: bool = False,
        budget: Budget | None = None,
        replay: bool = False,
        meter: Meter | None = None,
    ) -> Summary:
        """Asks what has not been answered yet, of the study's papers and of these, which join it. When `stop`
        is set, the run ends within some two seconds; all that was done is kept. Language models spend no more
        than the budget. A meter measures what it uses. A replay works every answer out anew, those of
        language models from their kept replies: nobody is called, and what comes out otherwise than it is
        kept is told."""
        work = on or find_engine(workers=workers)
        with locked(self.folder, wait):
            definition = read_definition(self.folder)
            self._sync_store(definition)
            model_limits = RunLimits(definition.models, budget or Budget(), replay)
            session = ModelSession(model_limits, self.store.reply)
            for name in definition.readers:  # said once, before the first paper
                find_reader(absolute_name(name, self.folder), session=session).ready()
            files = study_files(self.store, papers)
            self.store.begin({"files": len(files), "readers": self.store.readers()})
            progress(Progress("begun", cells=len(files)))
            counter = RunCounter()
            jobs = pending_jobs(self.store, self.folder, files, limits, progress, again=replay)
            with meter or nullcontext(), closing(work.run(jobs, stop, session)) as outcomes:
                for outcome in outcomes:
                    begun = outcome.job.path in counter.parts
                    done = save_outcome(
                        self.store, self.folder, outcome, begun, counter.differ if replay else None
                    )
                    if told := counter.add(outcome, done):
                        progress(told)
            stopped = stop is not None and stop.is_set()
            spent = session.spending.by_reader
            used = of_run(meter, counter.seconds, spent)
            self.store.log(
                "stopped" if stopped else "ended",
                {
                    "cells": counter.cells,
                    "failed": len(counter.failed),
                    "seconds": {name: round(took, 3) for name, took in counter.seconds.items()},
                    "spent": {name: asdict(cost) for name, cost in spent.items()},
                    **({"energy": {name: asdict(each) for name, each in used.items()}} if used else {}),
                },
            )
            return Summary(
                len(self.store.sources()),
                counter.asked,
                counter.cells,
                tuple(counter.failed),
                stopped,
                tuple(counter.differ),
                spent,
            )

    # Deciding

    def decide(
        self,
        paper: str,
        question: str,
        *,
        reviewer: str,
        status: Status,
        text: str = "",
        quotes: Sequence[str] = (),
        reason: str = "",
        kind: DecisionKind = "review",
    ) -> Cell:
        """A person's decision on a paper (its id) and a question (its id), which takes precedence over the
        readers' vote; the cell as it is then. Quotes are looked up in the paper."""
        cell = self.results().cell(paper, question)
        if cell.screened_out:
            raise VivaError(f"{question} is not applicable: {cell.verdict.reason} Decide that one first.")
        if not cell.paper.id:
            raise VivaError(f"{cell.paper.file}: could not be opened; put the file back and run the study.")
        found = tuple(self._located(cell, quotes)) if quotes else ()
        said = Decision(" ".join(reviewer.split()), status, text, found, reason, kind=kind)
        self.store.decide(paper, question_key(cell.question), said)
        return self.results().cell(paper, question)

    def undo(
        self, paper: str, question: str, *, reviewer: str, kind: DecisionKind = "review"
    ) -> Decision | None:
        """Takes back the reviewer's last decision on that cell, and says which that was; none if there is
        none. It stays in the history."""
        cell = self.results().cell(paper, question)
        return self.store.undo(paper, question_key(cell.question), " ".join(reviewer.split()), kind)

    def _located(self, cell: Cell, quotes: Sequence[str]) -> Iterator[Evidence]:
        paper = self.paper(cell.paper.id)
        for quote in quotes:
            evidence = locate(paper, quote)
            if evidence is None:
                short = quote if len(quote) <= 80 else f"{quote[:79]}…"
                raise VivaError(f"{paper.file}: “{short}” is not in the paper; copy its own words.")
            yield evidence

    # Looking

    def paper(self, id: str, file: File | None = None) -> Paper:
        """A paper as it was read, with its file behind it for pictures."""
        return paper_of(self.store, id, file)

    def results(self) -> Results:
        """Every cell: what each reader answered, and the verdict."""
        return Results.of(self.store)

    def answers(self) -> list[Answer]:
        """Every reader's answers, papers and questions in their order; `answer.paper` is the paper's id."""
        return [answer for cell in self.results().cells() for answer in cell.answers]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers())

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each reader's answer and each verdict, with the columns of the CSV export."""
        try:
            import pandas
        except ImportError:
            raise VivaError("pandas is not installed: pip install 'vivavoce[pandas]'.") from None
        from vivavoce.results.rows import COLUMNS, rows

        return pandas.DataFrame(list(rows(self.results())), columns=list(COLUMNS))

    def __repr__(self) -> str:
        found = self.results()
        return (
            f"<Study {self.folder}: {len(found.papers)} papers x {len(found.questions.questions)} questions, "
            f"readers {', '.join(found.readers)}>"
        )

    def _repr_html_(self) -> str:
        from html import escape

        found = self.results()
        counts: dict[str, int] = {}
        for cell in found.cells():
            counts[cell.verdict.status] = counts.get(cell.verdict.status, 0) + 1
        rows = "".join(
            f"<tr><td>{escape(status.replace('_', ' '))}</td><td>{number:,}</td></tr>"
            for status, number in sorted(counts.items(), key=lambda item: -item[1])
        )
        return (
            f"<b>{escape(str(self.folder))}</b>: {len(found.papers):,} papers × "
            f"{len(found.questions.questions)} questions ({escape(found.questions.title)}), "
            f"readers {escape(', '.join(found.readers))}<table>{rows}</table>"
        )


def _may_write(folder: Path) -> None:
    if not os.access(folder, os.W_OK):
        raise VivaError(f"{folder}: can't be written; choose a folder where you may write.")
