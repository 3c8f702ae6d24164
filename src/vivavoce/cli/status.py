"""`viva status`: show how far a study is."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vivavoce.cli.options import Json, StudyPlace
from vivavoce.cli.output import clean, console, count, print_json
from vivavoce.results.costs import money
from vivavoce.results.statuses import STATUSES

if TYPE_CHECKING:
    from vivavoce.results.status import StudyStatus

MOST_LISTED = 20
"""Files that failed, have warnings, or are the same paper as another."""


def status(study: StudyPlace, json: Json = False) -> None:
    """Show how far a study is: what is done, what failed and why, what needs review.

    The exit code is 1 when a paper failed.
    """
    from vivavoce.results.status import study_status
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        found = study_status(store)
    finally:
        store.close()
    if json:
        print_json(document(store.name, found))
    else:
        show(store.name, found)
    if found.failed:
        raise typer.Exit(1)


def document(study: str | Path, found: "StudyStatus") -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "study": str(study),
        "papers": found.papers,
        "questions": found.questions,
        "readers": list(found.readers),
        "cells": found.cells,
        "statuses": {name: found.statuses.get(name, 0) for name in STATUSES},
        "waiting": found.waiting,
        "needs_review": found.review,
        "decided": found.decided,
        "reviewers": found.reviewers,
        "disagreements": found.disagreements,
        "calibrated": list(found.calibrated),
        "failed": [{"file": file, "reason": reason} for file, reason in found.failed],
        "warned": [
            {"file": file, "warnings": [{"kind": warning.kind, "text": str(warning)} for warning in warnings]}
            for file, warnings in found.warned
        ],
        "same": [{"file": file, "as": other} for file, other in found.same],
        "costs": {reader: asdict(cost) for reader, cost in found.costs.items()},
        "energy": {reader: asdict(used) for reader, used in found.energy.items()},
        "runs": found.runs,
        "last": found.last,
    }


def show(study: str | Path, found: "StudyStatus") -> None:
    """The state in words."""
    from rich.text import Text

    screen = console()

    def say(text: str, style: str = "") -> None:
        screen.print(Text(clean(text), style=style), soft_wrap=True)

    asked = f"{count(found.papers, 'paper')} × {count(found.questions, 'question')}"
    say(f"{study}: {asked}, answered by {', '.join(found.readers) or 'nobody yet'}", "bold")
    width = len(f"{found.cells:,}")
    for name in STATUSES:
        if number := found.statuses.get(name, 0):
            say(f"  {number:>{width},}  {STATUSES[name].words}", STATUSES[name].terminal)
    if found.waiting:
        say(f"  {found.waiting:>{width},}  no answer yet: `viva run --study {study}` continues")
    if found.review:
        need = "answer needs" if found.review == 1 else "answers need"
        say(f"{found.review:,} {need} review: uncertain, or missing.")
    for reader, cost in found.costs.items():
        tokens = f"{cost.tokens_in:,} tokens sent, {cost.tokens_out:,} received"
        say(f"{reader} took {count(round(cost.calls), 'call')}, {tokens}, {money(cost.dollars)}.")
    if found.reviewers:
        by = ", ".join(f"{name} {number:,}" for name, number in found.reviewers.items())
        say(f"{found.decided:,} decided by people ({by}).")
    if found.disagreements:
        need = "needs" if found.disagreements == 1 else "need"
        say(f"Reviewers disagree on {count(found.disagreements, 'answer')}, which {need} adjudication.")
    for line in found.calibrated:
        say(f"{line[0].upper()}{line[1:]}.")
    for reader, used in found.energy.items():
        emitted = "" if used.co2e_kg is None else f", {1000 * used.co2e_kg:.3g} g CO2e"
        say(f"{reader} used {1000 * used.kwh:.3g} Wh{emitted} ({used.how}: {used.note}).")
    if found.warned:
        say(f"{count(len(found.warned), 'paper')} with a warning:", "yellow")
        for file, warnings in found.warned[:MOST_LISTED]:
            say(f"  {file}: {'; '.join(warnings)}")
        if len(found.warned) > MOST_LISTED:
            say(f"  and {len(found.warned) - MOST_LISTED} more (--json has them all)")
    if found.same:
        say("The same paper under another name:")
        for file, other in found.same[:MOST_LISTED]:
            say(f"  {file} is {other}")
    if found.failed:
        say("Failed; the next run tries again:", "bold red")
        for file, reason in found.failed[:MOST_LISTED]:
            say(f"  {file}: {reason}")
        if len(found.failed) > MOST_LISTED:
            say(f"  and {len(found.failed) - MOST_LISTED} more (--json has them all)")
