"""The disposable process: it takes a request, runs a function, replies, and takes the next.

Started by `isolation.Worker`. Requests come on stdin and replies go to what was stdout; both are moved
away first, so that whatever a library prints goes to the log and not into a reply. Each call runs
within its memory limit. The parent sees to the time limit; should the parent be gone, an alarm does.

The process ends with its parent: when stdin ends, or when a thread finds that it has been orphaned.
(Not by PR_SET_PDEATHSIG: Linux sends that when the *thread* that started us ends, and a web server's
threads come and go.)
"""

import errno
import os
import pickle
import resource
import signal
import sys
import threading
import time
import traceback
from typing import Any

from vivavoce.errors import VivaError
from vivavoce.processes import isolation
from vivavoce.processes.functions import resolve
from vivavoce.processes.isolation import HEADER, MOST_REPLY_BYTES

MOST_LOG_BYTES = 8_000_000
"""The most that this process may write to a file, its log being the only one."""
ALARM_SECONDS = 5.0
"""How long after the time limit the alarm ends a process whose parent has not."""

MEMORY_SIGNS = ("bad_alloc", "failed to map segment", "Cannot allocate memory")
"""What C++, the loader of libraries and the system say when memory has run out."""


def main() -> None:
    parent = int(sys.argv[1])
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    _prepare(parent)
    sys.path += [path for path in pickle.loads(_message(requests)) if path not in sys.path]
    _reply(replies, pickle.dumps(("value", None, "", 0)))
    while request := _message(requests):
        _reply(replies, b"")  # taken on: if this process dies from here on, the request is why
        _reply(replies, _answer(request))


def _prepare(parent: int) -> None:
    """What holds for the whole life of the process."""
    isolation.inside = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit(resource.RLIMIT_FSIZE, MOST_LOG_BYTES)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _limit(kind: int, size: int) -> None:
    """The soft limit only, so that another call may have another."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def _answer(request: bytes) -> bytes:
    """(outcome, value, detail, bytes of memory held), pickled."""
    function, args, memory_mb, seconds = pickle.loads(request)
    signal.setitimer(signal.ITIMER_REAL, min(seconds + ALARM_SECONDS, 1e8))
    _limit(resource.RLIMIT_AS, memory_mb * 1_000_000)
    try:
        answer = _run(function, args)
        reply = pickle.dumps((*answer, _resident()), pickle.HIGHEST_PROTOCOL)
        if len(reply) > MOST_REPLY_BYTES:
            reply = pickle.dumps(("large", "", "", _resident()))
    except MemoryError:
        reply = pickle.dumps(("memory", "", "", 0))
    finally:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        signal.setitimer(signal.ITIMER_REAL, 0)
    return reply


def _run(function: str, args: tuple[Any, ...]) -> tuple[str, Any, str]:
    try:
        return "value", resolve(function)(*args), ""
    except VivaError as error:
        return type(error).__name__, str(error), ""
    except MemoryError:
        raise
    except Exception as error:
        # Whatever nobody foresaw is reported with its traceback, and the process lives on.
        lines = str(error).strip().splitlines()
        if getattr(error, "errno", None) == errno.ENOMEM or any(sign in str(error) for sign in MEMORY_SIGNS):
            raise MemoryError from error
        summary = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
        return "unexpected", summary, traceback.format_exc()


def _resident() -> int:
    """Bytes of memory this process holds; 0 where the system doesn't tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _message(requests: Any) -> bytes:
    """The next message, empty at the end."""
    header = requests.read(HEADER.size)
    if len(header) < HEADER.size:
        return b""
    (size,) = HEADER.unpack(header)
    message: bytes = requests.read(size)
    return message if len(message) == size else b""


def _reply(replies: int, message: bytes) -> None:
    rest = memoryview(HEADER.pack(len(message)) + message)
    while rest:
        rest = rest[os.write(replies, rest) :]


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the parent is gone, and with it anybody to tell
        sys.exit(1)
