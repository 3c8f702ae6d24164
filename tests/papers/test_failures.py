"""What a process that fails comes to, said of the file that it was reading."""

import pytest

from vivavoce.errors import PaperError, ProcessError, ProcessFailure
from vivavoce.papers.failures import paper_error
from vivavoce.papers.limits import Limits


@pytest.mark.parametrize(
    ("kind", "detail", "says"),
    [
        ("time", "", "took longer than 5 s to read; allow it more time (--timeout, Limits(seconds=...)), "),
        ("memory", "", "needs more than 300 MB of memory to read; allow it more (--memory, "),
        ("reply", "256 MB", "holds more than 256 MB of text; split it into papers."),
        ("killed", "", "reading it was ended from outside (signal SIGKILL); "),
        ("crashed", "signal SIGSEGV", "reading it crashed (signal SIGSEGV); the file is likely damaged: "),
        ("unexpected", "KeyError: 1", "could not be read: KeyError: 1; please report it."),
    ],
)
def test_each_kind_names_the_way_out(kind: ProcessFailure, detail: str, says: str) -> None:
    error = paper_error("a.pdf", ProcessError("generic", kind, detail), Limits(seconds=5, memory_mb=300))
    assert str(error).startswith(f"a.pdf: {says}")
    assert "generic" not in str(error)


def test_a_file_is_named_once_and_notes_are_kept() -> None:
    given = PaperError("a.pdf: is empty.")
    given.add_note("a traceback")
    error = paper_error("a.pdf", given, Limits())
    assert (str(error), error.__notes__) == ("a.pdf: is empty.", ["a traceback"])
