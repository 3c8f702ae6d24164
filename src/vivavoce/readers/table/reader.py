"""Answers from elsewhere as a reader: people's, another tool's, an older study's, so that they can join a
panel.

`table:FILE` names the table (`parsing`), which may have one of several forms (`forms`). Its papers are
found by file, DOI or title, its questions by id or words (`naming`). Every quote is looked up in the paper
(`evidence.spans`); those of a paper without a file are not, and the answer says so.

Nothing is made up: a question that the table says nothing to has no answer, so `read` may give fewer answers
than it was asked questions. "Reported" without a quote that is in the paper is `unsupported`; unless the
table has no quotes at all, as when people coded yes and no: then the answer counts, with the doubt that no
quote was given.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.evidence.coding import code, said_values
from vivavoce.evidence.file_names import FileNames
from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.spans import find_span
from vivavoce.evidence.tables.naming import QuestionNames, doi_key, title_key
from vivavoce.evidence.tables.parsing import Cell, PaperName, TableContents, read_table
from vivavoce.evidence.values import values
from vivavoce.papers.entries import is_entry
from vivavoce.readers.names import TABLE
from vivavoce.records import Answer, Coded, Doubt, Evidence, Paper, Question, Status

RULES = "3"
"""Part of the version: raise it when the same table gives other answers."""
FILTER_CONFIDENCE = 0.95
"""Of a table with a single column that answers the screening question: it was made to decide that."""


class Table:
    """The answers of one table. It can be pickled."""

    def __init__(self, name: str, contents: TableContents | None = None, problem: str = "") -> None:
        """`contents`: what was parsed before. `problem`: why it can't be asked about the paper at hand."""
        self.name = name
        file = name.removeprefix(TABLE)
        if not file.strip():
            raise InputError("table: needs a file, such as table:labels.csv.")
        self.contents = contents or read_table(Path(file))
        self.version = f"{RULES}-{self.contents.content_hash[:12]}"
        self._problem = problem
        self._files = FileNames((file, file) for file in self.contents.cells)
        self._dois, self._titles = self._other_names()

    def _other_names(self) -> tuple[dict[str, str], dict[str, str]]:
        """What the table calls papers, by their DOIs and by their titles."""
        dois: dict[str, str] = {}
        titles: dict[str, str] = {}
        for name in self.contents.cells:
            about = self.contents.papers.get(name)
            if key := doi_key(about.doi if about and about.doi else name):
                dois.setdefault(key, name)
            if key := title_key(about.title if about and about.title else name):
                titles.setdefault(key, name)
        return dois, titles

    def ready(self) -> None:
        """Always: the file was read when it was made."""

    def named_papers(self) -> Mapping[str, PaperName]:
        """The papers that it says something about."""
        return {name: self.contents.papers.get(name, PaperName()) for name in self.contents.cells}

    def for_papers(self, files: Sequence[str]) -> "Mapping[str, Table]":
        """For each of these papers a table with just the rows about it. A row whose name fits several papers
        is an answer to none of them: reading one of these raises."""
        papers = FileNames((file, file) for file in files)
        rows: dict[str, list[str]] = {file: [] for file in files}
        unclaimed = []
        known_otherwise = {*self._dois.values(), *self._titles.values()}
        problems: dict[str, str] = {}
        for row in self.contents.cells:
            found = sorted(papers.of_row(row))
            if len(found) > 1 and len(set(map(_content_hash, found))) > 1:
                several = f"{self.name}: {row} fits several papers: {', '.join(found)}; give the path."
                problems.update(dict.fromkeys(found, several))
            for file in found:
                rows[file].append(row)
            if not found and row in known_otherwise:
                unclaimed.append(row)
        # A paper that no row names by its file may be named by its DOI or title, which are not known
        # before it is read.
        for some in rows.values():
            some += unclaimed if not some else ()
        return {file: self._part(some, problems.get(file, "")) for file, some in rows.items()}

    def _part(self, rows: Sequence[str], problem: str) -> "Table":
        cells = {row: self.contents.cells[row] for row in rows}
        return Table(self.name, replace(self.contents, cells=cells), problem)

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question that the table says something to, in their order."""
        if self._problem:
            raise InputError(self._problem)
        cells = self.contents.cells.get(self._row_name(paper), ())
        found = dict(self._found(cells, questions))
        return [self._answer(paper, q, found[q]) for q in questions if q in found]

    def _found(self, cells: Sequence[Cell], questions: Sequence[Question]) -> Iterator[tuple[Question, Cell]]:
        """The cells that answer one of the questions. The only column of a table that fits none of them
        answers the screening question: that is what a filter looks like."""
        names = QuestionNames(questions)
        for cell in cells:
            question = names.find(
                cell[0].question, next((r.question_text for r in cell if r.question_text), "")
            )
            if question is not None:
                yield question, cell
            elif self.is_filter:
                yield from ((q, _surer(cell)) for q in questions if q.screen)

    @property
    def is_filter(self) -> bool:
        """Has it a single column, besides what names the paper?"""
        return self.contents.form == "wide" and len(self.contents.columns) == 1

    def _row_name(self, paper: Paper) -> str:
        """What the table calls the paper; empty when it has no row about it."""
        names = sorted(self._files.of_paper(paper.file))
        if len(names) > 1:
            raise InputError(
                f"{self.name}: both {names[0]} and {names[1]} may be {paper.file}; give the paths."
            )
        if names:
            return names[0]
        by_doi = self._dois.get(doi_key(paper.doi), "") if paper.doi else ""
        return by_doi or self._titles.get(title_key(paper.title), "")

    def _answer(self, paper: Paper, question: Question, cell: Cell) -> Answer:
        if is_entry(paper):
            return self._unchecked(question, cell)
        if paper.unreadable:  # nothing can be looked up in it
            return Answer(question, self.name, self.version, "unreadable", reason=paper.unreadable)
        if not cell[0].reported:
            return Answer(question, self.name, self.version, "not_reported", confidence=cell[0].confidence)
        quotes = list(dict.fromkeys((row.quote, row.page) for row in cell if row.quote))
        evidence = _located(paper, quotes)
        text = next((row.text for row in cell if row.text), "")
        status: Status = "reported" if evidence or not self.contents.has_quotes else "unsupported"
        return Answer(
            question,
            self.name,
            self.version,
            status,
            text=text or (evidence[0].quote if evidence else ""),
            confidence=cell[0].confidence,
            evidence=evidence,
            values=values(e.quote for e in evidence),
            coded=_coded(question, cell, evidence) if status == "reported" else (),
            doubts=_doubts(len(quotes), len(evidence)),
        )

    def _unchecked(self, question: Question, cell: Cell) -> Answer:
        """An answer about a paper without a file: it counts as the table gives it, and says that nothing was
        looked up."""
        first = cell[0]
        quotes = list(dict.fromkeys(row.quote for row in cell if row.quote))
        status: Status = "reported" if first.reported else "not_reported"
        text = next((row.text for row in cell if row.text), "") or " … ".join(
            f"“{quote}”" for quote in quotes
        )
        unchecked = f"; {len(quotes)} quotes were not looked up" if quotes else ""
        return Answer(
            question,
            self.name,
            self.version,
            status,
            text=text if first.reported else "",
            confidence=first.confidence,
            coded=_coded(question, cell, ()) if first.reported else (),
            doubts=(Doubt("no_file", f"no file: nothing was checked{unchecked}"),) if first.reported else (),
        )


def _surer(cell: Cell) -> Cell:
    return tuple(replace(row, confidence=max(row.confidence, FILTER_CONFIDENCE)) for row in cell)


def _coded(question: Question, cell: Cell, evidence: Sequence[Evidence]) -> tuple[Coded, ...]:
    """What the table says, where it says a value; else what stands in the quotes."""
    given = next((row.value for row in cell if row.value), "")
    found = code(question, evidence)
    if not given:
        return found
    return said_values(question, [part.strip() for part in given.split(";") if part.strip()], evidence, found)


def _located(paper: Paper, quotes: Sequence[tuple[str, int | None]]) -> tuple[Evidence, ...]:
    """The quotes that were found in the paper, exact ones first."""
    spans = dict.fromkeys(span for quote, page in quotes if (span := find_span(paper, quote, page)))
    found = [evidence_at(paper, span) for span in spans]
    return tuple(sorted(found, key=lambda e: (e.match != "exact", -e.score)))


def _doubts(given: int, found: int) -> tuple[Doubt, ...]:
    if not given:
        return (Doubt("no_quote", "no quote given"),)
    if found < given:
        are = "is" if given - found == 1 else "are"
        text = f"{given - found} of {given} quotes {are} not in the paper"
        return (Doubt("quote_not_found", text),)
    return ()


def _folded(question: str) -> str:
    return " ".join(question.split()).casefold()


def _content_hash(file: str) -> str:
    """What tells apart two papers of one name; copies of a file are one paper."""
    try:
        with open(file, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return file
