"""Papers that an older version read are read again, before a run asks what is missing."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from vivavoce.papers.batch import load_all
from vivavoce.papers.files import exists
from vivavoce.papers.limits import Limits
from vivavoce.records import Paper
from vivavoce.results.papers import outdated_papers
from vivavoce.store import File, Store

QUOTED = "people have quoted its text as it was read before, so it was not replaced"


def reread(store: Store, files: Sequence[File], limits: Limits, failed: Callable[[str, str], None]) -> int:
    """Reads the outdated papers among these files again, and returns how many were replaced. For each that
    was not, `failed` is called with the file's name and the reason."""
    outdated = outdated_papers(store)
    named = {file.path: file for file in files if file.paper in outdated}
    first = {file.paper: file for file in reversed(named.values()) if exists(file.path)}
    for paper in {file.paper for file in named.values()} - set(first):
        failed(next(f.name for f in named.values() if f.paper == paper), "there is no such file any more")
    done = 0
    workers = min(len(first), len(os.sched_getaffinity(0)))
    for path, found in load_all([Path(file.path) for file in first.values()], workers, limits=limits):
        file = named[str(path)]
        if not isinstance(found, Paper):
            failed(file.name, str(found).removeprefix(f"{path}: "))
        elif found.id != file.paper:
            continue  # the file has changed: it is another paper, which the run reads anyway
        elif found.unreadable and store.has_paper(found.id):  # OCR may not be installed here
            failed(file.name, found.unreadable)
        elif store.replace_paper(found):
            done += 1
        else:
            failed(file.name, QUOTED)
    return done
