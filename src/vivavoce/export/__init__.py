"""What a study found, in forms that others can use. Nothing here calls a reader.

The ending of the file says which form. A form is written beside its place first and renamed when it is
whole, so that an export is never half there and an old one stays until the new one is done. The same
results give the same bytes: no clock, no machine, no order by chance.
"""

import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from vivavoce.errors import VivaError
from vivavoce.results.cells import Results

Writer = Callable[[Results, BinaryIO], None]


def _csv(results: Results, file: BinaryIO) -> None:
    from vivavoce.export.table import write_csv

    write_csv(results, file)


def _jsonl(results: Results, file: BinaryIO) -> None:
    from vivavoce.export.table import write_jsonl

    write_jsonl(results, file)


def _xlsx(results: Results, file: BinaryIO) -> None:
    from vivavoce.export.workbook import write_xlsx

    write_xlsx(results, file)


def _html(results: Results, file: BinaryIO) -> None:
    from vivavoce.export.report import write_html

    write_html(results, file)


WRITERS: dict[str, Writer] = {".csv": _csv, ".jsonl": _jsonl, ".xlsx": _xlsx, ".html": _html}
"""By the file's ending."""


def check(to: Path) -> None:
    """Refuses a file that can't be written: of another ending, or in a folder that is not there."""
    if to.suffix.lower() not in WRITERS:
        raise VivaError(f"{to}: the ending says what is written; there is {' '.join(WRITERS)}.")
    if not to.parent.exists():
        raise VivaError(f"{to}: there is no folder {to.parent}; make it first.")
    if not to.parent.is_dir():
        raise VivaError(f"{to}: {to.parent} is a file, not a folder; write to another place.")
    if to.is_dir():
        raise VivaError(f"{to}: is a folder; give the name of a file.")


def write(results: Results, to: Path) -> None:
    """The results as a file, in the form that its ending says."""
    check(to)
    place = to.resolve()  # through a link to where it leads
    part = place.with_name(f".viva-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        try:
            with part.open("xb") as file:
                WRITERS[to.suffix.lower()](results, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise VivaError(f"{to}: it can't be written: {_plain(error)}") from error


def _plain(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "the disk is full. Make room and try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "you may not write there. Write to another place."
    return f"{error.strerror or error}. Write to another place."
