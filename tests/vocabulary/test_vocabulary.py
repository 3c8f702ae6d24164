"""Things under their spellings; files of the vocabulary and what is wrong with one."""

import re
from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.records import Terms
from vivavoce.vocabulary import (
    accession_pattern,
    check,
    extended,
    read_terms,
    repository_of,
    shipped,
    vocabulary,
)


@pytest.mark.parametrize("name", shipped())
def test_what_ships_is_sound(name: str) -> None:
    assert check(name) == []


def test_what_ships() -> None:
    assert set(vocabulary().kinds) == {
        *("architecture", "funder", "hardware", "licence", "metric", "optimiser", "repository", "software")
    }
    ids = vocabulary().ids()
    assert all(re.fullmatch(r"wikidata:Q\d+|https://ror\.org/0\w{6}\d\d", id) for id in ids.values())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("in Tensor Flow, tensorflow and Tensor-Flow", ["TensorFlow", "TensorFlow", "TensorFlow"]),
        ("the TensorFlow Object Detection API", ["TensorFlow Object Detection API"]),
        ("with tf.keras on a TensorFlow 2.4 backend", ["Keras", "TensorFlow"]),
        ("by SGD and Adam", ["stochastic gradient descent", "Adam"]),
        ("adam and sgd", []),
        ("ResNet-50 and CNNs", ["ResNet", "convolutional neural network"]),
        ("three NVIDIA TITAN Xp", ["NVIDIA TITAN"]),
        ("GeForce GTX 1080 Ti", ["NVIDIA GeForce GTX"]),
        ("under CC BY-NC 4.0 or CC BY 4.0", ["CC BY-NC", "CC BY"]),
        ("supported by the NIH", ["National Institutes of Health"]),
        ("deposited in Dryad", ["Dryad"]),
        ("F1-score and mAP", ["F1 score", "mean average precision"]),
        ("using R version 4.0 in RStudio", ["R", "RStudio"]),
        ("a map of R, the ratio", []),
    ],
)
def test_spellings(text: str, named: list[str]) -> None:
    assert [mention.name for mention in vocabulary().mentions(text)] == named


def test_what_a_question_asks_for() -> None:
    assert vocabulary().asked_for("optimiser") == ("optimiser",)
    assert vocabulary().asked_for("the weather") == ()


def test_accession_numbers() -> None:
    text = "GSE12345, PXD001234, E-MTAB-8097 and NCT01234567, but neither AGSE12345 nor x/GSE1"
    assert accession_pattern().findall(text) == ["GSE12345", "PXD001234", "E-MTAB-8097", "NCT01234567"]
    assert repository_of("PXD001234") == "ProteomeXchange"
    assert repository_of("nothing") == ""


def test_ones_own_file(tmp_path: Path) -> None:
    file = tmp_path / "traps.yaml"
    file.write_text("kind: trap\nasked: [trap]\nterms:\n  pan trap: [bee bowl]\n  Malaise trap: []\n")
    own = read_terms(file)
    assert own == Terms("trap", ("trap",), (("pan trap", ("bee bowl",)), ("Malaise trap", ())))
    both = extended((own,))
    found = [(m.name, m.kind) for m in both.mentions("bee-bowls and R version 4.1")]
    assert found == [("pan trap", "trap"), ("R", "software")]
    assert both.asked_for("traps or trap") == ("trap",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("terms: {a: []}\n", "has no `kind`"),
        ("kind: x\n", "has no `terms`"),
        ("kind: x\nterms: [a, b]\n", "`terms` is a list"),
        ("kind: x\nterms:\n  a: ['/(/']\n", "is no regular expression"),
        ("kind: x\nterms:\n  a: []\nids:\n  b: Q1\n", "which is not among the terms"),
        ("kind: x\nwords:\n  a: []\nterms:\n  a: []\n", "unknown field 'words'"),
    ],
)
def test_what_is_wrong_with_a_file(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    assert said in check(file)[0].text
    with pytest.raises(VivaError, match=r"x\.yaml:\d+:|can't"):
        read_terms(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match="can't be opened"):
        read_terms(tmp_path / "none.yaml")
