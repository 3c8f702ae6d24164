"""pdfium's functions that are called for every object or every character, in a lean form.

pypdfium2's own bindings check and convert each argument, which costs more than the calls themselves.
Here a handle is a plain address, and outputs go to buffers that are made once.
"""

import ctypes
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
char_object = _lean(raw.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, _INT)
char_box = _lean(raw.FPDFText_GetLooseCharBox, _INT, _ADDRESS, _INT, _POINTER)
char_origin = _lean(raw.FPDFText_GetCharOrigin, _INT, _ADDRESS, _INT, _POINTER, _POINTER)
char_matrix = _lean(raw.FPDFText_GetMatrix, _INT, _ADDRESS, _INT, _POINTER)
char_size = _lean(raw.FPDFText_GetFontSize, ctypes.c_double, _ADDRESS, _INT)
char_index = _lean(raw.FPDFText_GetCharIndexFromTextIndex, _INT, _ADDRESS, _INT)
