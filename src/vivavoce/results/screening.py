"""What a study's filter does: the shares of each question before and after it.

The filter is the set's screening question, whoever answers it: a reader, people, or a table from elsewhere.
Before it, every paper counts; after it, those that don't clearly fail.
"""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from vivavoce.errors import InputError
from vivavoce.panel.voting import fails_screening
from vivavoce.records import Question
from vivavoce.results.cells import Results
from vivavoce.results.summary import cells_by_paper


class Counted(NamedTuple):
    reported: int
    papers: int
    """With a verdict of yes or no."""


@dataclass(frozen=True, slots=True)
class ScreenedQuestion:
    question: Question
    before: Counted
    after: Counted


@dataclass(frozen=True, slots=True)
class Screening:
    papers: int
    passed: int
    questions: tuple[ScreenedQuestion, ...]
    """Without the screening question itself."""


def screening(results: Results) -> Screening:
    """Counts every paper, and those that pass."""
    every = Results.of(results.store, results.seen_by, screened=False)
    screens = {question.id for question in every.questions.questions if question.screen}
    if not screens:
        raise InputError(
            "the question set has no screening question (`screen: true`), so there is no filter."
        )
    before: Counter[tuple[str, bool]] = Counter()
    after: Counter[tuple[str, bool]] = Counter()
    papers = passed = 0
    for _, cells in cells_by_paper(every):
        papers += 1
        passes = not any(fails_screening(cell.verdict) for cell in cells if cell.question.id in screens)
        passed += passes
        for cell in cells:
            if cell.verdict.status in ("reported", "not_reported", "unsupported"):
                key = (cell.question.id, cell.verdict.status == "reported")
                before[key] += 1
                after[key] += passes
    questions = tuple(
        ScreenedQuestion(q, _counted(before, q.id), _counted(after, q.id))
        for q in every.questions.questions
        if q.id not in screens
    )
    return Screening(papers, passed, questions)


def _counted(counts: Counter[tuple[str, bool]], id: str) -> Counted:
    return Counted(counts[id, True], counts[id, True] + counts[id, False])
