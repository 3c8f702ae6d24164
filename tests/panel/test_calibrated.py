"""A calibrated answer: another confidence, or the other status with the proof that it needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.panel.calibrated import LEAST_EVIDENCE, PaperText, calibrated, chance_of
from vivavoce.records import (
    Answer,
    Closest,
    Evidence,
    Question,
    QuestionCalibration,
    Receipt,
    Status,
    Value,
)

TEXT = "The code is at https://example.org/x. Bees | 40. Nobody was stung."
CODE = Question("Where is the code?", "A")
LINK, ROW, STUNG = (TEXT.index(words) for words in ("The code", "Bees", "Nobody"))
CLOSEST = (
    Closest(TEXT[LINK : ROW - 1], 1, 0.2, LINK, ROW - 1),
    Closest("What: Bees; how many: 40", 2, LEAST_EVIDENCE, ROW, STUNG - 1),
    Closest(TEXT[STUNG:], 2, LEAST_EVIDENCE - 0.01, STUNG, len(TEXT)),
)
QUOTES = tuple(Evidence(TEXT[a:b], 1, "exact", a, b) for a, b in ((LINK, ROW - 1), (STUNG, len(TEXT))))
NO = Answer(CODE, "builtin", "3", "not_reported", confidence=0.6, receipt=Receipt(2, 3, CLOSEST), paper="aa")
YES = Answer(
    CODE,
    "builtin",
    "3",
    "reported",
    "at example.org",
    0.6,
    QUOTES,
    (Value("link", "https://x.org"),),
    paper="aa",
)


def by(offset: float) -> QuestionCalibration:
    return QuestionCalibration("builtin", "3", "key", offset, 12, 0.5, 0.9, 0.7, 0.4)


def unread() -> PaperText:
    raise AssertionError("nobody needs the text")


def read() -> PaperText:
    return PaperText(TEXT, 2, 3)


@pytest.mark.parametrize(("answer", "offset", "sure"), [(NO, -1.0, 0.8030), (YES, 1.0, 0.8030)])
def test_an_answer_that_becomes_surer_is_otherwise_the_same(
    answer: Answer, offset: float, sure: float
) -> None:
    moved = calibrated(answer, by(offset), unread)
    assert (moved.status, moved.confidence, moved.offset) == (answer.status, sure, offset)
    assert (moved.text, moved.evidence, moved.receipt) == (answer.text, answer.evidence, answer.receipt)
    assert (moved.reason, moved.values) == ("", answer.values)


def test_what_becomes_reported_quotes_the_closest_passages() -> None:
    found = calibrated(NO, by(1.0), read)
    assert (found.status, found.confidence) == ("reported", 0.6444)
    assert found.evidence == (
        Evidence(TEXT[LINK : ROW - 1], 1, "exact", LINK, ROW - 1),
        Evidence("Bees | 40.", 2, "exact", ROW, STUNG - 1, reading="What: Bees; how many: 40"),
    )
    assert found.text == "The code is at https://example.org/x."
    assert found.values == (Value("link", "https://example.org/x"),)
    assert found.receipt is None
    assert found.reason == "calibrated on 12 decisions; builtin itself says not reported, 0.60"


def test_what_becomes_not_reported_has_a_receipt_with_its_quotes() -> None:
    found = calibrated(YES, by(-1.0), read)
    assert (found.status, found.confidence) == ("not_reported", 0.6444)
    assert (found.text, found.evidence, found.values) == ("", (), ())
    assert found.receipt == Receipt(
        2, 3, tuple(Closest(quote.quote, 1, 0.3556, quote.start, quote.end) for quote in QUOTES)
    )
    assert found.reason == "calibrated on 12 decisions; builtin itself says reported, 0.60"


def test_there_and_back_again() -> None:
    """The quotes of an answer are the same passages, whichever way it was turned."""
    turned = calibrated(YES, by(-1.0), read)
    assert turned.receipt is not None
    back = calibrated(turned, by(1.0), read)
    assert [(e.quote, e.start) for e in back.evidence] == [(e.quote, e.start) for e in QUOTES]


@pytest.mark.parametrize("receipt", [None, Receipt(2, 3)])
def test_nothing_is_reported_without_a_quote(receipt: Receipt | None) -> None:
    bare = Answer(CODE, "builtin", "3", "not_reported", confidence=0.6, receipt=receipt)
    found = calibrated(bare, by(2.0), unread)
    assert (found.status, found.confidence, found.evidence) == ("not_reported", 0.5, ())


@pytest.mark.parametrize("status", ["unsupported", "unreadable", "failed", "not_applicable"])
def test_what_says_neither_is_left_alone(status: Status) -> None:
    answer = Answer(CODE, "builtin", "3", status, confidence=0.6)
    assert calibrated(answer, by(2.0), unread) is answer


def test_certainty_can_be_moved_as_well() -> None:
    sure = Answer(CODE, "builtin", "3", "reported", "x", 1.0, QUOTES)
    assert calibrated(sure, by(-2.0), unread).confidence == pytest.approx(0.9993, abs=1e-4)


CHANCES = st.floats(0, 1).map(lambda chance: round(chance, 4))


@given(st.lists(CHANCES, min_size=2, max_size=20), st.floats(-6, 6))
def test_calibrating_never_changes_the_order(chances: list[float], offset: float) -> None:
    """Of two answers, the one that is more likely to be reported stays so, or they become the same."""
    receipt, moved = Receipt(2, 3, CLOSEST), []
    for chance in sorted(chances):
        yes = chance >= 0.5
        answer = Answer(
            CODE,
            "builtin",
            "3",
            "reported" if yes else "not_reported",
            confidence=chance if yes else 1 - chance,
            evidence=QUOTES if yes else (),
            receipt=None if yes else receipt,
        )
        found = calibrated(answer, by(offset), read)
        assert 0 <= found.confidence <= 1
        assert (found.status == "reported") == bool(found.evidence)
        moved.append(chance_of(found))
    assert moved == sorted(moved)  # type: ignore[type-var]
