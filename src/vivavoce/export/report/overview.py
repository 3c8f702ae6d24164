"""What the report says before it shows the answers: gathered in one pass, a few numbers to a paper.

Only statuses and counts are kept of each paper, never its texts, so that a study of any size can be reported.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vivavoce.errors import VivaError
from vivavoce.export.report.log import Run, runs
from vivavoce.panel.decisions import is_decided
from vivavoce.panel.voting import needs_review
from vivavoce.records import Cell, Cost, PaperInfo, Question, QuestionSet, Status
from vivavoce.results.agreement import Agreement, AgreementVotes
from vivavoce.results.calibration import calibration_lines
from vivavoce.results.cells import Results
from vivavoce.results.costs import add_costs
from vivavoce.results.energy import Energy, total_energy
from vivavoce.results.review import ReviewerPair, ReviewerVotes
from vivavoce.results.summary import PaperSummary, Share, Summary, cells_by_paper, summarise, summarise_paper
from vivavoce.results.values import Distribution, ValueCounts, value_words


class MatrixMark(NamedTuple):
    """A cell of the matrix."""

    status: Status
    review: bool
    """Should a person review it?"""
    decided: bool
    """Has a person decided it?"""
    value: str = ""
    """The code, of a question that has codes."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A paper in the matrix."""

    paper: PaperInfo
    marks: tuple[MatrixMark | None, ...]
    """In the order of the questions; none where nothing has been tried yet."""
    summary: PaperSummary

    @property
    def share(self) -> Share:
        reported = self.summary.count("reported")
        return Share(reported, reported + self.summary.count("not_reported"))


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why some cells of a paper have no answer."""

    number: int
    """The paper's, in the report."""
    paper: PaperInfo
    status: Status
    reader: str
    reason: str
    cells: int


Visit = Callable[[MatrixRow, int, Sequence[Cell]], None]
"""What is done with a paper on the way: its row, its number in the report, its cells."""


@dataclass(slots=True)
class Overview:
    questions: QuestionSet
    readers: tuple[tuple[str, str], ...]
    """Names and versions."""
    rows: list[MatrixRow] = field(default_factory=list)
    statuses: Counter[Status] = field(default_factory=Counter)
    review: int = 0
    decided: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    spent: dict[str, Cost] = field(default_factory=dict)
    """What each language model's answers took."""
    energy: dict[str, Energy] = field(default_factory=dict)
    """What each reader used, in the runs that were measured."""
    runs: list[Run] = field(default_factory=list)
    summary: Summary = field(default_factory=lambda: Summary((), (), (), ()))
    agreement: Agreement | None = None
    disagreed: str = ""
    """Why there is no agreement to be shown, when there are several readers."""
    people: tuple[ReviewerPair, ...] = ()
    """How far reviewers agree, when there are several."""
    calibrated: tuple[str, ...] = ()
    """What people's decisions taught the readers, a line for each."""
    values: list[Distribution] = field(default_factory=list)
    """How often each value is given, for each question that has values."""
    _numbers: dict[int, int] = field(default_factory=dict, repr=False)

    def number(self, paper: PaperInfo) -> int:
        """The paper's number in the report."""
        if not self._numbers:
            self._numbers.update({id(row.paper): n for n, row in enumerate(self.rows, 1)})
        return self._numbers[id(paper)]

    @property
    def waiting(self) -> int:
        """Cells that nobody has tried yet."""
        return len(self.rows) * len(self.questions.questions) - self.statuses.total()


def overview(results: Results, visit: Visit) -> Overview:
    """All of the study but its texts, in one pass; `visit` is given each paper's cells on the way."""
    log = results.store.runs()
    found = Overview(
        results.questions,
        tuple(results.store.readers()),
        runs=runs(log),
        energy=total_energy(log),
        calibrated=calibration_lines(results.store) if results.calibration else (),
    )
    votes = AgreementVotes(results) if len(results.readers) > 1 else None
    reviews = ReviewerVotes()
    counts = ValueCounts()
    for paper, cells in cells_by_paper(results):
        row = _row(results.questions, paper, cells)
        found.rows.append(row)
        found.troubles += _troubles(len(found.rows), paper, cells)
        for cell in cells:
            add_costs(found.spent, cell)
            reviews.add(cell)
            counts.add(cell)
            if votes:
                votes.add(cell)
        visit(row, len(found.rows), cells)
    for mark in (mark for row in found.rows for mark in row.marks if mark):
        found.statuses[mark.status] += 1
        found.review += mark.review
        found.decided += mark.decided
    found.summary = summarise(results.questions, [row.summary for row in found.rows])
    if votes:
        try:
            found.agreement = votes.agreement()
        except VivaError as error:
            found.disagreed = str(error)
    found.people = reviews.pairs()
    found.values = counts.distributions(results.questions.questions)
    return found


def _row(questions: QuestionSet, paper: PaperInfo, cells: Sequence[Cell]) -> MatrixRow:
    marks = {cell.question.id: mark(cell) for cell in cells}
    return MatrixRow(
        paper, tuple(marks.get(q.id) for q in questions.questions), summarise_paper(questions, paper, cells)
    )


def mark(cell: Cell) -> MatrixMark:
    """The cell as the matrix shows it."""
    coded = cell.verdict.value is not None and cell.question.kind in ("choice", "yes_no")
    value = value_words(cell.verdict) if coded else ""
    return MatrixMark(cell.verdict.status, needs_review(cell.verdict), is_decided(cell), value)


def _troubles(number: int, paper: PaperInfo, cells: Sequence[Cell]) -> list[Trouble]:
    """What failed or could not be read, once for each reason."""
    found: Counter[tuple[Status, str, str]] = Counter()
    for cell in cells:
        for answer in cell.answers:
            if answer.status in ("failed", "unreadable"):
                found[answer.status, answer.reader, answer.reason] += 1
    return [
        Trouble(number, paper, status, reader, reason, cells)
        for (status, reader, reason), cells in found.items()
    ]


def topics(questions: QuestionSet) -> list[tuple[str, list[Question]]]:
    """The questions under their topics, in the order of the set."""
    found: dict[str, list[Question]] = {}
    for question in questions.questions:
        found.setdefault(question.topic, []).append(question)
    return list(found.items())
