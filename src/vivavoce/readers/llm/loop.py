"""The one event loop on which this process calls language models, in a thread of its own.

Connections, locks and events belong to the loop on which they are first used. With one loop for the whole
process a reader can be asked again and again: from scripts, from threads, and from notebooks, where another
loop is running.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begins the work on the loop. Cancelling the future ends it."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, daemon=True, name="vivavoce-calls").start()
        return asyncio.run_coroutine_threadsafe(work, _loop)


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to. Whoever stops waiting (Ctrl-C) ends the work."""
    future = submit(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _forget() -> None:
    """A forked process has the loop but not its thread."""
    global _lock, _loop
    _lock, _loop = threading.Lock(), None


os.register_at_fork(after_in_child=_forget)
