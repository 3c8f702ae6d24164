"""A study: papers x questions x readers, in a folder that can be killed, resumed, extended and shared.

The one module that joins the stages: files become papers, readers answer, the store keeps every cell as it is
done. `study.toml` says who answers, and people may edit it; the store holds what came of it. A run does the
cells that are missing, so running again is how one resumes, adds papers, questions or readers, or retries
what failed.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vivavoce.errors import InputError, MissingExtra, StudyError, VivaError
from vivavoce.evidence.locating import boxed, evidence_at
from vivavoce.evidence.spans import Span, find_span
from vivavoce.papers.limits import Limits
from vivavoce.questions import DEFAULT_SET, parse, text_of
from vivavoce.readers import is_language_model, portable_name
from vivavoce.readers import reader as find_reader
from vivavoce.readers.llm.limits import Budget, RunLimits
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import (
    Answer,
    Calibration,
    Cell,
    Decision,
    DecisionKind,
    Evidence,
    Paper,
    QuestionSet,
    Status,
)
from vivavoce.results.cells import Results
from vivavoce.results.energy import Energy
from vivavoce.results.papers import paper_of
from vivavoce.store import DEFINITION, File, Store, question_key, url_in, without_password
from vivavoce.study.energy import Meter, of_run
from vivavoce.study.engines import Engine, find_engine
from vivavoce.study.entries import drop_entries, join_entries
from vivavoce.study.folder import (
    QUESTIONS,
    Definition,
    checked,
    locked,
    make_folder,
    read_definition,
    write_definition,
    write_text,
)
from vivavoce.study.pending import add_files, pending_jobs, study_files
from vivavoce.study.progress import Progress, RunCounter, Summary
from vivavoce.study.rereading import reread as reread_papers
from vivavoce.study.saving import save_outcome
from vivavoce.study.setup import Setup, read_questions, read_setup, write_own_files

if TYPE_CHECKING:
    import pandas


class Study:
    """Open one with `Study.open(folder)`, make one with `Study.create(folder)`."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self._setup: Setup | None = None

    @classmethod
    def open(cls, folder: str | Path) -> "Study":
        """The study in a folder, to look at or to go on with. At a database's URL, to look at and decide; a
        run needs a folder, which `create` makes."""
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
        store: str = "",
        wait: bool = False,
    ) -> "Study":
        """The study in a folder, created if there is none, with these questions (a set's name or a file) and
        readers. In a study that exists, the questions replace its own and the readers are added. `models`
        says how language models are asked, by the names of the fields of `ModelSettings`. `store` is the URL
        of a database to keep it in; of one that holds a study, the folder is made."""
        path = Path(folder)
        kept = store or url_in(path)
        place: str | Path = kept or path
        if store and without_password(store) != url_in(path) and Store.exists(path):
            raise StudyError(f"{path}: this study is kept elsewhere; copy it first: viva copy {path} URL.")
        # What is wrong with the questions or a reader is found before anything is written.
        text, asked = "", None
        if questions or not Store.exists(place):
            text = text_of(questions or DEFAULT_SET)
            asked = parse(questions or DEFAULT_SET, text, default_name=Path(QUESTIONS).stem)
        made = {portable_name(name, path): find_reader(name) for name in dict.fromkeys(readers)}
        make_folder(path)
        with locked(path, wait or bool(kept)):
            if kept and not (path / DEFINITION).exists() and Store.exists(kept):
                with closing(Store.open(kept)) as found:
                    write_own_files(found, path)
            if text:
                write_text(path / QUESTIONS, text)
            was = read_definition(path) if (path / DEFINITION).exists() else Definition()
            now = replace(
                was,
                readers=tuple(dict.fromkeys([*was.readers, *made])) or ("builtin",),
                models=replace(was.models, **(models or {})),
                store=without_password(kept) if kept else "",
            )
            checked(path, now)
            if now != was:
                write_definition(path, now)
            study = cls(path, Store.open(place, create=True))
            try:
                study._setup = read_setup(path, now, asked, made)
                study._sync_store()
            except VivaError:
                study.close()
                raise
        return study

    def close(self) -> None:
        self.store.close()

    def _sync_store(self) -> Setup:
        """Tells the store what the study's files say now. They are parsed again only if they have changed."""
        if self._setup is None or not self._setup.is_current(self.folder):
            self._setup = read_setup(self.folder)
        self._setup.write_to(self.store)
        return self._setup

    def questions(self) -> QuestionSet:
        """What is asked."""
        return read_questions(self.folder)

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
        reread: bool = False,
        without_files: bool = False,
        keep_states: bool = False,
        meter: Meter | None = None,
    ) -> Summary:
        """Asks what has not been answered yet, of the study's papers and of these, which join it. When `stop`
        is set, the run ends within about two seconds; everything done so far is kept. Language models spend
        no more than the budget. A meter measures the energy used. A replay recomputes every answer, those of
        language models from their stored replies: no model is called, and the answers that differ are
        listed. With `without_files`, papers that a table names and that have no file join as entries. With
        `reread`, papers that an older version read are read again first; those whose text is another then
        are asked again. With `keep_states`, the built-in reader's states of papers are kept (a few MB each),
        so that further questions are asked at a fraction of the cost."""
        engine = on or find_engine(workers=workers)
        if not self.folder.is_dir():
            raise StudyError(f"{self.store.location}: a run needs a folder: --study DIR --store URL.")
        with ExitStack() as turn:
            # Where several runs share a study they claim papers, and take turns in setting it up alone.
            turn.enter_context(locked(self.folder, wait or self.store.several_runs))
            setup = self._sync_store()
            if self.store.several_runs:
                turn.close()
            session = ModelSession(
                RunLimits(setup.definition.models, budget or Budget(), replay), self.store.reply
            )
            self._check_readers(setup, session)
            if without_files:
                add_files(self.store, papers)
                join_entries(self.store, setup.readers.values())
            files = study_files(self.store, papers)
            self.store.begin({"files": len(files), "readers": self.store.readers()})
            turn.callback(self.store.end)
            progress(Progress("begun", cells=len(files)))
            counter = RunCounter()
            if reread:
                reread_papers(self.store, files, limits, counter.add_failure)
            jobs = pending_jobs(
                self.store, self.folder, files, setup.readers, limits, progress, replay, keep_states
            )
            differ = counter.differ if replay else None
            with meter or nullcontext(), closing(engine.run(jobs, stop, session)) as outcomes:
                for outcome in outcomes:
                    begun = outcome.job.path in counter.parts
                    done = save_outcome(self.store, self.folder, outcome, begun, differ)
                    if step := counter.add(outcome, done):
                        progress(step)
            drop_entries(self.store)
            summary = counter.summary(
                papers=len(self.store.sources()),
                stopped=stop is not None and stop.is_set(),
                spent=session.spending.by_reader,
            )
            self._log_end(summary, counter, of_run(meter, counter.seconds, summary.spent))
            return summary

    def _check_readers(self, setup: Setup, session: ModelSession) -> None:
        """Refuses a reader that can't be asked: once, before the first paper."""
        for name, made in setup.readers.items():
            if is_language_model(name):  # whether it can be asked depends on the run's limits, too
                made = find_reader(name, session=session)
            made.ready()

    def _log_end(self, summary: Summary, counter: RunCounter, energy: Mapping[str, Energy]) -> None:
        self.store.log(
            "stopped" if summary.stopped else "ended",
            {
                "cells": summary.cells,
                "failed": len(summary.failed),
                "seconds": {name: round(took, 3) for name, took in counter.seconds.items()},
                "spent": {name: asdict(cost) for name, cost in summary.spent.items()},
                **({"energy": {name: asdict(used) for name, used in energy.items()}} if energy else {}),
            },
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
        values: Sequence[str | int | float] = (),
    ) -> Cell:
        """Records a person's decision on a paper (its id) and a question (its id), and returns the cell as it
        is then. The decision takes precedence over the readers' vote. Quotes are looked up in the paper.
        `values` are the codes, or other values, that the person gives."""
        cell = self.results().cell(paper, question)
        if cell.screened_out:
            raise InputError(f"{question} is not applicable: {cell.verdict.reason} Decide that one first.")
        if not cell.paper.id:
            raise InputError(f"{cell.paper.file}: could not be opened; put the file back and run the study.")
        found = self._located(cell, quotes) if quotes else ()
        if cell.question.choices and (wrong := [v for v in values if v not in cell.question.choices]):
            codes = ", ".join(cell.question.choices)
            raise InputError(f"{question}: {wrong[0]} is none of its codes; there is {codes}.")
        name = " ".join(reviewer.split())
        decision = Decision(name, status, text, found, reason, kind=kind, values=tuple(values))
        self.store.decide(paper, question_key(cell.question), decision)
        return self.results().cell(paper, question)

    def undo(
        self, paper: str, question: str, *, reviewer: str, kind: DecisionKind = "review"
    ) -> Decision | None:
        """Undoes the reviewer's last decision on that cell, and returns it; none if there is none. It stays
        in the history."""
        cell = self.results().cell(paper, question)
        return self.store.undo(paper, question_key(cell.question), " ".join(reviewer.split()), kind)

    # What decisions teach the readers

    def calibrate(self) -> Calibration:
        """Fits each question's level for this study on what people decided, in seconds and without
        training, and records it; it counts from then on whenever results are looked at. The answers in the
        store stay as they are. When nothing would gain by it, nothing is recorded, and the calibration that
        is returned has no time."""
        from vivavoce.results.calibrating import fit_calibration

        fitted, current = fit_calibration(self.store), self.store.calibration()
        if not any(one.offset for one in fitted.questions):
            return fitted
        if current is not None and current.questions == fitted.questions:
            return current
        return self.store.add_calibration(fitted)

    def undo_calibration(self) -> Calibration | None:
        """Undoes the last calibration, and returns it; none if there is none. The one before it counts
        again, and all stay in the history, `store.calibrations()`."""
        return self.store.undo_calibration()

    def _located(self, cell: Cell, quotes: Sequence[str]) -> tuple[Evidence, ...]:
        paper = self.paper(cell.paper.id)
        return tuple(boxed(paper, [evidence_at(paper, _span_of(paper, quote)) for quote in quotes]))

    # Looking

    def paper(self, id: str, file: File | None = None) -> Paper:
        """A paper as it was read, with its file behind it for pictures."""
        return paper_of(self.store, id, file)

    def results(self, *, screened: bool = True) -> Results:
        """Every cell: what each reader answered, and the verdict. Unless they are `screened`, papers that
        fail the screening question are as any other."""
        return Results.of(self.store, screened=screened)

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
            raise MissingExtra("pandas is not installed: pip install 'vivavoce[pandas]'.") from None
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

        from vivavoce.results.statuses import status_words

        found = self.results()
        counts: dict[Status, int] = {}
        for cell in found.cells():
            counts[cell.verdict.status] = counts.get(cell.verdict.status, 0) + 1
        rows = "".join(
            f"<tr><td>{escape(status_words(status))}</td><td>{number:,}</td></tr>"
            for status, number in sorted(counts.items(), key=lambda item: -item[1])
        )
        return (
            f"<b>{escape(str(self.folder))}</b>: {len(found.papers):,} papers × "
            f"{len(found.questions.questions)} questions ({escape(found.questions.title)}), "
            f"readers {escape(', '.join(found.readers))}<table>{rows}</table>"
        )


def _span_of(paper: Paper, quote: str) -> Span:
    span = find_span(paper, quote)
    if span is None:
        short = quote if len(quote) <= 80 else f"{quote[:79]}…"
        raise InputError(f"{paper.file}: “{short}” is not in the paper; copy its own words.")
    return span
