"""Answers against labels: how often each reader is right about what a paper reports, and where it is wrong.

A label says of a paper and a question: reported, yes or no. `unsupported` counts as "no", for
nothing in the paper bears the claim out. What could not be read, asked or applied is no statement at all: it
is left out, and counted. A ratio that is not defined (precision, when a reader reported nothing) is
None.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError
from vivavoce.evidence.file_names import FileNames
from vivavoce.evidence.row_files import (
    csv_rows,
    field,
    json_object,
    jsonl_rows,
    page_number,
    parsed,
    text_of,
    yes_or_no,
)
from vivavoce.panel.decisions import PANEL, is_decided
from vivavoce.panel.voting import VERDICT, vote_of
from vivavoce.records import Answer, PaperInfo, Question
from vivavoce.results.cells import Results
from vivavoce.results.scores import Score

__all__ = ["Evaluation", "Label", "Mistake", "Score", "evaluate", "read_labels"]

NEEDED = ("file", "question_id", "reported")
MISSING = "not_answered"
"""Why a label was left out whose cell nobody has tried; other reasons are statuses."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a paper and a question."""

    file: str
    """The paper's path or name, with or without its ending."""
    question: str
    """The question's id."""
    reported: bool
    quote: str = ""
    page: int | None = None
    debatable: bool = False
    """The person noted that one may see it otherwise."""
    where: str = ""
    """The label's file and line, for messages."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A cell in which a reader and the label differ."""

    paper: PaperInfo
    question: Question
    label: Label
    answer: Answer


@dataclass(frozen=True, slots=True)
class Evaluation:
    labels: int
    """How many were compared with."""
    papers: int
    """How many papers these are of."""
    debatable: int
    """How many of them are debatable."""
    decided: int
    """Of how many people decided what the verdict is."""
    overall: tuple[tuple[str, Score], ...]
    """Of each reader; of the panel's own vote, if people decided anything; and last of the verdict."""
    questions: tuple[tuple[Question, tuple[tuple[str, Score], ...]], ...]
    """The same, for each question that has labels."""
    mistakes: tuple[Mistake, ...]
    """Of all readers and the verdict, papers and questions in their order."""
    strangers: tuple[Label, ...]
    """Labels of papers or questions that are not in the study."""

    def misses(self, reader: str = VERDICT) -> list[Mistake]:
        """The label says yes, the reader says no."""
        return [m for m in self.mistakes if m.answer.reader == reader and m.label.reported]

    def false_claims(self, reader: str = VERDICT) -> list[Mistake]:
        """The label says no, the reader says yes."""
        return [m for m in self.mistakes if m.answer.reader == reader and not m.label.reported]


def evaluate(results: Results, labels: Sequence[Label], *, without_debatable: bool = False) -> Evaluation:
    """Each reader and the verdict against the labels."""
    if without_debatable:
        labels = [label for label in labels if not label.debatable]
    wanted, strangers = _fit(results, labels)
    if not wanted:
        raise InputError(_nothing_fits(results, labels))
    counts: Counter[tuple[str, str, str]] = Counter()
    mistakes = []
    seen = set()
    decided = 0
    every = (*results.readers, PANEL, VERDICT)
    for cell in results.cells():
        label = wanted.get((cell.paper, cell.question.id))
        if label is None:
            continue
        seen.add((cell.paper, cell.question.id))
        decided += is_decided(cell)
        by_reader = {answer.reader: answer for answer in (*cell.answers, cell.verdict)}
        by_reader[PANEL] = replace(cell.vote, reader=PANEL)
        for reader in every:
            outcome = _outcome(label, by_reader.get(reader))
            counts[reader, cell.question.id, outcome] += 1
            if outcome in ("fp", "fn"):
                mistakes.append(Mistake(cell.paper, cell.question, label, by_reader[reader]))
    for _, id in wanted.keys() - seen:
        counts.update((reader, id, MISSING) for reader in every)
    # Where people decided nothing, the verdict is the vote.
    readers = every if decided else (*results.readers, VERDICT)
    asked = {id for _, id in wanted}
    return Evaluation(
        labels=len(wanted),
        papers=len({paper for paper, _ in wanted}),
        debatable=sum(label.debatable for label in wanted.values()),
        decided=decided,
        overall=tuple((reader, _score(counts, reader)) for reader in readers),
        questions=tuple(
            (q, tuple((reader, _score(counts, reader, q.id)) for reader in readers))
            for q in results.questions.questions
            if q.id in asked
        ),
        mistakes=tuple(m for m in mistakes if m.answer.reader in readers),
        strangers=tuple(strangers),
    )


def _outcome(label: Label, answer: Answer | None) -> str:
    if answer is None:
        return MISSING
    vote = vote_of(answer)
    if vote is None:
        return answer.status
    return ("t" if vote == label.reported else "f") + ("p" if vote else "n")


def _score(counts: Counter[tuple[str, str, str]], reader: str, question: str | None = None) -> Score:
    found: Counter[str] = Counter()
    for (who, id, outcome), number in counts.items():
        if who == reader and question in (None, id):
            found[outcome] += number
    tp, fp, fn, tn = (found.pop(name, 0) for name in ("tp", "fp", "fn", "tn"))
    return Score(tp, fp, fn, tn, tuple(sorted(found.items())))


# Which paper a label is of

Cells = dict[tuple[PaperInfo, str], Label]


def _fit(results: Results, labels: Sequence[Label]) -> tuple[Cells, list[Label]]:
    """The labels by paper and question, and those that are of none."""
    find = _finder(results)
    asked = {question.id for question in results.questions.questions}
    fits: Cells = {}
    strangers = []
    for label in labels:
        paper = find(label)
        if paper is None or label.question not in asked:
            strangers.append(label)
            continue
        first = fits.setdefault((paper, label.question), label)
        if first.reported != label.reported:
            raise InputError(
                f"{label.where}: {label.question} of {label.file} is {_yes(label.reported)} here and "
                f"{_yes(first.reported)} in {first.where}; keep one of them."
            )
    return fits, strangers


def _finder(results: Results) -> Callable[[Label], PaperInfo | None]:
    """A function that finds a label's paper."""
    papers = {paper.id or paper.file: paper for paper in results.papers}
    # The same paper may lie there under two names.
    named = ((file.name, papers.get(file.paper or file.name)) for file in results.store.files())
    names = FileNames((name, paper) for name, paper in named if paper is not None)

    def find(label: Label) -> PaperInfo | None:
        found = names.of_row(label.file)
        if len(found) > 1:
            several = ", ".join(sorted(paper.file for paper in found))
            raise InputError(f"{label.where}: {label.file} fits several papers: {several}; give the path.")
        return next(iter(found), None)

    return find


def _nothing_fits(results: Results, labels: Sequence[Label]) -> str:
    if not labels:
        return "there are no labels to compare with; a label file has a row per paper and question."
    first = labels[0]
    papers = results.papers[0].file if results.papers else "no paper"
    ids = results.questions.questions[0].id if results.questions.questions else "no question"
    return (
        f"none of the {len(labels)} labels is of a paper and a question of this study: the first label is of "
        f"{first.file} and {first.question}, the study begins with {papers} and {ids}."
    )


# Reading labels


def read_labels(path: Path) -> list[Label]:
    """The labels in a CSV, JSON lines or JSON file, or in the JSON files of a folder."""
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputError(f"{path}: there are no .json files in this folder; give a label file.")
        return [label for file in files for label in _json_labels(file, text_of(file))]
    forms = {".csv": _csv_labels, ".jsonl": _jsonl_labels, ".json": _json_labels}
    if path.suffix.lower() not in forms:
        raise InputError(f"{path}: labels are read from {' '.join(forms)} files, or a folder of .json files.")
    return list(forms[path.suffix.lower()](path, text_of(path)))


def _csv_labels(path: Path, text: str) -> Iterator[Label]:
    for where, raw in csv_rows(path, text, NEEDED):
        yield _label(where, raw)


def _jsonl_labels(path: Path, text: str) -> Iterator[Label]:
    for where, raw in jsonl_rows(path, text, NEEDED):
        yield _label(where, raw)


def _json_labels(path: Path, text: str) -> Iterator[Label]:
    """A paper with its questions: `{"paper", "questions": [{"id", "reported", "evidence", "note"}]}`."""
    where = str(path)
    paper = json_object(where, parsed(text, where), NEEDED)
    questions = paper.get("questions")
    if "paper" not in paper or not isinstance(questions, list):
        raise InputError(f'{where}: a label file in JSON has the form {{"paper": ..., "questions": [...]}}.')
    for number, raw in enumerate(questions):
        here = f"{where}, questions[{number}]"
        question = json_object(here, raw, NEEDED)
        evidence = question.get("evidence") or [{}]
        if not isinstance(evidence, list):
            raise InputError(f"{here}: its evidence is not a list.")
        best = json_object(f"{here}.evidence[0]", evidence[0], NEEDED)
        yield _label(
            here,
            {
                "file": paper["paper"],
                "question_id": question.get("id"),
                "reported": question.get("reported"),
                "quote": best.get("quote"),
                "page": best.get("page"),
            },
            debatable="debatable" in str(question.get("note") or "").lower(),
        )


def _label(where: str, raw: dict[str, Any], debatable: bool = False) -> Label:
    for name in NEEDED:
        if not field(raw, name):
            raise InputError(f"{where}: {name} is missing.")
    return Label(
        file=field(raw, "file"),
        question=field(raw, "question_id"),
        reported=yes_or_no(where, field(raw, "reported")),
        quote=field(raw, "quote"),
        page=page_number(where, field(raw, "page")),
        debatable=debatable,
        where=where,
    )


def _yes(reported: bool) -> str:
    return "yes" if reported else "no"
