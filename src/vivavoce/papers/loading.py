"""One file -> one `Paper`.

`load` is what people call; it hands the path to the worker process, where `read_file` does the work:
check the file, hash it, decide its format, let that format's reader make a `Draft`, and assemble the
draft into a paper. Readers are imported when a file of their format comes along.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.errors import PaperError, ProcessError
from vivavoce.papers import recognition
from vivavoce.papers.archives import unpacked
from vivavoce.papers.failures import paper_error
from vivavoce.papers.files import absolute, read_bytes
from vivavoce.papers.formats import format_of
from vivavoce.papers.injection import injection_warnings
from vivavoce.papers.limits import Limits
from vivavoce.processes import isolation
from vivavoce.records import (
    Anchor,
    Box,
    Hidden,
    Page,
    PageSource,
    Paper,
    PaperWarning,
    ScanLine,
    Sentence,
)

if TYPE_CHECKING:
    from vivavoce.papers.draft import Draft

for _record in (Anchor, Box, Hidden, Page, PageSource, Paper, PaperWarning, ScanLine, Sentence):
    isolation.allowed_in_replies(_record)

READ_FILE = "vivavoce.papers.loading:read_and_count"
FEW_SENTENCES = 10
FEW_WORDS = 150
"""With fewer than this a file is hardly a whole paper; an abstract alone has some 200 words."""


def load(path: str | Path, *, limits: Limits = Limits()) -> Paper:
    """Read one file. Raises `PaperError` for a file that can't become a paper; a file that opens but has
    no usable text becomes a `Paper` with `unreadable` set."""
    return load_with(isolation.default(), path, limits)


def load_with(worker: isolation.Worker, path: str | Path, limits: Limits) -> Paper:
    """`load` in a given worker."""
    place = absolute(path)  # the worker keeps the folder it was started in; the caller may not
    try:
        paper, scans = worker.call(READ_FILE, place, limits, limits=limits)
    except (PaperError, ProcessError) as error:
        raise paper_error(str(path), error, limits) from None
    assert isinstance(paper, Paper)
    if scans:
        paper = _with_scans(worker, place, paper, scans, limits)
    return replace(paper, file=str(path))


def _with_scans(worker: isolation.Worker, place: str, paper: Paper, scans: int, limits: Limits) -> Paper:
    """The paper with its scanned pages read by OCR: a second call, since OCR takes its time and memory.
    Where that can't be done the paper stays as it is, and says why."""
    from vivavoce.papers.pdf import ocr  # here, since few files need it

    if not ocr.available():
        return _still_scanned(paper, ocr.INSTALL)
    if scans > limits.ocr_pages:
        return _still_scanned(
            paper,
            f"it has {scans:,} page{'' if scans == 1 else 's'} to read by OCR, and the limit is "
            f"{limits.ocr_pages:,}: --max-ocr-pages {scans} reads it all the same",
        )
    more = replace(
        limits,
        seconds=limits.seconds + scans * limits.ocr_seconds_per_page,
        memory_mb=max(limits.memory_mb, limits.ocr_memory_mb),
    )
    try:
        read, _ = worker.call(READ_FILE, place, limits, True, limits=more)
    except (PaperError, ProcessError) as error:
        reason = str(paper_error(place, error, more)).removeprefix(f"{place}: ")
        return _still_scanned(paper, f"OCR gave up: {reason}")
    assert isinstance(read, Paper)
    return read


def _still_scanned(paper: Paper, why: str) -> Paper:
    if paper.unreadable:
        return replace(paper, unreadable=f"{paper.unreadable}; {why}")
    said = PaperWarning("scanned", f"scanned pages were not read; {why}")
    return replace(paper, warnings=(*paper.warnings, said))


def read_file(path: str, limits: Limits, by_ocr: bool = False) -> Paper:
    """The whole way, in this very process."""
    return read_and_count(path, limits, by_ocr)[0]


def read_and_count(path: str, limits: Limits, by_ocr: bool = False) -> tuple[Paper, int]:
    """What the worker runs: the paper, and how many of its pages only OCR could read."""
    file = read_bytes(path, limits)
    data, name = unpacked(file.data, path)
    format = format_of(data, name)
    draft = format.read(data, limits, by_ocr)
    if format.name == "pdf":
        from vivavoce.papers.pdf import documents

        documents.keep(path, file)  # quotes are looked for next, and then their boxes are asked for
    doubts = recognition.doubts(format.name, name)
    return _paper(path, file.id, draft, format.parsed_by, doubts), len(draft.scans)


def _paper(path: str, id: str, draft: "Draft", parsed_by: str, doubts: tuple[PaperWarning, ...]) -> Paper:
    from vivavoce.papers.blocks import assemble
    from vivavoce.papers.draft import NO_TEXT

    text, sentences, anchors = assemble(draft.blocks)
    said = [w if isinstance(w, PaperWarning) else PaperWarning("other", w) for w in draft.warnings]
    paper = Paper(
        id=id,
        file=path,
        format=draft.format,
        text=text,
        sentences=sentences,
        pages=tuple(draft.pages) or (Page(1, 0, 0),),
        title=draft.title,
        doi=draft.doi,
        year=draft.year,
        unreadable=draft.unreadable or ("" if sentences else NO_TEXT),
        warnings=(*doubts, *said),
        hidden=tuple(draft.hidden),
        anchors=anchors,
        parsed_by=parsed_by,
        page_source=PageSource(path, draft.places) if draft.format == "pdf" else None,
        journal=draft.journal,
    )
    return replace(paper, warnings=(*paper.warnings, *_remarks(paper)))


def _remarks(paper: Paper) -> Iterator[PaperWarning]:
    """What its text says about the paper, whatever its format."""
    from vivavoce.papers.notices import by_words

    kinds = {warning.kind for warning in paper.warnings}
    notice = by_words(paper.title, paper.sentences)
    if notice is not None and kinds.isdisjoint(("correction", "retraction", "concern")):
        yield notice
    yield from _language(paper)
    if kinds.isdisjoint(("landing_page", "search_results", "script_page")):
        yield from _little(paper.sentences)
    yield from injection_warnings(paper)


def _language(paper: Paper) -> Iterator[PaperWarning]:
    """Warnings when the text is in another language, or no prose."""
    from vivavoce.papers.legibility import judge

    verdict = judge(
        " ".join(s.text for s in paper.sentences if s.kind not in ("reference", "front", "figure"))
    )
    if verdict.language not in ("", "English"):
        yield PaperWarning(
            "other_language",
            f"the text is not English ({verdict.language}); the built-in reader knows English alone, and "
            "sentences and answers may be worse",
        )
    elif not verdict.prose:
        yield PaperWarning(
            "not_prose", "hardly any running text (tables, slides or lists): is this the paper itself?"
        )


def _little(sentences: Sequence[Sentence]) -> Iterator[PaperWarning]:
    """A warning when there is less text than any paper has: an abstract, a cover page, a login page."""
    words = sum(len(sentence.text.split()) for sentence in sentences)
    if not sentences or (len(sentences) >= FEW_SENTENCES and words >= FEW_WORDS):
        return
    number = f"{len(sentences)} sentence{'' if len(sentences) == 1 else 's'}"
    yield PaperWarning("little_text", f"very little text ({number}): is this the whole paper?")
