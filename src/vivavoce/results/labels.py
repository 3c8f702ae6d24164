"""Labels: what people say of a paper and a question, from files or from a study's own decisions.

A label file is a CSV, a workbook, JSON lines or JSON (`read_labels`); a table with a column for each
question, or for each variable and level of the set, is one, too. A row whose `reported` is left empty is
not labelled yet: it is counted, and nothing else. Rows with a `coder` may label the same cell twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from vivavoce.errors import InputError
from vivavoce.evidence.row_files import (
    Row,
    csv_rows,
    field,
    json_object,
    jsonl_rows,
    page_number,
    parsed,
    text_of,
    xlsx_rows,
    yes_or_no,
)
from vivavoce.evidence.tables.forms import rows_of
from vivavoce.panel.decisions import decided_status
from vivavoce.results.cells import Results
from vivavoce.store import Store

NEEDED = ("file", "question_id", "reported")
OPTIONAL = ("quote", "page", "coder")


class Quote(NamedTuple):
    text: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a paper and a question."""

    file: str
    """The paper's path or name, with or without its ending; or its DOI or title."""
    question: str
    """The question's id or words; or the name of a variable or level."""
    reported: bool
    quote: str = ""
    page: int | None = None
    debatable: bool = False
    """The person noted that one may see it otherwise."""
    where: str = ""
    """Where the label stands, for messages."""
    more_quotes: tuple[Quote, ...] = ()
    coder: str = ""
    """Who labelled it, where a file says that."""

    @property
    def quotes(self) -> tuple[Quote, ...]:
        return (Quote(self.quote, self.page), *self.more_quotes) if self.quote else self.more_quotes


class LabelFile(NamedTuple):
    labels: list[Label]
    unlabelled: int = 0
    """Rows of a sheet that nobody has filled in."""


def read_labels(path: Path) -> list[Label]:
    """The labels in a file, in the JSON files of a folder, or decided by people in a study's folder."""
    return read_label_file(path).labels


def read_label_file(path: Path) -> LabelFile:
    """The same, with how many rows are not labelled yet."""
    if path.is_dir():
        if Store.exists(path):
            return LabelFile(_decided(path))
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputError(f"{path}: there are no .json files in this folder; give a label file.")
        return LabelFile([label for file in files for label in _json_labels(file, text_of(file))])
    endings = (".csv", ".xlsx", ".jsonl", ".json")
    ending = path.suffix.lower()
    if ending not in endings:
        raise InputError(
            f"{path}: labels are read from {' '.join(endings)} files, or a folder of .json files."
        )
    if ending == ".json":
        return LabelFile(list(_json_labels(path, text_of(path))))
    if ending == ".jsonl":
        return _labels(jsonl_rows(path, text_of(path), NEEDED))
    if (other := _other_form(path, ending)) is not None:
        return other
    return _labels(xlsx_rows(path, NEEDED) if ending == ".xlsx" else csv_rows(path, text_of(path), NEEDED))


def _labels(rows: Iterator[Row]) -> LabelFile:
    found, empty = [], 0
    for where, raw in rows:
        if "reported" in raw and not field(raw, "reported"):
            empty += 1
        else:
            found.append(_label(where, raw))
    return LabelFile(found, empty)


def _other_form(path: Path, ending: str) -> LabelFile | None:
    """A table with a column for each question, or people's decisions on replies; none for a plain label
    file."""
    text = "" if ending == ".xlsx" else text_of(path)
    if ending != ".xlsx" and not text.strip():
        return None
    rows = xlsx_rows(path, ()) if ending == ".xlsx" else csv_rows(path, text, ())
    columns = {name for _, raw in rows for name in raw}
    if not columns or columns & set(NEEDED[1:]):
        return None
    form, found, _ = rows_of(path)
    if form not in ("wide", "decisions"):
        return None
    labels = [
        Label(row.file, row.question or row.question_text, row.reported, where=row.where)
        for row in found
        if row.reported is not None
    ]
    return LabelFile(labels, len(found) - len(labels))


def _decided(folder: Path) -> list[Label]:
    """What people decided in a study, or agree on."""
    store = Store.open(folder)
    try:
        found = []
        for cell in Results.of(store).cells():
            status = decided_status(cell.decisions)
            if status not in ("reported", "not_reported"):
                continue
            quotes = [Quote(e.quote, e.page) for decision in cell.decisions for e in decision.evidence]
            where = f"{folder}, {cell.paper.file} {cell.question.id}"
            found.append(
                Label(
                    cell.paper.file,
                    cell.question.id,
                    status == "reported",
                    where=where,
                    more_quotes=tuple(dict.fromkeys(quotes)),
                )
            )
    finally:
        store.close()
    if not found:
        raise InputError(
            f"{folder}: nobody has decided anything in this study yet; `viva review` is for that."
        )
    return found


def _json_labels(path: Path, text: str) -> Iterator[Label]:
    """A paper with its questions: `{"paper", "questions": [{"id", "reported", "evidence", "note"}]}`."""
    where = str(path)
    paper = json_object(where, parsed(text, where), NEEDED)
    questions = paper.get("questions")
    if "paper" not in paper or not isinstance(questions, list):
        raise InputError(f'{where}: a label file in JSON has the form {{"paper": ..., "questions": [...]}}.')
    for number, raw in enumerate(questions):
        here = f"{where}, questions[{number}]"
        question = json_object(here, raw, NEEDED)
        evidence = question.get("evidence") or [{}]
        if not isinstance(evidence, list):
            raise InputError(f"{here}: its evidence is not a list.")
        best, *more = (json_object(f"{here}.evidence[{n}]", one, NEEDED) for n, one in enumerate(evidence))
        yield _label(
            here,
            {
                "file": paper["paper"],
                "question_id": question.get("id"),
                "reported": question.get("reported"),
                "quote": best.get("quote"),
                "page": best.get("page"),
            },
            debatable="debatable" in str(question.get("note") or "").lower(),
            more=tuple(
                Quote(field(one, "quote"), page_number(here, field(one, "page")))
                for one in more
                if field(one, "quote")
            ),
        )


def _label(where: str, raw: dict[str, Any], debatable: bool = False, more: tuple[Quote, ...] = ()) -> Label:
    for name in NEEDED:
        if not field(raw, name):
            raise InputError(f"{where}: {name} is missing.")
    return Label(
        file=field(raw, "file"),
        question=field(raw, "question_id"),
        reported=yes_or_no(where, field(raw, "reported")),
        quote=field(raw, "quote"),
        page=page_number(where, field(raw, "page")),
        debatable=debatable,
        where=where,
        more_quotes=more,
        coder=field(raw, "coder"),
    )
