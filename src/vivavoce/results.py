"""What a study has come to: every paper x question with its answers and its verdict, in a fixed order.

Exports, evaluation and the review page all look at a study through this, and only through this. It is read
from the store paper by paper, so that a study of any size takes little memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from vivavoce.panel import verdict
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

    @classmethod
    def of(cls, store: Store) -> "Results":
        """What is in the store now."""
        readers = tuple(name for name, _ in store.readers())
        return cls(store.asked(), readers, tuple(store.sources()), store)

    def cells(self) -> Iterator[Cell]:
        """Papers in their order, the questions of each in theirs. A cell that nobody has tried is not there."""
        failed = {f.paper: f.reason for f in self.store.failures()}
        names = {file.name: file for file in self.store.files()}
        versions = dict(self.store.readers())
        for paper in self.papers:
            found = self.store.answers(paper.id) if paper.id else {}
            reason = names[paper.file].reason or (failed.get(paper.id, "") if paper.id else "")
            for question in self.questions.questions:
                answers = tuple(
                    answer
                    for name in self.readers
                    if (answer := _one(found, question, name, versions[name], reason))
                )
                if answers:
                    yield Cell(paper, question, answers, verdict(answers))

    def __len__(self) -> int:
        """How many cells there are to be."""
        return len(self.papers) * len(self.questions.questions)


def _one(
    found: dict[tuple[str, str], Answer], question: Question, reader: str, version: str, reason: str
) -> Answer | None:
    """A reader's answer; a failed one where there is a reason why there is none."""
    answer = found.get((key(question), reader))
    if answer is None and reason:
        return Answer(question, reader, version, "failed", reason=reason)
    return answer
