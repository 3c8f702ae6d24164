"""Pages as pictures, kept in memory: a page is drawn once, however often somebody looks at it."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from vivavoce.records import Paper

MOST_BYTES = 256_000_000
"""Some six hundred pages."""
WIDTH = 1240
"""Pixels across a page: sharp enough for small print in a pane of half that width on a dense screen."""


class Pictures:
    def __init__(self, draw: Callable[[Paper, int], bytes] | None = None, most: int = MOST_BYTES) -> None:
        self._draw, self._most = draw or picture, most
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._drawing: dict[tuple[str, int], threading.Lock] = {}

    def get(self, paper: Paper, page: int) -> bytes:
        """The page as a JPEG. Two who ask at the same time wait for one drawing."""
        key = (paper.id, page)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            turn = self._drawing.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
            try:
                data = self._draw(paper, page)
            finally:
                with self._lock:
                    self._drawing.pop(key, None)
            with self._lock:
                self._kept[key] = data
                self._bytes += len(data)
                while self._bytes > self._most and len(self._kept) > 1:
                    self._bytes -= len(self._kept.popitem(last=False)[1])
        return data


def picture(paper: Paper, page: int) -> bytes:
    """Drawn in the worker process, for a PDF is hostile input, too."""
    width = paper.pages[page - 1].width if 1 <= page <= len(paper.pages) else 0
    return paper.picture(page, scale=WIDTH / width if width > 0 else 2.0, format="jpeg")
