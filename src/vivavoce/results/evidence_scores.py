"""A reader's quotes against a label's: does the first one show the right place, does any, and how many do?

Counted are cells that the label and the reader both call reported, where a quote of the label was found in
the paper. Two quotes show the same place when they share at least half of the shorter one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vivavoce.errors import InputError
from vivavoce.evidence.spans import find_span
from vivavoce.records import Answer, Evidence, Paper, PaperInfo
from vivavoce.results.cells import Results
from vivavoce.results.labels import Label

SHARED = 0.5
"""Of the shorter of two quotes."""


@dataclass(frozen=True, slots=True)
class EvidenceScore:
    cells: int
    """Both say reported, and the label's quote is in the paper."""
    hit_first: int
    """Cells whose first quote shows the right place."""
    hit_any: int
    """Cells one of whose quotes does."""
    quotes: int
    """The reader's quotes in these cells."""
    right: int
    """Of them, those that show the right place."""
    not_found: int
    """Cells left out since no quote of the label is in the paper."""


class QuoteCheck:
    """Collects what each reader's quotes are worth."""

    def __init__(self, results: Results, readers: Sequence[str]) -> None:
        self._results = results
        self._found: dict[str, list[tuple[bool, ...]]] = {reader: [] for reader in readers}
        self._not_found = dict.fromkeys(readers, 0)
        self._paper: Paper | None = None

    def add(self, paper: PaperInfo, label: Label, said: Mapping[str, Answer]) -> None:
        if not label.reported or not label.quotes or not paper.id:
            return
        claims = {name: a.evidence for name, a in said.items() if a.status == "reported" and a.evidence}
        if not claims:
            return
        places = self._places(paper, label)
        for reader, evidence in claims.items():
            if reader not in self._found:
                continue
            if places:
                self._found[reader].append(tuple(_overlaps(e, places) for e in evidence))
            else:
                self._not_found[reader] += 1

    def _places(self, info: PaperInfo, label: Label) -> list[tuple[int, int]]:
        """Where the label's quotes are in the paper."""
        if self._paper is None or self._paper.id != info.id:
            try:
                self._paper = self._results.store.paper(info.id)
            except InputError:
                return []
        paper = self._paper
        spans = (find_span(paper, quote.text, quote.page) for quote in label.quotes)
        return [(span.start, span.end) for span in spans if span is not None]

    def scores(self, readers: Sequence[str]) -> tuple[tuple[str, EvidenceScore], ...]:
        """Of each reader with anything to score."""
        return tuple(
            (
                reader,
                EvidenceScore(
                    cells=len(cells := self._found[reader]),
                    hit_first=sum(hits[0] for hits in cells),
                    hit_any=sum(any(hits) for hits in cells),
                    quotes=sum(map(len, cells)),
                    right=sum(map(sum, cells)),
                    not_found=self._not_found[reader],
                ),
            )
            for reader in readers
            if self._found[reader] or self._not_found[reader]
        )


def _overlaps(evidence: Evidence, places: Sequence[tuple[int, int]]) -> bool:
    for start, end in places:
        common = min(end, evidence.end) - max(start, evidence.start)
        if common > 0 and common >= SHARED * min(end - start, evidence.end - evidence.start):
            return True
    return False
