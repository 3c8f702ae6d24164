"""The study as an Excel workbook: a matrix to look at, the answers to filter, their evidence, a summary; what
people decided, when they did; and how far the readers agree, when there are several.

Sheets are written row by row, in one pass over the results, so that a large study takes little memory. The
library that writes the workbook stamps it with the time; the archive is rewritten without it.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.xml.functions import tostring

from vivavoce.errors import VivaError
from vivavoce.export.sheets import COMMENT_LIMIT, Sheet, Text, Value, shortened
from vivavoce.export.table import plain, safe, safe_row
from vivavoce.panel.decisions import all_answers, is_decided
from vivavoce.records import Answer, Cell, Cost, PaperInfo, Question, QuestionSet
from vivavoce.results.agreement import AgreementVotes, raters, rows
from vivavoce.results.cells import Results
from vivavoce.results.costs import add_costs
from vivavoce.results.rows import COLUMNS, rows_of
from vivavoce.results.statuses import STATUSES, status_words
from vivavoce.results.summary import PaperSummary, Share, Summary, cells_by_paper, summarise, summarise_paper
from vivavoce.results.values import Distribution, ValueCounts, value_words

EVIDENCE = (
    "paper",
    "file",
    "question_id",
    "reader",
    "rank",
    "quote",
    "reading",
    "page",
    "match",
    "start",
    "end",
)
DECISIONS = (
    "paper",
    "file",
    "question_id",
    "reviewer",
    "kind",
    "status",
    "answer",
    "quote",
    "page",
    "quotes",
    "reason",
    "at",
    "panel",
    "verdict",
    "value",
)
"""The last three: what the readers' vote was, the final verdict, and the codes that the person chose."""
VALUES = ("question_id", "question", "value", "papers", "of", "by", "group")
MEASURES = {
    "percent": "agreement",
    "fleiss": "Fleiss' kappa",
    "alpha": "Krippendorff's alpha",
    "kappa": "Cohen's kappa",
    "cosine": "cosine of the words",
}
"""What the sheet on agreement calls them."""
FIXED = datetime(2000, 1, 1)
"""The workbook's date: the same results give the same bytes."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
CORE = "docProps/core.xml"

BOLD = Font(bold=True)
BY_PERSON = Font(bold=True, italic=True)
"""How a cell looks that people decided."""
FILLS = {status: PatternFill("solid", start_color=look.light) for status, look in STATUSES.items()}
HEAD = PatternFill("solid", start_color="EDEDED")


def write_xlsx(results: Results, file: BinaryIO) -> None:
    """The workbook, with the same bytes for the same results."""
    book = Workbook(write_only=True)
    with TemporaryFile() as first:
        try:
            _fill(book, results)
            book.save(first)
        except BaseException:
            _give_up(book)
            raise
        book.properties.creator = "vivavoce"
        book.properties.created = book.properties.modified = FIXED
        _without_clock(first, file, {CORE: tostring(book.properties.to_tree())})


def _give_up(book: Workbook) -> None:
    """Lets go of sheets that are half written; else they complain on stderr, and leave files behind."""
    sheets: list[Any] = book.worksheets
    for sheet in sheets:
        with suppress(Exception):
            if not sheet.closed:
                sheet.close()
        with suppress(Exception):
            sheet._writer.cleanup()


def _without_clock(archive: IO[bytes], file: BinaryIO, replaced: dict[str, bytes]) -> None:
    """The archive with a fixed date on each of its parts, and some of them replaced."""
    with ZipFile(archive) as old, ZipFile(file, "w") as new:
        for part in old.infolist():
            entry = ZipInfo(part.filename, ZIP_DATE)
            entry.compress_type, entry.create_system = ZIP_DEFLATED, 3
            if part.filename in replaced:
                new.writestr(entry, replaced[part.filename])
                continue
            entry.file_size = part.file_size  # says whether it needs the form for large files
            with old.open(part) as source, new.open(entry, "w") as target:
                shutil.copyfileobj(source, target)


def _fill(book: Workbook, results: Results) -> None:
    questions = results.questions.questions
    matrix = Sheet(book, "Matrix", "C2", [30, 40, *[24] * len(questions)])
    matrix.add([Text("file", BOLD), Text("title", BOLD), *map(_question_head, questions)])
    widths = [12, 30, 30, 22, 12, 40, 14, 14, 50, 11, 60, 7, 7, 13, 30, 12, 10, 10, 10, 24, 10]
    answers = Sheet(book, "Answers", "A2", widths)
    answers.add([Text(name, BOLD) for name in COLUMNS])
    evidence = Sheet(book, "Evidence", "A2", [12, 30, 12, 14, 6, 80, 40, 7, 8, 9, 9])
    evidence.add([Text(name, BOLD) for name in EVIDENCE])
    papers: list[PaperSummary] = []
    counts = ValueCounts()
    spent: dict[str, Cost] = {}
    decisions: list[list[Value]] = []
    votes = AgreementVotes(results) if len(raters(results)) > 1 else None
    for paper, cells in cells_by_paper(results):
        matrix.add(_matrix_row(paper, questions, cells), height=62)
        for cell in cells:
            add_costs(spent, cell)
            counts.add(cell)
            answers.add_all(map(safe_row, rows_of(cell)))
            evidence.add_all(_evidence_rows(cell))
            decisions.extend(_decision_rows(cell))
            if votes:
                votes.add(cell)
        papers.append(summarise_paper(results.questions, paper, cells))
    answers.filter(len(COLUMNS))
    evidence.filter(len(EVIDENCE))
    summary = summarise(results.questions, papers)
    _summary_sheet(book, results.questions, summary, spent, bool(decisions))
    if distributions := counts.distributions(questions):
        _values_sheet(book, distributions)
    if decisions:
        _decisions_sheet(book, decisions)
    if votes:
        _agreement_sheet(book, votes)


# The matrix


def _question_head(question: Question) -> Text:
    return Text(safe(question.id), BOLD, HEAD, plain(question.text), wrapped=True)


def _matrix_row(paper: PaperInfo, questions: Sequence[Question], cells: Sequence[Cell]) -> list[Value | Text]:
    found = {cell.question.id: cell for cell in cells}
    return [
        Text(safe(paper.file), wrapped=True),
        Text(safe(paper.title), wrapped=True),
        *(_verdict(found[q.id]) if q.id in found else None for q in questions),
    ]


def _verdict(cell: Cell) -> Text:
    answer = cell.verdict
    words = status_words(answer.status)
    if answer.status == "reported":
        words = value_words(answer) or answer.text or words
    elif answer.value is not None:
        words = str(answer.value)
    elif answer.text:  # a claim without proof must not look like an answer, in black and white too
        words = f"{words}: {answer.text}"
    why, font = _why(answer), None
    if answer.coded and answer.text:  # the cell has the value; its words are a look away
        why = "\n".join([shortened(plain(answer.text), COMMENT_LIMIT // 2), why])
    if is_decided(cell):
        why, font = "\n".join(dict.fromkeys([plain(answer.reason), why])), BY_PERSON
    return Text(safe(words), font, FILLS[answer.status], why, wrapped=True)


def _why(answer: Answer) -> str:
    """The best quote; where there is none, why not, or the passage that came closest."""
    if answer.evidence:
        best = answer.evidence[0]
        return _quoted(best.quote, f"p. {best.page}")
    if answer.receipt and answer.receipt.closest:
        close = answer.receipt.closest[0]
        return "Closest: " + _quoted(close.text, f"p. {close.page}, chance {close.score:.2f}")
    return plain(answer.reason)


def _quoted(quote: str, place: str) -> str:
    """The quote cut so that its place is always there."""
    return f"“{shortened(plain(quote), COMMENT_LIMIT - 40)}” ({place})"


def _evidence_rows(cell: Cell) -> Iterable[list[Value]]:
    head: list[Value] = [safe(cell.paper.id), safe(cell.paper.file), safe(cell.question.id)]
    for answer in all_answers(cell):
        for rank, e in enumerate(answer.evidence, 1):
            place: list[Value] = [e.page, e.match, e.start, e.end]
            yield [*head, safe(answer.reader), rank, safe(e.quote), safe(e.reading), *place]


def _decision_rows(cell: Cell) -> Iterable[list[Value]]:
    head: list[Value] = [safe(cell.paper.id), safe(cell.paper.file), safe(cell.question.id)]
    for d in cell.decisions:
        decided: list[Value] = [safe(d.reviewer), d.kind, d.status, safe(d.text)]
        best = d.evidence[0] if d.evidence else None
        quoted: list[Value] = [safe(best.quote), best.page] if best else [None, None]
        more: list[Value] = [len(d.evidence), safe(d.reason), d.at, cell.vote.status, cell.verdict.status]
        more.append(safe("; ".join(map(str, d.values))))
        yield [*head, *decided, *quoted, *more]


def _decisions_sheet(book: Workbook, decisions: Sequence[Sequence[Value]]) -> None:
    sheet = Sheet(book, "Decisions", "A2", [12, 30, 12, 16, 13, 14, 50, 60, 7, 7, 40, 26, 14, 14, 24])
    sheet.add([Text(name, BOLD) for name in DECISIONS])
    sheet.add_all(decisions)
    sheet.filter(len(DECISIONS))


# The summary


def _summary_sheet(
    book: Workbook, questions: QuestionSet, summary: Summary, spent: Mapping[str, Cost], decided: bool
) -> None:
    sheet = Sheet(book, "Summary", None, [30, 50, *[13] * (6 + len(questions.variables))])
    sheet.add([Text(safe(questions.title or questions.name), Font(bold=True, size=14))])
    _block(sheet, "Colours", ["status", "meaning"], [])
    for status, look in STATUSES.items():
        where = "; the quote is the cell's comment" if status == "reported" else ""
        sheet.add([Text(look.words, fill=FILLS[status]), look.meaning + where])
    if decided:
        sheet.add([Text("bold and slanted", BY_PERSON), "decided by a person; the comment says by whom"])
    _block(
        sheet,
        "Questions: share reported, of the papers read in full, with its 95% interval (Wilson)",
        ["question", "", "reported", "not reported", "other", "share", "from", "to"],
        [
            [
                safe(q.question.id),
                safe(q.question.text),
                q.reported,
                q.not_reported,
                q.other,
                *_share(q.share),
            ]
            for q in summary.questions
        ],
    )
    _block(
        sheet,
        "Papers: verdicts by status",
        ["file", "title", *map(status_words, STATUSES)],
        [
            [safe(p.paper.file), safe(p.paper.title), *(p.count(status) for status in STATUSES)]
            for p in summary.papers
        ],
    )
    if questions.variables:
        _variables(sheet, questions, summary)
    if spent:
        _block(
            sheet,
            "Language models: what their answers took",
            ["reader", "", "calls", "tokens sent", "tokens received", "US dollars"],
            [
                [safe(name), "", round(cost.calls), cost.tokens_in, cost.tokens_out, cost.dollars]
                for name, cost in spent.items()
            ],
        )


def _variables(sheet: Sheet, questions: QuestionSet, summary: Summary) -> None:
    _block(
        sheet,
        "Variables: share of the papers that give them, of those of which it is known",
        ["variable", "category", "papers", "known of", "", "share", "from", "to"],
        [
            [safe(v.variable.name), safe(v.variable.category), v.share.hits, v.share.n, "", *_share(v.share)]
            for v in summary.variables
        ],
    )
    if questions.levels:
        _block(
            sheet,
            "Levels: share of the papers that reach them, of those of which it is known",
            ["level", "categories", "papers", "known of", "", "share", "from", "to"],
            [
                [
                    safe(f"{v.level.number} {v.level.name}"),
                    safe(", ".join(v.level.categories)),
                    *(v.share.hits, v.share.n, ""),
                    *_share(v.share),
                ]
                for v in summary.levels
            ],
        )
    names = [f"level {level.number}" for level in questions.levels]
    _block(
        sheet,
        "Papers: variables given and levels reached",
        ["file", "title", *names, *(safe(variable.name) for variable in questions.variables)],
        [
            [safe(p.paper.file), safe(p.paper.title), *map(_yes_no, (*p.levels, *p.variables))]
            for p in summary.papers
        ],
    )


# The values


def _values_sheet(book: Workbook, distributions: Sequence[Distribution]) -> None:
    """How often each value is given, over all papers, by year and by journal."""
    sheet = Sheet(book, "Values", "A2", [14, 44, 30, 10, 14, 34])
    sheet.add([Text(name, BOLD) for name in VALUES])
    for one in distributions:
        head: list[Value] = [safe(one.question.id), safe(one.question.text)]
        groups = [("", "", one.papers, tuple(bar.papers for bar in one.bars))]
        groups += [("year", group.name, group.papers, group.counts) for group in one.years]
        groups += [("journal", group.name, group.papers, group.counts) for group in one.journals]
        for by, name, papers, counts in groups:
            for bar, count in zip(one.bars, counts, strict=True):
                sheet.add([*head, safe(bar.value), count, papers, by, safe(name)])
    sheet.filter(len(VALUES))


# The agreement


def _agreement_sheet(book: Workbook, votes: AgreementVotes) -> None:
    """How far the readers agree; or, in one line, why there is no such figure."""
    sheet = Sheet(book, "Agreement", "A2", [16, 20, 44, 10, 10, 10, 10])
    try:
        found = votes.agreement()
    except VivaError as error:
        sheet.add([f"Not computed: {error}"])
        return
    sheet.add(
        [Text(name, BOLD, HEAD) for name in ("question", "measure", "readers", "value", "from", "to", "n")]
    )
    for id, measure, readers, estimate in rows(found):
        numbers = [Text(v, number_format="0.00") for v in (estimate.value, estimate.low, estimate.high)]
        sheet.add([safe(id or "all"), MEASURES[measure], safe(readers or "all"), *numbers, estimate.n])


def _block(sheet: Sheet, title: str, head: Sequence[str], many: Iterable[Sequence[Value | Text]]) -> None:
    sheet.add([])
    sheet.add([Text(title, BOLD)])
    sheet.add([Text(name, BOLD, HEAD, wrapped=True) if name else None for name in head])
    for row in many:
        sheet.add(row)


def _share(share: Share) -> list[Text]:
    values: Sequence[float | None] = (share.value, *(share.interval or (None, None)))
    return [Text(value, number_format="0%") for value in values]


def _yes_no(given: bool | None) -> Text:
    if given is None:
        return Text("unknown", fill=FILLS["unreadable"])
    return Text("yes", fill=FILLS["reported"]) if given else Text("no", fill=FILLS["not_reported"])
