"""People's decisions in a study -> what they teach its readers.

This uses the stored answers, never calibrated ones, so that calibrating again starts from the readers' own.
What counts as decided is what people agree on, or adjudicated. Whether a paper fails the screening doesn't
matter here: what people decided about its other questions is as true.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vivavoce.panel.calibrated import chance_of
from vivavoce.panel.calibration import MIN_DECISIONS, MIN_GRADES, Judged, fit
from vivavoce.panel.decisions import decided_status
from vivavoce.records import Calibration, QuestionCalibration
from vivavoce.results.calibration import ReaderCalibration
from vivavoce.store import Store, question_key


def fit_calibration(store: Store) -> Calibration:
    """What the decisions so far teach each reader that grades its answers: the questions with enough
    decisions, each with its offset, or with 0 when that gains nothing. It isn't recorded yet."""
    found: dict[tuple[str, str], dict[str, list[Judged]]] = {}
    for whose, question, judged in _judged(store):
        found.setdefault(whose, {}).setdefault(question, []).append(judged)
    keys = [question_key(question) for question in store.asked().questions]
    fitted: list[QuestionCalibration] = []
    for whose in store.readers():
        enough = {key: some for key, some in found.get(whose, {}).items() if len(some) >= MIN_DECISIONS}
        grades = {max(one.chance, 1 - one.chance) for some in enough.values() for one in some}
        if len(grades) >= MIN_GRADES:
            fitted += _fitted(whose, {key: enough[key] for key in keys if key in enough})
    return Calibration(tuple(fitted))


def _judged(store: Store) -> Iterator[tuple[tuple[str, str], str, Judged]]:
    """Every answer that people judged: its reader with the version, the question's key, and the judgement."""
    for paper in store.sources():
        decisions = store.decisions(paper.id) if paper.id else {}
        for (question, _), answer in store.answers(paper.id).items() if decisions else ():
            status, chance = decided_status(decisions.get(question, ())), chance_of(answer)
            if chance is not None and status in ("reported", "not_reported"):
                whose = (answer.reader, answer.version)
                yield whose, question, Judged(chance, status == "reported")


def _fitted(whose: tuple[str, str], judged: Mapping[str, Sequence[Judged]]) -> list[QuestionCalibration]:
    """The reader's questions with their offsets; all 0 when the decisions taken together, each left out in
    turn, become no more likely."""
    rows = []
    for key, some in judged.items():
        one = fit(some)
        figures = (one.accuracy_before, one.accuracy_after, one.log_loss_before, one.log_loss_after)
        offset = one.offset if one.adopted else 0.0
        rows.append(QuestionCalibration(*whose, key, offset, one.decisions, *figures))
    whole = ReaderCalibration(*whose, tuple(rows))
    if whole.log_loss_after < whole.log_loss_before:
        return rows
    return [replace(row, offset=0.0) for row in rows]
