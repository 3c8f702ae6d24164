"""What several answers come to: votes counted by hand, and what must hold of every vote."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vivavoce.panel.voting import fails_screening, needs_review, verdict, vote_of
from vivavoce.records import Answer, Closest, Doubt, Evidence, Match, Question, Receipt, Status

ASKED = Question("Which seed?", "Q1")
NO_QUOTE = Doubt("no_quote", "no quote given")
R: Status = "reported"
N: Status = "not_reported"
U: Status = "unsupported"


def quote(match: Match = "exact") -> Evidence:
    return Evidence("A seed of 7 was set.", 2, match, 0, 20, score=1.0 if match == "exact" else 0.9)


def said(reader: str, status: Status, confidence: float = 0.8, *evidence: Evidence, **more: object) -> Answer:
    found = evidence or ((quote(),) if status == "reported" else ())
    text = f"{reader}'s answer" if status in (R, U) else ""
    return replace(Answer(ASKED, reader, "1", status, text, confidence, found), **more)  # type: ignore[arg-type]


def test_one_reader_is_the_verdict() -> None:
    one = said("a", R, 0.65)
    assert verdict([one]) == replace(one, reader="verdict", by="panel")


def test_a_reader_beside_failures_is_the_verdict() -> None:
    one = said("b", N, 0.8)
    answers = [said("a", "failed", 0.0, reason="no network"), one, said("c", "not_applicable")]
    assert verdict(answers) == replace(one, reader="verdict", by="panel")


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        ([R, R, N], R),
        ([N, R, N], N),
        ([R, R, U], R),
        ([N, U, R], N),
        ([U, N], N),
        ([U, U], U),
        ([U, U, R], U),  # most claim it, none of these with a quote: for a person
        ([R, R, "failed", "unreadable", N], R),
        (["failed", "failed", "unreadable"], "failed"),
        (["unreadable", "unreadable", "failed"], "unreadable"),
        (["unreadable", "failed"], "failed"),
        (["not_applicable", "unreadable"], "unreadable"),
        (["not_applicable", "not_applicable"], "not_applicable"),
    ],
)
def test_the_majority_wins(statuses: list[Status], status: Status) -> None:
    found = verdict([said(name, one, 0.8) for name, one in zip("abcde", statuses, strict=False)])
    assert (found.status, found.reader) == (status, "verdict")
    assert not any(doubt.kind == "tie" for doubt in found.doubts)


def test_a_failure_keeps_its_reason() -> None:
    answers = [said("a", "unreadable", reason="a scan"), said("b", "failed", reason="no network")]
    assert verdict(answers).reason == "no network"


@pytest.mark.parametrize(("yes", "no", "status"), [(0.8, 0.7, R), (0.7, 0.8, N), (0.8, 0.8, R)])
def test_a_tie_goes_to_a_person(yes: float, no: float, status: Status) -> None:
    for answers in ([said("a", R, yes), said("b", N, no)], [said("b", N, no), said("a", R, yes)]):
        found = verdict(answers)
        assert found.status == status
        assert found.doubts == (Doubt("tie", "tie: a says reported, b says not reported"),)
        assert needs_review(found)


def test_both_sides_certain_is_a_conflict() -> None:
    found = verdict([said("a", R, 0.95), said("b", R, 0.9), said("c", N, 0.9)])
    assert found.status == R
    assert found.doubts == (Doubt("conflict", "conflict: a and b say reported, c says not reported"),)
    assert needs_review(found)
    assert verdict([said("a", R, 0.95), said("b", R, 0.9), said("c", N, 0.89)]).doubts == ()


def test_a_claim_without_a_quote_is_never_certain() -> None:
    assert verdict([said("a", R, 0.95), said("b", R, 0.95), said("c", U, 0.99)]).doubts == ()
    tied = verdict([said("a", R, 0.6), said("b", U, 0.99)])
    assert (tied.status, tied.confidence) == (R, 0.55)  # (0.6 + 0.5) / 2


def test_claimed_by_most_without_a_quote() -> None:
    found = verdict([said("a", R, 0.95), said("b", U), said("c", U)])
    assert found.status == U
    assert found.doubts == (
        Doubt(
            "mostly_unsupported", "claimed without a quote by most: a says reported, b and c say unsupported"
        ),
    )
    assert needs_review(found)


def test_confidence_is_the_mean_chance_of_the_status() -> None:
    assert verdict([said("a", R, 0.9), said("b", R, 0.8), said("c", N, 0.6)]).confidence == 0.7  # .9 .8 .4
    assert verdict([said("a", N, 0.9), said("b", N, 0.8), said("c", U, 0.9)]).confidence == 0.7333  # .9 .8 .5
    assert verdict([said("a", U, 0.9), said("b", U, 0.7)]).confidence == 0.8


def test_text_and_evidence_come_from_the_best_supported_answer() -> None:
    close, exact = said("a", R, 0.99, quote("close")), said("b", R, 0.7, quote())
    later = said("c", R, 0.7, quote())
    found = verdict([close, exact, later, said("d", N)])
    assert (found.text, found.evidence) == ("b's answer", exact.evidence)
    assert verdict([close, later, exact]).text == "c's answer"  # as good, and first
    assert verdict([said("a", R, 0.7, quote()), said("b", R, 0.9, quote())]).text == "b's answer"


def test_a_receipt_is_kept() -> None:
    receipt = Receipt(4, 100, (Closest("near", 1, 0.2, 0, 4),))
    found = verdict([said("a", N, 0.99), said("b", N, 0.7, receipt=receipt)])
    assert found.receipt == receipt
    assert verdict([said("a", U, 0.99), said("b", N, 0.7)]).text == ""


def test_doubts_of_the_chosen_answer_stay() -> None:
    found = verdict([said("a", R, 0.9, doubts=(NO_QUOTE,)), said("b", R, 0.8, quote("close"))])
    assert (found.text, found.doubts) == ("a's answer", (NO_QUOTE,))
    without = verdict([replace(said("a", R, 0.9, doubts=(NO_QUOTE,)), evidence=()), said("b", R, 0.8)])
    assert (without.text, without.doubts) == ("b's answer", ())


def test_weights() -> None:
    answers = [said("a", R, 0.8), said("b", N, 0.8), said("c", N, 0.8)]
    found = verdict(answers, {"a": 0.9, "b": 0.4, "c": 0.4})
    assert (found.status, found.version) == (R, "weighted")
    assert found.confidence == round((0.8 * 0.9 + 0.2 * 0.8) / 1.7, 4)
    assert verdict(answers, {"a": 0.8, "b": 0.4, "c": 0.4}).doubts[0].kind == "tie"
    assert verdict(answers, {"a": 0.3, "b": 0.1, "c": 0.2}).doubts[0].kind == "tie"  # whatever floats do
    assert verdict(answers).status == N


def test_screening_is_not_failed_in_doubt() -> None:
    sure = said("a", N, 0.95)
    assert fails_screening(sure)
    assert not fails_screening(replace(sure, doubts=(Doubt("tie", "tie"),)))
    assert not fails_screening(verdict([sure, said("b", R, 0.3)]))


VOTES = st.lists(
    st.tuples(
        st.sampled_from([R, N, U, "failed", "unreadable", "not_applicable"]),
        st.sampled_from([0.0, 0.5, 0.6, 0.75, 0.9, 1.0]),
    ),
    min_size=1,
    max_size=7,
).map(lambda votes: [said(f"r{n}", status, sure) for n, (status, sure) in enumerate(votes)])


@given(VOTES, st.randoms())
def test_the_order_of_the_answers_does_not_matter(answers: list[Answer], random: object) -> None:
    found = verdict(answers)
    shuffled = list(answers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = verdict(shuffled)
    assert again.status == found.status
    assert set(again.doubts) == set(found.doubts)
    if sum(vote_of(a) is not None for a in answers) > 1:
        assert again.confidence == found.confidence


@given(VOTES, st.sampled_from([0.0, 0.5, 0.9, 1.0]))
def test_one_more_that_agrees_never_flips_it(answers: list[Answer], sure: float) -> None:
    found = verdict(answers)
    assume(vote_of(found) is not None)
    assert verdict([*answers, said("new", found.status, sure)]).status == found.status


@given(VOTES, st.sampled_from([0.1, 0.7, 1.0, 3.0]))
def test_equal_weights_are_the_hard_vote(answers: list[Answer], weight: float) -> None:
    weighted = verdict(answers, {answer.reader: weight for answer in answers})
    assert replace(weighted, version="") == replace(verdict(answers), version="")


@given(VOTES)
def test_the_verdict_is_backed_by_an_answer(answers: list[Answer]) -> None:
    found = verdict(answers)
    assert (found.status, found.text, found.evidence) in [(a.status, a.text, a.evidence) for a in answers]
    assert 0 <= found.confidence <= 1
