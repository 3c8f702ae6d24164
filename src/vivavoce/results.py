"""What a study has come to: every paper x question with its answers and its verdict, in a fixed order.

Exports, evaluation and the review page all look at a study through this, and only through this. It is read
from the store paper by paper, so that a study of any size takes little memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vivavoce.panel import fails, verdict
from vivavoce.records import Answer, Cell, Question, QuestionSet, Source
from vivavoce.store import Store, key


@dataclass(frozen=True, slots=True)
class Results:
    questions: QuestionSet
    readers: tuple[str, ...]
    """Names, in the study's order."""
    papers: tuple[Source, ...]
    """Every paper once, in the order of their files; a file that can't be read is one, too."""
    store: Store = field(repr=False, compare=False)
    weights: Mapping[str, float] | None = None
    """How much each reader's vote counts; none when all count the same."""

    @classmethod
    def of(cls, store: Store) -> "Results":
        """What is in the store now."""
        readers = tuple(name for name, _ in store.readers())
        return cls(store.asked(), readers, tuple(store.sources()), store, store.weights())

    def cells(self) -> Iterator[Cell]:
        """Papers in their order, the questions of each in theirs. A cell that nobody tried is not there."""
        failed: dict[str, dict[tuple[str | None, str | None], str]] = {}
        for f in self.store.failures():
            if f.paper:
                failed.setdefault(f.paper, {})[f.question, f.reader] = f.reason
        names = {file.name: file for file in self.store.files()}
        versions = dict(self.store.readers())
        for paper in self.papers:
            found = self.store.answers(paper.id) if paper.id else {}
            reasons = dict(failed.get(paper.id, {}))
            if reason := names[paper.file].reason:
                reasons = {(None, None): reason}
            cells = [
                Cell(paper, question, answers, verdict(answers, self.weights))
                for question in self.questions.questions
                if (answers := self._answers(paper, found, question, versions, reasons))
            ]
            yield from _screened(cells)

    def _answers(
        self,
        paper: Source,
        found: dict[tuple[str, str], Answer],
        question: Question,
        versions: dict[str, str],
        reasons: Mapping[tuple[str | None, str | None], str],
    ) -> tuple[Answer, ...]:
        """Each reader's answer; a failed one where there is a reason why there is none: one of the cell, of
        the reader, of the paper."""
        answers = []
        for name in self.readers:
            answer = found.get((key(question), name))
            whose = ((key(question), name), (None, name), (None, None))
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
    readers said to them stays in the store, and counts again when the screening is decided otherwise."""
    failed = [cell.verdict for cell in cells if cell.question.screen and fails(cell.verdict)]
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
        yield Cell(cell.paper, cell.question, answers, verdict(answers))
