"""The eight real papers: are their gold quotes found where they stand, and only there?"""

import random
from pathlib import Path

import pytest

from benchmarks import gold
from vivavoce import Paper
from vivavoce.evidence.locating import locate

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[tuple[Paper, str, int]]:
    """(paper, quote, page) of every piece of gold evidence."""
    return list(gold.quoted(shared))


def test_quotes_are_found_exact_on_their_page(cases: list[tuple[Paper, str, int]]) -> None:
    exact = wrong = whole = 0
    for paper, quote, page in cases:
        evidence = locate(paper, quote)
        if evidence is None or evidence.match != "exact":
            continue
        if evidence.page != page:
            wrong += 1
            continue
        exact += 1
        whole += len(paper.sentences_in(evidence.start, evidence.end)) <= 2
        assert evidence.boxes
        assert evidence.boxes[0].page == page
    assert len(cases) == 352
    assert wrong == 0
    assert exact >= 0.99 * len(cases)
    assert whole >= 0.97 * len(cases)


def test_a_quote_with_one_word_replaced_is_never_exact(cases: list[tuple[Paper, str, int]]) -> None:
    pick = random.Random(20)
    for paper, quote, _ in cases:
        words = quote.split()
        words[pick.randrange(len(words))] = pick.choice(["zebra", "not", "17", "without"])
        if words == quote.split():
            continue
        evidence = locate(paper, " ".join(words))
        assert evidence is None or evidence.match == "close", " ".join(words)
