"""`viva agreement`: measure how far a study's readers agree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vivavoce.cli.options import Json, StudyPlace
from vivavoce.cli.output import clean, console, count, print_json, short

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.results.agreement import Agreement, Estimate, Group


def agreement(study: StudyPlace, json: Json = False) -> None:
    """Measure how far a study's readers agree.

    The measures are percent agreement, Cohen's kappa, Fleiss' kappa, Krippendorff's alpha and the cosine of
    answers. A cell is one paper and one question. Brackets hold 95% intervals, from resampling the papers a
    thousand times. "Unsupported" counts as not reported; what is unreadable, failed or not applicable has no
    vote. Fleiss' kappa is over the cells that all readers voted on, alpha over all cells with two votes or
    more. People who reviewed cells are readers too, as `person:NAME`; adjudications are not counted. The
    cosine compares the words of two answers, not their meaning. "-" means that a measure is not defined.
    Needs `pip install 'vivavoce[stats]'`.
    """
    from vivavoce.results.agreement import agreement as compare
    from vivavoce.results.cells import Results
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        found = compare(Results.of(store))
    finally:
        store.close()
    if json:
        print_json(_document(found))
    else:
        _show(found, console())


def _show(found: "Agreement", screen: "Console") -> None:
    readers, papers = count(len(found.readers), "reader"), count(found.papers, "paper")
    _line(screen, f"{readers}, {papers}, {count(found.overall.alpha.n, 'cell')} with two votes or more.")
    _line(screen, "")
    rows = [("readers", "cells", "agree", "Cohen's kappa", "cosine")]
    for pair in found.overall.pairs:
        names = " / ".join(map(clean, pair.readers))
        rows.append(
            (
                names,
                f"{pair.percent.n}",
                _with_interval(pair.percent),
                _with_interval(pair.kappa),
                _with_interval(pair.cosine),
            )
        )
    _table(screen, rows)
    _line(screen, "")
    _line(screen, "By question, all readers:", "bold")
    rows = [("question", "cells", "agree", "Fleiss' kappa", "Krippendorff's alpha")]
    rows += [_row("all", found.overall)]
    rows += [_row(clean(question.id), group) for question, group in found.questions]
    _table(screen, rows, ["", "", *(clean(question.text) for question, _ in found.questions)])


def _row(name: str, group: "Group") -> tuple[str, str, str, str, str]:
    return (
        name,
        f"{group.percent.n}",
        _with_interval(group.percent),
        _with_interval(group.fleiss),
        _with_interval(group.alpha),
    )


def _with_interval(estimate: "Estimate") -> str:
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return _number(estimate.value)
    return f"{_number(estimate.value)} [{_number(estimate.low)}, {_number(estimate.high)}]"


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # never -0.00


def _table(screen: "Console", rows: Sequence[Sequence[str]], remarks: Sequence[str] = ()) -> None:
    """Columns under each other; a remark behind a row, as far as there is room."""
    from rich.cells import cell_len

    widths = [max(cell_len(row[n]) for row in rows) for n in range(len(rows[0]))]
    room = screen.width - sum(widths) - 2 * len(widths)
    for index, row in enumerate(rows):
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        remark = remarks[index] if index < len(remarks) and room >= 20 else ""
        _line(screen, "  ".join([*cells, short(remark, room)]).rstrip(), "" if index else "bold")


def _line(screen: "Console", text: str, style: str = "") -> None:
    from rich.text import Text

    screen.print(Text(text, style=style), soft_wrap=True)


# For programs


def _document(found: "Agreement") -> dict[str, Any]:
    return {
        "readers": list(found.readers),
        "papers": found.papers,
        "overall": _group(found.overall),
        "questions": [
            {"question": {"id": question.id, "text": question.text}, **_group(group)}
            for question, group in found.questions
        ],
    }


def _group(group: "Group") -> dict[str, Any]:
    return {
        "percent": _estimate(group.percent),
        "fleiss": _estimate(group.fleiss),
        "alpha": _estimate(group.alpha),
        "pairs": [
            {
                "readers": list(pair.readers),
                "percent": _estimate(pair.percent),
                "kappa": _estimate(pair.kappa),
                "cosine": _estimate(pair.cosine),
            }
            for pair in group.pairs
        ],
    }


def _estimate(estimate: "Estimate") -> dict[str, Any]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}
