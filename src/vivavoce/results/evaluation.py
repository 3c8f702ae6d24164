"""Answers against labels: how often each reader is right about what a paper reports, and where it is wrong.

A label says of a paper and a question: reported, yes or no. `unsupported` counts as "no", for nothing in the
paper bears the claim out. What could not be read, asked or applied is no statement at all: it is left out,
and counted. A ratio that is not defined (precision, when a reader reported nothing) is None. Labels with
quotes also say whether a reader's quotes are the right ones (`evidence_scores`), confidences whether they
are to be trusted (`reliability`), and labels of variables and levels what the set's come to.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vivavoce.errors import InputError
from vivavoce.evidence.file_names import FileNames
from vivavoce.evidence.tables.naming import QuestionNames, doi_key, title_key
from vivavoce.panel.decisions import PANEL, is_decided
from vivavoce.panel.voting import VERDICT, vote_of
from vivavoce.records import Answer, Cell, PaperInfo, Question
from vivavoce.results.cells import Results
from vivavoce.results.coders import CoderPair, agreed, coder_pairs
from vivavoce.results.evidence_scores import EvidenceScore, QuoteCheck
from vivavoce.results.intervals import Counts, Intervals, intervals
from vivavoce.results.labels import Label, read_labels
from vivavoce.results.reliability import Judged, Reliability, reliability
from vivavoce.results.scores import Score
from vivavoce.results.variable_scores import VariableLabels, VariableScore, variable_scores

__all__ = ["Evaluation", "Label", "Mistake", "Score", "evaluate", "read_labels"]

MISSING = "not_answered"
"""Why a label was left out whose cell nobody has tried; other reasons are statuses."""


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
    intervals: Mapping[tuple[str, str], Intervals] = field(default_factory=dict)
    """Of each measure, by reader and question's id; empty for all questions."""
    evidence: tuple[tuple[str, EvidenceScore], ...] = ()
    """How good each reader's quotes are, where labels have quotes."""
    reliability: tuple[tuple[str, Reliability], ...] = ()
    """How far each reader's confidences can be trusted."""
    variables: tuple[VariableScore, ...] = ()
    """Where labels are of variables or levels: how often the verdicts come to the same."""
    coders: tuple[CoderPair, ...] = ()
    """How far people who labelled the same cells agree."""
    coders_disagree: int = 0
    """Cells that were left out since coders disagree on them."""

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
    fitted = _fit(results, labels)
    if not fitted.cells and not fitted.variables:
        raise InputError(_nothing_fits(results, labels))
    compared = _Compared(results, fitted.cells)
    for cell in results.cells():
        compared.add(cell)
    return compared.evaluation(fitted, labels)


@dataclass(frozen=True, slots=True)
class _Fitted:
    """Labels, with what they are of."""

    cells: "Cells"
    variables: VariableLabels
    strangers: list[Label]
    coders_disagree: int


class _Compared:
    """Cells against their labels, one after the other."""

    def __init__(self, results: Results, wanted: "Cells") -> None:
        self.results = results
        self.wanted = wanted
        self.every = (*results.readers, PANEL, VERDICT)
        self.counts: Counter[tuple[str, str, str]] = Counter()
        """By reader, question and outcome."""
        self.by_paper: Counter[tuple[str, str, PaperInfo, str]] = Counter()
        self.mistakes: list[Mistake] = []
        self.judged: dict[str, list[Judged]] = {reader: [] for reader in self.every}
        self.quotes = QuoteCheck(results, self.every)
        self.seen: set[tuple[PaperInfo, str]] = set()
        self.decided = 0

    def add(self, cell: Cell) -> None:
        label = self.wanted.get((cell.paper, cell.question.id))
        if label is None:
            return
        self.seen.add((cell.paper, cell.question.id))
        self.decided += is_decided(cell)
        by_reader = {answer.reader: answer for answer in (*cell.answers, cell.verdict)}
        by_reader[PANEL] = replace(cell.vote, reader=PANEL)
        self.quotes.add(cell.paper, label, by_reader)
        for reader in self.every:
            outcome = _outcome(label, by_reader.get(reader))
            self.counts[reader, cell.question.id, outcome] += 1
            self.by_paper[reader, cell.question.id, cell.paper, outcome] += 1
            if outcome in ("fp", "fn"):
                self.mistakes.append(Mistake(cell.paper, cell.question, label, by_reader[reader]))
            if outcome in OUTCOMES:
                self.judged[reader].append(Judged.of(by_reader[reader], label.reported))

    def evaluation(self, fitted: _Fitted, labels: Sequence[Label]) -> Evaluation:
        for _, id in self.wanted.keys() - self.seen:
            self.counts.update((reader, id, MISSING) for reader in self.every)
        # Where people decided nothing, the verdict is the vote.
        readers = self.every if self.decided else (*self.results.readers, VERDICT)
        asked = {id for _, id in self.wanted}
        questions = [q for q in self.results.questions.questions if q.id in asked]
        return Evaluation(
            labels=len(self.wanted),
            papers=len({paper for paper, _ in self.wanted}),
            debatable=sum(label.debatable for label in self.wanted.values()),
            decided=self.decided,
            overall=tuple((reader, self.score(reader)) for reader in readers),
            questions=tuple(
                (q, tuple((reader, self.score(reader, q.id)) for reader in readers)) for q in questions
            ),
            mistakes=tuple(m for m in self.mistakes if m.answer.reader in readers),
            strangers=tuple(fitted.strangers),
            intervals={
                (reader, id): intervals(self.counts_by_paper(reader, id))
                for reader in readers
                for id in ("", *(q.id for q in questions))
            },
            evidence=self.quotes.scores(readers),
            reliability=tuple(
                (reader, found) for reader in readers if (found := reliability(self.judged[reader]))
            ),
            variables=variable_scores(self.results, fitted.variables),
            coders=coder_pairs(labels, _finder(self.results)),
            coders_disagree=fitted.coders_disagree,
        )

    def score(self, reader: str, question: str | None = None) -> Score:
        found: Counter[str] = Counter()
        for (who, id, outcome), number in self.counts.items():
            if who == reader and question in (None, id):
                found[outcome] += number
        tp, fp, fn, tn = (found.pop(name, 0) for name in OUTCOMES)
        return Score(tp, fp, fn, tn, tuple(sorted(found.items())))

    def counts_by_paper(self, reader: str, question: str) -> list[Counts]:
        found: dict[PaperInfo, Counter[str]] = {}
        for (who, id, paper, outcome), number in self.by_paper.items():
            if who == reader and question in ("", id):
                found.setdefault(paper, Counter())[outcome] += number
        return [(c["tp"], c["fp"], c["fn"], c["tn"]) for c in found.values()]


OUTCOMES = ("tp", "fp", "fn", "tn")


def _outcome(label: Label, answer: Answer | None) -> str:
    if answer is None:
        return MISSING
    vote = vote_of(answer)
    if vote is None:
        return answer.status
    return ("t" if vote == label.reported else "f") + ("p" if vote else "n")


# Which paper and question a label is of

Cells = dict[tuple[PaperInfo, str], Label]


def _fit(results: Results, labels: Sequence[Label]) -> _Fitted:
    """The labels by paper and question, those of variables and levels, and those of neither."""
    find = _finder(results)
    names = QuestionNames(results.questions.questions)
    variables = VariableLabels.of(results.questions)
    by_cell: dict[tuple[PaperInfo, str], list[Label]] = {}
    strangers = []
    for label in labels:
        paper, question = find(label), names.find(label.question)
        if paper is not None and question is not None:
            by_cell.setdefault((paper, question.id), []).append(label)
        elif paper is None or not variables.add(paper, label):
            strangers.append(label)
    cells: Cells = {}
    apart = 0
    for where, some in by_cell.items():
        if (one := agreed(some)) is None:
            apart += 1
        else:
            cells[where] = one
    return _Fitted(cells, variables, strangers, apart)


def fitted_labels(results: Results, labels: Sequence[Label]) -> Cells:
    """The labels by paper and question."""
    return _fit(results, labels).cells


def _finder(results: Results) -> Callable[[Label], PaperInfo | None]:
    """A function that finds a label's paper: by its file, else by its DOI, else by its title."""
    papers = {paper.id or paper.file: paper for paper in results.papers}
    # The same paper may lie there under two names.
    named = ((file.name, papers.get(file.paper or file.name)) for file in results.store.files())
    names = FileNames((name, paper) for name, paper in named if paper is not None)
    dois = {key: paper for paper in results.papers if (key := doi_key(paper.doi))}
    titles = {key: paper for paper in results.papers if (key := title_key(paper.title))}

    def find(label: Label) -> PaperInfo | None:
        found = names.of_row(label.file)
        if len(found) > 1:
            several = ", ".join(sorted(paper.file for paper in found))
            raise InputError(f"{label.where}: {label.file} fits several papers: {several}; give the path.")
        by_name = next(iter(found), None)
        return by_name or dois.get(doi_key(label.file)) or titles.get(title_key(label.file))

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
