"""The errors that people see, as a small tree that callers can catch.

    VivaError
    ├── InputError        what was given can't be used: an option, a question, a file, a name
    │   └── PaperError    a file that never became a paper
    ├── MissingExtra      an optional library is not installed
    ├── StudyError        a study can't be opened, read, locked or written
    ├── ReaderError       a reader has no answer
    │   └── ReaderStopped a reader can't go on in this run
    └── ProcessError      a process that was to do something gave no result

A message is one line. It names the thing that is wrong (the file, the option) and what to do about it;
the command line prints it as it is, with no traceback.
"""

from typing import Literal


class VivaError(Exception):
    """Anything that Vivavoce itself says is wrong. `str(error)` is one line for a person to read."""


class InputError(VivaError):
    """What was given can't be used: an option, a question, a question set, a table, labels, a name. It
    will fail again until it is changed."""


class PaperError(InputError):
    """A file that never became a paper: missing, empty, broken, encrypted, of no known format,
    or beyond the limits of time, memory or size.

    A file that opens but has no usable text is not an error: it becomes a `Paper` with `unreadable` set."""


class MissingExtra(VivaError):
    """An optional library is not installed. The message has the command that installs it."""


class StudyError(VivaError):
    """A study can't be opened, read, locked or written: it is missing, damaged, in use, read-only, or of
    a newer version; or its `study.toml` is wrong."""


class ReaderError(VivaError):
    """A reader has no answer: its model failed, or it knows nothing of this paper."""


class ReaderStopped(ReaderError):
    """A reader can't go on in this run (no key, no money left, nobody there); other readers can."""


ProcessFailure = Literal["time", "memory", "reply", "killed", "crashed", "unexpected"]
"""What ended a process: a limit of time or memory, a reply that is too large, a signal from outside, a crash,
or an error that nobody foresaw."""


class ProcessError(VivaError):
    """A function in a process of its own that gave no result."""

    def __init__(self, message: str, kind: ProcessFailure, detail: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.detail = detail
        """How it crashed, what the error was, how much is too large."""
