"""A study: papers x questions x readers, in a folder that can be killed, resumed, extended and shared.

The one module that joins the stages: files become papers, readers answer, the store keeps every cell as it is
done. `study.toml` says what is to be asked of what by whom, and people may edit it; `viva.db` holds
what came of it. A run works out which cells are missing and does just these, so that running again is how one
resumes, adds papers, questions or readers, or tries once more what failed.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vivavoce import questions as question_files
from vivavoce.energy import Meter, of_run
from vivavoce.engines import Engine, Job, Outcome, engine
from vivavoce.errors import VivaError
from vivavoce.papers.folder import find
from vivavoce.papers.limits import Limits
from vivavoce.quotes import locate
from vivavoce.readers import kept, placed
from vivavoce.readers import reader as find_reader
from vivavoce.readers.terms import Budget, Terms
from vivavoce.records import (
    Answer,
    Cell,
    Decision,
    DecisionKind,
    Evidence,
    Paper,
    Question,
    QuestionSet,
    Status,
)
from vivavoce.results import Results
from vivavoce.shelf import paper_of
from vivavoce.store import File, Store, file_id, key
from vivavoce.study_files import (
    Definition,
    checked,
    locked,
    read_definition,
    write_definition,
    write_text,
)
from vivavoce.tally import Progress, Summary, Tally, same

if TYPE_CHECKING:
    import pandas

__all__ = ["Progress", "Study", "Summary"]

DATABASE = "viva.db"
QUESTIONS = "questions.yaml"


class Study:
    """Open one with `Study.open(folder)`, make one with `Study.create(folder)`."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store

    @classmethod
    def open(cls, folder: str | Path) -> "Study":
        """The study in a folder, to look at or to go on with."""
        path = Path(folder)
        if path.exists() and not path.is_dir():
            raise VivaError(f"{path}: is a file; name the study's folder.")
        return cls(path, Store(path / DATABASE))

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
        says how language models are asked, by the names of the fields of `Models`."""
        path = Path(folder)
        new = not (path / DATABASE).exists()
        text = question_files.text_of(questions or question_files.DEFAULT) if new or questions else ""
        name = questions or question_files.DEFAULT
        if text:
            question_files.parse(name, text)  # before anything is written
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
            added = [kept(name, path) for name in readers]
            now = replace(
                was,
                readers=tuple(dict.fromkeys([*was.readers, *added])) or ("builtin",),
                models=replace(was.models, **(models or {})),
            )
            checked(path, now)
            if now != was:
                write_definition(path, now)
            study = cls(path, Store(path / DATABASE, create=True))
            try:
                study._settle(now)
            except VivaError:
                study.close()
                raise
        return study

    def close(self) -> None:
        self.store.close()

    def _settle(self, definition: Definition) -> None:
        """What the store takes for asked: the study's files have the last word."""
        self.store.set_asked(self.questions())
        terms = Terms(definition.models)
        named = [(name, find_reader(placed(name, self.folder), terms=terms)) for name in definition.readers]
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
        return question_files.parse(str(path), text)

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
        work = on or engine(workers=workers)
        with locked(self.folder, wait):
            definition = read_definition(self.folder)
            self._settle(definition)
            terms = Terms(definition.models, budget or Budget(), self.store.reply, replay)
            for name in definition.readers:  # said once, before the first paper
                find_reader(placed(name, self.folder), terms=terms).ready()
            files = self._files(papers)
            self.store.begin({"files": len(files), "readers": self.store.readers()})
            progress(Progress("begun", cells=len(files)))
            tally = Tally()
            jobs = self._jobs(files, limits, progress, again=replay)
            with meter or nullcontext(), closing(work.run(jobs, stop, terms)) as outcomes:
                for outcome in outcomes:
                    begun = outcome.job.path in tally.parts
                    done = self._keep(outcome, begun, tally.differ if replay else None)
                    if told := tally.add(outcome, done):
                        progress(told)
            stopped = stop is not None and stop.is_set()
            spent = terms.budget.spent
            used = of_run(meter, tally.seconds, spent)
            self.store.log(
                "stopped" if stopped else "ended",
                {
                    "cells": tally.cells,
                    "failed": len(tally.failed),
                    "seconds": {name: round(took, 3) for name, took in tally.seconds.items()},
                    "spent": {name: asdict(cost) for name, cost in spent.items()},
                    **({"energy": {name: asdict(each) for name, each in used.items()}} if used else {}),
                },
            )
            return Summary(
                len(self.store.sources()),
                tally.asked,
                tally.cells,
                tuple(tally.failed),
                stopped,
                tuple(tally.differ),
                spent,
            )

    def _files(self, papers: Iterable[str | Path]) -> list[File]:
        """The study's files, with those that join it now."""
        known = {file.path: file for file in self.store.files()}
        names = {file.name for file in known.values()}
        for path in find(papers):
            place = os.path.abspath(path)
            if place not in known:
                name = str(path) if str(path) not in names else place
                names.add(name)
                known[place] = File(place, name, None, "", 0, 0)
                self.store.set_file(known[place])
        if not known:
            raise VivaError("there is no paper to ask; name files or folders.")
        return sorted(known.values(), key=lambda file: (file.name, file.path))

    def _jobs(
        self, files: Sequence[File], limits: Limits, progress: Callable[[Progress], None], again: bool = False
    ) -> Iterator[Job]:
        """The papers of which something is missing, with what that is; with `again`, all of everything."""
        questions, readers = self.store.asked().questions, self.store.readers()
        seen: dict[str, str] = {}
        for file in files:
            file = self._identified(file)
            if file.paper in seen and not file.reason:
                self.store.set_file(file)
                progress(Progress("same", file.name, reason=seen[file.paper]))
                continue
            done: set[tuple[str, str, str]] = set()
            known = file.paper is not None and self.store.has_paper(file.paper)
            if file.paper is not None:
                seen[file.paper] = file.name
                done = set() if again else self.store.done(file.paper)
            if known:
                file = file._replace(reason="")
                self.store.set_file(file)
            asks = tuple(
                (placed(name, self.folder), missing)
                for name, version in readers
                if (missing := _missing(questions, name, version, done))
            )
            if asks:
                paper = self.paper(file.paper, file) if known and file.paper else None
                yield Job(file.path, file.name, asks, paper, limits)
            else:
                progress(Progress("done", file.name))

    def _identified(self, file: File) -> File:
        """The file with its paper's id as it is now; one that can't be opened keeps what is known of it."""
        try:
            status = os.stat(file.path)
            if file.paper and (file.size, file.changed) == (status.st_size, status.st_mtime_ns):
                return file
            id = file_id(Path(file.path))
        except OSError:
            return file
        reason = file.reason if id == file.paper else ""
        return file._replace(paper=id, reason=reason, size=status.st_size, changed=status.st_mtime_ns)

    def _keep(self, outcome: Outcome, begun: bool, differ: list[tuple[str, str, str]] | None = None) -> int:
        """Writes what came of a job, cell by cell; how many cells that was. `begun`: a part is there. With
        `differ`, cells that are there are compared, and the others noted in it."""
        if not outcome.part or not begun:
            self._keep_file(outcome)  # first, so that no answer is there without its paper and its file
        names = {placed(name, self.folder): name for name, _ in self.store.readers()}
        if outcome.replies:
            first = outcome.answers[0]
            self.store.add_replies(first.reader, first.version, outcome.replies)
        many = 0
        before = self.store.answers(outcome.paper.id) if differ is not None and outcome.paper else {}
        for answer in outcome.answers:
            assert outcome.paper is not None
            named = replace(answer, reader=names.get(answer.reader, answer.reader))
            new = self.store.add_answer(outcome.paper.id, named)
            was = before.get((key(named.question), named.reader))
            if differ is not None and was is not None and not same(was, named):
                differ.append((outcome.job.name, named.question.id or named.question.text, named.reader))
            many += new or differ is not None
        self._keep_failures(outcome, names)
        return many

    def _keep_file(self, outcome: Outcome) -> None:
        """Writes the paper, and what is known of its file."""
        job, paper = outcome.job, outcome.paper
        file = self._identified(File(job.path, job.name, None, "", 0, 0))
        if paper is not None:
            self.store.add_paper(paper)
            if file.paper != paper.id:  # it was changed meanwhile: the next run is to look again
                file = file._replace(paper=paper.id, size=0, changed=0)
        elif outcome.reason:
            file = file._replace(reason=outcome.reason)
        self.store.set_file(file)
        if outcome.reason:
            self.store.add_failure(job.path, file.paper, outcome.reason)

    def _keep_failures(self, outcome: Outcome, names: Mapping[str, str]) -> None:
        """A line for each cell; one alone when a reader could be asked nothing."""
        asked = dict(outcome.job.asks)
        for reader, reason in dict.fromkeys((failed.reader, failed.reason) for failed in outcome.failed):
            same = [f for f in outcome.failed if (f.reader, f.reason) == (reader, reason)]
            cells = [question for failed in same for question in failed.questions]
            whole = len(cells) == len(asked.get(reader, ()))
            assert outcome.paper is not None
            self.store.add_failure(
                outcome.job.path,
                outcome.paper.id,
                reason,
                names.get(reader, reader),
                [None] if whole else cells,
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
        if cell.closed:
            raise VivaError(f"{question} is not applicable: {cell.verdict.reason} Decide that one first.")
        if not cell.paper.id:
            raise VivaError(f"{cell.paper.file}: could not be opened; put the file back and run the study.")
        found = tuple(self._located(cell, quotes)) if quotes else ()
        said = Decision(" ".join(reviewer.split()), status, text, found, reason, kind=kind)
        self.store.decide(paper, key(cell.question), said)
        return self.results().cell(paper, question)

    def undo(
        self, paper: str, question: str, *, reviewer: str, kind: DecisionKind = "review"
    ) -> Decision | None:
        """Takes back the reviewer's last decision on that cell, and says which that was; none if there is
        none. It stays in the history."""
        cell = self.results().cell(paper, question)
        return self.store.undo(paper, key(cell.question), " ".join(reviewer.split()), kind)

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
        from vivavoce.export.table import COLUMNS, rows

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


def _missing(
    questions: Sequence[Question], reader: str, version: str, done: set[tuple[str, str, str]]
) -> tuple[Question, ...]:
    return tuple(q for q in questions if (key(q), reader, version) not in done)


def _may_write(folder: Path) -> None:
    if not os.access(folder, os.W_OK):
        raise VivaError(f"{folder}: can't be written; choose a folder where you may write.")
