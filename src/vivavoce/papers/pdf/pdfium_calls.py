"""pdfium's functions that are called for every object or every line, in a lean form.

pypdfium2's own bindings check and convert each argument, which costs more than the calls themselves.
Here a handle is a plain address, and what is asked of many characters is asked in a loop of C (`map`
into `deque`), each answer written into its place of one buffer.
"""

import ctypes
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import pypdfium2.raw as raw

_ADDRESS, _INT, _POINTER = ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p


def address(handle: Any) -> int:
    """The address behind one of pypdfium2's handles or functions."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _lean(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(address(function))


count_objects = _lean(raw.FPDFPage_CountObjects, _INT, _ADDRESS)
get_object = _lean(raw.FPDFPage_GetObject, _ADDRESS, _ADDRESS, _INT)
count_form_objects = _lean(raw.FPDFFormObj_CountObjects, _INT, _ADDRESS)
get_form_object = _lean(raw.FPDFFormObj_GetObject, _ADDRESS, _ADDRESS, ctypes.c_ulong)
object_type = _lean(raw.FPDFPageObj_GetType, _INT, _ADDRESS)
object_bounds = _lean(raw.FPDFPageObj_GetBounds, _INT, _ADDRESS, *[_POINTER] * 4)
object_matrix = _lean(raw.FPDFPageObj_GetMatrix, _INT, _ADDRESS, _POINTER)
fill_colour = _lean(raw.FPDFPageObj_GetFillColor, _INT, _ADDRESS, *[_POINTER] * 4)
clip_path = _lean(raw.FPDFPageObj_GetClipPath, _ADDRESS, _ADDRESS)
count_clip_paths = _lean(raw.FPDFClipPath_CountPaths, _INT, _ADDRESS)
count_clip_segments = _lean(raw.FPDFClipPath_CountPathSegments, _INT, _ADDRESS, _INT)
clip_segment = _lean(raw.FPDFClipPath_GetPathSegment, _ADDRESS, _ADDRESS, _INT, _INT)
segment_point = _lean(raw.FPDFPathSegment_GetPoint, _INT, _ADDRESS, _POINTER, _POINTER)
render_mode = _lean(raw.FPDFTextObj_GetTextRenderMode, _INT, _ADDRESS)
text_object_font = _lean(raw.FPDFTextObj_GetFont, _ADDRESS, _ADDRESS)
is_embedded = _lean(raw.FPDFFont_GetIsEmbedded, _INT, _ADDRESS)
get_text = _lean(raw.FPDFText_GetText, _INT, _ADDRESS, _INT, _INT, _POINTER)
char_object = _lean(raw.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, _INT)
char_box = _lean(raw.FPDFText_GetLooseCharBox, _INT, _ADDRESS, _INT, _POINTER)
char_origin = _lean(raw.FPDFText_GetCharOrigin, _INT, _ADDRESS, _INT, _POINTER, _POINTER)
char_matrix = _lean(raw.FPDFText_GetMatrix, _INT, _ADDRESS, _INT, _POINTER)
char_size = _lean(raw.FPDFText_GetFontSize, ctypes.c_double, _ADDRESS, _INT)
char_index = _lean(raw.FPDFText_GetCharIndexFromTextIndex, _INT, _ADDRESS, _INT)


def text(page: int, count: int) -> str:
    """The page's characters, as UTF-16 has them."""
    buffer = array("H", bytes(2 * (count + 1)))
    written = get_text(page, 0, count, buffer.buffer_info()[0])
    return buffer.tobytes()[: 2 * max(0, written - 1)].decode("utf-16-le", "replace")


def boxes(page: int, chars: Sequence[int]) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each character, as high as its font."""
    return _records(4, char_box, page, chars)


def matrices(page: int, chars: Sequence[int]) -> Iterator[tuple[float, ...]]:
    """The six numbers by which each character is turned and scaled."""
    return _records(6, char_matrix, page, chars)


def _records(width: int, function: Any, page: int, chars: Sequence[int]) -> Iterator[Any]:
    buffer = array("f", bytes(4 * width * len(chars)))
    start, step = buffer.buffer_info()[0], 4 * width
    deque(map(function, repeat(page), chars, range(start, start + step * len(chars), step)), maxlen=0)
    return zip(*[iter(buffer)] * width, strict=True)


def origins(page: int, chars: Sequence[int]) -> list[tuple[float, float]]:
    """Where the pen stood for each character."""
    xs, ys = array("d", bytes(8 * len(chars))), array("d", bytes(8 * len(chars)))
    to_x, to_y = (range(at, at + 8 * len(chars), 8) for at in (xs.buffer_info()[0], ys.buffer_info()[0]))
    deque(map(char_origin, repeat(page), chars, to_x, to_y), maxlen=0)
    return list(zip(xs, ys, strict=True))


def bounds(objects: Sequence[int]) -> Iterator[tuple[float, float, float, float]]:
    """Left, bottom, right and top of each object, in the units of what holds it."""
    buffer = array("f", bytes(16 * len(objects)))
    deque(map(object_bounds, objects, *_quarters(buffer)), maxlen=0)
    return zip(*[iter(buffer)] * 4, strict=True)


def colours(objects: Sequence[int]) -> list[bytes]:
    """Red, green, blue and alpha of each object's fill, four bytes each."""
    buffer = array("I", bytes(16 * len(objects)))
    deque(map(fill_colour, objects, *_quarters(buffer)), maxlen=0)
    packed = buffer.tobytes()
    return [packed[at : at + 16] for at in range(0, len(packed), 16)]


def _quarters(buffer: "array[Any]") -> list[range]:
    """Where the four outputs, four bytes each, of every call go."""
    start = buffer.buffer_info()[0]
    end = start + 4 * len(buffer)
    return [range(start + 4 * part, end + 4 * part, 16) for part in range(4)]
