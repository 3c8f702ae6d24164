"""What people's decisions taught a study's readers: which answers it moves, and what to tell of it.

How it is fitted is in `calibrating`, which takes longer to import.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from vivavoce.records import Calibration, QuestionCalibration
from vivavoce.store import Store


@dataclass(frozen=True, slots=True)
class ReaderCalibration:
    """What a calibration does to one reader: all of its questions together."""

    reader: str
    version: str
    questions: tuple[QuestionCalibration, ...]

    @property
    def decisions(self) -> int:
        return sum(one.decisions for one in self.questions)

    @property
    def moved(self) -> int:
        """How many questions have an offset."""
        return sum(bool(one.offset) for one in self.questions)

    @property
    def accuracy_before(self) -> float:
        return self._mean([one.accuracy_before for one in self.questions])

    @property
    def accuracy_after(self) -> float:
        return self._mean([one.accuracy_after for one in self.questions])

    @property
    def log_loss_before(self) -> float:
        return self._mean([one.log_loss_before for one in self.questions])

    @property
    def log_loss_after(self) -> float:
        return self._mean([one.log_loss_after for one in self.questions])

    def _mean(self, figures: Sequence[float]) -> float:
        """Over the decisions of all questions."""
        weighed = (figure * one.decisions for figure, one in zip(figures, self.questions, strict=True))
        return fsum(weighed) / self.decisions


def by_reader(calibration: Calibration) -> tuple[ReaderCalibration, ...]:
    """The calibration of each reader, in their order."""
    found: dict[tuple[str, str], list[QuestionCalibration]] = {}
    for one in calibration.questions:
        found.setdefault((one.reader, one.version), []).append(one)
    return tuple(ReaderCalibration(*whose, tuple(some)) for whose, some in found.items())


def in_words(reader: ReaderCalibration) -> str:
    """On how many decisions, with what effect."""
    questions = f"{len(reader.questions)} question{'' if len(reader.questions) == 1 else 's'}"
    gain = f"accuracy {reader.accuracy_before:.2f} -> {reader.accuracy_after:.2f} (cross-validated)"
    return f"calibrated {reader.reader} on {reader.decisions} decisions of {questions}: {gain}"


def calibration_lines(store: Store) -> tuple[str, ...]:
    """What to tell everybody who looks at the study: a line for each reader whose answers are calibrated, and
    for each whose calibration was of another version; none in a study without one."""
    calibration = store.calibration()
    readers = dict(store.readers())
    lines = []
    for one in by_reader(calibration) if calibration else ():
        if readers.get(one.reader) == one.version and one.moved:
            lines.append(in_words(one))
        elif one.reader in readers and one.moved:
            lines.append(
                f"the calibration of {one.reader} was for its version {one.version}, and doesn't count for "
                f"{readers[one.reader]}: calibrate again"
            )
    return tuple(lines)


def offsets(calibration: Calibration | None) -> Mapping[tuple[str, str, str], QuestionCalibration]:
    """Those that move something, by reader, version and the question's key."""
    every = calibration.questions if calibration else ()
    return {(one.reader, one.version, one.question): one for one in every if one.offset}
