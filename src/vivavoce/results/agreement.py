"""How far a study's readers agree: on reported or not, and in their words. Nothing here calls a reader.

People who reviewed cells are readers, too, as `person:NAME`; adjudications are not counted.

Of the votes: the share of pairs of answers that agree, Cohen's kappa of each pair of readers, Fleiss' kappa
(of the cells that every reader voted on) and Krippendorff's alpha (of all cells with two votes or more). Of
the words: the cosine of TF-IDF vectors, which compares words and knows nothing of their meaning; what knows
more is a model, and looking at results calls none.

Intervals are of 95%, by drawing papers with replacement, since answers about one paper hang together. Each
measure is a function of sums over papers, so that a thousand draws are one product of matrices. The values
themselves come from `scores`, statsmodels and krippendorff; the formulas on sums serve the intervals.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from vivavoce.errors import InputError, MissingExtra
from vivavoce.panel.decisions import as_answer
from vivavoce.panel.voting import PERSON, vote_of
from vivavoce.records import Answer, Cell, PaperInfo, Question
from vivavoce.results.cells import Results
from vivavoce.results.scores import Score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Votes = NDArray[np.int8]

DRAWS = 1_000
SEED = 7
"""The same study gives the same intervals."""
INSTALL = "pip install 'vivavoce[stats]'"

_WORD = re.compile(r"[^\W_]+")
_PAGE = re.compile(r"\[p\. \d+\]")
"""The built-in reader's page marks are no words of the answer."""


@dataclass(frozen=True, slots=True)
class Estimate:
    value: float | None
    """None where it is not defined: a kappa, when all votes are the same."""
    low: float | None
    high: float | None
    """The 95% interval; none with fewer than two papers, or when most draws have no value."""
    n: int
    """Cells that it rests on."""


@dataclass(frozen=True, slots=True)
class ReaderPair:
    readers: tuple[str, str]
    percent: Estimate
    """The share of cells in which both say the same."""
    kappa: Estimate
    """Cohen's."""
    cosine: Estimate
    """The mean likeness of their answers' words, where both have some."""


@dataclass(frozen=True, slots=True)
class Group:
    """Of one question, or of all."""

    percent: Estimate
    """The share of pairs of votes, in the same cell, that are the same."""
    fleiss: Estimate
    alpha: Estimate
    """Krippendorff's, nominal."""
    pairs: tuple[ReaderPair, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    readers: tuple[str, ...]
    """Those of the study, then people, as `person:NAME`."""
    papers: int
    """Papers with a cell that two readers voted on."""
    overall: Group
    questions: tuple[tuple[Question, Group], ...]


def raters(results: Results) -> tuple[str, ...]:
    """Whose answers are compared: the study's readers, then people who reviewed something."""
    return (*results.readers, *(PERSON + name for name in results.reviewers()))


def agreement(results: Results) -> Agreement:
    """How far the readers agree, and the people who reviewed."""
    votes = AgreementVotes(results)
    votes.check()
    for cell in results.cells():
        votes.add(cell)
    return votes.agreement()


def _check(readers: Sequence[str]) -> None:
    """Refuses what can't be computed."""
    if len(readers) < 2:
        raise InputError(
            "agreement needs two readers or more; add one with `viva run --study DIR --reader R`."
        )
    try:
        import krippendorff  # noqa: F401
        import statsmodels  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"{error.name} is not installed: {INSTALL}.") from None


def _estimated(
    readers: tuple[str, ...], questions: Sequence[Question], votes: "Votes", cosines: "Numbers"
) -> Agreement:
    import numpy as np

    both = ((votes >= 0).sum(axis=2) >= 2).any(axis=1)
    votes, cosines = votes[both], cosines[:, both]
    if not len(votes):
        raise InputError("no two readers have answered the same question of a paper yet.")
    generator = np.random.default_rng(SEED)
    papers = len(votes)
    drawn = generator.multinomial(papers, np.full(papers, 1 / papers), size=DRAWS).astype(float)
    sums = [_sums(votes[:, q], cosines[:, :, q]) for q in range(votes.shape[1])]
    draws = [drawn @ one for one in sums]
    groups = [
        _group(readers, votes[:, q], one.sum(axis=0), some, papers)
        for q, (one, some) in enumerate(zip(sums, draws, strict=True))
    ]
    every = votes.reshape(-1, votes.shape[2])
    total, drawn_total = np.sum(sums, axis=(0, 1)), np.sum(draws, axis=0)
    overall = _group(readers, every, total, drawn_total, papers)
    return Agreement(readers, papers, overall, tuple(zip(questions, groups, strict=True)))


# Votes and words


class AgreementVotes:
    """The votes of a study, collected cell by cell: no text is kept. Cells come in the order of
    `Results.cells`, so that whoever passes over a study for another reason can collect them on the way."""

    def __init__(self, results: Results) -> None:
        import numpy as np

        self._readers = raters(results)
        self._questions = results.questions.questions
        self._reader = {name: n for n, name in enumerate(self._readers)}
        self._asked = {question.id: n for n, question in enumerate(self._questions)}
        # By paper, question and reader: 1, 0, or -1 for none.
        self._votes = np.full((len(results.papers), len(self._asked), len(self._reader)), -1, dtype=np.int8)
        self._words = _Words()
        self._last: PaperInfo | None = None
        self._paper = -1

    def check(self) -> None:
        """Refuses what can't be computed, before anything is collected."""
        _check(self._readers)

    def add(self, cell: Cell) -> None:
        if cell.paper is not self._last:
            self._last, self._paper = cell.paper, self._paper + 1
        question = self._asked[cell.question.id]
        for answer in (*cell.answers, *_reviews(cell)):
            vote, reader = vote_of(answer), self._reader[answer.reader]
            if vote is not None:
                self._votes[self._paper, question, reader] = vote
                if answer.text:
                    self._words.add(self._paper * len(self._asked) + question, reader, answer.text)

    def agreement(self) -> Agreement:
        """How far they agree."""
        self.check()
        papers, questions, readers = self._votes.shape
        pairs = list(combinations(range(readers), 2))
        # By pair of readers, paper and question; nan for none.
        cosines = self._words.cosines(pairs, papers * questions).reshape(-1, papers, questions)
        return _estimated(self._readers, self._questions, self._votes, cosines)


def _reviews(cell: Cell) -> list[Answer]:
    """What people decided about a cell; nothing where the question does not apply."""
    reviews = (d for d in cell.decisions if d.kind == "review" and not cell.screened_out)
    return [as_answer(cell.vote, decision) for decision in reviews]


class _Words:
    """The words of answers, as numbers; each answer belongs to a cell and a reader."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._words: list[int] = []
        self._lengths: list[int] = []
        self._cells: list[int] = []
        self._readers: list[int] = []

    def add(self, cell: int, reader: int, text: str) -> None:
        words = _WORD.findall(_PAGE.sub(" ", text).lower())
        if words:
            known = self._known
            self._words.extend([known.setdefault(word, len(known)) for word in words])
            self._lengths.append(len(words))
            self._cells.append(cell)
            self._readers.append(reader)

    def cosines(self, pairs: Sequence[tuple[int, int]], cells: int) -> "Numbers":
        """Of each pair of readers, the cosine in each cell; nan where one of them has no words. A word counts
        by how often it occurs in the answer, times ln((1 + answers) / (1 + answers that have it)) + 1."""
        import numpy as np

        found = np.full((len(pairs), cells), np.nan)
        answers, many = len(self._lengths), max(1, len(self._known))
        cell, reader = np.array(self._cells, dtype=np.int64), np.array(self._readers, dtype=np.int64)
        place = np.repeat(np.arange(answers), self._lengths) * many + np.array(self._words, dtype=np.int64)
        place, times = np.unique(place, return_counts=True)
        answer, word = place // many, place % many
        rare = np.log((1 + answers) / (1 + np.bincount(word, minlength=many))) + 1
        weight = times * rare[word]
        weight /= np.sqrt(np.bincount(answer, weight**2, minlength=answers))[answer]
        for n, (one, other) in enumerate(pairs):
            mine, theirs = (reader[answer] == one), (reader[answer] == other)
            common, a, b = np.intersect1d(
                cell[answer[mine]] * many + word[mine],
                cell[answer[theirs]] * many + word[theirs],
                assume_unique=True,
                return_indices=True,
            )
            dots = np.bincount(common // many, weight[mine][a] * weight[theirs][b], minlength=cells)
            both = np.intersect1d(cell[reader == one], cell[reader == other])
            found[n, both] = np.minimum(dots[both], 1.0)
        return found


# Sums over papers, and what they come to

_OF_PAIR = 6
"""Both yes, only the first, only the second, both no; the sum of cosines, and of how many."""


def _sums(votes: "Votes", cosines: "Numbers") -> "Numbers":
    """Of each paper, all that the measures need of one question."""
    import numpy as np

    columns: list[Any] = []
    for n, (one, other) in enumerate(combinations(range(votes.shape[1]), 2)):
        a, b, cosine = votes[:, one], votes[:, other], cosines[n]
        columns += [(a == x) & (b == y) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))]
        columns += [np.nan_to_num(cosine), ~np.isnan(cosine)]
    yes, no = (votes == 1).sum(axis=1), (votes == 0).sum(axis=1)
    voted = yes + no
    whole = voted == votes.shape[1]
    agreeing = (yes * (yes - 1) + no * (no - 1)) / np.maximum(1, voted * (voted - 1))
    columns += [whole, whole * yes, whole * agreeing]
    two = voted >= 2
    columns += [two * yes, two * no, two * yes * no / np.maximum(1, voted - 1)]
    return np.stack([np.asarray(column, dtype=float) for column in columns], axis=-1)


def _measures(sums: "Numbers", readers: int) -> "Numbers":
    """Percent, Fleiss' kappa, alpha; of each pair percent, Cohen's kappa, cosine; nan when not defined."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        of_pairs = sums[..., :-6].reshape(*sums.shape[:-1], -1, _OF_PAIR)
        a, b, c, d, cosine, many = np.moveaxis(of_pairs, -1, 0)
        percent = (a + d) / (a + b + c + d)
        kappa = 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))
        cells, yes, agreeing, ones, zeros, apart = np.moveaxis(sums[..., -6:], -1, 0)
        share = yes / (cells * readers)
        chance = share**2 + (1 - share) ** 2
        fleiss = np.where(_undefined(chance), np.nan, (agreeing / cells - chance) / (1 - chance))
        alpha = 1 - (ones + zeros - 1) * apart / (ones * zeros)
        overall = (a + d).sum(axis=-1) / (a + b + c + d).sum(axis=-1)
        pairs = np.stack([percent, kappa, cosine / many], axis=-1).reshape(*percent.shape[:-1], -1)
        found = np.concatenate([np.stack([overall, fleiss, alpha], axis=-1), pairs], axis=-1)
        return np.where(np.isfinite(found), found, np.nan)


def _undefined(chance: "Numbers") -> "Any":
    return chance > 1 - 1e-12


def _group(readers: Sequence[str], votes: "Votes", sums: "Numbers", draws: "Numbers", papers: int) -> Group:
    values = _measures(sums, len(readers))
    drawn = _measures(draws, len(readers))
    lows, highs = _intervals(drawn) if papers > 1 else ([None] * len(values), [None] * len(values))

    def estimate(at: int, value: float | None, n: float) -> Estimate:
        if value is None or value != value:
            return Estimate(None, None, None, int(n))
        return Estimate(round(value, 4) + 0.0, lows[at], highs[at], int(n))

    yes, no = (votes == 1).sum(axis=1), (votes == 0).sum(axis=1)
    voted = yes + no
    pairs = []
    for n, names in enumerate(combinations(readers, 2)):
        tp, fp, fn, tn, _, worded = map(int, sums[n * _OF_PAIR : (n + 1) * _OF_PAIR])
        score = Score(tp, fp, fn, tn)
        at = 3 + 3 * n
        pairs.append(
            ReaderPair(
                names,
                estimate(at, score.accuracy, score.n),
                estimate(at + 1, score.kappa, score.n),
                estimate(at + 2, float(values[at + 2]), worded),
            )
        )
    whole, two = voted == votes.shape[1], voted >= 2
    return Group(
        estimate(0, float(values[0]), two.sum()),
        estimate(1, _fleiss(yes[whole], no[whole]), whole.sum()),
        estimate(2, _alpha(yes[two], no[two]), two.sum()),
        tuple(pairs),
    )


def _intervals(drawn: "Numbers") -> tuple[list[float | None], list[float | None]]:
    import numpy as np

    lows: list[float | None] = []
    highs: list[float | None] = []
    for column in drawn.T:
        defined = column[~np.isnan(column)]
        if 2 * len(defined) < len(column):
            lows.append(None)
            highs.append(None)
        else:
            low, high = np.quantile(defined, [0.025, 0.975])
            lows.append(round(float(low), 4) + 0.0)
            highs.append(round(float(high), 4) + 0.0)
    return lows, highs


def _fleiss(yes: "Any", no: "Any") -> float | None:
    import numpy as np
    from statsmodels.stats.inter_rater import fleiss_kappa

    if not yes.sum() or not no.sum():
        return None
    return float(fleiss_kappa(np.stack([yes, no], axis=1)))


def _alpha(yes: "Any", no: "Any") -> float | None:
    import krippendorff
    import numpy as np

    if not yes.sum() or not no.sum():
        return None
    counts = np.stack([yes, no], axis=1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def rows(found: Agreement) -> Iterator[tuple[str, str, str, Estimate]]:
    """Every estimate, with the question it is of (empty: all), the measure and the readers (empty: all)."""
    for id, group in (("", found.overall), *((question.id, group) for question, group in found.questions)):
        for name in ("percent", "fleiss", "alpha"):
            yield id, name, "", getattr(group, name)
        for pair in group.pairs:
            for name in ("percent", "kappa", "cosine"):
                yield id, name, " / ".join(pair.readers), getattr(pair, name)
