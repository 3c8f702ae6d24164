"""Links and versions, told by their form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.evidence.values import values


def found(text: str, kind: str) -> list[str]:
    return [v.text for v in values([text]) if v.kind == kind]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("The code is at https://github.com/ab/cd.", ["https://github.com/ab/cd"]),
        ("(see https://example.org/a_(b)).", ["https://example.org/a_(b)"]),
        ("Data: doi:10.5061/dryad.abc12; see there.", ["10.5061/dryad.abc12"]),
        ("deposited under 10.5281/zenodo.1234567.", ["10.5281/zenodo.1234567"]),
        ("from github.com/ab/cd and www.example.org.", ["github.com/ab/cd", "www.example.org"]),
        ("at https://github.com/ab/ cd-ef.git today", ["https://github.com/ab/cd-ef.git"]),
        ("at https://a.org /records/7.zip, free", ["https://a.org/records/7.zip"]),
        ("at https://example.org/. The rest follows.", ["https://example.org/"]),
        ("https://a.org/x and again https://a.org/x/", ["https://a.org/x"]),
        ("A ratio of 10.5/7 and a date 10.12.2020", []),
        ("No address at all.", []),
    ],
)
def test_links(text: str, links: list[str]) -> None:
    assert found(text, "link") == links


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("We used TensorFlow 2.4.1 and Keras v2.3.", ["TensorFlow 2.4.1", "Keras 2.3"]),
        ("in Python (version 3.6.2) on CentOS", ["Python 3.6.2"]),
        ("with R version 4.0.3 (R Core Team)", ["R 4.0.3"]),
        ("written in python 3.8", ["python 3.8"]),
        ("as Table 2.1 and Section 3.2 show", []),
        ("an accuracy of 93.5 % and a rate of 0.001", []),
        ("see https://pypi.example/TensorFlow 2 for more", []),
    ],
)
def test_versions(text: str, versions: list[str]) -> None:
    assert found(text, "version") == versions


@given(st.text(max_size=200))
def test_a_value_has_no_character_that_the_text_lacks(text: str) -> None:
    for value in values([text]):
        assert set(value.text) <= set(text) | {" "}
        assert value.text.strip() == value.text != ""
