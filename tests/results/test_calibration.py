"""What people decided changes how a reader's answers are looked at, and never the answers themselves."""

import json
from collections.abc import Iterator
from io import BytesIO
from math import exp
from pathlib import Path

import pytest

from tests.calibrating import (
    CODE,
    COUNT,
    FLAT,
    GRADED,
    LINK,
    OPEN,
    PAPERS,
    UNREADABLE,
    decide,
    said,
    study,
)
from tests.conftest import EXAMPLES
from vivavoce import load
from vivavoce.export.json_lines import write_jsonl
from vivavoce.export.table import write_csv
from vivavoce.panel.calibrated import log_odds
from vivavoce.panel.voting import fails_screening
from vivavoce.records import Answer, Calibration, Closest, Decision, QuestionCalibration, QuestionSet, Receipt
from vivavoce.results.calibrating import fit_calibration
from vivavoce.results.calibration import by_reader, calibration_lines, in_words
from vivavoce.results.cells import Results
from vivavoce.results.evaluation import Label, evaluate
from vivavoce.results.review import review_queue
from vivavoce.results.status import study_status
from vivavoce.store import File, Store, question_key


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = study(tmp_path)
    yield made
    made.close()


@pytest.fixture
def alone(store: Store) -> Store:
    """With the graded reader only, calibrated."""
    store.set_readers([GRADED])
    store.add_calibration(fit_calibration(store))
    return store


def code_of(calibration: Calibration) -> QuestionCalibration:
    return next(one for one in calibration.questions if one.question == question_key(CODE))


# Fitting


def test_questions_with_enough_decisions_of_readers_that_grade(store: Store) -> None:
    found = fit_calibration(store)
    assert [(one.reader, one.version, one.question, one.decisions) for one in found.questions] == [
        (*GRADED, question_key(CODE), 10),
        (*GRADED, question_key(COUNT), 10),
    ]
    code, count = found.questions
    assert code.offset > 1
    assert (code.accuracy_before, code.accuracy_after) == (0.1, 0.9)
    assert (count.offset, count.accuracy_before, count.accuracy_after) == (0.0, 0.9, 0.9)
    assert (found.at, found.undone) == ("", False)
    assert fit_calibration(store) == found


def test_pooled_over_questions_by_their_decisions(store: Store) -> None:
    (reader,) = by_reader(fit_calibration(store))
    assert (reader.decisions, reader.moved) == (20, 1)
    assert in_words(reader) == (
        "calibrated graded on 20 decisions of 2 questions: accuracy 0.50 -> 0.90 (cross-validated)"
    )


def test_only_what_people_agree_on_counts(store: Store) -> None:
    decide(store, 0, CODE, False, "Ben")  # and Ada says that it is reported
    assert code_of(fit_calibration(store)).decisions == 9
    final = Decision("Cy", "reported", kind="adjudication")
    store.decide(PAPERS[0], question_key(CODE), final)
    assert code_of(fit_calibration(store)).decisions == 10


def test_other_statuses_say_nothing(store: Store) -> None:
    store.decide(PAPERS[0], question_key(CODE), Decision("Ada", "unsupported"))
    decide(store, 11, CODE, True)  # of an answer that is unreadable
    assert code_of(fit_calibration(store)).decisions == 9


def test_nothing_is_fitted_without_decisions(tmp_path: Path) -> None:
    store = study(tmp_path, decided=False)
    assert fit_calibration(store) == Calibration(())
    store.close()


# Looking


def test_a_calibrated_cell_has_the_other_status_with_its_proof(alone: Store) -> None:
    offset = code_of(fit_calibration(alone)).offset
    cell = Results.of(alone).cell(OPEN, "A")
    (answer,) = cell.answers
    assert answer.status == cell.verdict.status == cell.vote.status == "reported"
    assert answer.confidence == round(1 / (1 + exp(-log_odds(0.35) - offset)), 4)
    assert [(e.quote, e.start) for e in answer.evidence] == [(LINK.text, LINK.start)]
    assert (answer.text, answer.offset) == (LINK.text, offset)
    assert answer.reason == "calibrated on 10 decisions; graded itself says not reported, 0.65"


def test_the_stored_answers_stay_as_they_are(alone: Store) -> None:
    assert alone.answers(OPEN)[question_key(CODE), "graded"].status == "not_reported"
    assert fit_calibration(alone) == Calibration(alone.calibrations()[0].questions)  # from these, again


def test_what_people_decided_stays_decided(alone: Store) -> None:
    cell = Results.of(alone).cell(PAPERS[9], "A")
    assert (cell.verdict.status, cell.verdict.by, cell.vote.status) == ("not_reported", "person", "reported")


def test_questions_and_statuses_that_are_left_alone(alone: Store) -> None:
    results = Results.of(alone)
    assert results.cell(OPEN, "B").answers[0].offset == 0.0
    assert results.cell(OPEN, "B").answers[0].confidence == 0.9
    assert results.cell(UNREADABLE, "A").answers[0].status == "unreadable"


def test_everybody_who_looks_sees_it(alone: Store) -> None:
    results = Results.of(alone)
    files: list[BytesIO] = [BytesIO(), BytesIO()]
    write_csv(results, files[0])
    write_jsonl(results, files[1])
    row = next(x for x in files[0].getvalue().decode().splitlines() if x.startswith(OPEN) and ",A," in x)
    assert ",graded,reported,The code is at https://example.org/bees.," in row
    lines = [json.loads(line) for line in files[1].getvalue().decode().splitlines()]
    (line,) = (
        x
        for x in lines
        if x["paper"]["id"] == OPEN and x["question"]["id"] == "A" and x["reader"] == "graded"
    )
    assert (line["status"], line["evidence"][0]["quote"], line["receipt"]) == ("reported", LINK.text, None)
    scores = dict(evaluate(results, [Label("10.txt", "A", True)]).overall)
    assert scores["graded"].tp == 1
    status = study_status(alone)
    assert status.calibrated == (
        "calibrated graded on 20 decisions of 2 questions: accuracy 0.50 -> 0.90 (cross-validated)",
    )
    # Unsure before, and sure enough now.
    assert OPEN not in [
        cell.paper.id for cell in review_queue(results.cells(), "Ada") if cell.question == CODE
    ]


def test_votes_are_of_calibrated_answers(store: Store) -> None:
    assert Results.of(store).cell(OPEN, "A").vote.doubts == ()
    store.add_calibration(fit_calibration(store))
    vote = Results.of(store).cell(OPEN, "A").vote
    assert [doubt.kind for doubt in vote.doubts] == ["tie"]  # `flat` says no, as before


def test_a_blind_reviewer_learns_nothing_of_what_others_decided(alone: Store) -> None:
    blind = Results.of(alone, seen_by="Zoe").cell(OPEN, "A")
    assert (blind.verdict.status, blind.verdict.confidence) == ("not_reported", 0.65)


def test_another_version_is_not_calibrated(alone: Store) -> None:
    alone.set_readers([("graded", "2")])
    alone.add_answer(OPEN, said(CODE, ("graded", "2"), False, 0.65))
    assert Results.of(alone).cell(OPEN, "A").verdict.status == "not_reported"
    assert calibration_lines(alone) == (
        "the calibration of graded was for its version 1, and doesn't count for 2: calibrate again",
    )


def test_a_study_without_one_says_nothing(store: Store) -> None:
    assert calibration_lines(store) == ()
    assert study_status(store).calibrated == ()
    assert Results.of(store).calibration is None


def test_screening_is_by_calibrated_answers(store: Store) -> None:
    """A paper that fails a question that the reader is too shy with passes it then."""
    from dataclasses import replace

    screen = replace(CODE, screen=True)
    store.set_asked(QuestionSet("bees", (screen, COUNT)))
    store.set_readers([GRADED])
    for number in range(10):
        decide(store, number, CODE, number != 9)
    before = Results.of(store)
    assert not fails_screening(before.cell(OPEN, "A").verdict)  # 0.65 is not sure enough to fail it
    low = fit_calibration(store).questions[0]
    store.add_calibration(Calibration((replace(low, offset=-5.0),)))
    after = Results.of(store)
    assert fails_screening(after.cell(OPEN, "A").verdict)
    # It answers all that stands behind the screening question, and is let through for that alone.
    assert not fails_screening(after.cell(OPEN, "A").verdict, [after.cell(OPEN, "B").verdict])
    assert not after.cell(OPEN, "B").screened_out


# Boxes


def test_evidence_that_calibrating_made_gets_its_boxes_when_it_is_exported(tmp_path: Path) -> None:
    path = EXAMPLES / "papers" / "bird-songs.pdf"
    paper = load(path)
    sentence = next(s for s in paper.sentences if s.kind == "prose")
    near = Closest(sentence.text, sentence.page, 0.2, sentence.start, sentence.end)
    store = Store.open(tmp_path, create=True)
    store.set_asked(QuestionSet("bees", (CODE,)))
    store.set_readers([GRADED])
    store.add_paper(paper)
    store.set_file(File(str(path), "bird-songs.pdf", paper.id, "", 1, 1))
    no = Answer(CODE, *GRADED, "not_reported", confidence=0.6, receipt=Receipt(1, 1, (near,)))
    store.add_answer(paper.id, no)
    row = QuestionCalibration(*GRADED, question_key(CODE), 2.0, 5, 0.0, 1.0, 0.9, 0.4)
    store.add_calibration(Calibration((row,)))
    file = BytesIO()
    write_jsonl(Results.of(store), file)
    for line in map(json.loads, file.getvalue().decode().splitlines()):  # the reader's, and the verdict's
        (quote,) = line["evidence"]
        assert quote["quote"] == sentence.text
        assert {box[0] for box in quote["boxes"]} == {sentence.page}
    store.close()


def test_flat_readers_are_left_alone(store: Store) -> None:
    store.set_readers([FLAT])
    assert fit_calibration(store) == Calibration(())
