"""The bytes of a file, read once: what is hashed is what is parsed.

A paper is known by the hash of its bytes. Were they read a second time for parsing, a file that was replaced
in between would give one paper's text under another paper's name.
"""

import errno
import hashlib
import os
import stat
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import NamedTuple

from vivavoce.errors import PaperError
from vivavoce.papers import remote
from vivavoce.papers.limits import Limits


class Stamp(NamedTuple):
    """What tells two versions of a file apart without reading them."""

    size: int
    changed: int
    """In nanoseconds, as the file system has it."""


NO_STAMP = Stamp(0, 0)


@dataclass(frozen=True, slots=True)
class FileBytes:
    data: bytes = field(repr=False)
    id: str
    """SHA-256 of the bytes, in hex."""
    stamp: Stamp
    """Of the file that was open while they were read."""


def stamp_of(path: str | Path) -> Stamp:
    """Raises `OSError` when the file is gone. What is at a URL is taken not to change."""
    return NO_STAMP if remote.is_url(path) else _stamp(os.stat(path))


def exists(path: str) -> bool:
    """Is the file there? What is at a URL is taken to be."""
    return remote.is_url(path) or os.path.exists(path)


def absolute(path: str | Path) -> str:
    """The path as any process can use it."""
    return str(path) if remote.is_url(path) else os.path.abspath(path)


def read_bytes(path: str | Path, limits: Limits | None = None) -> FileBytes:
    """The file's bytes and their hash. `PaperError` says why they can't be had, without the file's name."""
    if remote.is_url(path):
        data = remote.read(str(path), limits.file_mb if limits else None)
        return _hashed(data, NO_STAMP)
    try:
        _check_kind(os.stat(path))  # before it is opened: opening a pipe would wait for its other end
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            _check_kind(status)
            megabytes = ceil(status.st_size / 1_000_000)
            if limits is not None and megabytes > limits.file_mb:
                raise PaperError(
                    f"is {megabytes:,} MB large, and the limit is {limits.file_mb:,} MB; split it, "
                    f"or raise the limit with --max-mb {megabytes}."
                )
            data = file.read()
    except FileNotFoundError:
        raise PaperError("there is no such file; check the spelling.") from None
    except PermissionError:
        raise PaperError("can't be opened: no permission to read it.") from None
    except OSError as error:
        if error.errno == errno.ENOTDIR:
            raise PaperError("there is no such file; check the spelling.") from None
        raise PaperError(f"can't be opened ({error.strerror}).") from None
    except ValueError:
        raise PaperError("is not a possible file name (it holds a NUL character).") from None
    return _hashed(data, _stamp(status))


def _hashed(data: bytes, stamp: Stamp) -> FileBytes:
    if not data:
        raise PaperError("is empty (0 bytes); download it again.")
    return FileBytes(data, hashlib.sha256(data).hexdigest(), stamp)


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns)


def _check_kind(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise PaperError("is a folder; name a file, or give the folder to `viva check`.")
    if not stat.S_ISREG(status.st_mode):
        raise PaperError("is not a regular file (a device or a pipe); save it to disk first.")
