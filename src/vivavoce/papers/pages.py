"""Places and pictures on a paper's pages: where a span of its text is, and what the page looks like.

The file is opened in the worker process when somebody looks. It must still be the one that was read, for a
box on another version of the paper would be false proof: its hash is compared with the paper's id. Places of
text that was read by OCR are the paper's own (`PageSource.scan_lines`); for these no file is needed.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from vivavoce.errors import InputError, PaperError, ProcessError
from vivavoce.papers.failures import paper_error
from vivavoce.papers.limits import Limits
from vivavoce.processes import isolation
from vivavoce.records import Box, Paper, PictureFormat, ScanLine

isolation.allowed_in_replies(Box)


class Characters(NamedTuple):
    """A run of characters of one page's own text layer."""

    page: int
    first: int
    length: int


def boxes(
    paper: Paper, spans: Sequence[tuple[int, int]], worker: isolation.Worker | None = None
) -> list[tuple[Box, ...]]:
    """Where each (start, end) span of the paper's text is on its page: a box per line, none for formats
    without pages. However many spans there are, the file is opened once."""
    if paper.page_source is None or not spans:
        return [() for _ in spans]
    scanned = {line.page for line in paper.page_source.scan_lines}
    runs = [
        (n, by_ocr, list(group))
        for n, span in enumerate(spans)
        for by_ocr, group in groupby(characters(paper, *span), key=lambda run: run.page in scanned)
    ]
    printed = [run for _, by_ocr, run in runs if not by_ocr]
    asked = iter(_ask(paper, worker, "rectangles", printed) if printed else ())
    found: list[list[Box]] = [[] for _ in spans]
    for n, by_ocr, run in runs:
        found[n] += scan_boxes(paper.page_source.scan_lines, run) if by_ocr else next(asked)
    return [tuple(some) for some in found]


def picture(
    paper: Paper,
    page: int,
    highlight: Sequence[Box] = (),
    scale: float = 1.5,
    format: PictureFormat = "png",
) -> bytes:
    """The page as a picture, with the boxes marked; `scale` 1 is 72 pixels to the inch. A JPEG is made in
    half the time."""
    if paper.page_source is None:
        raise InputError(
            f"{paper.file}: a {paper.format} file has no page pictures; show `paper.text` instead."
        )
    if not 1 <= page <= len(paper.pages):
        raise InputError(f"{paper.file}: there is no page {page}; it has pages 1 to {len(paper.pages)}.")
    marked = [Box(*box) for box in highlight if box.page == page]
    return bytes(_ask(paper, None, "picture", page, marked, scale, format))


def _ask(paper: Paper, worker: isolation.Worker | None, wanted: str, *details: object) -> Any:
    assert paper.page_source is not None
    path = paper.page_source.path
    function = f"vivavoce.papers.pdf.view:{wanted}"
    limits = Limits()
    try:
        return (worker or isolation.default()).call(function, path, paper.id, *details, limits=limits)
    except (PaperError, ProcessError) as error:
        raise paper_error(path, error, limits) from None


def characters(paper: Paper, start: int, end: int) -> list[Characters]:
    """The runs of the pages' own characters that a span of the paper's text comes from."""
    runs: list[Characters] = []
    anchors = paper.anchors
    index = max(0, bisect_right(anchors, start, key=lambda a: a.start) - 1)
    while index < len(anchors) and anchors[index].start < end:
        anchor = anchors[index]
        index += 1
        if anchor.end <= start or anchor.char < 0:
            continue
        if anchor.width == anchor.end - anchor.start:
            first, last = max(start, anchor.start), min(end, anchor.end)
            char, count = anchor.char + first - anchor.start, last - first
        else:
            char, count = anchor.char, anchor.width
        if anchor.end < end and index < len(anchors):
            after = anchors[index]
            apart = (after.page, after.char) != (anchor.page, anchor.char + anchor.width)
            # What follows at once in the text, but not in the file, has lost the hyphen of a line's end.
            count += after.start == anchor.end and after.char >= 0 and apart
        runs.append(Characters(anchor.page, char, count))
    return runs


def scan_boxes(lines: Sequence[ScanLine], runs: Sequence[Characters]) -> list[Box]:
    """A box for each line that the runs touch; one that goes on in the same line widens the last."""
    found: list[Box] = []
    last = -1
    for page, start, count in runs:
        index = bisect_right(lines, (page, start), key=lambda line: (line.page, line.end))
        while index < len(lines) and lines[index][:2] < (page, start + count):
            box = _part(lines[index], start, start + count)
            if index == last:
                found[-1] = found[-1]._replace(x1=box.x1)
            else:
                found.append(box)
            last = index
            index += 1
    return found


def _part(line: ScanLine, start: int, end: int) -> Box:
    """The part of a line's rectangle that the characters take, were they all of one width."""
    step = (line.x1 - line.x0) / max(1, line.end - line.start)
    left, right = max(start, line.start) - line.start, min(end, line.end) - line.start
    x0, x1 = round(line.x0 + left * step, 2), round(line.x0 + right * step, 2)
    return Box(line.page, x0, line.y0, x1, line.y1)
