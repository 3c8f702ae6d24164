"""A study in numbers: how often each question is answered, what each paper gives, which levels it reaches.

All of it comes from the verdicts, in one pass over the results. "Unknown" is never counted as "no": a paper
that can't be read says nothing about what it reports.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

from vivavoce.records import Answer, Cell, Level, PaperInfo, Question, QuestionSet, Status, Variable
from vivavoce.results.cells import Results

Z = 1.959963984540054
"""Of the normal distribution, 95% lie within this many standard deviations."""
UNKNOWN: tuple[Status | None, ...] = ("unreadable", "failed", "not_applicable", None)
"""Statuses that say nothing of what a paper reports; none for a question that has not been asked yet."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, and how sure that is of the papers these were drawn from."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95%, by Wilson's method."""
        return wilson(self.hits, self.n) if self.n else None


@dataclass(frozen=True, slots=True)
class PaperSummary:
    paper: PaperInfo
    statuses: tuple[Status | None, ...]
    """Of the verdicts, in the order of the questions; none where nothing has been tried."""
    variables: tuple[bool | None, ...]
    """Is each variable given? None when nothing is known of any of its questions."""
    levels: tuple[bool | None, ...]
    """Is each level reached?"""

    def count(self, status: Status) -> int:
        return self.statuses.count(status)


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    question: Question
    reported: int
    not_reported: int
    other: int

    @property
    def share(self) -> Share:
        """Of the papers that were read in full for it, those that report it."""
        return Share(self.reported, self.reported + self.not_reported)


@dataclass(frozen=True, slots=True)
class VariableSummary:
    variable: Variable
    share: Share
    """Of the papers of which it is known, those that give it."""


@dataclass(frozen=True, slots=True)
class LevelSummary:
    level: Level
    share: Share
    """Of the papers of which it is known, those that reach it."""


@dataclass(frozen=True, slots=True)
class Summary:
    questions: tuple[QuestionSummary, ...]
    papers: tuple[PaperSummary, ...]
    variables: tuple[VariableSummary, ...]
    levels: tuple[LevelSummary, ...]


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95% interval of a share, good for few papers and for shares near 0 and 1; (0, 1) when `n` is 0."""
    if not n:
        return 0.0, 1.0
    share, square = hits / n, Z * Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == n else middle + half)


def summary_of(results: Results) -> Summary:
    """The whole study."""
    papers = [summarise_paper(results.questions, paper, cells) for paper, cells in cells_by_paper(results)]
    return summarise(results.questions, papers)


def cells_by_paper(results: Results) -> Iterator[tuple[PaperInfo, list[Cell]]]:
    """Every paper of the study with its cells; with none, where nothing has been tried yet."""
    # By identity, for two files that can't be opened may look the same.
    groups = groupby(results.cells(), key=lambda cell: id(cell.paper))
    which, cells = next(groups, (0, iter(())))
    for paper in results.papers:
        if which == id(paper):
            yield paper, list(cells)
            which, cells = next(groups, (0, iter(())))
        else:
            yield paper, []


def summarise_paper(questions: QuestionSet, paper: PaperInfo, cells: Iterable[Cell]) -> PaperSummary:
    """What one paper gives."""
    verdicts = {cell.question.id: cell.verdict for cell in cells}
    found: dict[str, Status] = {id: verdict.status for id, verdict in verdicts.items()}
    given = [_given(variable, verdicts) for variable in questions.variables]
    levels = [
        _reached(
            [g for v, g in zip(questions.variables, given, strict=True) if v.category in level.categories]
        )
        for level in questions.levels
    ]
    statuses = tuple(found.get(question.id) for question in questions.questions)
    return PaperSummary(paper, statuses, tuple(given), tuple(levels))


def _given(variable: Variable, verdicts: dict[str, Answer]) -> bool | None:
    found = [verdicts.get(id) for id in variable.questions]
    if all(verdict is None or verdict.status in UNKNOWN for verdict in found):
        return None
    reported = [verdict is not None and _counts(variable, verdict) for verdict in found]
    return any(reported) if variable.need == "any" else all(reported)


def _counts(variable: Variable, verdict: Answer) -> bool:
    """Is the question reported, with a value that counts?"""
    if verdict.status != "reported" or not variable.values:
        return verdict.status == "reported"
    return any(str(coded.value) in variable.values for coded in verdict.coded)


def _reached(given: Sequence[bool | None]) -> bool | None:
    """Every variable has to be given; one that is not decides, whatever is unknown of the others."""
    if False in given:
        return False
    return True if given and None not in given else None


def summarise(questions: QuestionSet, papers: Sequence[PaperSummary]) -> Summary:
    """What the papers come to."""
    return Summary(
        tuple(_question(q, [p.statuses[n] for p in papers]) for n, q in enumerate(questions.questions)),
        tuple(papers),
        tuple(
            VariableSummary(v, _share([p.variables[n] for p in papers]))
            for n, v in enumerate(questions.variables)
        ),
        tuple(LevelSummary(v, _share([p.levels[n] for p in papers])) for n, v in enumerate(questions.levels)),
    )


def _question(question: Question, statuses: Sequence[Status | None]) -> QuestionSummary:
    counts = Counter(status for status in statuses if status)
    reported, not_reported = counts["reported"], counts["not_reported"]
    return QuestionSummary(question, reported, not_reported, counts.total() - reported - not_reported)


def _share(given: Sequence[bool | None]) -> Share:
    return Share(sum(g is True for g in given), sum(g is not None for g in given))
