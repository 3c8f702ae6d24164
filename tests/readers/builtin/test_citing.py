"""From a citation to the deposit in the reference list."""

import pytest

from vivavoce.readers.builtin.citing import cited
from vivavoce.records import Page, Paper, Sentence

ENTRIES = (
    "[1] Ames B. Deep nets for leaves. Journal of Leaves 4, 2019.",
    "[2] Berg C. Leaf code. GitHub, 2021. https://github.com/example-org/leaves",
    "Dorn E, Falk G (2020) Leaf pictures. Zenodo. https://doi.org/10.5281/zenodo.1",
    "17. Leaf masks. Dryad 2018. https://datadryad.org/leaves",
)


def paper(*entries: str) -> Paper:
    sentences, at = [], 0
    for entry in entries:
        sentences.append(Sentence(entry, at, at + len(entry), 1, "reference"))
        at += len(entry) + 1
    return Paper("0", "f", "text", "\n".join(entries), tuple(sentences), (Page(1, 0, 0),))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The code is on GitHub [2].", [1]),
        ("As in earlier work [1].", []),
        ("Everything is deposited [1, 2].", [1]),
        ("See the deposits [16–18].", [3]),
        ("The pictures are on Zenodo (Dorn and Falk 2020).", [2]),
        ("The pictures are on Zenodo (Dorn et al., 2020).", [2]),
        ("The pictures are on Zenodo (Dorn 2019).", []),
        ("Nothing is cited here.", []),
    ],
)
def test_cited(text: str, found: list[int]) -> None:
    read = paper(*ENTRIES)
    assert [read.sentences.index(s) for s in cited(read, Sentence(text, 0, len(text), 1))] == found


def test_a_paper_without_deposits() -> None:
    assert cited(paper(ENTRIES[0]), Sentence("See [1].", 0, 8, 1)) == []
