"""Corrections, retractions and expressions of concern, by their metadata and by their words."""

import pytest

from vivavoce.papers.notices import by_type, by_words
from vivavoce.records import Sentence, WarningKind


def sentences(*texts: tuple[str, str]) -> list[Sentence]:
    return [Sentence(text, 0, len(text), 1, kind) for kind, text in texts]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("correction", "correction"), ("retraction", "retraction"), ("expression-of-concern", "concern")],
)
def test_by_article_type(name: str, kind: WarningKind) -> None:
    found = by_type(name)
    assert found is not None
    assert found.kind == kind
    assert by_type("research-article") is None


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Correction: Birds of the lake", "correction"),
        ("Corrigendum to “Birds of the lake”", "correction"),
        ("Erratum", "correction"),
        ("Author Correction: Birds", "correction"),
        ("Retraction: Birds of the lake", "retraction"),
        ("RETRACTED: Birds of the lake", "retraction"),
        ("Retraction Note to: Birds", "retraction"),
        ("Editorial Expression of Concern: Birds", "concern"),
    ],
)
def test_by_title(title: str, kind: WarningKind) -> None:
    found = by_words(title, sentences(("title", title), ("prose", "Figure 2 was wrong.")))
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    "title",
    [
        "Correction for attenuation in surveys",
        "Retraction of glaciers in the Alps",
        "Error correction by codes",
    ],
)
def test_a_paper_on_the_subject_is_none(title: str) -> None:
    long = sentences(
        ("title", title), *[("prose", "The glaciers were measured in each of the years. " * 10)] * 40
    )
    assert by_words(title, long) is None


def test_by_a_line_at_the_head() -> None:
    found = by_words("Birds of the lake", sentences(("front", "ERRATUM"), ("title", "Birds of the lake")))
    assert found is not None
    assert found.kind == "correction"
