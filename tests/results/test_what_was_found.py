"""What a receipt says of an answer "not reported"."""

from vivavoce.panel.voting import MIN_CONFIDENCE
from vivavoce.records import Answer, Question
from vivavoce.results.statuses import what_was_found


def test_a_reader_that_is_unsure_says_so() -> None:
    sure = Answer(Question("Which card?"), "builtin", "1", "not_reported", confidence=MIN_CONFIDENCE)
    unsure = Answer(Question("Which card?"), "builtin", "1", "not_reported", confidence=0.69)
    assert what_was_found(sure) == "nothing answers it"
    assert what_was_found(unsure) == "nothing clearly answers it"
