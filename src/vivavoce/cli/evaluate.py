"""`viva evaluate`: compare a study with labels."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vivavoce.cli.evaluation_sections import more_document, show_comparison, show_more
from vivavoce.cli.options import Json, StudyPlace, whole
from vivavoce.cli.output import clean, console, count, print_json, short
from vivavoce.errors import InputError
from vivavoce.results.statuses import status_words

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.results.comparison import Comparison
    from vivavoce.results.evaluation import Evaluation, Label, Mistake, Score
    from vivavoce.store import Store

MEASURES = ("accuracy", "precision", "recall", "f1", "kappa")
COUNTS = ("tp", "fp", "fn", "tn")
HEAD = ("labels", "accuracy", "precision", "recall", "F1", "kappa", "TP", "FP", "FN", "TN", "left out")
LISTED = 10


def evaluate(
    study: StudyPlace,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            metavar="FILE",
            help="What a person found in the papers: .csv, .xlsx or .jsonl with file, question_id and "
            "reported (yes or no), or with a column for each question or variable; a .json file per paper, "
            "or a folder of them; or a study's folder, for what people decided in it.",
        ),
    ] = None,
    compared: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare",
            metavar="A B",
            help="Compare two on the same cells, with a paired test: readers of the study, `verdict`, or the "
            "folders of other studies. Needs `pip install 'vivavoce[stats]'`.",
        ),
    ] = None,
    json: Json = False,
    without_debatable: Annotated[
        bool, typer.Option("--without-debatable", help="Leave out labels marked as debatable.")
    ] = False,
    listed: Annotated[
        int,
        typer.Option(
            "--list",
            parser=whole("--list", "a number of mistakes", 0),
            metavar="N",
            help="Show at most this many misses and this many false claims. The JSON has all.",
        ),
    ] = LISTED,
) -> None:
    """Compare a study with your labels: accuracy, precision, recall, F1, Cohen's kappa and more, with 95%
    intervals; whether quotes are the right ones; whether confidences can be trusted; and every mistake.

    "Unsupported" counts as not reported. What is unreadable, failed, not applicable or not answered is left
    out, and its number is shown. "-" means that a measure is not defined. Where people decided, the verdict
    is theirs, and the line `panel` shows the readers' vote.
    """
    if labels is None:
        raise InputError("say which labels to compare with: --labels FILE.")
    from vivavoce.results.cells import Results
    from vivavoce.results.evaluation import evaluate as evaluated
    from vivavoce.results.labels import read_label_file
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        read = read_label_file(labels)
        found = evaluated(Results.of(store), read.labels, without_debatable=without_debatable)
        against = _comparison(store, compared, read.labels) if compared else None
    finally:
        store.close()
    if json:
        print_json(_document(found, read.unlabelled, against))
    else:
        _show(found, listed, console(), read.unlabelled)
        if against:
            show_comparison(against, console())


def _comparison(store: "Store", names: tuple[str, str], labels: Sequence["Label"]) -> "Comparison":
    """Each of the two is a reader of this study, or another study's folder."""
    from vivavoce.panel.voting import VERDICT
    from vivavoce.results.cells import Results
    from vivavoce.results.comparison import compare, statements
    from vivavoce.store import Store

    said = []
    own = Results.of(store)
    for name in names:
        if name in (*own.readers, VERDICT) or not Store.exists(name):
            said.append(statements(own, labels, name))
            continue
        other = Store.open(name)
        try:
            said.append(statements(Results.of(other), labels, VERDICT))
        finally:
            other.close()
    return compare(names, said[0], said[1])


# For people


def _show(found: "Evaluation", listed: int, screen: "Console", unlabelled: int) -> None:
    from vivavoce.panel.voting import VERDICT

    text = f"{count(found.labels, 'label')} of {count(found.papers, 'paper')}"
    if found.debatable:
        text += f", {found.debatable} of them debatable"
    _line(screen, f"{text}.")
    if unlabelled:
        _line(screen, f"{count(unlabelled, 'row')} not labelled yet.")
    if found.coders_disagree:
        _line(screen, f"{count(found.coders_disagree, 'cell')} left out: the coders disagree.")
    if found.strangers:
        _line(screen, _strangers(found.strangers))
    _line(screen, "")
    _table(screen, "reader", [(clean(reader), score, "") for reader, score in found.overall])
    for reader, score in found.overall:
        if score.left_out:
            why = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in score.left_out)
            _line(screen, f"Left out of {clean(reader)}: {why}.")
    if found.decided:
        text = f"{count(found.decided, 'verdict')} {'was' if found.decided == 1 else 'were'}"
        _line(screen, f"{text} decided by people; `panel` is the readers' own vote.")
    _line(screen, "")
    _line(screen, "By question, the verdict:", "bold")
    rows = [(clean(q.id), dict(scores)[VERDICT], clean(q.text)) for q, scores in found.questions]
    _table(screen, "question", rows)
    _list(screen, "Misses (the label says yes, the verdict no)", found.misses(), listed)
    _list(screen, "False claims (the label says no, the verdict yes)", found.false_claims(), listed)
    show_more(found, screen)


def _strangers(strangers: Sequence["Label"]) -> str:
    files = sorted({label.file for label in strangers})
    ids = sorted({label.question for label in strangers})
    text = f"{count(len(strangers), 'label')} left out: their paper or question is not in the study"
    return f"{text} ({_some(files)}; {_some(ids)})."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(clean(name) for name in names[:3]) + more


def _table(screen: "Console", first: str, rows: Sequence[tuple[str, "Score", str]]) -> None:
    """A row per score: its name, its measures, and a remark as far as there is room."""
    from rich.cells import cell_len

    lines = [(first, HEAD, ""), *((name, _numbers(score), remark) for name, score, remark in rows)]
    wide = max(cell_len(name) for name, _, _ in lines)
    widths = [max(len(cells[n]) for _, cells, _ in lines) for n in range(len(HEAD))]
    room = screen.width - wide - sum(widths) - 2 * len(widths) - 2
    for index, (name, cells, remark) in enumerate(lines):
        text = name + " " * (wide - cell_len(name))
        text += "".join("  " + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        if remark and room >= 20:
            text += "  " + short(remark, room)
        _line(screen, text, "" if index else "bold")


def _numbers(score: "Score") -> tuple[str, ...]:
    measures = [getattr(score, name) for name in MEASURES]
    left_out = sum(number for _, number in score.left_out)
    return (
        str(score.n),
        *("-" if value is None else f"{round(value, 2) + 0.0:.2f}" for value in measures),  # never -0.00
        *(str(getattr(score, name)) for name in COUNTS),
        str(left_out),
    )


def _list(screen: "Console", title: str, mistakes: Sequence["Mistake"], listed: int) -> None:
    _line(screen, "")
    _line(screen, f"{title}: {len(mistakes) or 'none'}", "bold")
    for mistake in mistakes[:listed]:
        for indent, line in _lines_of(mistake):
            width = min(100, screen.width) if screen.is_terminal else screen.width
            for part in wrap(clean(line), max(20, width - indent), break_on_hyphens=False):
                _line(screen, " " * indent + part)
    if len(mistakes) > listed > 0:
        _line(screen, f"and {len(mistakes) - listed} more; --list {len(mistakes)} shows all.")


def _lines_of(mistake: "Mistake") -> Iterator[tuple[int, str]]:
    """Lines, each with its indent: where, what the label says, what the reader has."""
    label, answer = mistake.label, mistake.answer
    sure = f"{status_words(answer.status)}, confidence {answer.confidence:.2f}"
    debatable = "; debatable" if label.debatable else ""
    yield 2, f"{mistake.paper.file} {mistake.question.id}: {mistake.question.text} ({sure}{debatable})"
    if label.quote:
        page = f" (p. {label.page})" if label.page else ""
        yield 4, f"label: “{label.quote}”{page}"
    for e in answer.evidence[:1]:
        yield 4, f"given: “{e.reading or e.quote}” (p. {e.page})"
    if answer.receipt:
        for close in answer.receipt.closest:
            yield 4, f"closest {close.score:.2f}: “{close.text}” (p. {close.page})"


def _line(screen: "Console", text: str, style: str = "") -> None:
    from rich.text import Text

    screen.print(Text(text, style=style), soft_wrap=True)


# For programs


def _document(found: "Evaluation", unlabelled: int, against: "Comparison | None") -> dict[str, Any]:
    readers = [reader for reader, _ in found.overall]
    return {
        "labels": found.labels,
        "papers": found.papers,
        "debatable": found.debatable,
        "decided": found.decided,
        "not_in_study": [_label(label) for label in found.strangers],
        "unlabelled": unlabelled,
        "readers": _scores(found, found.overall),
        "questions": [
            {
                "question": {"id": question.id, "text": question.text},
                "readers": _scores(found, scores, question.id),
            }
            for question, scores in found.questions
        ],
        "misses": [_mistake(m) for reader in readers for m in found.misses(reader)],
        "false_claims": [_mistake(m) for reader in readers for m in found.false_claims(reader)],
        **more_document(found, against),
    }


def _scores(
    found: "Evaluation", scores: Iterable[tuple[str, "Score"]], question: str = ""
) -> list[dict[str, Any]]:
    from vivavoce.results.scores import MEASURES as EVERY

    return [
        {
            "reader": reader,
            "labels": score.n,
            **{name: getattr(score, name) for name in (*EVERY, *COUNTS)},
            "intervals": {
                name: list(known) if known else None
                for name, known in found.intervals.get((reader, question), {}).items()
            },
            "left_out": dict(score.left_out),
        }
        for reader, score in scores
    ]


def _label(label: "Label") -> dict[str, Any]:
    return {
        "file": label.file,
        "question_id": label.question,
        "reported": label.reported,
        "quote": label.quote,
        "page": label.page,
        "debatable": label.debatable,
    }


def _mistake(mistake: "Mistake") -> dict[str, Any]:
    from vivavoce.export.json_lines import json_line

    return {**json_line(mistake.paper, mistake.answer), "label": _label(mistake.label)}
