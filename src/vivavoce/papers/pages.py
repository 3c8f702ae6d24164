"""The PDF behind a paper: rectangles and pictures, made in the worker process when somebody looks.

A view is a path and the hash of what was read there, so it survives pickling and storage. Before it
draws, it checks that the file is still the one that was read: a box on another version of the paper
would be false proof.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from vivavoce.errors import PaperError
from vivavoce.papers.limits import Limits
from vivavoce.processes import isolation
from vivavoce.records import Box, PictureFormat


@isolation.allowed_in_replies
@dataclass(frozen=True, slots=True)
class PdfView:
    """Implements `records.View` for one PDF file."""

    path: str
    id: str = ""
    """SHA-256 of the file when it was read; empty: not checked."""

    def rectangles(self, quotes: Sequence[Sequence[tuple[int, int, int]]]) -> list[list[Box]]:
        """Of each quote, given as (page, first character, how many) spans, its rectangles, line by line."""
        found = self._ask("rectangles", [[tuple(span) for span in spans] for spans in quotes])
        return [[Box(*box) for box in boxes] for boxes in found]

    def picture(
        self, page: int, highlight: Sequence[Box], scale: float, format: PictureFormat = "png"
    ) -> bytes:
        """The page as a picture with the boxes marked."""
        return bytes(self._ask("picture", page, [Box(*box) for box in highlight], scale, format))

    def _ask(self, wanted: str, *details: object) -> Any:
        try:
            return isolation.default().call(
                f"{__name__}:{wanted}", self.path, self.id, *details, limits=Limits()
            )
        except PaperError as error:
            raise isolation.about(self.path, error) from None


@isolation.allowed_in_replies
class ScanLine(NamedTuple):
    """A stretch of text that was read by OCR, and its place on the page in points."""

    page: int
    start: int
    """Span in the page's recognised text."""
    end: int
    x0: float
    y0: float
    x1: float
    y1: float

    def cut(self, start: int, end: int) -> Box:
        """The part of the rectangle that the characters take, were they all of one width."""
        step = (self.x1 - self.x0) / max(1, self.end - self.start)
        left, right = max(start, self.start) - self.start, min(end, self.end) - self.start
        x0, x1 = round(self.x0 + left * step, 2), round(self.x0 + right * step, 2)
        return Box(self.page, x0, self.y0, x1, self.y1)


@isolation.allowed_in_replies
@dataclass(frozen=True, slots=True)
class ScanView:
    """Implements `records.View` for a PDF of which some pages, or all, were read by OCR."""

    path: str
    id: str
    """SHA-256 of the file when it was read."""
    lines: tuple[ScanLine, ...]
    """In order of page and `start`."""

    def rectangles(self, quotes: Sequence[Sequence[tuple[int, int, int]]]) -> list[list[Box]]:
        """Of each quote, given as (page, first character, how many) spans, its rectangles, line by line."""
        scanned = {line.page for line in self.lines}
        runs = [
            (n, by_ocr, list(group))
            for n, spans in enumerate(quotes)
            for by_ocr, group in groupby(spans, key=lambda span: span[0] in scanned)
        ]
        printed = [run for _, by_ocr, run in runs if not by_ocr]
        asked = iter(self._file.rectangles(printed) if printed else ())
        found: list[list[Box]] = [[] for _ in quotes]
        for n, by_ocr, run in runs:
            found[n] += self._places(run) if by_ocr else next(asked)
        return found

    def picture(
        self, page: int, highlight: Sequence[Box], scale: float, format: PictureFormat = "png"
    ) -> bytes:
        """The page as a picture with the boxes marked."""
        return self._file.picture(page, highlight, scale, format)

    @property
    def _file(self) -> PdfView:
        return PdfView(self.path, self.id)

    def _places(self, spans: Sequence[tuple[int, int, int]]) -> list[Box]:
        """A box for each line that the spans touch; one that goes on in the same line widens the last."""
        boxes: list[Box] = []
        last = -1
        for page, start, count in spans:
            index = bisect_right(self.lines, (page, start), key=lambda line: (line.page, line.end))
            while index < len(self.lines) and self.lines[index][:2] < (page, start + count):
                box = self.lines[index].cut(start, start + count)
                if index == last:
                    boxes[-1] = boxes[-1]._replace(x1=box.x1)
                else:
                    boxes.append(box)
                last = index
                index += 1
        return boxes


def rectangles(path: str, identity: str, quotes: Sequence[Sequence[tuple[int, int, int]]]) -> list[list[Box]]:
    """What the worker runs for `PdfView.rectangles`."""
    from vivavoce.papers.pdf import view

    _check(path, identity)
    return view.rectangles(path, quotes)


def picture(
    path: str, identity: str, page: int, highlight: Sequence[Box], scale: float, format: PictureFormat
) -> bytes:
    """What the worker runs for `PdfView.picture`."""
    from vivavoce.papers.pdf import view

    _check(path, identity)
    return view.picture(path, page, highlight, scale, format)


def _check(path: str, identity: str) -> None:
    try:
        status = Path(path).stat()
        same = not identity or _hash(path, status.st_size, status.st_mtime_ns) == identity
    except OSError as error:
        raise PaperError(f"can't be shown ({error.strerror}); it was moved since it was read.") from None
    if not same:
        raise PaperError("has changed since it was read; read it again to see places on its pages.")


@lru_cache(maxsize=64)
def _hash(path: str, size: int, changed: int) -> str:
    """Hashed once per version of the file: `size` and `changed` are there to tell versions apart."""
    del size, changed
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
