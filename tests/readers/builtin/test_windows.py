"""Windows cover every token once, in order, and never grow too long."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.readers.builtin.windows import BEFORE, CLS, FULL_STOP, HEADING, LONGEST, SEP, WINDOW, windows

SENTENCES = st.lists(st.lists(st.integers(1000, 30000), max_size=300), max_size=30)


@given(SENTENCES, st.sets(st.integers(0, 29)))
def test_every_token_of_every_sentence_is_scored_once(sentences: list[list[int]], alone: set[int]) -> None:
    read: dict[int, list[int]] = {}
    for window in windows(sentences, {n for n in alone if n < len(sentences)}):
        for piece in window.pieces:
            read.setdefault(piece.sentence, []).extend(window.tokens[piece.first : piece.last])
    assert read == {n: tokens or [FULL_STOP] for n, tokens in enumerate(sentences)}


@given(SENTENCES)
def test_windows_are_short_and_well_formed(sentences: list[list[int]]) -> None:
    for window in windows(sentences):
        assert window.tokens[0] == CLS
        assert window.tokens[-1] == SEP
        assert len(window.tokens) <= max(WINDOW, LONGEST + BEFORE + 2)


def test_a_window_begins_with_the_end_of_the_sentence_before() -> None:
    first, second = list(range(2000, 2110)), list(range(3000, 3100))
    one, two = windows([first, second])
    assert one.tokens == [CLS, *first, SEP]
    assert two.tokens == [CLS, *first[-BEFORE:], *second, SEP]
    assert two.pieces[0].first == 1 + BEFORE


def test_a_window_begins_with_the_heading_of_its_section() -> None:
    heading, first, second = [1500] * 20, list(range(2000, 2110)), list(range(3000, 3100))
    one, two = windows([first, second], headings=[heading, [1600]])
    assert one.tokens == [CLS, *heading[:HEADING], *first, SEP]
    assert two.tokens == [CLS, 1600, *first[-BEFORE:], *second, SEP]
    (row,) = windows([first], alone={0}, headings=[[1600]])
    assert row.tokens[row.pieces[0].first : row.pieces[0].last] == first


def test_short_sentences_share_a_window() -> None:
    (only,) = windows([[5000] * 10, [6000] * 20])
    assert [p.sentence for p in only.pieces] == [0, 1]


def test_a_row_of_a_table_is_read_alone() -> None:
    row, *others = windows([[5000] * 10, [6000] * 20, [7000] * 5], alone={1})
    assert row.tokens == [CLS, *[6000] * 20, SEP]
    assert [w.tokens for w in others] == [[CLS, *[5000] * 10, *[7000] * 5, SEP]]
