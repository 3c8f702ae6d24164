"""Pages as pictures, kept in memory: a page is drawn once, however often somebody looks at it.

While nobody waits, the pages that are likely to be looked at next are drawn ahead, one after another.
"""

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial

from vivavoce.errors import VivaError
from vivavoce.papers.pages import picture
from vivavoce.records import Paper
from vivavoce.web.cache import Cache

MOST_BYTES = 256_000_000
"""Some six hundred pages."""
AHEAD = 300
"""Pages that are drawn ahead at most."""
CALM = 0.4
"""Seconds without a request after which the next page is drawn ahead."""
WIDTH = 1240
"""Pixels across a page: sharp enough for small print in a pane of half that width on a dense screen."""


class PagePictures:
    def __init__(self) -> None:
        self._kept = Cache[tuple[str, int], bytes](MOST_BYTES, len)
        self._asked = 0.0
        self._stop = threading.Event()

    def get(self, paper: Paper, page: int) -> bytes:
        """The page as a JPEG."""
        self._asked = time.monotonic()
        return self._kept.get((paper.id, page), lambda: draw(paper, page))

    def ahead(self, paper: Callable[[str], Paper], pages: Iterable[tuple[str, int]]) -> threading.Thread:
        """Draws pages, given by their paper's id and their number, in a thread of its own."""
        wanted = [key for key in pages if key not in self._kept][:AHEAD]

        def work() -> None:
            for id, page in wanted:
                while (left := self._asked + CALM - time.monotonic()) > 0 and not self._stop.wait(left):
                    pass
                if self._stop.is_set():
                    return
                try:
                    found = paper(id)
                    if found.page_source is not None and 1 <= page <= len(found.pages):
                        self._kept.get((id, page), partial(draw, found, page))
                except VivaError:
                    continue  # shown as an error when somebody opens the page

        thread = threading.Thread(target=work, daemon=True, name="pages ahead")
        thread.start()
        return thread

    def close(self) -> None:
        self._stop.set()


def draw(paper: Paper, page: int) -> bytes:
    """In the worker process, for a PDF is hostile input, too."""
    width = paper.pages[page - 1].width if 1 <= page <= len(paper.pages) else 0
    return picture(paper, page, scale=WIDTH / width if width > 0 else 2.0, format="jpeg")
