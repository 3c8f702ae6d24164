"""The answers as rows, for tables of any kind.

Of every paper x question, a row for each reader and then one for the verdict; where people decided, before
the verdict one for the panel's own vote and one for each person's decision.
"""

from collections.abc import Iterator

from vivavoce.panel.decisions import all_answers
from vivavoce.panel.voting import needs_review
from vivavoce.records import Answer, Cell, PaperInfo
from vivavoce.results.cells import Results
from vivavoce.results.values import value_cell

COLUMNS = (
    "paper",
    "file",
    "title",
    "doi",
    "question_id",
    "question",
    "reader",
    "status",
    "answer",
    "confidence",
    "quote",
    "page",
    "quotes",
    "needs_review",
    "reason",
    "version",
    "tokens_in",
    "tokens_out",
    "dollars",
    "warnings",
    "value",
    "unit",
)

ResultRow = list[str | int | float | None]


def rows(results: Results) -> Iterator[ResultRow]:
    """Every row, with its texts as they are."""
    for cell in results.cells():
        yield from rows_of(cell)


def rows_of(cell: Cell) -> Iterator[ResultRow]:
    """A row for each reader, for people's decisions if there are any, and the verdict's."""
    for answer in all_answers(cell):
        yield _row(cell.paper, answer)


def _row(paper: PaperInfo, answer: Answer) -> ResultRow:
    best = answer.evidence[0] if answer.evidence else None
    return [
        paper.id,
        paper.file,
        paper.title,
        paper.doi,
        answer.question.id,
        answer.question.text,
        answer.reader,
        answer.status,
        answer.text,
        answer.confidence,
        best.quote if best else "",
        best.page if best else None,
        len(answer.evidence),
        "yes" if needs_review(answer) else "no",
        answer.reason or "; ".join(doubt.text for doubt in answer.doubts),
        answer.version,
        *((cost.tokens_in, cost.tokens_out, cost.dollars) if (cost := answer.cost) else (None, None, None)),
        "; ".join(paper.warnings),
        value_cell(answer),
        answer.unit,
    ]
