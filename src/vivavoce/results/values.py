"""What the values of a study come to: how often each one is given, by question, by year and by journal.

All of it comes from the verdicts. A paper counts once for each different value that it gives; a paper that
says nothing counts under the question's code for that, if it has one. Numbers are counted in a few ranges
when there are many different ones.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import floor, log10

from vivavoce.records import Answer, Cell, Coded, PaperInfo, Question

MOST_BARS = 12
"""Values that are shown of one question; the others are summed up."""
MOST_GROUPS = 40
"""Years, or journals, that are shown."""
RANGES = 8
"""Into which many different numbers are counted."""
OTHERS = "other values"


def value_cell(answer: Answer) -> str | int | float | None:
    """The answer's value for a cell of a table: several with a semicolon between."""
    value = answer.value
    return "; ".join(map(str, value)) if isinstance(value, list) else value


def value_words(answer: Answer) -> str:
    """The answer's value for people: numbers with their units."""
    if not answer.coded:
        value = answer.value
        return "" if value is None else str(value)
    return "; ".join(_words(coded) for coded in answer.coded)


def _words(coded: Coded) -> str:
    shown = f"{coded.value:,}" if isinstance(coded.value, int) and coded.value > 9999 else str(coded.value)
    joined = "" if coded.unit in ("%", "‰") else " "
    return f"{shown}{joined}{coded.unit}" if coded.unit else shown


def counted_as(coded: Coded) -> str:
    """The name under which a value is counted."""
    return coded.name or _words(coded)


@dataclass(frozen=True, slots=True)
class Bar:
    """A value and the papers that give it."""

    value: str
    papers: int
    sources: tuple[PaperInfo, ...] = field(default=(), repr=False)
    """These papers, in their order."""


@dataclass(frozen=True, slots=True)
class Group:
    """The papers of a year, or of a journal."""

    name: str
    papers: int
    """Of which the answer is known."""
    counts: tuple[int, ...]
    """How many of them give each of the distribution's bars."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The values of one question over the papers."""

    question: Question
    papers: int
    """Of which the answer is known: reported or not."""
    bars: tuple[Bar, ...]
    """Most frequent first; of a choice in the order of its choices."""
    years: tuple[Group, ...] = ()
    """In their order; empty when fewer than two are known."""
    journals: tuple[Group, ...] = ()
    """Those with most papers first; empty when fewer than two are known."""


@dataclass(slots=True)
class ValueCounts:
    """Gathers the values of verdicts, cell by cell; a few words for each are kept, never quotes."""

    _given: dict[str, list[tuple[PaperInfo, tuple[str, ...], tuple[Coded, ...]]]] = field(
        default_factory=dict
    )

    def add(self, cell: Cell) -> None:
        verdict = cell.verdict
        if verdict.status not in ("reported", "not_reported"):
            return
        values: tuple[str, ...] = tuple(dict.fromkeys(counted_as(coded) for coded in verdict.coded))
        if not values and verdict.status == "not_reported":
            values = (cell.question.absent or "not reported",)
        numbers = verdict.coded if cell.question.kind == "number" else ()
        self._given.setdefault(cell.question.id, []).append((cell.paper, values, numbers))

    def distributions(self, questions: Iterable[Question]) -> list[Distribution]:
        """Of each question that has values to count, in their order."""
        return [
            found
            for question in questions
            if (found := _distribution(question, self._given.get(question.id, []))) is not None
        ]


def _distribution(
    question: Question, given: Sequence[tuple[PaperInfo, tuple[str, ...], tuple[Coded, ...]]]
) -> Distribution | None:
    none = question.absent or "not reported"
    if not any(value != none for _, values, _ in given for value in values):
        return None
    rows = [(paper, values) for paper, values, _ in given]
    if question.kind == "number":
        rows = _in_ranges([(paper, values, coded) for paper, values, coded in given], none)
    counts = Counter(value for _, values in rows for value in values)
    if question.choices:
        order = {code: n for n, code in enumerate((*question.choices, none))}
        names = sorted(counts, key=lambda value: (order.get(value, len(order)), -counts[value], value))
    else:
        names = sorted(counts, key=lambda value: (value == none, -counts[value], value))
    if len(names) > MOST_BARS:
        kept = [name for name in names if name != none][: MOST_BARS - 2]
        rows = [
            (paper, tuple(dict.fromkeys(v if v in kept or v == none else OTHERS for v in values)))
            for paper, values in rows
        ]
        counts = Counter(value for _, values in rows for value in values)
        names = [*kept, *(name for name in (OTHERS, none) if counts[name])]
    bars = tuple(Bar(name, counts[name], tuple(p for p, values in rows if name in values)) for name in names)
    years = _groups([(str(p.year), v) for p, v in rows if p.year], names, by_name=True)
    journals = _groups([(p.journal, v) for p, v in rows if p.journal], names, by_name=False)
    return Distribution(question, len(rows), bars, years, journals)


def _groups(
    rows: Sequence[tuple[str, tuple[str, ...]]], names: Sequence[str], by_name: bool
) -> tuple[Group, ...]:
    papers = Counter(name for name, _ in rows)
    if len(papers) < 2:
        return ()
    counts = Counter((name, value) for name, values in rows for value in values)
    most = sorted(papers, key=lambda name: (-papers[name], name))[:MOST_GROUPS]
    order = sorted(most) if by_name else most
    return tuple(Group(name, papers[name], tuple(counts[name, value] for value in names)) for name in order)


def _in_ranges(
    given: Sequence[tuple[PaperInfo, tuple[str, ...], tuple[Coded, ...]]], none: str
) -> list[tuple[PaperInfo, tuple[str, ...]]]:
    """Numbers of the most frequent unit in ranges, where there are many different ones; others as they
    are."""
    plain = [(paper, values) for paper, values, _ in given]
    if len({value for _, values, _ in given for value in values if value != none}) <= MOST_BARS - 2:
        return plain
    units = Counter(coded.unit for _, _, numbers in given for coded in numbers)
    unit = max(units, key=lambda u: (units[u], u), default="")
    known = sorted(
        float(c.value)
        for _, _, numbers in given
        for c in numbers
        if c.unit == unit and not isinstance(c.value, str)
    )
    if len(known) < 2 or known[0] == known[-1]:
        return plain
    step = _step((known[int(0.95 * (len(known) - 1))] - known[0]) / RANGES)
    ranged: list[tuple[PaperInfo, tuple[str, ...]]] = []
    for paper, values, numbers in given:
        first = next((c for c in numbers if c.unit == unit and not isinstance(c.value, str)), None)
        if first is None or isinstance(first.value, str):
            ranged.append((paper, values if values == (none,) else (OTHERS,) if values else ()))
            continue
        low = floor(float(first.value) / step) * step
        if float(first.value) >= known[0] + RANGES * step + step:
            ranged.append((paper, (OTHERS,)))
        else:
            ranged.append((paper, (f"{low:,.6g} to {low + step:,.6g} {unit}".strip(),)))
    return ranged


def _step(width: float) -> float:
    """A round number at least as wide."""
    power = 10.0 ** floor(log10(width)) if width > 0 else 1.0
    return next(part * power for part in (1, 2, 5, 10) if part * power >= width)
