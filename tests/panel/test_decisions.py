"""What people's decisions make of a cell, where a person should look first, and how far people agree."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.deciding import BEES, CODE, COUNT, HIVES, SCREEN, decide, decision, said, study
from vivavoce.errors import VivaError
from vivavoce.panel.decisions import all_answers, as_answer, final_verdict, seen_by
from vivavoce.panel.voting import fails_screening, needs_review
from vivavoce.records import (
    DECIDABLE,
    Answer,
    Cell,
    Closest,
    Decision,
    Doubt,
    PaperInfo,
    Question,
    Receipt,
    Status,
    Value,
)
from vivavoce.results import review
from vivavoce.results.cells import Results
from vivavoce.store import Store, question_key

TIE = Doubt("tie", "tie: x")
VOTE = replace(said(CODE, "verdict", "reported", 0.6), paper=BEES, doubts=(TIE,))
RECEIPT = Receipt(1, 3, (Closest("Nobody was stung.", 1, 0.2, 61, 78),))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = study(tmp_path)
    yield made
    made.close()


def cell(
    *decisions: Decision,
    status: Status = "reported",
    confidence: float = 0.95,
    doubts: tuple[Doubt, ...] = (),
) -> Cell:
    vote = Answer(CODE, "verdict", "1", status, confidence=confidence, doubts=doubts)
    return Cell(PaperInfo(BEES, "bees.txt"), CODE, (), final_verdict(vote, decisions), vote, decisions)


# What a cell comes to


def test_without_decisions_the_vote_is_the_verdict() -> None:
    assert final_verdict(VOTE, ()) is VOTE


def test_one_reviewer_decides() -> None:
    told = replace(
        decision("Ada", "reported", "here", words="The code is at https://example.org/bees."), reason="p. 1"
    )
    found = final_verdict(VOTE, [told])
    assert (found.reader, found.version, found.status, found.text) == (
        "verdict",
        "decided",
        "reported",
        "here",
    )
    assert (found.confidence, found.doubts, found.evidence) == (1.0, (), told.evidence)
    assert found.values == (Value("link", "https://example.org/bees"),)
    assert (found.question, found.paper, found.reason) == (CODE, BEES, "decided by Ada: p. 1")


@pytest.mark.parametrize("status", DECIDABLE)
def test_what_is_decided_never_needs_review(status: Status) -> None:
    assert not needs_review(final_verdict(VOTE, [decision("Ada", status)]))
    assert not needs_review(as_answer(VOTE, decision("Ada", status)))


def test_a_persons_word_without_a_quote_counts_and_says_so() -> None:
    bare = decision("Ada", "reported", "in Fig. 2")
    found = final_verdict(VOTE, [bare])
    assert (found.status, found.evidence, found.reason) == ("reported", (), "decided by Ada, without a quote")
    assert as_answer(VOTE, replace(bare, reason="I saw it")).reason == "without a quote: I saw it"
    # Only a claim needs a quote.
    assert final_verdict(VOTE, [decision("Ada", "not_reported")]).reason == "decided by Ada"


def test_reviewers_who_agree_decide_with_the_newest_that_has_a_quote() -> None:
    old, new = decision("Ben", text="old", words="We counted"), decision("Ada", text="new", words="40 bees")
    assert final_verdict(VOTE, [old, new]).text == "new"
    found = final_verdict(VOTE, [old, new, decision("Cy", text="bare")])
    assert (found.text, found.evidence, found.reason) == (
        "new",
        new.evidence,
        "decided by Ada and Ben and Cy",
    )
    bare = [decision("Ada", text="1"), decision("Ben", text="2")]
    assert final_verdict(VOTE, bare).text == "2"


def test_reviewers_who_disagree_leave_the_vote_in_doubt() -> None:
    two = [decision("Cy", "not_reported"), decision("Ada"), decision("Ben")]
    found = final_verdict(VOTE, two)
    who = "Ada says reported, Ben says reported, Cy says not reported"
    doubt = Doubt("reviewers_disagree", f"reviewers disagree: {who}")
    assert found == replace(VOTE, doubts=(doubt, TIE))
    sure = replace(VOTE, doubts=(), confidence=1.0)
    assert not needs_review(sure)
    assert needs_review(final_verdict(sure, two))


def test_an_adjudication_has_the_last_word() -> None:
    two = [decision("Ada"), decision("Ben", "not_reported")]
    last = replace(decision("Cy", "unsupported", "hm", "adjudication"), reason="no proof")
    found = final_verdict(VOTE, [*two, last])
    assert (found.status, found.text, found.doubts) == ("unsupported", "hm", ())
    assert found.reason == "adjudicated by Cy: no proof"
    # It stands, whoever comes after it.
    assert final_verdict(VOTE, [last, *two]) == found


def test_the_receipt_stays_where_person_and_panel_found_nothing() -> None:
    nothing = replace(VOTE, status="not_reported", evidence=(), receipt=RECEIPT)
    assert final_verdict(nothing, [decision("Ada", "not_reported")]).receipt == RECEIPT
    assert final_verdict(nothing, [decision("Ada", "reported")]).receipt is None
    assert final_verdict(VOTE, [decision("Ada", "not_reported")]).receipt is None


def test_what_results_tell_of_a_cell() -> None:
    assert [a.reader for a in all_answers(cell())] == ["verdict"]
    told = all_answers(cell(decision("Ada"), decision("Cy", "not_reported", kind="adjudication")))
    assert [(a.reader, a.version, a.status) for a in told] == [
        ("panel", "1", "reported"),
        ("person:Ada", "review", "reported"),
        ("person:Cy", "adjudication", "not_reported"),
        ("verdict", "decided", "not_reported"),
    ]


# Blind review


def test_a_blind_reviewer_sees_nobody_elses_decision() -> None:
    both = cell(decision("Ada"), decision("Ben", "not_reported"), decision("Cy", kind="adjudication"))
    seen = seen_by(both, "Ben")
    assert [d.reviewer for d in seen.decisions] == ["Ben"]
    assert (seen.verdict.status, seen.verdict.version, seen.verdict.reason) == (
        "not_reported",
        "decided",
        "decided by Ben",
    )
    fresh = seen_by(both, "Di")
    assert (fresh.decisions, fresh.verdict) == ((), both.vote)
    own = cell(decision("Cy", "not_reported"), decision("Cy", kind="adjudication"))
    assert seen_by(own, "Cy").verdict.status == "not_reported"


@given(
    st.lists(
        st.builds(
            Decision,
            st.sampled_from(("Ada", "Ben", "Cy")),
            st.sampled_from(DECIDABLE),
            st.sampled_from(("x", "secret")),
            kind=st.sampled_from(("review", "adjudication")),
        ),
        max_size=5,
    )
)
def test_no_word_of_others_reaches_a_blind_reviewer(decisions: list[Decision]) -> None:
    own = [d for d in decisions if d.reviewer == "Ada" and d.kind == "review"]
    hidden = [
        replace(d, text=d.text if d in own else "SECRET", reason="" if d in own else "SECRET")
        for d in decisions
    ]
    seen = seen_by(cell(*hidden), "Ada")
    assert seen == cell(*own)
    for word in ("Ben", "Cy", "SECRET"):
        assert word not in repr(seen)


def test_screening_by_others_is_not_seen_either(store: Store) -> None:
    decide(store, SCREEN, decision("Ada", "not_reported"))
    assert [c.screened_out for c in Results.of(store).cells_of(BEES)] == [False, True, True]
    assert [c.screened_out for c in Results.of(store, seen_by="Ben").cells_of(BEES)] == [False, False, False]
    assert [c.screened_out for c in Results.of(store, seen_by="Ada").cells_of(BEES)] == [False, True, True]
    assert Results.of(store, seen_by="Ben").reviewers() == ()


# Where to look


def test_what_a_look_is_worth() -> None:
    order = [
        cell(decision("Ada"), decision("Ben", "not_reported")),
        cell(doubts=(TIE,)),
        cell(status="unsupported", confidence=0.5),
        cell(confidence=0.3),
        cell(confidence=0.69),
        cell(status="failed", confidence=0.0),
        cell(confidence=0.7),
        cell(confidence=1.0),
        cell(decision("Ada")),
    ]
    found = [review.review_priority(one) for one in order]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)
    assert found[-1] == 0
    assert review.review_priority(cell(doubts=(Doubt("conflict", "conflict: x"),))) == found[1]
    assert (
        review.review_priority(cell(doubts=(Doubt("fact_not_in_paper", "not in the paper: 42"),))) == found[2]
    )
    assert review.review_priority(cell(status="unreadable", confidence=0.0)) == found[5]
    assert review.review_priority(replace(order[2], screened_out=True)) == 0


def mixed() -> list[Cell]:
    """Q0 and Q1 tie, Q2 is unsure, Q3 is sure, Q4 was decided by Ada, on Q5 Ada and Ben disagree."""
    tie = cell(doubts=(TIE,))
    of = [
        tie,
        tie,
        cell(confidence=0.5),
        cell(),
        cell(decision("Ada"), confidence=0.6),
        cell(decision("Ada"), decision("Ben", "not_reported")),
    ]
    return [replace(one, question=Question(f"Q{n}?", f"Q{n}")) for n, one in enumerate(of)]


def ids(cells: list[Cell]) -> list[str]:
    return [one.question.id for one in cells]


def test_the_queue_of_each_reviewer() -> None:
    assert ids(review.review_queue(mixed(), "Cy")) == ["Q5", "Q0", "Q1", "Q2"]
    assert ids(review.review_queue(mixed(), "Ben")) == ["Q0", "Q1", "Q2"]
    assert ids(review.review_queue(mixed(), "Ben", every=True)) == ["Q0", "Q1", "Q2", "Q3"]
    assert ids(review.review_queue(mixed(), "Ada", adjudicate=True)) == ["Q5"]
    assert ids(review.review_queue(reversed(mixed()), "Ben")) == ["Q1", "Q0", "Q2"]


def test_the_queue_of_a_blind_reviewer_has_what_others_have_done() -> None:
    waiting = review.review_queue(mixed(), "Ben", blind=True)
    assert ids(waiting) == ["Q0", "Q1", "Q2", "Q4"]
    assert all(d.reviewer == "Ben" for one in waiting for d in one.decisions)
    # The vote on Q5 is sure of itself, so nobody who doesn't see the others has to look.
    assert ids(review.review_queue(mixed(), "Cy", blind=True)) == ["Q0", "Q1", "Q2", "Q4"]
    assert ids(review.review_queue(mixed(), "Cy", blind=True, every=True))[-2:] == ["Q3", "Q5"]


def test_closed_cells_are_in_no_queue() -> None:
    closed = [replace(one, screened_out=True) for one in mixed()]
    assert review.review_queue(closed, "Cy", every=True) == []
    assert review.review_progress(closed) == review.Progress(6, 0, 0, 0, 0)


def test_progress() -> None:
    assert review.review_progress(mixed()) == review.Progress(6, 5, 1, 4, 1)
    assert review.review_progress(mixed(), "Ada") == review.Progress(6, 5, 2, 3, 1)
    seen = [seen_by(one, "Ben") for one in mixed()]
    assert review.review_progress(seen, "Ben") == review.Progress(6, 4, 1, 4, 0)
    assert review.review_progress([]) == review.Progress(0, 0, 0, 0, 0)


def test_deciding_all_that_waits_leaves_nothing(store: Store) -> None:
    done = 0
    while waiting := review.review_queue(Results.of(store).cells(), "Ada"):
        one = waiting[0]
        store.decide(one.paper.id, question_key(one.question), decision("Ada", "not_reported"))
        done += 1
        assert done <= 6
    assert done == 2  # the two ties
    found = review.review_progress(Results.of(store).cells())
    assert (found.left, found.decided, found.disagreements) == (0, 2, 0)


# How far people agree


def test_agreement_of_two_reviewers() -> None:
    """Ten cells with reported or not, one of each kind that counts otherwise, and some that don't count."""
    pairs = [("reported", "reported")] * 4 + [("not_reported", "not_reported")] * 3
    pairs += [("reported", "not_reported")] * 2 + [("not_reported", "reported")]
    cells = [cell(decision("Ben", b), decision("Ada", a)) for a, b in pairs]  # type: ignore[arg-type]
    cells.append(cell(decision("Ada", "unreadable"), decision("Ben")))
    cells.append(cell(decision("Ada", "unsupported"), decision("Ben", "not_reported")))
    cells.append(cell(decision("Ada", kind="adjudication"), decision("Ben", "not_reported")))
    cells.append(cell(decision("Ada")))
    cells.append(replace(cells[7], screened_out=True))
    (pair,) = review.reviewer_agreement(cells)
    assert (pair.reviewers, pair.both, pair.differ) == (("Ada", "Ben"), 12, 5)
    assert (pair.score.tp, pair.score.fp, pair.score.fn, pair.score.tn) == (4, 2, 1, 4)
    assert pair.percent == pytest.approx(8 / 11)
    # (8/11 - (6*5 + 5*6)/121) / (1 - (6*5 + 5*6)/121)
    assert pair.kappa == pytest.approx((8 / 11 - 60 / 121) / (1 - 60 / 121))


def test_agreement_of_three_and_of_nobody() -> None:
    found = review.reviewer_agreement([cell(decision("Cy"), decision("Ada"), decision("Ben"))])
    assert [pair.reviewers for pair in found] == [("Ada", "Ben"), ("Ada", "Cy"), ("Ben", "Cy")]
    assert {(pair.percent, pair.kappa) for pair in found} == {(1.0, None)}
    assert review.reviewer_agreement([cell(), cell(decision("Ada"))]) == ()


# In results


def test_a_decision_on_the_screening_question_closes_and_opens_the_others(store: Store) -> None:
    decide(store, CODE, decision("Ada", "not_reported"))
    decide(store, SCREEN, decision("Ada", "not_reported"))
    found = Results.of(store).cells_of(BEES)
    assert fails_screening(found[0].verdict)
    assert [c.verdict.status for c in found] == ["not_reported", "not_applicable", "not_applicable"]
    assert [len(c.decisions) for c in found] == [1, 1, 0]  # it waits, and is not lost
    assert [c.screened_out for c in Results.of(store).cells_of(HIVES)] == [False] * 3
    store.undo(BEES, question_key(SCREEN), "Ada")
    found = Results.of(store).cells_of(BEES)
    assert [c.verdict.status for c in found] == ["reported", "not_reported", "reported"]


def test_a_person_opens_a_paper_that_readers_screened_out(tmp_path: Path) -> None:
    store = study(tmp_path)
    third = "33" * 32
    store.add_paper(replace(store.paper(BEES), id=third))
    store.set_file(store.files()[0]._replace(path="/x/third.txt", name="third.txt", paper=third))
    for question, status in ((SCREEN, "not_reported"), (COUNT, "not_reported")):
        for reader in ("first", "second"):
            store.add_answer(third, said(question, reader, status))  # type: ignore[arg-type]
    assert Results.of(store).cell(third, "B").verdict.status == "not_applicable"
    decide(store, SCREEN, decision("Ada", "reported"), paper=third)
    opened = Results.of(store).cell(third, "B")
    assert (opened.verdict.status, opened.screened_out) == ("not_reported", False)
    # Reviewers who disagree leave it open: a paper in doubt is let through.
    decide(store, SCREEN, decision("Ben", "not_reported"), paper=third)
    assert Results.of(store).cell(third, "B").screened_out is False
    store.close()


def test_the_votes_stay_visible(store: Store) -> None:
    before = Results.of(store).cell(BEES, "A")
    assert before.vote == before.verdict
    decide(store, CODE, decision("Ada", "not_reported"))
    after = Results.of(store).cell(BEES, "A")
    assert (after.vote, after.answers) == (before.vote, before.answers)
    assert after.verdict.status == "not_reported"


def test_a_cell_alone_is_the_same_as_among_all(store: Store) -> None:
    decide(store, CODE, decision("Ada"), decision("Ben", "not_reported"))
    decide(store, SCREEN, decision("Ben", "not_reported"), paper=HIVES)
    for who in (None, "Ada", "Ben"):
        results = Results.of(store, seen_by=who)
        for one in results.cells():
            assert results.cell(one.paper.id, one.question.id) == one


def test_a_cell_that_is_not_there_is_an_error(store: Store) -> None:
    store.set_asked(replace(store.asked(), questions=(*store.asked().questions, Question("New?", "N"))))
    results = Results.of(store)
    for paper, question, says in (
        (BEES, "N", "no answer yet"),
        (BEES, "X", "no question X"),
        ("f", "A", "no paper f"),
    ):
        with pytest.raises(VivaError, match=says):
            results.cell(paper, question)
