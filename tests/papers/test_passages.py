"""Passages: windows of sentences of small papers, compared sentence by sentence."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import VivaError
from vivavoce.papers.blocks import Block, assemble, block
from vivavoce.papers.passages import passages
from vivavoce.records import Kind, Page, Paper, Passage


def paper_of(*blocks: Block) -> Paper:
    text, sentences, anchors = assemble(blocks)
    return Paper("id", "f.txt", "text", text, sentences, (Page(1, 0, 0),), anchors=anchors)


def texts(found: tuple[Passage, ...]) -> list[str]:
    return [passage.text.replace("\n", " ") for passage in found]


FIVE = "One ran off. Two hid well. Six sat here. Ten ate them. All won it."


def test_windows_share_a_sentence() -> None:
    paper = paper_of(block("prose", FIVE))
    assert texts(passages(paper, size=40)) == [
        "One ran off. Two hid well. Six sat here.",
        "Six sat here. Ten ate them. All won it.",
    ]


def test_windows_without_overlap() -> None:
    paper = paper_of(block("prose", FIVE))
    assert texts(passages(paper, size=40, overlap=0)) == [
        "One ran off. Two hid well. Six sat here.",
        "Ten ate them. All won it.",
    ]


def test_a_larger_overlap() -> None:
    paper = paper_of(block("prose", FIVE))
    assert [(p.first, p.last) for p in passages(paper, size=42, overlap=2)] == [(0, 2), (1, 3), (2, 4)]


def test_one_window_when_all_fits() -> None:
    paper = paper_of(block("prose", FIVE))
    assert passages(paper) == (Passage(FIVE, 0, len(FIVE), 1, "", 0, 4),)


def test_a_long_sentence_stands_alone() -> None:
    long = "Here " + "and there " * 10 + "it ran."
    paper = paper_of(block("prose", f"One ran off. {long} Two hid well."))
    assert texts(passages(paper, size=40)) == ["One ran off.", long, "Two hid well."]


def test_headings_begin_passages_and_belong_to_what_follows() -> None:
    paper = paper_of(
        block("title", "A title"),
        block("prose", "One ran off."),
        block("heading", "2 Methods"),
        block("heading", "2.1 Data"),
        block("prose", "Two hid well.", page=2),
        block("heading", "2.2 Models"),
        block("prose", "Six sat here.", page=3),
    )
    found = passages(paper)
    assert texts(found) == [
        "A title One ran off.",
        "2 Methods 2.1 Data Two hid well.",
        "2.2 Models Six sat here.",
    ]
    assert [p.section for p in found] == ["", "2.1 Data", "2.2 Models"]


def test_a_heading_is_never_parted_from_a_long_sentence() -> None:
    paper = paper_of(block("heading", "Methods"), block("prose", "One ran off to the hills. Two hid well."))
    assert texts(passages(paper, size=10)) == ["Methods One ran off to the hills.", "Two hid well."]


def test_a_heading_with_nothing_under_it() -> None:
    paper = paper_of(block("prose", "One ran off."), block("heading", "The end"))
    found = passages(paper)
    assert texts(found) == ["One ran off.", "The end"]
    assert found[1].section == "The end"


def test_references_are_left_out() -> None:
    paper = paper_of(
        block("heading", "Discussion"),
        block("prose", "One ran off."),
        block("heading", "References"),
        block("reference", "Vogt, I. 2020. Moths."),
        block("reference", "Diallo, A. 2021. Bats."),
        block("heading", "Appendix"),
        block("prose", "Two hid well."),
    )
    assert texts(passages(paper)) == ["Discussion One ran off.", "Appendix Two hid well."]


def test_captions_between_sentences_are_part_of_the_slice() -> None:
    paper = paper_of(
        block("prose", "One ran off."), block("caption", "Figure 1. A map."), block("prose", "Two hid well.")
    )
    assert texts(passages(paper)) == ["One ran off. Figure 1. A map. Two hid well."]


def test_an_empty_paper() -> None:
    assert passages(paper_of()) == ()


@pytest.mark.parametrize(("size", "overlap"), [(0, 1), (100, -1)])
def test_a_wrong_call_says_so(size: int, overlap: int) -> None:
    with pytest.raises(VivaError, match=f"size={size}"):
        passages(paper_of(block("prose", FIVE)), size, overlap)


KINDS: list[Kind] = ["prose", "prose", "prose", "heading", "caption", "reference", "table"]
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(KINDS), st.lists(st.integers(1, 12), min_size=1, max_size=6), st.integers(1, 3)
    ).map(lambda t: block(t[0], " ".join("Word " + "more " * n + "end." for n in t[1]), t[2])),
    max_size=12,
)


@given(BLOCKS, st.integers(1, 300), st.integers(0, 4))
def test_every_sentence_is_in_order_in_some_passage(blocks: list[Block], size: int, overlap: int) -> None:
    paper = paper_of(*blocks)
    found = passages(paper, size, overlap)
    sentences = paper.sentences
    held = {index for p in found for index in range(p.first, p.last + 1)}
    missing = [sentence.kind for index, sentence in enumerate(sentences) if index not in held]
    assert set(missing) <= {"reference", "heading"}
    assert not any(sentences[index].kind == "reference" for index in held)
    for p in found:
        assert p.text == paper.text[p.start : p.end]
        assert (p.start, p.end, p.page) == (
            sentences[p.first].start,
            sentences[p.last].end,
            sentences[p.first].page,
        )
        body = [s for s in sentences[p.first : p.last + 1] if s.kind != "heading"]
        assert len({s.section for s in body}) <= 1
        assert all(s.kind == "heading" for s in sentences[p.first : p.last + 1 - len(body)])
        assert p.end - p.start <= size or len(body) <= 1
    for one, two in pairwise(found):
        assert one.first < two.first
        assert one.last < two.last
        assert one.last + 1 - two.first <= overlap
