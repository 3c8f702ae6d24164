"""`viva calibrate`: let people's decisions teach a study's readers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vivavoce.cli.options import Json, StudyPlace
from vivavoce.cli.output import clean, console, count, print_json, short
from vivavoce.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.records import Calibration, Question, QuestionCalibration
    from vivavoce.results.calibration import ReaderCalibration

HEAD = ("question", "decisions", "accuracy before", "after", "from now on")
SLIGHTLY, MUCH = 0.5, 1.5
"""Offsets, in log-odds, up to which a reader is moved slightly, and from which much: 0.5 turns a chance of
0.5 into 0.62, 1.5 into 0.82."""
TEXT_WIDTH = 60


def calibrate(
    study: StudyPlace,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take the last calibration back; the one before it counts again.")
    ] = False,
    json: Json = False,
) -> None:
    """Let people's decisions teach the readers: fit each question's level for this study, in seconds.

    A question needs 5 decided cells (reported or not reported). It is moved only if decisions that were
    left out become more likely by it, and the figures are cross-validated in the same way. The readers' own
    answers stay in the study: the calibration is applied whenever results are looked at, and can be undone.
    """
    from vivavoce.store import question_key
    from vivavoce.study.study import Study

    opened = Study.open(study)
    try:
        questions = {question_key(question): question for question in opened.store.asked().questions}
        before = opened.store.calibration()
        if undo:
            undone = opened.undo_calibration()
            if undone is None:
                raise InputError(f"{study}: there is no calibration to undo.")
            _tell_undone(study, undone, opened.store.calibration(), json)
            return
        fitted = opened.calibrate()
    finally:
        opened.close()
    changed = bool(fitted.at) and fitted != before
    if json:
        print_json({"study": str(study), "changed": changed, **_document(fitted, questions)})
    else:
        _show(study, fitted, before, changed, questions)


# For people


def _show(
    study: str,
    fitted: "Calibration",
    before: "Calibration | None",
    changed: bool,
    questions: Mapping[str, "Question"],
) -> None:
    from vivavoce.panel.calibration import MIN_DECISIONS
    from vivavoce.results.calibration import by_reader, in_words

    screen = console()
    readers = by_reader(fitted)
    if not readers:
        few = f"No reader that grades its confidence has a question with {MIN_DECISIONS} decided cells yet"
        _line(screen, clean(f"{few}: decide more with `viva review {study}`."))
    for reader in readers:
        if reader.moved:
            _line(screen, clean(in_words(reader)), "bold")
            _table(screen, reader, questions)
        else:
            _line(screen, clean(_no_gain(reader)))
    if not changed:
        still = f" The calibration of {before.at[:16]} still counts; --undo takes it back." if before else ""
        _line(screen, f"Nothing was changed.{still}")


def _no_gain(reader: "ReaderCalibration") -> str:
    of = f"{count(reader.decisions, 'decision')} of {count(len(reader.questions), 'question')}"
    loss = f"log loss {reader.log_loss_before:.2f} -> {reader.log_loss_after:.2f} (cross-validated)"
    return f"{reader.reader} gains nothing by calibrating on {of}: {loss}."


def _table(screen: "Console", reader: "ReaderCalibration", questions: Mapping[str, "Question"]) -> None:
    rows = [HEAD, *(_row(one, questions[one.question]) for one in reader.questions)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
    for n, row in enumerate(rows):
        cells = [
            cell.ljust(w) if at in (0, 4) else cell.rjust(w)
            for at, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        text = clean(questions[reader.questions[n - 1].question].text) if n else ""
        _line(screen, "  ".join([*cells, short(text, TEXT_WIDTH)]).rstrip(), "" if n else "bold")


def _row(one: "QuestionCalibration", question: "Question") -> tuple[str, ...]:
    after = f"{one.accuracy_after:.2f}" if one.offset else "-"
    return (clean(question.id), str(one.decisions), f"{one.accuracy_before:.2f}", after, inclined(one.offset))


def inclined(offset: float) -> str:
    """What an offset does, in plain words."""
    if not offset:
        return "as before"
    degree = "slightly " if abs(offset) < SLIGHTLY else "much " if abs(offset) >= MUCH else ""
    return f"{degree}{'more' if offset > 0 else 'less'} inclined to say reported ({offset:+.2f})"


def _tell_undone(study: str, undone: "Calibration", now: "Calibration | None", json: bool) -> None:
    if json:
        print_json({"study": str(study), "undone": undone.at, "at": now.at if now else None})
        return
    counts = (
        f"the calibration of {now.at[:16]} counts again" if now else "the readers' own answers count again"
    )
    _line(console(), f"The calibration of {undone.at[:16]} is undone; {counts}.")


def _line(screen: "Console", text: str, style: str = "") -> None:
    from rich.text import Text

    screen.print(Text(text, style=style), soft_wrap=True)


# For programs


def _document(fitted: "Calibration", questions: Mapping[str, "Question"]) -> dict[str, Any]:
    from vivavoce.results.calibration import by_reader

    return {
        "at": fitted.at or None,
        "readers": [
            {
                "reader": reader.reader,
                "version": reader.version,
                "moved": reader.moved,
                **_figures(reader),
                "questions": [
                    {
                        "question": {"id": questions[one.question].id, "text": questions[one.question].text},
                        "offset": one.offset,
                        **_figures(one),
                    }
                    for one in reader.questions
                ],
            }
            for reader in by_reader(fitted)
        ],
    }


def _figures(of: "ReaderCalibration | QuestionCalibration") -> dict[str, float]:
    names = ("decisions", "accuracy_before", "accuracy_after", "log_loss_before", "log_loss_after")
    return {name: round(getattr(of, name), 4) for name in names}
