"""A wide table: a row per paper, a column per question, the verdicts in it. `table:FILE` reads it again."""

import csv
from io import TextIOWrapper
from typing import BinaryIO

from vivavoce.export import Writer
from vivavoce.export.table import safe
from vivavoce.records import Answer, Cell
from vivavoce.results.cells import Results
from vivavoce.results.statuses import status_words
from vivavoce.results.summary import cells_by_paper

ABOUT = ("file", "title", "doi", "year")


def wide_writer(cells: str) -> Writer:
    """Writes statuses, or the words of answers (`text`); what is not reported has its status there, too."""

    def write(results: Results, file: BinaryIO) -> None:
        out = TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            table = csv.writer(out, lineterminator="\n")
            questions = results.questions.questions
            table.writerow([*ABOUT, *(safe(question.id) for question in questions)])
            for paper, found in cells_by_paper(results):
                by_id: dict[str, Cell] = {cell.question.id: cell for cell in found}
                values = [
                    _value(by_id[question.id].verdict, cells) if question.id in by_id else ""
                    for question in questions
                ]
                table.writerow([*map(safe, (paper.file, paper.title, paper.doi)), paper.year, *values])
        finally:
            out.detach()

    return write


def _value(verdict: Answer, cells: str) -> str:
    if cells == "text" and verdict.status == "reported" and verdict.text:
        return safe(verdict.text)
    return status_words(verdict.status)
