"""Text that is in a PDF but that nobody sees on the page.

Papers can carry such text by accident (a figure that is a whole clipped page, a second text layer) and
on purpose (instructions to language models in white on white). Either way it is not what the paper
says. The page's objects are walked once; only a page that has something suspicious pays for a closer look:
which characters belong to hidden objects, and, for pale text, whether a rendering of the page shows it.

Where nearly all of a page would be hidden, it is the rule that is wrong and not the page: text that stands
where a rendering has ink is what people see there (`on_ink`).
"""

import ctypes
import math
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import NamedTuple, cast

import pypdfium2.raw as raw
from PIL import ImageStat
from PIL.Image import Image

from vivavoce.papers.pdf import pdfium_calls
from vivavoce.papers.pdf.text import Line, PageText, font_name

TINY_TYPE = 1.5
"""Text smaller than this many points on the page is not there to be read."""
PALE = 600
"""Red + green + blue from which text might vanish on white paper, and is looked at in a rendering."""
FEW_PALE_LETTERS = 16
"""Fewer pale letters than this on a page say nothing, and are not worth a rendering."""
MIN_CONTRAST = 24
"""Grey levels between the darkest and the lightest point of text that can be seen, of 255."""
SHOWN_WORDS = 40
"""Words of a page that are looked for in a rendering of it."""
SHOWN_SHARE = 0.6
"""Of these, how many must stand on ink for the text to be what people see."""
MOST_OBJECTS = 60_000
"""More objects than this on one page are drawings; the walk stops there."""

MOST_NESTED_FORMS = 4
"""How deep forms within forms are opened."""
WORD = re.compile(r"[^\s\ufffe]+\ufffe?")
FAR_EASTERN = re.compile(
    r"song|sim(?:sun|hei|kai|fang)|fangs|kaiti|heiti|hei\b|ming|mincho|gothic|batang|dotum|gulim|yahei|"
    r"[^\x00-\x7f]{2}",
    re.IGNORECASE,
)
"""Names of fonts for Chinese, Japanese and Korean; in files of these languages names may be in their
letters."""

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


class Span(NamedTuple):
    """A stretch of the page's text (UTF-16 indices) that nobody sees, and why."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a walk over one page's objects tells."""

    hidden: list[Span]
    """Hidden stretches of the page's text, in order."""
    picture: float
    """The largest share of the page that one image covers, or that all of them cover if they are strips of
    one picture."""
    drawings: int
    """How many lines and areas are drawn."""
    unreadable_fonts: tuple[str, ...]
    """Fonts for Chinese, Japanese or Korean that are not in the file, where letters seem to be lost."""


def find(page: PageText) -> Finding:
    """Which characters of the page are hidden, and why; and how much of it is one picture."""
    seen: dict[int, str] = {}
    pale: dict[int, tuple[float, float, float, float]] = {}
    images: list[tuple[float, float, float, float]] = []
    handle = pdfium_calls.address(page.page.raw)
    stack = [(pdfium_calls.get_object, handle, pdfium_calls.count_objects(handle), Placement())]
    left = MOST_OBJECTS
    drawings = 0
    groups: list[tuple[list[int], Placement]] = []
    while stack:
        get, holder, count, placement = stack.pop()
        items = list(map(get, repeat(holder), range(min(count, left))))
        left -= len(items)
        kinds = list(map(pdfium_calls.object_type, items))
        texts = [item for item, kind in zip(items, kinds, strict=True) if kind == raw.FPDF_PAGEOBJ_TEXT]
        groups.append((texts, placement))
        drawings += kinds.count(raw.FPDF_PAGEOBJ_PATH)
        for item, kind in zip(items, kinds, strict=True) if _DRAWN.intersection(kinds) else ():
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                images.append(placement.box(*_bounds(item)))
            elif kind == raw.FPDF_PAGEOBJ_FORM and placement.depth < MOST_NESTED_FORMS:
                pdfium_calls.object_matrix(item, ctypes.addressof(_MATRIX))
                inner = pdfium_calls.count_form_objects(item)
                stack.append((pdfium_calls.get_form_object, item, inner, placement.inside(_MATRIX)))
        for item, reason in _reasons(texts, placement):
            if reason == BLENDED:
                pale[item] = placement.box(*_bounds(item))
            else:
                seen[item] = reason
    if _letters(pale.values()) >= FEW_PALE_LETTERS:
        dark = [(item, placement) for texts, placement in groups for item in texts if item not in pale]
        seen.update(dict.fromkeys(_vanished(page, pale, dark), BLENDED))
    hidden = _spans(page, seen) if seen else []
    return Finding(
        hidden,
        _pictured(images, page),
        drawings,
        _unreadable_fonts(page, [item for texts, _ in groups for item in texts]),
    )


def on_ink(page: PageText, spans: Iterable[Span]) -> bool:
    """Does the text stand where a rendering of the page has ink? Then it is what people see there, however it
    got there: as the strips of a scan, as outlines of letters."""
    words = [
        (start + word.start(), start + word.end() - 1)
        for start, end, _ in spans
        for word in WORD.finditer(page.text[start:end])
        if word.end() - word.start() > 2
    ]
    some = words[:: max(1, len(words) // SHOWN_WORDS)][:SHOWN_WORDS]
    ends = [page.char_index(at) for word in some for at in word]
    if not ends or min(ends) < 0:
        return False
    boxes = list(pdfium_calls.boxes(page.handle, ends))
    scale, image = _rendering(page)
    shown = 0
    for first, last in zip(boxes[::2], boxes[1::2], strict=True):
        around = (first[0], min(first[3], last[3]), last[2], max(first[1], last[1]))
        shown += _contrast(_crop(image, page, around, scale)) >= 2 * MIN_CONTRAST
    return shown >= SHOWN_SHARE * len(some)


def _pictured(images: list[tuple[float, float, float, float]], page: PageText) -> float:
    """The share of the page that its largest image covers, or all of its images where they lie below one
    another, as the strips of a scan do."""
    area = max(1.0, page.width * page.height)
    largest = max(((x1 - x0) * (y1 - y0) / area for x0, y0, x1, y1 in images), default=0.0)
    strips = [box for box in images if box[2] - box[0] > 0.6 * page.width]
    if len(strips) < 3:
        return float(largest)
    covered, reached = 0.0, -math.inf
    for _, y0, _, y1 in sorted(strips, key=lambda box: box[1]):
        covered += max(0.0, y1 - max(y0, reached))
        reached = max(reached, y1)
    return float(max(largest, covered / max(1.0, page.height)))


def _unreadable_fonts(page: PageText, texts: list[int]) -> tuple[str, ...]:
    """The fonts that are not embedded and whose letters the text layer lacks. Only a page of hardly more than
    digits is looked at."""
    if " the " in page.text or " and " in page.text:
        return ()
    letters = sum(map(str.isalpha, page.text))
    if len(texts) < 5 or letters > 0.6 * len(page.text.split()) + 2 * len(texts):
        return ()
    fonts = {font for font in map(pdfium_calls.text_object_font, texts) if font}
    lost = [
        name
        for font in fonts
        if (name := font_name(font)) and FAR_EASTERN.search(name) and not pdfium_calls.is_embedded(font)
    ]
    return tuple(sorted(lost))


def unseen(line: Line, page: PageText) -> str:
    """Why a whole line can't be seen for its size or its place; empty when it can."""
    if line.size < TINY_TYPE:
        return SMALL
    width, height = (page.width, page.height) if line.angle == 0 else (1e9, page.height)
    inside = 0 <= (line.x0 + line.x1) / 2 <= width and 0 <= line.base - 0.3 * line.size <= height
    return "" if inside else OUTSIDE


_MATRIX = raw.FS_MATRIX()
_EDGES = (ctypes.c_float * 4)()
_POINT = (ctypes.c_float * 2)()
_TO_EDGES = [ctypes.addressof(_EDGES) + 4 * index for index in range(4)]
_TO_POINT = [ctypes.addressof(_POINT) + 4 * index for index in range(2)]
_DRAWN = frozenset({raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM})
_UNSEEN = frozenset({raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP})


def _bounds(item: int) -> tuple[float, float, float, float]:
    pdfium_calls.object_bounds(item, *_TO_EDGES)
    left, bottom, right, top = _EDGES
    return left, bottom, right, top


def _reasons(items: list[int], placement: Placement) -> Iterator[tuple[int, str]]:
    """The text objects that can't be seen, and why; BLENDED when a rendering must tell."""
    modes = list(map(pdfium_calls.render_mode, items))
    colours = pdfium_calls.colours(items)
    if placement.depth:
        clipped = _clipped(items)
    elif _UNSEEN.isdisjoint(modes) and not any(map(_by_colour, set(colours))):
        return  # nearly every page: all is dark and drawn
    else:
        clipped = set()
    for item, mode, colour in zip(items, modes, colours, strict=True):
        reason = INVISIBLE if mode in _UNSEEN else CLIPPED if item in clipped else _by_colour(colour)
        if reason:
            yield item, reason


@cache
def _by_colour(colour: bytes) -> str:
    """Red, green, blue and alpha, four bytes each."""
    red, green, blue, alpha = struct.unpack("4I", colour)
    if alpha < 10:
        return INVISIBLE
    return BLENDED if red + green + blue >= PALE else ""


def _clipped(items: list[int]) -> set[int]:
    """The objects of a form whose middle is outside of the window that the form shows (in its own units).
    A form clips all that it holds alike, or else each object is asked."""
    alike = bool(items) and _window(items[0]) == _window(items[-1])
    shared = _window(items[0]) if alike else None
    found = set()
    for item, (left, bottom, right, top) in zip(items, pdfium_calls.bounds(items), strict=True):
        x0, y0, x1, y1 = shared or _window(item)
        if not (x0 <= (left + right) / 2 <= x1 and y0 <= (bottom + top) / 2 <= y1):
            found.add(item)
    return found


def _window(item: int) -> tuple[float, float, float, float]:
    """What the object's clipping paths leave open, by their bounds."""
    window = (-math.inf, -math.inf, math.inf, math.inf)
    clip = pdfium_calls.clip_path(item)
    for index in range(pdfium_calls.count_clip_paths(clip) if clip else 0):
        count = pdfium_calls.count_clip_segments(clip, index)
        xs: list[float] = []
        ys: list[float] = []
        for number in (
            (0, 2) if count in (4, 5) else range(count)
        ):  # a rectangle's opposite corners say it all
            pdfium_calls.segment_point(pdfium_calls.clip_segment(clip, index, number), *_TO_POINT)
            xs.append(_POINT[0])
            ys.append(_POINT[1])
        if xs:
            x0, y0, x1, y1 = window
            window = (max(x0, min(xs)), max(y0, min(ys)), min(x1, max(xs)), min(y1, max(ys)))
    return window


def _letters(boxes: Iterable[tuple[float, float, float, float]]) -> float:
    """About how many letters fill the boxes."""
    return sum((x1 - x0) / max(0.5 * (y1 - y0), 0.1) for x0, y0, x1, y1 in boxes)


def _vanished(
    page: PageText,
    pale: dict[int, tuple[float, float, float, float]],
    dark: list[tuple[int, Placement]],
) -> list[int]:
    """Which of the pale objects leave no mark on a rendering of the page. Where the same words are drawn
    over them in ink, the text layer has them once, as the pale object's: these are seen."""
    scale, image = _rendering(page)
    gone = []
    inked: set[tuple[int, int, int]] | None = None
    colours = pdfium_calls.colours(list(pale))
    for (item, box), colour in zip(pale.items(), colours, strict=True):
        red, green, blue, _ = struct.unpack("4I", colour)
        crop = _crop(image, page, box, scale)
        behind = ImageStat.Stat(crop).median[0]  # letters cover less than half of their place
        if _contrast(crop) < MIN_CONTRAST:
            gone.append(item)
        elif abs(behind - (red + green + blue) / 3) < MIN_CONTRAST:
            if inked is None:
                inked = {_spot(placement.box(*_bounds(other))) for other, placement in dark}
            x, y, width = _spot(box)
            near = ((x + a, y + b, width + c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1))
            if inked.isdisjoint(near):
                gone.append(item)
    return gone


def _spot(box: tuple[float, float, float, float]) -> tuple[int, int, int]:
    """Where a box begins and how wide it is, coarsely."""
    return round(box[0] / 3), round(box[1] / 3), round((box[2] - box[0]) / 3)


def _rendering(page: PageText) -> tuple[float, Image]:
    scale = min(1.5, 2400 / max(page.width, page.height, 1.0))
    return scale, page.page.render(scale=scale, grayscale=True).to_pil()


def _contrast(crop: Image) -> float:
    """Grey levels between the darkest and the lightest point."""
    low, high = cast(tuple[float, float], crop.getextrema())
    return high - low


def _crop(image: Image, page: PageText, box: tuple[float, float, float, float], scale: float) -> Image:
    """The part of a rendering that shows a rectangle of the page (in the PDF's own units)."""
    left, upper, right, lower = (edge * scale for edge in page.seen(*box))
    left, upper = max(0, int(left)), max(0, int(upper))
    right, lower = min(image.width, int(right) + 1), min(image.height, int(lower) + 1)
    return image.crop((left, upper, max(left + 1, right), max(upper + 1, lower)))


def _spans(page: PageText, objects: dict[int, str]) -> list[Span]:
    """The words of the page that belong to the given objects. A word whose ends belong to one object
    belongs to it as a whole; another is asked letter by letter."""
    hidden: list[Span] = []
    words = list(WORD.finditer(page.text))
    starts, ends = [word.start() for word in words], [word.end() - 1 for word in words]
    if not page.aligned:
        starts, ends = list(map(page.char_index, starts)), list(map(page.char_index, ends))
    owners = map(pdfium_calls.char_object, repeat(page.handle), starts)
    lasts = map(pdfium_calls.char_object, repeat(page.handle), ends)
    some = [
        (word, one, one == other)
        for word, one, other in zip(words, owners, lasts, strict=True)
        if one in objects or one != other
    ]
    for word, owner, whole in some:
        if whole:
            _extend(hidden, word.start(), word.end(), objects[owner])
            continue
        for index in range(word.start(), word.end()):
            reason = objects.get(pdfium_calls.char_object(page.handle, page.char_index(index)))
            if reason:
                _extend(hidden, index, index + 1, reason)
    return hidden


def _extend(hidden: list[Span], start: int, end: int, reason: str) -> None:
    """Adds a stretch; one that goes on right behind the last (a space or a line's end apart) widens it."""
    if hidden and hidden[-1].reason == reason and start <= hidden[-1].end + 2:
        hidden[-1] = Span(hidden[-1].start, end, reason)
    else:
        hidden.append(Span(start, end, reason))
