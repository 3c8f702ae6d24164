"""Papers at URLs: on an object store (s3://, gs://, ...), or wherever fsspec can read.

They are read where they are needed, by the process that parses them. What is at a URL is taken not to change:
nobody asks the store whether it has, and a paper whose bytes are others by now is noticed when it is read.
"""

import re
from collections.abc import Iterable
from math import ceil
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError, MissingExtra, PaperError
from vivavoce.papers.formats import all_endings

_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_url(path: str | Path) -> bool:
    return isinstance(path, str) and _URL.match(path) is not None


def find(url: str) -> list[str]:
    """The papers at and below a URL, sorted: one that has a paper's ending is a paper."""
    if url.lower().endswith(all_endings()):
        return [url]
    system, root = _open(url)
    try:
        below = system.find(root)
    except (OSError, ValueError) as error:
        raise InputError(f"{url}: can't be listed ({_said(error)}).") from None
    found = sorted(name for name in below if name.lower().endswith(all_endings()))
    if not found:
        raise InputError(f"{url}: there is no paper there; papers end in {', '.join(all_endings())}.")
    return [str(system.unstrip_protocol(name)) for name in found]


def find_all(urls: Iterable[str]) -> list[str]:
    return sorted({found for url in urls for found in find(url)})


def read(url: str, most_mb: int | None) -> bytes:
    """The bytes at a URL. `PaperError` says why they can't be had, without the URL."""
    try:
        system, path = _open(url)
        megabytes = ceil((system.info(path).get("size") or 0) / 1_000_000)
        if most_mb is not None and megabytes > most_mb:
            raise PaperError(
                f"is {megabytes:,} MB large, and the limit is {most_mb:,} MB; split it, "
                f"or raise the limit with --max-mb {megabytes}."
            )
        data: bytes = system.cat_file(path)
    except FileNotFoundError:
        raise PaperError("there is no such file; check the spelling.") from None
    except PermissionError:
        raise PaperError("can't be opened: no permission to read it.") from None
    except (OSError, ValueError) as error:
        raise PaperError(f"can't be opened ({_said(error)}).") from None
    return data


def _open(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the place in it."""
    scheme = url.partition("://")[0]
    try:
        import fsspec
    except ImportError:
        raise MissingExtra(f"{scheme}:// needs an extra: pip install 'vivavoce[ray]'.") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:  # its message names the package
        raise MissingExtra(f"{scheme}:// needs another package ({_said(error)}).") from None
    except ValueError as error:
        raise InputError(f"{url}: can't be opened ({_said(error)}).") from None
    return system, str(path)


def _said(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
