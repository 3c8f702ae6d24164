"""How much of a question's own words a sentence has."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.readers.builtin.wording import coverage, stems


def test_the_sentence_with_the_words_has_the_most() -> None:
    sentences = [
        "Weight decay was 0.0005.",
        "The weight of a bird was noted.",
        "We walked home.",
        "Rain fell.",
    ]
    (row,) = coverage(["What was the weight decay?"], sentences)
    assert row[0] == 1
    assert 0 < row[1] < 0.5
    assert list(row[2:]) == [0, 0]


def test_a_rare_word_counts_more() -> None:
    sentences = ["The model and Adam.", *["The model again."] * 20, "Adam is rare."]
    (row,) = coverage(["Was Adam the model?"], sentences)
    assert row[-1] > row[1]


def test_forms_of_a_word_are_the_same() -> None:
    assert stems("augmented") == stems("Augmentation")


@given(st.lists(st.text(max_size=40), max_size=5), st.lists(st.text(max_size=40), max_size=8))
def test_shares_are_between_0_and_1(questions: list[str], sentences: list[str]) -> None:
    shares = coverage(questions, sentences)
    assert shares.shape == (len(questions), len(sentences))
    assert ((shares >= 0) & (shares <= 1 + 1e-6)).all()


def test_each_question_by_itself() -> None:
    sentences = ["Weight decay was 0.0005.", "We used Adam."]
    both = coverage(["weight decay", "Adam"], sentences)
    assert (both[1] == coverage(["Adam"], sentences)[0]).all()
