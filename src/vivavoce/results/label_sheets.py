"""A sheet for people to label: a random sample of a study's cells, so that what is labelled is not only
what was in doubt. Nothing that a reader said is in it. `viva evaluate --labels SHEET` reads it when it is
filled in."""

import csv
import random
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.errors import InputError
from vivavoce.records import PaperInfo, Question
from vivavoce.results.cells import Results

if TYPE_CHECKING:
    from openpyxl import Workbook

COLUMNS = ("file", "title", "question_id", "question", "reported", "quote", "page", "coder")
ENDINGS = (".csv", ".xlsx")

SampledCell = tuple[PaperInfo, Question]


def sample(results: Results, many: int, seed: int = 0) -> list[SampledCell]:
    """Cells drawn by chance, the same for the same seed, in the study's order. Screening questions are
    cells, too."""
    cells = [(paper, question) for paper in results.papers for question in results.questions.questions]
    if not cells:
        raise InputError("there is nothing to label: the study has no papers yet.")
    drawn = random.Random(seed).sample(range(len(cells)), min(many, len(cells)))
    return [cells[n] for n in sorted(drawn)]


def write_sheet(cells: list[SampledCell], to: Path) -> None:
    """An empty sheet: `reported` is for yes or no, `quote` and `page` for where that stands."""
    if to.suffix.lower() not in ENDINGS:
        raise InputError(f"{to}: a sheet ends in {' or '.join(ENDINGS)}.")
    if to.exists():
        raise InputError(
            f"{to}: there is such a file already, and somebody may have filled it in; name another."
        )
    rows = [
        [paper.file, paper.title, question.id, question.text, "", "", "", ""] for paper, question in cells
    ]
    try:
        if to.suffix.lower() == ".csv":
            with to.open("x", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
        else:
            _workbook(rows).save(to)
    except OSError as error:
        raise InputError(f"{to}: it can't be written ({error.strerror}).") from None


def _workbook(rows: list[list[str]]) -> "Workbook":
    from openpyxl import Workbook
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "labels"
    sheet.append(list(COLUMNS))
    for number, row in enumerate(rows, 2):
        for column, value in enumerate(row, 1):
            if value:
                cell = sheet.cell(number, column, value)
                cell.data_type = "s"  # never a formula
    choices = DataValidation(type="list", formula1='"yes,no"', allow_blank=True)
    choices.add(f"E2:E{len(rows) + 1}")
    sheet.add_data_validation(choices)
    sheet.freeze_panes = "A2"
    for letter, width in zip("ABCDEFGH", (28, 40, 10, 60, 10, 60, 6, 12), strict=True):
        sheet.column_dimensions[letter].width = width
    return book
