"""The review page says that a study is calibrated, and shows calibrated answers with their boxes."""

from pathlib import Path

import pytest

from tests import calibrating
from tests.calibrating import CODE, GRADED
from tests.conftest import EXAMPLES
from tests.web.served import served
from vivavoce import load
from vivavoce.records import Answer, Calibration, Closest, QuestionCalibration, QuestionSet, Receipt
from vivavoce.results.calibrating import fit_calibration
from vivavoce.store import File, Store, question_key
from vivavoce.web.index import Reviewer
from vivavoce.web.session import Position, ReviewSession

LINE = "calibrated graded on 20 decisions of 2 questions: accuracy 0.50 -&gt; 0.90 (cross-validated)."


@pytest.mark.parametrize("blind", [False, True])
def test_the_matrix_says_so_in_one_line_but_not_to_a_blind_reviewer(tmp_path: Path, blind: bool) -> None:
    store = calibrating.study(tmp_path)
    with served(tmp_path, "Zoe", blind=blind) as page, page.client() as client:
        assert "calibrated graded" not in client.get("/").text
        store.add_calibration(fit_calibration(store))
        page.session._again = 0.0  # a page looks for news a while after it has last looked
        assert (LINE in client.get("/").text.replace("</bdi>", "")) is not blind
    store.close()


def test_evidence_that_calibrating_made_has_boxes_and_keeps_them_when_it_is_accepted(tmp_path: Path) -> None:
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
    session = ReviewSession(tmp_path, Reviewer("Ada"))
    cell = session.cell(Position(0, 0))
    assert cell is not None
    (place,) = session.places(cell, session.paper(paper.id))
    assert (place.quote, {box.page for box in place.boxes}) == (sentence.text, {sentence.page})
    session.accept(Position(0, 0))
    (decision,) = store.decisions(paper.id)[question_key(CODE)]
    assert [e.boxes for e in decision.evidence] == [place.boxes]
    session.close()
    store.close()
