"""Search in what papers say: which of them say something like this, with quotes.

Two ways to find a sentence: by its words (`store.find_words`), and, where the built-in reader's vectors are
kept, by what it means. Each gives an order, and a sentence counts by its places in both (reciprocal rank
fusion): no scales have to be compared.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vivavoce.records import PaperInfo
from vivavoce.store import Hit, Store

MOST_HITS = 500
"""Sentences that are looked at by each of the two ways."""
QUOTES = 3
"""Of each paper."""
FUSION = 60
"""What is added to a place before it counts, as in the paper that proposed it (Cormack et al. 2009)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence that was found."""

    text: str
    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundPaper:
    paper: PaperInfo
    passages: tuple[Passage, ...]
    """The best, best first."""


@dataclass(frozen=True, slots=True)
class Search:
    papers: tuple[FoundPaper, ...]
    """The best first."""
    by_meaning: int
    """Papers whose sentences were compared by meaning, too."""
    unindexed: int
    """Papers whose words could not be looked at: nobody with the right to write has searched yet."""


def search(
    store: Store,
    text: str,
    most: int = 20,
    meaning: tuple[str, bytes] | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
) -> Search:
    """The papers that say something like the text. `meaning`: the name of the reader's states, and the
    direction of the text. `done` is told how far the indexing of new papers is."""
    unindexed = store.index_words(done)
    ways = [store.find_words(text, MOST_HITS)]
    compared = 0
    if meaning is not None:
        compared, near = _nearest(store.vectors(meaning[0]), meaning[1])
        ways.append(near)
    scores: dict[tuple[str, int], float] = {}
    for hits in ways:
        for place, hit in enumerate(hits):
            key = (hit.paper, hit.number)
            scores[key] = scores.get(key, 0.0) + 1 / (FUSION + place + 1)
    by_paper: dict[str, list[int]] = {}
    for paper, number in sorted(scores, key=lambda key: (-scores[key], key)):
        by_paper.setdefault(paper, []).append(number)
    known = {paper.id: paper for paper in store.sources()}
    best = [(known[id], numbers[:QUOTES]) for id, numbers in by_paper.items() if id in known][:most]
    found = tuple(FoundPaper(paper, tuple(_passages(store, paper.id, numbers))) for paper, numbers in best)
    return Search(found, compared, unindexed)


def _nearest(vectors: Iterable[tuple[str, bytes]], direction: bytes) -> tuple[int, list[Hit]]:
    """How many papers were compared, and the sentences whose direction is nearest, best first."""
    wanted = np.frombuffer(direction, np.int8).astype(np.float32)
    best: list[Hit] = []
    papers = 0
    for paper, data in vectors:
        papers += 1
        near = np.frombuffer(data, np.int8).reshape(-1, len(wanted)).astype(np.float32) @ wanted
        top = np.argsort(-near, kind="stable")[:MOST_HITS]
        best += [Hit(paper, int(n), float(near[n])) for n in top]
        if len(best) > 4 * MOST_HITS:
            best = _top(best)
    return papers, _top(best)


def _top(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.paper, hit.number))[:MOST_HITS]


def _passages(store: Store, id: str, numbers: Sequence[int]) -> Iterable[Passage]:
    sentences = store.paper(id).sentences
    for number in numbers:
        sentence = sentences[number]
        yield Passage(sentence.reading or sentence.text, sentence.page, sentence.start, sentence.end)
