"""The parent's side of a disposable process: it can hang, crash or eat memory, and be replaced.

A `Worker` is a Python process started from scratch (`python -m vivavoce.processes.worker`), not a fork and
not `multiprocessing`: no `__main__` guard is needed, and it works in a notebook. Requests and replies
are pickles with a length in front, over two pipes. A reply may hold plain values and classes that were
allowed by name (`allowed_in_replies`), so that a file that takes over its reader still can't make the parent
run code.

A worker is started by the first call, kept for the next ones, and replaced when it has crashed, was
killed for its limits, has grown, or has done its share of calls.
"""

import atexit
import io
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

import vivavoce.errors
from vivavoce.errors import ProcessError, VivaError
from vivavoce.processes.functions import resolve
from vivavoce.processes.limits import ProcessLimits

HEADER = struct.Struct("<Q")
"""In front of each message: how many bytes it has."""
MOST_REPLY_BYTES = 256_000_000
"""The largest reply that is taken. The text of a 2,000-page book is some 10 MB."""
MOST_CALLS = 200
"""A worker is replaced after this many calls, whatever leaks in the libraries that it uses."""
MOST_RESIDENT_MB = 700
"""A worker that holds more than this between calls is replaced, so the memory goes back."""
START_SECONDS = 60.0
"""Until a fresh worker says that it's there; on a busy machine with a cold disk that takes a while."""

_allowed: dict[tuple[str, str], type] = {}
_Class = TypeVar("_Class", bound=type)


def allowed_in_replies(kind: _Class) -> _Class:
    """Marks a class that a function may send back from a worker: one of plain values."""
    _allowed[kind.__module__, kind.__name__] = kind
    return kind


inside = False
"""True in a worker process: calls are made directly there."""


class Ended(Exception):
    """The worker's end of the pipe was closed: it has died."""


class Worker:
    """A process that runs functions by name ("package.module:function") within limits.

    Threads may share a worker; their calls take turns."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """`environment` is what its process has in its environment besides ours."""
        self._environment = dict(environment or {})
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._owner = 0
        self._calls = 0
        self._closed = False

    def call(self, function: str, *args: object, limits: ProcessLimits = ProcessLimits()) -> Any:
        """The function's result. Raises the `VivaError` that the function raised, or a `ProcessError` when
        it went beyond the limits, crashed, or failed in a way nobody thought of."""
        if inside:
            return resolve(function)(*args)
        with self._lock:
            self._check_open()
            request = pickle.dumps((function, args, limits.memory_mb, limits.seconds))
            try:
                process = self._begin(request, limits)
                reply = _receive(process, time.monotonic() + limits.seconds)
                outcome, value, detail, resident = _load(reply)
            except TimeoutError:
                self._end()
                raise ProcessError(
                    f"took longer than {limits.seconds:g} s and was ended; try again when less is going on.",
                    "time",
                ) from None
            except Ended:
                self._fail(limits)
            except BaseException:  # Ctrl-C in the middle of a reply: the next call must not read its rest
                self._end()
                raise
            self._calls += 1
            if outcome == "memory" or self._calls >= MOST_CALLS or resident > MOST_RESIDENT_MB * 1_000_000:
                self._end()
        return _result(outcome, value, detail, limits)

    def kill(self) -> None:
        """End the process at once, from any thread; a call that is under way fails, and none can follow."""
        self._closed = True
        process = self._process
        if process is not None and self._owner == os.getpid() and process.returncode is None:
            process.kill()

    def close(self) -> None:
        """End the process and let go of all that belongs to it."""
        self.kill()
        with self._lock:
            self._end()

    def _check_open(self) -> None:
        if self._closed:
            raise VivaError("The process was closed; make a new `Worker`.")

    def _begin(self, request: bytes, limits: ProcessLimits) -> subprocess.Popen[bytes]:
        """A process that has taken the request on. One that dies before it says so had died of something
        else (it was killed while idle), so another one is tried."""
        for _ in range(2):
            process = self._ready()
            self._check_open()  # once more: `kill` may have come while there was no process to kill
            deadline = time.monotonic() + max(limits.seconds, START_SECONDS)
            try:
                _send(process, request, deadline)
                _receive(process, deadline)
            except Ended:
                self._end()
                continue
            return process
        raise VivaError("A process was killed twice; is the machine out of memory?")

    def _ready(self) -> subprocess.Popen[bytes]:
        """The running process, or a new one if there is none (any more), or if it's the one of the
        process that we were forked from."""
        process = self._process
        if process is not None and self._owner == os.getpid() and process.poll() is None:
            assert self._log is not None
            self._log.truncate(0)
            return process
        self._end()
        return self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        from tempfile import TemporaryFile  # here, since importing it takes its time

        self._log = TemporaryFile("a+b", buffering=0)  # noqa: SIM115, closed with the process
        package = str(Path(vivavoce.errors.__file__).parent.parent)
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = process = subprocess.Popen(
            # -P: a `lxml.py` that lies about in the current folder is not to be imported.
            [sys.executable, "-P", "-m", "vivavoce.processes.worker", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, **self._environment, "PYTHONPATH": os.pathsep.join(paths)},
            process_group=0,  # Ctrl-C in the terminal is ours to handle
        )
        self._owner, self._calls = os.getpid(), 0
        assert process.stdin is not None
        assert process.stdout is not None
        os.set_blocking(process.stdin.fileno(), False)
        os.set_blocking(process.stdout.fileno(), False)
        deadline = time.monotonic() + START_SECONDS
        try:
            _send(process, pickle.dumps([path for path in sys.path if path]), deadline)
            _receive(process, deadline)
        except (Ended, TimeoutError):
            code, _ = _wait(process)
            lines = self._stderr_text().strip().splitlines()
            self._end()
            reason = lines[-1] if lines else f"exit code {code}"
            raise VivaError(f"A process could not be started: {reason}") from None
        except BaseException:
            self._end()
            raise
        return process

    def _stderr_text(self) -> str:
        """What the process wrote to its stderr during this call."""
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read(100_000).decode("utf-8", "replace")

    def _fail(self, limits: ProcessLimits) -> NoReturn:
        """The process died at work: say of what."""
        assert self._process is not None
        code, peak_mb = _wait(self._process)
        written = self._stderr_text()
        self._end()
        if "bad_alloc" in written or "MemoryError" in written or peak_mb > 0.6 * limits.memory_mb:
            error = _too_large(limits)
        elif code == -signal.SIGKILL:
            error = ProcessError(
                "was ended from outside (signal SIGKILL); the machine may be out of memory: "
                "close other programs and try again.",
                "killed",
            )
        else:
            name = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            error = ProcessError(f"crashed ({name}); try again, and report it if it stays.", "crashed", name)
        if written.strip():
            error.add_note(written)
        raise error

    def _end(self) -> None:
        """Forget the process, and end it if it's ours."""
        process, self._process = self._process, None
        if self._log is not None:
            self._log.close()
            self._log = None
        if process is None:
            return
        if self._owner == os.getpid():
            if process.returncode is None:
                process.kill()
                process.wait()
        else:
            process.returncode = 0  # somebody else's child: never wait for it
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _too_large(limits: ProcessLimits) -> ProcessError:
    return ProcessError(
        f"needs more than {limits.memory_mb} MB of memory; close other programs, or do less at a time.",
        "memory",
    )


def _result(outcome: str, value: object, detail: str, limits: ProcessLimits) -> Any:
    """What the worker replied: a value to return, or an error to raise."""
    if outcome == "value":
        return value
    if outcome == "memory":
        raise _too_large(limits)
    if outcome == "large":
        most = f"{MOST_REPLY_BYTES // 1_000_000} MB"
        raise ProcessError(f"gives a result of more than {most}; do less at a time.", "reply", most)
    if outcome == "unexpected":
        error = ProcessError(f"failed: {value}; please report it.", "unexpected", str(value))
        error.add_note(detail)
        raise error
    kind = getattr(vivavoce.errors, outcome, VivaError)
    raise kind(value)


def _send(process: subprocess.Popen[bytes], message: bytes, deadline: float) -> None:
    assert process.stdin is not None
    descriptor = process.stdin.fileno()
    rest = memoryview(HEADER.pack(len(message)) + message)
    while rest:
        _await(descriptor, select.POLLOUT, deadline)
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            continue
        except BrokenPipeError:
            raise Ended from None


def _receive(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    (size,) = HEADER.unpack(_exactly(descriptor, HEADER.size, deadline))
    if size > MOST_REPLY_BYTES:
        raise Ended  # not one of our messages: the process has gone mad
    return _exactly(descriptor, size, deadline)


def _exactly(descriptor: int, size: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < size:
        _await(descriptor, select.POLLIN, deadline)
        try:
            chunk = os.read(descriptor, min(size - len(data), 1 << 20))
        except BlockingIOError:
            continue
        if not chunk:
            raise Ended
        data += chunk
    return bytes(data)


def _await(descriptor: int, event: int, deadline: float) -> None:
    """Until the pipe can be read or written; `TimeoutError` at the deadline."""
    poll = select.poll()
    poll.register(descriptor, event)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if poll.poll(min(left, 3600.0) * 1000 + 1):
            return


def _wait(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """End the process if need be: its exit code (negative: the signal) and its peak memory in MB."""
    try:
        for _ in range(
            100
        ):  # its pipe is closed, so it is about to end by itself, with a reason worth knowing
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.02)
        else:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
    except ChildProcessError:  # somebody else in this program has waited for it
        process.returncode = 0
        return 0, 0.0
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1000


class _Reply(pickle.Unpickler):
    """Reads plain values and allowed classes, and nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _allowed:
            return _allowed[module, name]
        raise pickle.UnpicklingError(f"a reply may not hold {module}.{name}")


def _load(reply: bytes) -> tuple[str, Any, str, int]:
    try:
        outcome, value, detail, resident = _Reply(io.BytesIO(reply)).load()
    except (pickle.UnpicklingError, ValueError, TypeError, EOFError) as error:
        raise VivaError(f"A process sent what can't be understood: {error}") from error
    return outcome, value, detail, resident


_default: Worker | None = None
_default_lock = threading.Lock()


def default() -> Worker:
    """The worker that everything in this process shares, unless it has one of its own."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Worker()
            atexit.register(_default.close)
            os.register_at_fork(after_in_child=_forget)
        return _default


def _forget() -> None:
    """In a forked child: the parent's worker is not ours, and its locks may be held for ever."""
    global _default, _default_lock
    _default_lock = threading.Lock()
    _default = None
