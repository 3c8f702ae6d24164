"""Labels of a set's variables and levels against what the verdicts come to.

People who code papers often note what a paper gives ("source code: y"), not the answer to each question. A
column means a variable when it has its words, whatever the hyphens and plurals; `Level 2` means the level
of that number.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vivavoce.records import PaperInfo, QuestionSet
from vivavoce.results.cells import Results
from vivavoce.results.intervals import Counts, Intervals, intervals
from vivavoce.results.labels import Label
from vivavoce.results.scores import Score
from vivavoce.results.summary import cells_by_paper, summarise_paper

_LEVEL = re.compile(r"level\s*(\d+)", re.IGNORECASE)
_SMALL_WORDS = {"of", "the", "a", "an", "and", "or"}


@dataclass(frozen=True, slots=True)
class VariableScore:
    name: str
    """The variable's, or `level N`."""
    score: Score
    """The verdicts against the labels; `unknown` are papers of which the study can't say it."""
    intervals: Intervals


@dataclass(frozen=True, slots=True)
class VariableLabels:
    """Labels of variables and levels, by paper."""

    names: Mapping[str, str]
    """What each is called here, by the words of a label."""
    found: dict[str, dict[PaperInfo, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, questions: QuestionSet) -> "VariableLabels":
        names = {_words(variable.name): variable.name for variable in questions.variables}
        return cls(
            {**names, **{f"level {level.number}": f"level {level.number}" for level in questions.levels}}
        )

    def add(self, paper: PaperInfo, label: Label) -> bool:
        """Takes the label, if it is of a variable or level: is it?"""
        level = _LEVEL.fullmatch(label.question.strip())
        name = self.names.get(f"level {level[1]}" if level else _words(label.question))
        if name is not None:
            self.found.setdefault(name, {})[paper] = label.reported
        return name is not None

    def __bool__(self) -> bool:
        return bool(self.found)


def variable_scores(results: Results, labels: VariableLabels) -> tuple[VariableScore, ...]:
    """In the set's order; none without labels of variables."""
    if not labels:
        return ()
    questions = results.questions
    names = [*(v.name for v in questions.variables), *(f"level {level.number}" for level in questions.levels)]
    counts: dict[str, list[Counts]] = {name: [] for name in names}
    unknown = dict.fromkeys(names, 0)
    for paper, cells in cells_by_paper(results):
        summary = summarise_paper(questions, paper, cells)
        for name, said in zip(names, (*summary.variables, *summary.levels), strict=True):
            truth = labels.found.get(name, {}).get(paper)
            if truth is None:
                continue
            if said is None:
                unknown[name] += 1
            else:
                counts[name].append(
                    (
                        int(truth and said),
                        int(said and not truth),
                        int(truth and not said),
                        int(not truth and not said),
                    )
                )
    return tuple(
        VariableScore(
            name,
            _score(counts[name], unknown[name]),
            intervals(counts[name]),
        )
        for name in names
        if name in labels.found
    )


def _score(counts: Sequence[Counts], unknown: int) -> Score:
    tp, fp, fn, tn = (sum(row[n] for row in counts) for n in range(4))
    return Score(tp, fp, fn, tn, (("unknown", unknown),) if unknown else ())


def _words(name: str) -> str:
    """Without hyphens, plurals and small words."""
    words = re.sub(r"[^a-z0-9 ]", "", name.casefold().replace("open-", "open ")).split()
    return "".join(word.rstrip("s") for word in words if word not in _SMALL_WORDS)
