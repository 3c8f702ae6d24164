"""The question sets that ship."""

import pytest

from vivavoce.questions import (
    asked,
    check,
    load,
    shipped,
)
from vivavoce.records import QuestionSet

FOR_ANY_PAPER = ("open-science",)


def test_the_28() -> None:
    found = load("dl-methods")
    questions = asked(found)
    assert [q.id for q in questions] == [f"CQ{n}" for n in range(1, 29)]
    assert [q.id for q in found.questions if q.screen] == ["DL"]
    assert found.questions[0].text == "Which neural network was trained or applied?"
    assert [q.id for q in questions if q.kind == "link"] == ["CQ8", "CQ9", "CQ10", "CQ11"]
    assert [q.id for q in questions if q.kind == "list"] == ["CQ5", "CQ12", "CQ13", "CQ15", "CQ22"]
    assert [(q.id, q.kind) for q in questions if q.kind in ("software", "hardware")] == [
        ("CQ19", "software"),
        ("CQ20", "hardware"),
    ]


def test_training_asks_in_the_words_that_ship() -> None:
    from training.wordings import WORDINGS

    assert {q.id: q.text for q in asked(load())} == {id: texts[0] for id, texts in WORDINGS.items()}


def reached(some: QuestionSet, reported: set[str]) -> list[int]:
    """The numbers of the levels of a paper that reports these questions."""
    given = {
        v.name: (all if v.need == "all" else any)(id in reported for id in v.questions)
        for v in some.variables
    }
    lacking = {v.category for v in some.variables if not given[v.name]}
    return [level.number for level in some.levels if not lacking & set(level.categories)]


def test_the_reproducibility_levels_of_the_28() -> None:
    some = load("dl-methods")
    assert len(some.variables) == 10
    assert len({v.category for v in some.variables}) == 4
    resources = {"CQ11", "CQ8", "CQ19", "CQ12"}
    methods = {"CQ20", "CQ6", "CQ13"}
    statistics = {"CQ22", "CQ23"}
    assert reached(some, set()) == []
    assert reached(some, resources) == [1]
    assert reached(some, resources - {"CQ8"} | {"CQ10"}) == [1]
    assert reached(some, resources - {"CQ8"}) == []
    assert reached(some, resources | methods) == [1, 2]
    assert reached(some, resources | methods - {"CQ20"}) == [1]
    assert reached(some, resources | methods | statistics) == [1, 2, 3]
    assert reached(some, resources | methods | {"CQ24"}) == [1, 2, 4]
    assert reached(some, resources | methods | statistics | {"CQ24"}) == [1, 2, 3, 4, 5]
    assert reached(some, resources | methods | {"CQ22", "CQ24"}) == [1, 2, 4]


@pytest.mark.parametrize("name", shipped())
def test_what_ships_is_sound(name: str) -> None:
    assert check(name) == []
    some = load(name)
    assert some.name == name
    assert some.title
    assert some.about
    assert "et al. (20" in some.source
    assert all(q.text.endswith("?") and q.hints and q.topic for q in some.questions)
    # A set for any paper screens none out; in the others the screening question comes first.
    assert [q.id for q in some.questions if q.screen] == (
        [] if name in FOR_ANY_PAPER else [some.questions[0].id]
    )
    assert some.variables
    # Every level can be reached, and only by a paper that reports something.
    assert reached(some, {q.id for q in some.questions}) == [level.number for level in some.levels] != []
    assert reached(some, set()) == []


def test_which_sets_ship() -> None:
    assert shipped() == (
        "dl-methods",
        "ml-reproducibility",
        "open-science",
        "species-distribution",
        "trial-reporting",
    )
