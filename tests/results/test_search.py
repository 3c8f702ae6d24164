"""Search: papers that say something like this, by words and by meaning."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands import viva
from tests.store.sample import ID, PAPER, filled
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.results.search import Passage, search
from vivavoce.store import Store, states_name
from vivavoce.study.study import Study


def axis(*numbers: int) -> bytes:
    """Vectors that point along these axes of three."""
    return b"".join(np.eye(3, dtype=np.int8)[n].tobytes() for n in numbers)


def test_a_paper_is_found_by_its_words(tmp_path: Path) -> None:
    store = filled(Store.open(tmp_path, create=True))
    found = search(store, "who counts bees?")
    assert [(one.paper.id, one.passages) for one in found.papers] == [
        (ID, (Passage("We counted bees.", 1, 0, 16),))
    ]
    assert (found.by_meaning, found.unindexed) == (0, 0)
    assert search(store, "elephants").papers == ()
    store.close()


def test_a_row_of_a_table_is_found_with_its_heads(tmp_path: Path) -> None:
    store = filled(Store.open(tmp_path, create=True))
    ((passage,),) = [one.passages for one in search(store, "place").papers]
    assert passage == Passage("Place: example.org", 2, 17, len(PAPER.text))
    store.close()


def test_a_sentence_is_found_by_its_meaning_alone(tmp_path: Path) -> None:
    store = filled(Store.open(tmp_path, create=True))
    store.add_states(ID, "reader 1", b"", axis(0, 1))
    found = search(store, "insects", meaning=("reader 1", axis(1)))
    assert found.by_meaning == 1
    assert [passage.text for passage in found.papers[0].passages] == [
        "Place: example.org",
        "We counted bees.",
    ]
    assert search(store, "insects", meaning=("reader 2", axis(1))).papers == ()
    store.close()


def test_who_can_not_write_is_told_what_is_not_searched(tmp_path: Path) -> None:
    filled(Store.open(tmp_path, create=True)).close()
    store = Store.open(tmp_path, readonly=True)
    assert search(store, "bees").unindexed == 1
    store.close()


@pytest.mark.parametrize("text", ["", " ?! "])
def test_nothing_to_look_for(tmp_path: Path, text: str) -> None:
    filled(Store.open(tmp_path, create=True)).close()
    said = viva("search", tmp_path, text)
    assert (said.returncode, said.stderr) == (2, "viva: say what to look for: some words.\n")


TOADS = """# Toads on roads

## Methods
We counted toads at night. The batch size was 32. Each toad was carried over the road.

## Thanks
We thank the volunteers.
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study whose states were kept by a real run."""
    place = tmp_path_factory.mktemp("kept")
    (place / "toads.md").write_text(TOADS)
    (place / "set.txt").write_text("What was the batch size?\n")
    done = viva(
        "run", place / "toads.md", "--questions", place / "set.txt", "--study", place / "s", "--keep-states",
        "--workers", 1,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return place


def test_a_new_question_is_answered_from_what_was_kept(kept: Path) -> None:
    reader = Builtin()
    name = states_name("builtin", reader.version)
    study = Study.open(kept / "s")
    (info,) = study.results().papers
    states = study.store.states(info.id, name)
    assert states is not None
    ((paper, vectors),) = list(study.store.vectors(name))
    sentences = study.paper(info.id).sentences
    assert (paper, len(vectors)) == (info.id, len(sentences) * 384)
    fresh = reader.read(study.paper(info.id), study.questions().questions)
    again, none, _ = reader.read_from(study.paper(info.id), study.questions().questions, states, keep=True)
    assert none == b""
    assert [(a.status, a.text, a.evidence) for a in again] == [(a.status, a.text, a.evidence) for a in fresh]
    assert again[0].status == "reported"
    study.close()
    (kept / "set.txt").write_text("How many toads were counted?\nWhat was the batch size?\n")
    done = viva("run", "--questions", kept / "set.txt", "--study", kept / "s", "--workers", 1, "--json")
    assert json.loads(done.stdout)["done"] == 1


def test_search_finds_what_is_meant(kept: Path) -> None:
    found = json.loads(viva("search", kept / "s", "number of training examples per step", "--json").stdout)
    assert found["by_meaning"] == 1
    quotes = [quote["quote"] for quote in found["papers"][0]["quotes"]]
    assert "The batch size was 32." in quotes
    assert "p. 1: The batch size was 32." in viva("search", kept / "s", "batch size").stdout
