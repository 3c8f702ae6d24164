"""Text that is in a PDF but that nobody sees on the page.

Papers can carry such text by accident (a figure that is a whole clipped page, a second text layer) and
on purpose (instructions to language models in white on white). Either way it is not what the paper
says. The page's objects are walked once; only a page that has something suspicious pays for a closer look:
which characters belong to hidden objects, and, for pale text, whether a rendering of the page shows it.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2.raw as raw

from vivavoce.papers.pdf_text import PageText

TINY = 1.5
"""Text smaller than this many points on the page is not there to be read."""
PALE = 600
"""Red + green + blue from which text might vanish on white paper, and is looked at in a rendering."""
OBJECTS = 60_000
"""More objects than this on one page are drawings; the walk stops there."""

INVISIBLE = "invisible render mode"
CLIPPED = "clipped away"
OUTSIDE = "off the page"
SMALL = "too small to see"
BLENDED = "the colour of what is behind it"


@dataclass(slots=True)
class Placement:
    """What a form (a drawing inside the page) does to the objects in it."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0
    depth: int = 0

    def inside(self, matrix: raw.FS_MATRIX) -> "Placement":
        m = matrix
        return Placement(
            m.a * self.a + m.b * self.c,
            m.a * self.b + m.b * self.d,
            m.c * self.a + m.d * self.c,
            m.c * self.b + m.d * self.d,
            m.e * self.a + m.f * self.c + self.e,
            m.e * self.b + m.f * self.d + self.f,
            self.depth + 1,
        )

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        xs = [self.a * x + self.c * y + self.e for x in (left, right) for y in (bottom, top)]
        ys = [self.b * x + self.d * y + self.f for x in (left, right) for y in (bottom, top)]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a walk over one page's objects tells."""

    hidden: dict[int, str]
    """UTF-16 index of a hidden character -> why nobody sees it."""
    picture: float
    """The largest share of the page that one image covers."""


def find(page: PageText) -> Finding:
    """Which characters of the page are hidden, and why; and how much of it is one picture."""
    seen: dict[int, str] = {}
    pale: dict[int, tuple[float, float, float, float]] = {}
    picture = 0.0
    area = max(1.0, page.width * page.height)
    edges = (page.left, page.bottom, page.right, page.top)
    for item, kind, placement in _objects(page.page.raw):
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            x0, y0, x1, y1 = placement.box(*_bounds(item))
            picture = max(picture, (x1 - x0) * (y1 - y0) / area)
            continue
        reason = _reason(item, placement, edges)
        if reason == BLENDED:
            pale[_address(item)] = placement.box(*_bounds(item))
        elif reason:
            seen[_address(item)] = reason
    if pale:
        seen.update(dict.fromkeys(_vanished(page, pale), BLENDED))
    return Finding(_characters(page, seen) if seen else {}, picture)


def _objects(page: object) -> Iterator[tuple[object, int, Placement]]:
    """Text and image objects of the page, forms opened (a form may hold forms: four deep)."""
    stack = [(raw.FPDFPage_GetObject, page, raw.FPDFPage_CountObjects(page), Placement())]
    left = OBJECTS
    while stack:
        get, holder, count, placement = stack.pop()
        for index in range(count):
            left -= 1
            if left < 0:
                return
            item = get(holder, index)
            kind = raw.FPDFPageObj_GetType(item)
            if kind in (raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_IMAGE):
                yield item, kind, placement
            elif kind == raw.FPDF_PAGEOBJ_FORM and placement.depth < 4:
                matrix = raw.FS_MATRIX()
                raw.FPDFPageObj_GetMatrix(item, matrix)
                inner = raw.FPDFFormObj_CountObjects(item)
                stack.append((raw.FPDFFormObj_GetObject, item, inner, placement.inside(matrix)))


_COLOUR = tuple(ctypes.c_uint() for _ in range(4))
_EDGES = tuple(ctypes.c_float() for _ in range(4))


def _bounds(item: object) -> tuple[float, float, float, float]:
    raw.FPDFPageObj_GetBounds(item, *_EDGES)
    return _EDGES[0].value, _EDGES[1].value, _EDGES[2].value, _EDGES[3].value


def _reason(item: object, placement: Placement, page: tuple[float, float, float, float]) -> str:
    """Why a text object can't be seen; empty when it can; BLENDED when a rendering must tell."""
    if raw.FPDFTextObj_GetTextRenderMode(item) in (
        raw.FPDF_TEXTRENDERMODE_INVISIBLE,
        raw.FPDF_TEXTRENDERMODE_CLIP,
    ):
        return INVISIBLE
    raw.FPDFPageObj_GetFillColor(item, *_COLOUR)
    red, green, blue, alpha = (part.value for part in _COLOUR)
    if alpha < 10:
        return INVISIBLE
    pale = red + green + blue >= PALE
    left, bottom, right, top = _bounds(item)
    if right <= left and top <= bottom:
        return ""  # white space
    x0, y0, x1, y1 = placement.box(left, bottom, right, top)
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    if not (page[0] <= middle[0] <= page[2] and page[1] <= middle[1] <= page[3]):
        return OUTSIDE
    if y1 - y0 < TINY and _size(item, placement) < TINY:
        return SMALL
    if placement.depth and _clipped(item, left, bottom, right, top):
        return CLIPPED
    return BLENDED if pale else ""


def _size(item: object, placement: Placement) -> float:
    """The font size as it comes out on the page."""
    size, matrix = ctypes.c_float(), raw.FS_MATRIX()
    raw.FPDFTextObj_GetFontSize(item, size)
    raw.FPDFPageObj_GetMatrix(item, matrix)
    inner = placement.inside(matrix)
    return float(size.value * max(abs(inner.b), abs(inner.d)))


def _clipped(item: object, left: float, bottom: float, right: float, top: float) -> bool:
    """Is the object's middle outside of one of its clipping paths' bounds? (in the form's own units)"""
    clip = raw.FPDFPageObj_GetClipPath(item)
    if not clip:
        return False
    x, y = ctypes.c_float(), ctypes.c_float()
    middle_x, middle_y = (left + right) / 2, (bottom + top) / 2
    for index in range(max(0, raw.FPDFClipPath_CountPaths(clip))):
        xs: list[float] = []
        ys: list[float] = []
        for segment in range(raw.FPDFClipPath_CountPathSegments(clip, index)):
            raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(clip, index, segment), x, y)
            xs.append(x.value)
            ys.append(y.value)
        if xs and not (min(xs) <= middle_x <= max(xs) and min(ys) <= middle_y <= max(ys)):
            return True
    return False


def _vanished(page: PageText, pale: dict[int, tuple[float, float, float, float]]) -> list[int]:
    """Which of the pale objects leave no mark on a rendering of the page."""
    scale = min(3.0, 2400 / max(page.width, page.height, 1.0))
    image = page.page.render(scale=scale, grayscale=True).to_pil()
    gone = []
    for key, (x0, y0, x1, y1) in pale.items():
        left, upper, right, lower = (edge * scale for edge in page.seen(x0, y0, x1, y1))
        area = image.crop((int(left), int(upper), int(right) + 1, int(lower) + 1))
        low, high = area.getextrema()
        if high - low < 24:
            gone.append(key)
    return gone


def _characters(page: PageText, objects: dict[int, str]) -> dict[int, str]:
    """The page's characters that belong to the given objects."""
    hidden: dict[int, str] = {}
    owner, cast, pointer = raw.FPDFText_GetTextObject, ctypes.cast, ctypes.c_void_p
    for index, letter in enumerate(page.text):
        if letter in "\r\n":
            continue
        char = page.char_index(index)
        reason = objects.get(cast(owner(page.handle, char), pointer).value or 0) if char >= 0 else None
        if reason:
            hidden[index] = reason
    return hidden


def _address(item: object) -> int:
    return ctypes.cast(item, ctypes.c_void_p).value or 0  # type: ignore[arg-type]
