"""Links as they open, with where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.evidence.links import links


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The code is at https://github.com/ab/cd.", ["https://github.com/ab/cd"]),
        ("(see https://example.org/a_(b)).", ["https://example.org/a_(b)"]),
        ("at https://github.com/ab/ cd-ef.git today", ["https://github.com/ab/cd-ef.git"]),
        ("at https://a.org /records/7.zip, free", ["https://a.org/records/7.zip"]),
        ("at https: // github.com/ab/cd2.", ["https://github.com/ab/cd2"]),
        ("at https://example.org/. The rest follows.", ["https://example.org/"]),
        ("at https://example.org/ today.", ["https://example.org/"]),
        # Run into the next sentence, or into each other.
        ("from https://www.birds.org/The recordings", ["https://www.birds.org/"]),
        ("at https://doi.org/10.5061/dryad.ab12.This shows", ["https://doi.org/10.5061/dryad.ab12"]),
        (
            "https://a.orghttps://b.org/xhttps://c.org/y.",
            ["https://a.org", "https://b.org/x", "https://c.org/y"],
        ),
        ("http://bank.re.kr(accessed on 24 June)", ["http://bank.re.kr"]),
        # Not cut where a name looks like a sentence.
        ("https://github.com/x/y/blob/a.Rmd is it", ["https://github.com/x/y/blob/a.Rmd"]),
        ("https://x.org/i.html?u=a&r=b#top, seen", ["https://x.org/i.html?u=a&r=b#top"]),
        # Without a scheme.
        ("from github.com/ab/cd and www.example.org.", ["github.com/ab/cd", "www.example.org"]),
        # DOIs and accession numbers.
        ("Data: doi: 10.5061/dryad.abc12; see there.", ["10.5061/dryad.abc12"]),
        ("under GSE12345 and PRJNA123456.", ["GSE12345", "PRJNA123456"]),
        ("trial NCT01234567, RRID:AB_3720338", ["NCT01234567", "RRID:AB_3720338"]),
        ("https://x.org/GSE12345 holds it", ["https://x.org/GSE12345"]),
        ("https://a.org/x and again https://a.org/x/", ["https://a.org/x"]),
        ("A ratio of 10.5/7 and a date 10.12.2020", []),
        ("No address at all.", []),
    ],
)
def test_links(text: str, found: list[str]) -> None:
    assert [link.text for link in links(text)] == found


@pytest.mark.parametrize("text", ["see https: // a.org/b c", "doi: 10.5061/dryad.abc12;", "(GSE12345)"])
def test_a_link_stands_where_it_says(text: str) -> None:
    (link,) = links(text)
    assert link.text in "".join(text[link.start : link.end].split())


@given(st.text(alphabet="htps:/w.gabc 10doi-_()?&", max_size=120))
def test_nothing_is_added_to_a_link(text: str) -> None:
    for link in links(text):
        assert link.text in "".join(text[link.start : link.end].split())
