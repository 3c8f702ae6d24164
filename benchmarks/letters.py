"""The letters on a PDF's pages and their places, as another library has them.

Vivavoce's boxes come from pdfium, by indices into its text. To check them, the letters under a box are taken
from pdfminer.six, by place alone: it has its own reading of fonts, widths and matrices, and knows nothing of
those indices. Places are as in `Box`: points from the top left corner of the page as it is looked at, cropped
and turned. A figure that shows part of a page has all of that page's letters; those outside it are not seen,
and left out. Needs `pip install -e '.[bench]'`.
"""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pdfminer.converter import PDFLayoutAnalyzer
from pdfminer.layout import LTChar, LTContainer, LTPage
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

from vivavoce import Box

EDGE = 0.5
"""How far outside a figure's edge, in points, the middle of a letter may lie and still be seen."""


class Letter(NamedTuple):
    text: str
    """One character, or the several of a ligature."""
    x0: float
    y0: float
    x1: float
    y1: float
    """As high as its font."""

    def under(self, box: Box) -> bool:
        """Does the middle of the letter lie in the box?"""
        x, y = (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2
        return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def on_pages(file: str | Path, numbers: Iterable[int]) -> dict[int, list[Letter]]:
    """The letters that can be seen on each of these pages (from 1), in the order they are drawn in."""
    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it tells of fonts that it can do without
    wanted = sorted(set(numbers))
    manager = PDFResourceManager()
    device = _Letters(manager)
    interpreter = PDFPageInterpreter(manager, device)
    found = {}
    with open(file, "rb") as opened:
        pages = PDFPage.get_pages(opened, pagenos=[number - 1 for number in wanted])
        for number, page in zip(wanted, pages, strict=True):
            page.mediabox = page.cropbox  # places count from there
            interpreter.process_page(page)
            found[number] = device.letters
    return found


class _Letters(PDFLayoutAnalyzer):
    """What pdfminer draws a page on; keeps the letters alone."""

    letters: list[Letter]

    def begin_figure(self, name: str, bbox: Any, matrix: Any) -> None:
        # pdfminer takes a figure's box for a corner, a width and a height; it is two corners.
        x0, y0, x1, y1 = bbox
        super().begin_figure(name, (x0, y0, x1 - x0, y1 - y0), matrix)

    def receive_layout(self, ltpage: LTPage) -> None:
        top = ltpage.y1
        self.letters = [Letter(c.get_text(), c.x0, top - c.y1, c.x1, top - c.y0) for c in _seen(ltpage)]


def _seen(whole: LTContainer[Any]) -> Iterator[LTChar]:
    """The letters of a page or figure that lie within it, and within the figures around them."""
    for part in whole:
        chars = _seen(part) if isinstance(part, LTContainer) else [part] if isinstance(part, LTChar) else []
        for char in chars:
            x, y = (char.x0 + char.x1) / 2, (char.y0 + char.y1) / 2
            if whole.x0 - EDGE <= x <= whole.x1 + EDGE and whole.y0 - EDGE <= y <= whole.y1 + EDGE:
                yield char
