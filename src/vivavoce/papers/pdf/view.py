"""Places and pictures of a PDF's pages, on demand.

Runs where PDFs are opened, in the worker process: `papers.pages` asks for it there, with the file's path and
the id that its bytes must have.
"""

import ctypes
import io
from collections.abc import Sequence

import pypdfium2.raw as raw
from PIL import Image, ImageChops, ImageDraw

from vivavoce.errors import PaperError
from vivavoce.papers.pdf.documents import document_of
from vivavoce.papers.pdf.text import PageText
from vivavoce.records import Box, PictureFormat

MOST_PIXELS = 25_000_000
"""A picture with more is made smaller: no page needs it, and page sizes are the file's word."""
MARKER_COLOUR = (255, 226, 110)
MARKER_EDGE_COLOUR = (222, 148, 0)


def rectangles(path: str, id: str, quotes: Sequence[Sequence[tuple[int, int, int]]]) -> list[list[Box]]:
    """Of each quote, given as (page, first character, how many) spans, its rectangles, line by line."""
    document = document_of(path, id)
    found: list[list[Box]] = [[] for _ in quotes]
    page: PageText | None = None
    # Page by page, so that each is opened once. A quote's own spans are in the order of its pages.
    work = [(span, n) for n, spans in enumerate(quotes) for span in spans]
    try:
        for (number, start, count), n in sorted(work, key=lambda item: item[0][0]):
            if page is None or page.number != number:
                if page is not None:
                    page.close()
                page = PageText(document, number - 1, {})
            _extend(found[n], page, start, count)
    finally:
        if page is not None:
            page.close()
    return found


def _extend(boxes: list[Box], page: PageText, start: int, count: int) -> None:
    """Adds one span's rectangles; one that goes on in the same line widens the last."""
    first = page.char_index(start)
    last = page.char_index(start + count - 1)
    if first < 0 or last < first:
        return
    turn = page.angle(first)
    edges = [ctypes.c_double() for _ in range(4)]
    for index in range(max(0, raw.FPDFText_CountRects(page.textpage.raw, first, last - first + 1))):
        if not raw.FPDFText_GetRect(page.textpage.raw, index, *edges):
            continue
        left, top, right, bottom = (edge.value for edge in edges)
        x0, y0, x1, y1 = page.seen(left, bottom, right, top)
        if x1 - x0 < 0.1 or y1 - y0 < 0.1:
            continue
        box = Box(page.number, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))
        if boxes and _same_line(boxes[-1], box, turn):
            boxes[-1] = _around(boxes[-1], box)
        else:
            boxes.append(box)


def _same_line(a: Box, b: Box, turn: int) -> bool:
    """Does `b` go on where `a` ends, in a line that is turned by so many quarters?"""
    _, end, low, high = _in_line(a, turn)
    start, _, other_low, other_high = _in_line(b, turn)
    height = max(high - low, other_high - other_low)
    overlap = min(high, other_high) - max(low, other_low)
    return (
        a.page == b.page
        and overlap > 0.3 * min(high - low, other_high - other_low)
        and -height < start - end < height
    )


def _in_line(box: Box, turn: int) -> tuple[float, float, float, float]:
    """Where a box begins and ends along its line, and across it."""
    along, across = (box.y0, box.y1), (box.x0, box.x1)
    if turn % 2 == 0:
        along, across = across, along
    return (-along[1], -along[0], *across) if turn in (1, 2) else (*along, *across)


def _around(a: Box, b: Box) -> Box:
    return Box(a.page, min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


def picture(
    path: str, id: str, page: int, highlight: Sequence[Box], scale: float, format: PictureFormat = "png"
) -> bytes:
    """The page as a picture; highlighted boxes are marked as with a felt pen, the text stays readable."""
    document = document_of(path, id)
    if not 1 <= page <= len(document):
        raise PaperError(f"has no page {page}; its pages are 1 to {len(document)}.")
    handle = document[page - 1]
    try:
        width, height = handle.get_size()
        if width * height <= 0:
            raise PaperError(f"page {page} has no size; the file is damaged.")
        scale = min(max(scale, 0.05), 8.0, (MOST_PIXELS / (width * height)) ** 0.5)
        image = handle.render(scale=scale).to_pil().convert("RGB")
    finally:
        handle.close()
    if highlight:
        image = _marked(image, highlight, scale)
    file = io.BytesIO()
    if format == "png":
        image.save(file, "PNG", compress_level=3)
    else:  # 8 ms rather than 66 ms for a page at scale 2; without subsampling the letters keep their edges
        image.save(file, "JPEG", quality=88, subsampling=0)
    return file.getvalue()


def _marked(image: Image.Image, highlight: Sequence[Box], scale: float) -> Image.Image:
    """The picture, boxes marked. Only the part around them is mixed with the marker: pages are large."""
    pad, pen = 0.8 * scale, max(1, round(scale))
    marks = []
    for box in highlight:
        x0, y0 = box.x0 * scale - pad, box.y0 * scale - pad
        marks.append((x0, y0, max(x0 + 1, box.x1 * scale + pad), max(y0 + 1, box.y1 * scale + pad)))
    left, top = (max(0, int(min(mark[n] for mark in marks)) - pen) for n in (0, 1))
    right, bottom = (min(image.size[n], int(max(mark[n + 2] for mark in marks)) + 2 + pen) for n in (0, 1))
    if right <= left or bottom <= top:
        return image
    layer = Image.new("RGB", (right - left, bottom - top), "white")
    draw = ImageDraw.Draw(layer)
    for x0, y0, x1, y1 in marks:
        x0, y0, x1, y1 = x0 - left, y0 - top, x1 - left, y1 - top
        draw.rectangle((x0, y0, x1, y1), fill=MARKER_COLOUR)
        draw.line((x0, y1, x1, y1), fill=MARKER_EDGE_COLOUR, width=pen)
    image.paste(ImageChops.multiply(image.crop((left, top, right, bottom)), layer), (left, top))
    return image
