"""What is known of a sentence besides its words."""

import pytest

from vivavoce.readers.builtin.places import PLACES, place


def named(kind: str, section: str | None) -> set[str]:
    return {name for name, value in zip(PLACES, place(kind, section), strict=True) if value}


@pytest.mark.parametrize(
    ("section", "part"),
    [
        ("", "abstract"),
        ("2. Materials and methods", "methods"),
        ("Related work", "introduction"),
        ("4 Conclusions and outlook", "discussion"),
        ("Funding", "statements"),
        ("Data availability", "statements"),
    ],
)
def test_parts_of_a_paper(section: str, part: str) -> None:
    assert named("prose", section) == {part, "sectioned"}


def test_a_heading_that_says_nothing() -> None:
    assert named("prose", "Birds of the north") == {"sectioned"}


def test_kinds_are_known_without_headings() -> None:
    assert named("table", None) == {"table"}
    assert named("prose", None) == set()
