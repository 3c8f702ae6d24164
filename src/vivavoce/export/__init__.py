"""Exports: a study's results as files that others can use. Nothing here calls a reader.

The ending of the file says which export writes it; another package adds one with an entry point in the group
`vivavoce.exports`, whose name is the ending (".tex") and whose object is a function of results and an open
file. A file is written under another name first and renamed when it is complete, so that an export is never
half there and an old one stays until the new one is done. The same results give the same bytes: no clock, no
machine, no order by chance. An export passes over the study once.
"""

import errno
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import BinaryIO

from vivavoce.errors import InputError, VivaError
from vivavoce.plugins import Registry
from vivavoce.records import Cell, Status
from vivavoce.results.cells import Results

Writer = Callable[[Results, BinaryIO], None]

EXPORTS: Registry[Writer] = Registry(
    "vivavoce.exports",
    {
        ".csv": "vivavoce.export.table:write_csv",
        ".jsonl": "vivavoce.export.json_lines:write_jsonl",
        ".xlsx": "vivavoce.export.workbook:write_xlsx",
        ".html": "vivavoce.export.report:write_html",
    },
)
"""By the file's ending."""


@dataclass(frozen=True, slots=True)
class CountedResults(Results):
    """Results that count the cells on their way into an export: no second pass is needed for that."""

    statuses: Counter[Status] = field(default_factory=Counter, compare=False)
    """Of the verdicts, in the last pass."""

    @classmethod
    def counting(cls, results: Results) -> "CountedResults":
        return cls(*(getattr(results, known.name) for known in fields(Results)))

    def cells(self) -> Iterator[Cell]:
        self.statuses.clear()
        # Not super(): `slots=True` replaces the class, and super() would refer to the one it replaced.
        for cell in Results.cells(self):
            self.statuses[cell.verdict.status] += 1
            yield cell


def is_answers_folder(to: Path) -> bool:
    """Is it to be a folder of answers, a text file each? Its name has no ending, and `answers` in it."""
    return not to.suffix and "answers" in to.name.lower()


def check(to: Path) -> None:
    """Refuses a file that can't be written: of an unknown ending, or in a folder that does not exist."""
    if is_answers_folder(to):
        if not to.parent.is_dir():
            raise InputError(f"{to}: there is no folder {to.parent}; make it first.")
        if to.is_dir() and any(to.iterdir()):
            raise InputError(
                f"{to}: is a folder with files in it; name one that is empty, or that is not there yet."
            )
        return
    if to.suffix.lower() not in EXPORTS:
        raise InputError(f"{to}: the ending says what is written; there is {' '.join(EXPORTS)}.")
    if not to.parent.exists():
        raise InputError(f"{to}: there is no folder {to.parent}; make it first.")
    if not to.parent.is_dir():
        raise InputError(f"{to}: {to.parent} is a file, not a folder; write to another place.")
    if to.is_dir():
        raise InputError(f"{to}: is a folder; give the name of a file.")


def write(results: Results, to: Path, writer: Writer | None = None) -> Counter[Status]:
    """Writes the results to a file, in the form that its ending says, or by this writer. Gives how many of
    the cells in it have each status."""
    check(to)
    counted = CountedResults.counting(results)
    if is_answers_folder(to):
        from vivavoce.export.answers_folder import write_folder

        try:
            write_folder(counted, to)
        except OSError as error:
            raise VivaError(f"{to}: it can't be written: {_plain(error)}") from error
        return counted.statuses
    writer = writer or EXPORTS.get(to.suffix.lower())
    place = to.resolve()  # through a link to where it leads
    part = place.with_name(f".viva-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        try:
            with part.open("xb") as file:
                writer(counted, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise VivaError(f"{to}: it can't be written: {_plain(error)}") from error
    return counted.statuses


def _plain(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "the disk is full. Make room and try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "you may not write there. Write to another place."
    return f"{error.strerror or error}. Write to another place."
