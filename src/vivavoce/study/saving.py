"""Writes the outcome of a job to the study's store, cell by cell."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from vivavoce.papers.files import stamp_of
from vivavoce.readers import absolute_name
from vivavoce.store import File, Store, question_key, states_name
from vivavoce.study.engines import Outcome
from vivavoce.study.pending import with_current_hash
from vivavoce.study.progress import same_answer


def save_outcome(
    store: Store,
    folder: Path,
    outcome: Outcome,
    begun: bool,
    differ: list[tuple[str, str, str]] | None = None,
) -> int:
    """Writes an outcome, and returns how many cells it was. `begun`: part of this job was written before.
    With `differ`, existing answers are compared with the new ones, and those that differ are added to it."""
    if not outcome.part or not begun:
        _save_file(store, outcome)  # first, so that no answer is there without its paper and its file
    names = {absolute_name(name, folder): name for name, _ in store.readers()}
    versions = dict(store.readers())
    for reader, (states, vectors) in outcome.states.items():
        assert outcome.paper is not None
        name = names.get(reader, reader)
        store.add_states(outcome.paper.id, states_name(name, versions[name]), states, vectors)
    if outcome.replies:
        first = outcome.answers[0]
        store.add_replies(first.reader, first.version, outcome.replies)
    before = store.answers(outcome.paper.id) if differ is not None and outcome.paper else {}
    named = [replace(answer, reader=names.get(answer.reader, answer.reader)) for answer in outcome.answers]
    many = store.add_answers(outcome.paper.id, named) if named and outcome.paper else 0
    if differ is not None:
        many = len(named)
        for answer in named:
            was = before.get((question_key(answer.question), answer.reader))
            if was is not None and not same_answer(was, answer):
                differ.append((outcome.job.name, answer.question.id or answer.question.text, answer.reader))
    _save_failures(store, outcome, names)
    return many


def _save_file(store: Store, outcome: Outcome) -> None:
    """Writes the paper, and what is known about its file."""
    job, paper = outcome.job, outcome.paper
    if paper is not None:
        if job.paper is None:  # else the store has it
            store.add_paper(paper)
        # When it was changed meanwhile, nobody knows its size as it was read: the next run is to look again.
        stamp = job.stamp if _stamp(job.path) == job.stamp else (0, 0)
        file = File(job.path, job.name, paper.id, "", *stamp)
    else:
        file = with_current_hash(File(job.path, job.name, None, "", 0, 0))._replace(reason=outcome.reason)
    store.set_file(file)
    if outcome.reason:
        store.add_failure(job.path, file.paper, outcome.reason)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        return stamp_of(path)
    except OSError:
        return None


def _save_failures(store: Store, outcome: Outcome, names: Mapping[str, str]) -> None:
    """Writes a failure for each cell, or a single one when a reader could not be asked at all."""
    asked = dict(outcome.job.asks)
    for reader, reason in dict.fromkeys((failed.reader, failed.reason) for failed in outcome.failed):
        same = [f for f in outcome.failed if (f.reader, f.reason) == (reader, reason)]
        cells = [question for failed in same for question in failed.questions]
        whole = len(cells) == len(asked.get(reader, ()))
        assert outcome.paper is not None
        store.add_failure(
            outcome.job.path,
            outcome.paper.id,
            reason,
            names.get(reader, reader),
            [None] if whole else cells,
        )
