"""`viva check-table`: say what a table of answers would be taken for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vivavoce.cli.options import Json, questions_option
from vivavoce.cli.output import clean, count, print_json

if TYPE_CHECKING:
    from vivavoce.evidence.tables.parsing import TableContents
    from vivavoce.records import QuestionSet

FORMS = {
    "long": "a row per paper and question",
    "decisions": "people's decisions on replies",
    "wide": "a row per paper, a column per question",
    "replies": "a folder of replies, a file each",
}
LISTED = 5


def check_table(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="A file, or a folder of replies.")],
    papers: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PAPERS...", help="Files and folders that it should be about."),
    ] = None,
    questions: Annotated[str | None, questions_option("dl-methods")] = None,
    json: Json = False,
) -> None:
    """Say what a table of answers would be taken for, before `--reader table:TABLE` uses it.

    It says which form the table has, how many rows, papers and questions there are, and which of them match
    none of the questions, or of the papers by their file names. (Papers are also found by DOI and title, once
    they are read.)
    """
    from vivavoce.evidence.tables.parsing import read_table
    from vivavoce.questions import DEFAULT_SET, load

    found = _document(read_table(table), load(questions or DEFAULT_SET), papers or [])
    if json:
        print_json(found)
        return
    yes, no = found["reported"], found["not_reported"]
    print(
        f"{clean(str(table))}: {FORMS[found['form']]}: {count(found['rows'], 'row')}, "
        f"{count(found['papers'], 'paper')}, {count(found['questions'], 'question')}; "
        f"{yes} reported, {no} not, {found['empty']} without an answer."
    )
    if found["filter"]:
        print(f"Its only column answers the screening question {clean(found['filter'])}.")
    for what, key in (("questions", "unmatched_questions"), ("papers", "unmatched_papers")):
        if names := found[key]:
            more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
            print(f"Not matched, {what}: {', '.join(clean(name) for name in names[:LISTED])}{more}.")
    if found["skipped"]:
        print(f"{count(found['skipped'], 'text file')} left out: nothing says what was asked.")


def _document(table: "TableContents", questions: "QuestionSet", papers: list[Path]) -> dict[str, Any]:
    from vivavoce.evidence.file_names import FileNames
    from vivavoce.evidence.tables.naming import unmatched
    from vivavoce.papers.discovery import find

    screen = next((question.id for question in questions.questions if question.screen), "")
    lost = unmatched(table.columns, questions.questions)
    is_filter = bool(lost and screen and table.form == "wide" and len(table.columns) == 1)
    files = [str(file) for file in find(papers)]
    names = FileNames((file, file) for file in files)
    said = [cell[0].reported for cells in table.cells.values() for cell in cells]
    return {
        "form": table.form,
        "rows": table.rows,
        "papers": len(table.papers),
        "questions": len(table.columns),
        "reported": said.count(True),
        "not_reported": said.count(False),
        "empty": table.empty,
        "skipped": table.skipped,
        "filter": screen if is_filter else "",
        "unmatched_questions": [] if is_filter else lost,
        "unmatched_papers": [name for name in table.papers if not names.of_row(name)] if files else [],
    }
