"""Pictures of pages -> lines of text with their places, in reading order; needs `vivavoce[ocr]`.

RapidOCR finds and recognises pieces of lines, from top to bottom over the whole width of the page. Here
they become what `text` makes of a text layer: the scan's tilt taken out, columns one after the
other, the pieces of a line put together, type sizes evened out (`ocr_layout`). The rest of the way is the
same for both.

A page read this way has no text layer to count characters in. `Line.char` counts in the page's recognised
text instead, and each piece is kept as a `ScanLine`: its characters and its place.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

import pypdfium2 as pdfium

from vivavoce.papers.pdf.margins import PageLines
from vivavoce.papers.pdf.ocr_layout import Piece, even_sizes, in_order
from vivavoce.papers.pdf.text import GAP, Cell, Line
from vivavoce.records import ScanLine

INSTALL = "`pip install 'vivavoce[ocr]'` reads it by OCR"
RUN_ON = re.compile(r"(?<=[a-z\d)\]])([.,;:])(?=[A-Z][a-z])")
ADDRESS = re.compile(r"[/@_]|www")
DPI = 200
LONGEST_SIDE_PIXELS = 2000
"""The most pixels on a page's longer side: what the detector takes, and a bound on memory."""
MIN_CONFIDENCE = 0.7
"""A piece recognised with less confidence is left out. On scans of the sample papers everything below is
lettering of figures or a line misread from end to end; running text is above 0.9."""
TYPE_HEIGHT = 0.87
"""Font size, as a share of the height of the detector's box."""
BASELINE_HEIGHT = 0.25
"""Where the baseline is, as a share of the box's height from its lower edge."""
MARGIN = 0.12
"""What the detector adds around the letters, as a share of the box's height."""


@dataclass(slots=True)
class Scans:
    """What OCR made of a document's pages."""

    pages: list[PageLines] = field(default_factory=list)
    places: list[ScanLine] = field(default_factory=list)
    unsure: int = 0
    """How many pieces were left out because they were recognised with too little confidence."""


def available() -> bool:
    """Is the extra installed?"""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_pages(document: pdfium.PdfDocument, numbers: Sequence[int]) -> Scans:
    """The pages with these numbers, read by OCR."""
    scans = Scans()
    found: list[tuple[int, float, float, list[Piece]]] = []
    for number in numbers:
        width, height, results = _recognise(document, number)
        sure = [result for result in results if result[2] >= MIN_CONFIDENCE]
        scans.unsure += len(results) - len(sure)
        found.append((number, width, height, _pieces([(quad, text) for quad, text, _ in sure])))
    even_sizes([piece for *_, pieces in found for piece in pieces])
    for number, width, height, pieces in found:
        lines, places = lines_of(number, in_order(pieces, height))
        scans.pages.append(PageLines(number, width, height, lines, turned=True))
        scans.places.extend(places)
    return scans


@cache
def _engine() -> Any:
    """The recogniser, with the models that come inside its package; it is slow to start and is kept."""
    # Else onnxruntime (from 1.29) writes to ~/.cache and reports to its makers; it looks once, when imported.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    return import_module("rapidocr").RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.text_score": 0.0,  # we count what we leave out
            "Global.use_cls": False,  # asks of every line whether it stands on its head
            "Global.max_side_len": LONGEST_SIDE_PIXELS,
            "Rec.rec_batch_num": 1,  # more at a time means padding, which costs more than it saves
            "EngineConfig.onnxruntime.intra_op_num_threads": 2,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


Quad = Sequence[Sequence[float]]
"""The corners of a box, in points: upper left, upper right, lower right, lower left."""


Result = tuple[Quad, str, float]
"""Where a piece is, its text, and how sure that is."""


def _recognise(document: pdfium.PdfDocument, number: int) -> tuple[float, float, list[Result]]:
    """A page's width and height, and what is on it."""
    page = document[number - 1]
    try:
        width, height = page.get_size()
        if min(width, height) < 1:
            return width, height, []
        scale = min(DPI / 72, LONGEST_SIDE_PIXELS / max(width, height))
        image = page.render(scale=scale, rev_byteorder=False).to_numpy()
    finally:
        page.close()
    try:
        output = _engine()(image[:, :, :3] if image.ndim == 3 else image)
    except Exception as error:  # onnxruntime has no type of its own for this
        if "alloc" in str(error).lower():
            raise MemoryError from error
        raise
    if output.boxes is None:
        return width, height, []
    quads = [[(float(x) / scale, float(y) / scale) for x, y in quad] for quad in output.boxes]
    texts = [_spaced(" ".join(text.split())) for text in output.txts]
    return width, height, [(q, t, float(s)) for q, t, s in zip(quads, texts, output.scores, strict=True) if t]


def _spaced(text: str) -> str:
    """The text with the space behind a full stop or comma that the recogniser now and then drops."""
    return " ".join(word if ADDRESS.search(word) else RUN_ON.sub(r"\1 ", word) for word in text.split(" "))


def _pieces(results: Sequence[tuple[Quad, str]]) -> list[Piece]:
    """The results in points of a page that lies straight."""
    slopes = [(q[1][1] - q[0][1]) / (q[1][0] - q[0][0]) for q, _ in results if q[1][0] - q[0][0] > 100]
    tilt = median(slopes) if slopes else 0.0
    found = []
    for quad, text in results:
        height = ((quad[3][1] - quad[0][1]) + (quad[2][1] - quad[1][1])) / 2
        left, right = (quad[0][0] + quad[3][0]) / 2, (quad[1][0] + quad[2][0]) / 2
        middle = sum(y for _, y in quad) / 4
        if height <= 0 or right - left < 0.5 * height:
            continue  # text that stands sideways
        pad = MARGIN * height
        lean = abs(tilt) * (right - left) / 2
        reach = (height - pad) / 2 + lean
        box = (left + pad, middle - reach, right - pad, middle + reach)
        base = middle + (0.5 - BASELINE_HEIGHT) * height - tilt * (left + right) / 2
        shift = tilt * middle
        found.append(Piece(text, left + pad + shift, right - pad + shift, base, TYPE_HEIGHT * height, box))
    return found


def lines_of(page: int, rows: Sequence[Sequence[Piece]]) -> tuple[list[Line], list[ScanLine]]:
    """The rows as lines of the page's recognised text, and the place of each piece of it."""
    lines: list[Line] = []
    places: list[ScanLine] = []
    char = 0
    for row in rows:
        cells: list[Cell] = []
        start = 0
        for piece in row:
            end = start + len(piece.text)
            places.append(ScanLine(page, char + start, char + end, *(round(edge, 2) for edge in piece.box)))
            if cells and piece.x0 - cells[-1].x1 <= GAP * piece.size:
                cells[-1] = Cell(cells[-1].start, end, cells[-1].x0, piece.x1)
            else:
                cells.append(Cell(start, end, piece.x0, piece.x1))
            start = end + 1
        text = " ".join(piece.text for piece in row)
        main = max(row, key=lambda piece: len(piece.text))
        line = Line(page, char, text, row[0].x0, row[-1].x1, main.base, main.size, "", 0)
        line.cells = tuple(cells) if len(cells) > 1 else ()
        lines.append(_hyphenated(line))
        char += len(text) + 1
    return lines, places


def _hyphenated(line: Line) -> Line:
    """A hyphen at the line's end as pdfium gives it: swallowed."""
    if len(line.text) > 1 and line.text[-1] in "-\u2010" and line.text[-2].isalpha():
        return replace(line, text=line.text[:-1], hyphen=True)
    return line
