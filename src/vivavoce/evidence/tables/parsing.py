"""A file of answers from elsewhere -> its rows, cell by cell: a plain value, made once and passed on.

What kind of table it is, its content says (`forms`): a row per paper and question, a row per paper with a
column for each question, or a folder with a text file per reply. A reply is turned into reported or not by
the same rules as a language model's (`evidence.replies`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.evidence.tables.forms import DEFAULT_CONFIDENCE, Form, TableRow, reply_rows, rows_of

__all__ = ["DEFAULT_CONFIDENCE", "Cell", "PaperName", "TableContents", "TableRow", "read_table"]

Cell = tuple[TableRow, ...]
"""The rows of one paper and question; several when there are several quotes."""


@dataclass(frozen=True, slots=True)
class PaperName:
    """What a table tells of a paper, besides its name there."""

    doi: str = ""
    title: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class TableContents:
    """A table, parsed."""

    cells: Mapping[str, tuple[Cell, ...]]
    """By what the table calls the paper."""
    has_quotes: bool
    """Does any row have one?"""
    content_hash: str
    """SHA-256, in hex."""
    form: Form = "long"
    papers: Mapping[str, PaperName] = field(default_factory=dict)
    """By the same names."""
    columns: tuple[str, ...] = ()
    """What the table calls its questions, in their order."""
    rows: int = 0
    empty: int = 0
    """Rows, or cells of a wide table, that say neither yes nor no."""
    skipped: int = 0
    """Files of a folder that are no replies."""


def read_table(path: Path) -> TableContents:
    """Parses a file, or a folder of replies."""
    if path.is_dir():
        rows, content_hash, skipped = reply_rows(path)
        form: Form = "replies"
    else:
        form, rows, content_hash = rows_of(path)
        skipped = 0
    return TableContents(
        cells=_cells(rows),
        has_quotes=any(row.quote for row in rows),
        content_hash=content_hash,
        form=form,
        papers=_papers(rows),
        columns=tuple(dict.fromkeys(row.question or row.question_text for row in rows)),
        rows=len({row.where for row in rows}),
        empty=sum(row.reported is None for row in rows),
        skipped=skipped,
    )


def _papers(rows: Sequence[TableRow]) -> dict[str, PaperName]:
    found: dict[str, PaperName] = {}
    for row in rows:
        found.setdefault(row.file, PaperName(row.doi, row.title, row.year))
    return found


def _cells(rows: Sequence[TableRow]) -> dict[str, tuple[Cell, ...]]:
    """The rows of each paper, cell by cell; rows that say nothing are left out."""
    cells: dict[str, dict[str, list[TableRow]]] = {}
    for row in rows:
        if row.reported is None:
            continue
        name = row.question or row.question_text
        cell = cells.setdefault(row.file, {}).setdefault(name, [])
        if cell and cell[0].reported != row.reported:
            raise InputError(
                f"{row.where}: {name} of {row.file} is {'yes' if row.reported else 'no'} here and "
                f"{'yes' if cell[0].reported else 'no'} in {cell[0].where}; keep one of them."
            )
        cell.append(row)
    return {file: tuple(map(tuple, questions.values())) for file, questions in cells.items()}
