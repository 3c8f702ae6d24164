"""The PDF behind a paper: rectangles and pictures, made in the worker process when somebody looks.

A view is a path and the hash of what was read there, so it survives pickling and storage. Before it
draws, it checks that the file is still the one that was read: a box on another version of the paper
would be false proof.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vivavoce.errors import PaperError
from vivavoce.papers import isolation
from vivavoce.papers.limits import Limits
from vivavoce.records import Box


@dataclass(frozen=True, slots=True)
class PdfView:
    """Implements `records.View` for one PDF file."""

    path: str
    id: str = ""
    """SHA-256 of the file when it was read; empty: not checked."""

    def rectangles(self, spans: Sequence[tuple[int, int, int]]) -> list[Box]:
        """The rectangles of (page, first character, how many) spans, line by line."""
        boxes = self._ask("rectangles", [tuple(span) for span in spans])
        return [Box(*box) for box in boxes]

    def picture(self, page: int, highlight: Sequence[Box], scale: float) -> bytes:
        """The page as a PNG with the boxes marked."""
        return bytes(self._ask("picture", page, [Box(*box) for box in highlight], scale))

    def _ask(self, wanted: str, *details: object) -> Any:
        try:
            return isolation.default().call(
                f"{__name__}:{wanted}", self.path, self.id, *details, limits=Limits()
            )
        except PaperError as error:
            raise isolation.about(self.path, error) from None


def rectangles(path: str, identity: str, spans: Sequence[tuple[int, int, int]]) -> list[Box]:
    """What the worker runs for `PdfView.rectangles`."""
    from vivavoce.papers import pdf_view

    _check(path, identity)
    return list(pdf_view.rectangles(path, spans))


def picture(path: str, identity: str, page: int, highlight: Sequence[Box], scale: float) -> bytes:
    """What the worker runs for `PdfView.picture`."""
    from vivavoce.papers import pdf_view

    _check(path, identity)
    return pdf_view.picture(path, page, highlight, scale)


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
