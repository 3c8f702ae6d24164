"""What a study has come to: every paper x question with its answers, decisions and verdict, in a fixed order.

Exports, evaluation and the review page all look at a study through this, and only through this. It is read
from the store paper by paper, so that a study of any size takes little memory.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vivavoce.errors import InputError
from vivavoce.panel.calibrated import PaperText, calibrated
from vivavoce.panel.decisions import final_verdict, seen_by
from vivavoce.panel.voting import fails_screening, verdict
from vivavoce.records import Answer, Calibration, Cell, PaperInfo, Question, QuestionSet
from vivavoce.results.calibration import offsets
from vivavoce.store import Store, question_key

Reasons = dict[tuple[str | None, str | None], str]
"""Why there is no answer, by question and reader; none for any of them."""


@dataclass(frozen=True, slots=True)
class Results:
    questions: QuestionSet
    readers: tuple[str, ...]
    """Names, in the study's order."""
    papers: tuple[PaperInfo, ...]
    """Every paper once, in the order of their files; a file that can't be read is one, too."""
    store: Store = field(repr=False, compare=False)
    weights: Mapping[str, float] | None = None
    """How much each reader's vote counts; none when all count the same."""

    seen_by: str | None = None
    """A blind reviewer, for whom nobody else has decided anything."""
    calibration: Calibration | None = None
    """What people's decisions taught the readers; none for a blind reviewer."""
    screened: bool = True
    """Do a set's other questions not apply to a paper that fails its screening question?"""

    @classmethod
    def of(cls, store: Store, seen_by: str | None = None, *, screened: bool = True) -> "Results":
        """What is in the store now; as a blind reviewer sees it, with that reviewer's name."""
        readers = tuple(name for name, _ in store.readers())
        papers = tuple(store.sources())
        calibration = store.calibration() if seen_by is None else None
        return cls(store.asked(), readers, papers, store, store.weights(), seen_by, calibration, screened)

    def cells(self) -> Iterator[Cell]:
        """Papers in their order, the questions of each in theirs. A cell that nobody tried is not there."""
        reason = self._reasons()
        versions = dict(self.store.readers())
        for paper in self.papers:
            yield from self._paper(paper, versions, reason(paper))

    def cells_of(self, paper: str) -> list[Cell]:
        """The cells of one paper, by its id (by its file, if it has none): the others are not looked at."""
        for source in self.papers:
            if paper == (source.id or source.file):
                return self._paper(source, dict(self.store.readers()), self._reasons()(source))
        raise InputError(f"there is no paper {paper} in this study.")

    def cell(self, paper: str, question: str) -> Cell:
        """One cell, by the paper's id and the question's."""
        for cell in self.cells_of(paper):
            if cell.question.id == question:
                return cell
        if any(question == asked.id for asked in self.questions.questions):
            raise InputError(f"{question} of paper {paper[:12]} has no answer yet; run the study first.")
        raise InputError(f"there is no question {question} in this study.")

    def reviewers(self) -> tuple[str, ...]:
        """Who has reviewed something that counts, by name."""
        return tuple(name for name in self.store.reviewers() if self.seen_by in (None, name))

    def _reasons(self) -> Callable[[PaperInfo], Reasons]:
        """A function that says of a paper why it, or a cell of it, could not be asked."""
        failed: dict[str, Reasons] = {}
        for failure in self.store.failures():
            if failure.paper:
                failed.setdefault(failure.paper, {})[failure.question, failure.reader] = failure.reason
        names = {file.name: file.reason for file in self.store.files()}

        def reasons(paper: PaperInfo) -> Reasons:
            if unread := names[paper.file]:
                return {(None, None): unread}
            return failed.get(paper.id, {})

        return reasons

    def _paper(self, paper: PaperInfo, versions: dict[str, str], reasons: Reasons) -> list[Cell]:
        found = self._calibrated(paper, self.store.answers(paper.id)) if paper.id else {}
        decisions = self.store.decisions(paper.id) if paper.id else {}
        cells = []
        for question in self.questions.questions:
            if answers := self._answers(paper, found, question, versions, reasons):
                vote = verdict(answers, self.weights)
                decided = decisions.get(question_key(question), ())
                cell = Cell(paper, question, answers, final_verdict(vote, decided), vote, decided)
                cells.append(cell if self.seen_by is None else seen_by(cell, self.seen_by))
        return list(_screened(cells)) if self.screened else cells

    def _calibrated(
        self, paper: PaperInfo, answers: dict[tuple[str, str], Answer]
    ) -> dict[tuple[str, str], Answer]:
        """The answers with what people's decisions taught. Those in the store are the readers' own, for
        good."""
        moved = offsets(self.calibration)

        def read() -> PaperText:
            text, sentences = self.store.text(paper.id)
            return PaperText(text, paper.pages, sentences)

        return {
            (question, name): calibrated(answer, by, read)
            if (by := moved.get((name, answer.version, question)))
            else answer
            for (question, name), answer in answers.items()
        }

    def _answers(
        self,
        paper: PaperInfo,
        found: dict[tuple[str, str], Answer],
        question: Question,
        versions: dict[str, str],
        reasons: Reasons,
    ) -> tuple[Answer, ...]:
        """Each reader's answer; a failed one where there is a reason why there is none: one of the cell, of
        the reader, of the paper."""
        answers = []
        for name in self.readers:
            answer = found.get((question_key(question), name))
            whose = ((question_key(question), name), (None, name), (None, None))
            reason = next((reasons[who] for who in whose if who in reasons), "")
            if answer is None and reason:
                answer = Answer(question, name, versions[name], "failed", reason=reason, paper=paper.id)
            if answer is not None:
                answers.append(answer)
        return tuple(answers)

    def __len__(self) -> int:
        """How many cells there are to be."""
        return len(self.papers) * len(self.questions.questions)


def _screened(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The cells of a paper; when it clearly fails the screening question, the others don't apply to it. What
    readers said to them and people decided stays in the store, and counts again when the screening is decided
    otherwise."""
    others = [cell.verdict for cell in cells if not cell.question.screen]
    gates = [cell.verdict for cell in cells if cell.question.screen]
    failed = [answer for answer in gates if fails_screening(answer, others)]
    for cell in cells:
        if not failed or cell.question.screen:
            yield cell
            continue
        reason = f"the paper fails the screening question: {failed[0].question.text}"
        answers = tuple(
            Answer(
                cell.question,
                answer.reader,
                answer.version,
                "not_applicable",
                confidence=failed[0].confidence,
                reason=reason,
                paper=answer.paper,
                cost=answer.cost,  # it was asked all the same
            )
            for answer in cell.answers
        )
        vote = verdict(answers)
        yield Cell(cell.paper, cell.question, answers, vote, vote, cell.decisions, screened_out=True)
