"""How much of a question's own words a sentence has."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.readers.builtin.wording import Lexicon, stems

HERE, AROUND, PAPER = 0, 1, 2


def test_the_sentence_with_the_words_has_the_most() -> None:
    sentences = [
        "Weight decay was 0.0005.",
        "The weight of a bird was noted.",
        "We walked home.",
        "Rain fell.",
    ]
    row = Lexicon(sentences).match("What was the weight decay?")[:, HERE]
    assert row[0] == 1
    assert 0 < row[1] < 0.5
    assert list(row[2:]) == [0, 0]


def test_neighbours_have_a_share_in_a_word() -> None:
    sentences = ["We walked home.", "Weight decay was small.", "Rain fell.", "It stopped."]
    around = Lexicon(sentences).match("weight decay")[:, AROUND]
    assert list(around) == [1, 1, 1, 0]


def test_words_that_the_paper_never_uses() -> None:
    found = Lexicon(["Weight was noted.", "Rain fell."]).match("weight of mosquitoes")[:, PAPER]
    assert found[0] == found[1]
    assert 0 < found[0] < 0.5


def test_a_rare_word_counts_more() -> None:
    row = Lexicon(["The model and Adam.", *["The model again."] * 20, "Adam is rare."]).match(
        "Was Adam the model?"
    )[:, HERE]
    assert row[-1] > row[1]


def test_forms_of_a_word_are_the_same() -> None:
    assert stems("augmented") == stems("Augmentation")


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=8))
def test_shares_are_between_0_and_1(question: str, sentences: list[str]) -> None:
    shares = Lexicon(sentences).match(question)
    assert shares.shape == (len(sentences), 3)
    assert ((shares >= 0) & (shares <= 1 + 1e-6)).all()
    assert (shares[:, HERE] <= shares[:, AROUND] + 1e-6).all()
    assert (shares[:, AROUND] <= shares[:, PAPER] + 1e-6).all()
