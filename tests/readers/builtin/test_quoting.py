"""What is quoted, in which order, and how much of it."""

import re

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.readers.builtin import quoting
from vivavoce.records import Page, Paper, Sentence


def sentence(text: str, start: int = 0, reading: str = "") -> Sentence:
    return Sentence(text, start, start + len(text), 1, reading=reading)


def test_what_says_the_same_is_quoted_once() -> None:
    ranked = [
        sentence("The model was trained on one NVIDIA GPU."),
        sentence("The model was trained on one NVIDIA GPU"),
        sentence("We stopped after 40 epochs."),
        sentence("We stopped after 50 epochs."),
    ]
    kept = quoting.distinct([(s,) for s in ranked])
    assert [s.text for (s,) in kept] == [ranked[0].text, ranked[2].text, ranked[3].text]


def test_at_most_three() -> None:
    ranked = [(sentence(f"Fact number {n} stands alone."),) for n in range(9)]
    assert quoting.distinct(ranked) == ranked[:3]


def test_neighbours_become_one_quote_in_the_place_of_the_best() -> None:
    s = [sentence(f"Sentence {n}.", start=20 * n) for n in range(6)]
    ranked = [(4, s[4], 3.0), (0, s[0], 2.5), (3, s[3], 2.0), (5, s[5], 0.0)]
    assert quoting.joined(ranked) == [(s[3], s[4]), (s[0],), (s[5],)]


def test_a_quote_does_not_grow_without_end() -> None:
    s = [sentence(f"Sentence {n}.", start=20 * n) for n in range(6)]
    assert [len(quote) for quote in quoting.joined([(n, x, 1.0) for n, x in enumerate(s)])] == [3, 3]


def test_rows_of_a_table_and_sections_are_not_joined() -> None:
    row = Sentence("Row.", 0, 4, 1, "table")
    after = Sentence("Row.", 5, 9, 1, "table")
    here, there = Sentence("A.", 10, 12, 1, section="1"), Sentence("B.", 13, 15, 1, section="2")
    assert len(quoting.joined([(n, x, 1.0) for n, x in enumerate([row, after, here, there])])) == 4


@given(st.text(max_size=400))
def test_clauses_cover_a_sentence(text: str) -> None:
    assert "".join(text[a:b] for a, b in quoting.clauses(text)) == text


LONG = (
    "The pictures were sorted by two people who had not seen them before and agreed on nearly all of them, "
    "while the network was trained on a single TITAN card of the university's cluster, "
    "and the maps that came of it were given to the wardens of the park, who use them to this day."
)


def marked(*words: str) -> list[tuple[int, int, float]]:
    """The words of the long sentence, these as ones that answer."""
    return [(m.start(), m.end(), 0.9 if m[0] in words else 0.05) for m in re.finditer(r"\w+", LONG)]


def test_a_long_sentence_is_trimmed_to_the_clause_that_answers() -> None:
    kept = quoting.trim(LONG, marked("TITAN"))
    assert kept == "… while the network was trained on a single TITAN card of the university's cluster, …"


def test_a_short_sentence_is_left_whole() -> None:
    assert quoting.trim("We used Adam, while others use SGD.", [(8, 12, 0.9)]) == (
        "We used Adam, while others use SGD."
    )


def test_what_answers_is_never_trimmed_away() -> None:
    kept = quoting.trim(LONG, marked("TITAN", "wardens"))
    assert kept.startswith("… while the network")
    assert "TITAN" in kept
    assert "wardens" in kept


def test_a_long_sentence_of_which_nobody_knows_what_answers_is_left_whole() -> None:
    assert quoting.trim(LONG, []) == LONG


def test_words_that_are_only_likely_are_kept_when_no_others_are() -> None:
    unsure = [(a, b, 0.2 if LONG[a:b] == "TITAN" else 0.05) for a, b, _ in marked()]
    assert "TITAN" in quoting.trim(LONG, unsure)


def test_every_word_of_a_trimmed_sentence_is_its_own() -> None:
    for word in ("people", "TITAN", "wardens", "park"):
        assert set(quoting.trim(LONG, marked(word)).split()) - {"…"} <= set(LONG.split())


def test_pages_are_named_where_there_are_any() -> None:
    def paper(width: float) -> Paper:
        return Paper("id", "f", "pdf", "A.", (sentence("A."),), (Page(1, width, width),))

    assert quoting.words(paper(600), [("A  line.", 3), ("B.", 4)]) == "A line. [p. 3] B. [p. 4]"
    assert quoting.words(paper(0), [("A.", 1)]) == "A."
