"""A study's papers together with their files, so that pages can be shown without a reader."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from vivavoce.errors import InputError, PaperError
from vivavoce.evidence.locating import with_boxes
from vivavoce.papers.entries import ENTRY
from vivavoce.papers.files import exists
from vivavoce.papers.formats import is_current
from vivavoce.records import Answer, PageSource, Paper, ScanLine
from vivavoce.store import File, Store


def outdated_papers(store: Store) -> dict[str, str]:
    """The papers that an older version of their format's reader read: which one, by the paper's id. It is
    empty where that was not noted yet."""
    found = store.parsers().items()
    read = ((id, format, parsed_by) for id, (format, parsed_by) in found if format != ENTRY)
    return {id: parsed_by for id, format, parsed_by in read if not is_current(format, parsed_by)}


def paper_of(store: Store, id: str, file: File | None = None) -> Paper:
    """A paper as it was read, with its file behind it for pictures."""
    if file is None or not exists(file.path):  # it may lie elsewhere by now
        named = [found for found in store.files() if found.paper == id]
        if not named:
            raise InputError(f"{store.location}: there is no paper {id} in this study.")
        file = next((found for found in named if exists(found.path)), named[0])
    paper = replace(store.paper(id), file=file.name)
    if paper.format != "pdf":
        return paper
    lines = tuple(ScanLine(*line) for line in store.scanned(id))
    return replace(paper, page_source=PageSource(file.path, lines))


def with_calibrated_boxes(store: Store, answers: Sequence[Answer]) -> list[Answer]:
    """The answers of a cell. Evidence that calibrating made has no boxes yet: they are asked for here. From
    a file that is gone, or another one by now, there are none."""
    found = list(answers)
    lacking = [n for n, answer in enumerate(found) if lacks_boxes(answer)]
    if lacking:
        with suppress(PaperError):
            paper = paper_of(store, found[lacking[0]].paper)
            boxed = with_boxes(paper, [found[n] for n in lacking])
            for n, answer in zip(lacking, boxed, strict=True):
                found[n] = answer
    return found


def lacks_boxes(answer: Answer) -> bool:
    """Is its evidence made by calibrating?"""
    return bool(answer.offset) and any(not e.boxes for e in answer.evidence)
