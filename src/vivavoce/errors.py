"""The errors that people see: one root, and every message says what to do next.

A message is one line. It names the thing that is wrong (the file, the option) and the way out;
the command line prints it as it is, with no traceback.
"""


class VivaError(Exception):
    """Anything that Vivavoce itself says is wrong. `str(error)` is one line for a person to read."""


class PaperError(VivaError):
    """A file that never became a paper: missing, empty, broken, encrypted, of no known format,
    or beyond the limits of time, memory or size.

    A file that opens but has no usable text is not an error: it becomes a `Paper` with `unreadable` set."""
