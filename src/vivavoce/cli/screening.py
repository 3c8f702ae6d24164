"""`viva screening`: show what a study's filter does."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import Json
from vivavoce.cli.output import clean, count, print_json

if TYPE_CHECKING:
    from vivavoce.results.screening import Screening


def screening(
    study: Annotated[Path, typer.Argument(metavar="DIR", help="The study's folder.")], json: Json = False
) -> None:
    """Show what the screening question filters out: each question's share before and after it.

    The filter may be answered by any reader: the built-in one, a language model, people, or a table from
    elsewhere (`--reader table:FILE` with a column of yes and no). A paper that is in doubt passes.
    """
    from vivavoce.results.cells import Results
    from vivavoce.results.screening import screening as count_all
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        found = count_all(Results.of(store))
    finally:
        store.close()
    if json:
        print_json(_document(found))
    else:
        _show(found)


def _document(found: "Screening") -> dict[str, object]:
    return {
        "papers": found.papers,
        "passed": found.passed,
        "questions": [
            {
                "question": {"id": one.question.id, "text": one.question.text},
                "before": one.before._asdict(),
                "after": one.after._asdict(),
            }
            for one in found.questions
        ],
    }


def _show(found: "Screening") -> None:
    print(f"{found.passed} of {count(found.papers, 'paper')} pass the filter.\n")
    wide = max([len("question"), *(len(clean(one.question.id)) for one in found.questions)])
    print(f"{'question':{wide}}  {'reported before':>18}  {'after':>18}")
    for one in found.questions:
        shares = [
            f"{c.reported} of {c.papers} ({c.reported / c.papers:.2f})" if c.papers else "0 of 0"
            for c in (one.before, one.after)
        ]
        print(
            f"{clean(one.question.id):{wide}}  {shares[0]:>18}  {shares[1]:>18}  {clean(one.question.text)}"
        )
