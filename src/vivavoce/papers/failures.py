"""What went wrong with a file's process, in words about the file, with the option that helps."""

import os

from vivavoce.errors import PaperError, ProcessError
from vivavoce.processes.limits import ProcessLimits


def paper_error(path: str, error: PaperError | ProcessError, limits: ProcessLimits) -> PaperError:
    """The error with the file's name in front: whatever reads a file sees bytes and doesn't know the name."""
    place = os.path.abspath(path)
    message = _about_the_file(error, limits) if isinstance(error, ProcessError) else str(error)
    named = PaperError(f"{path}: {message.removeprefix(f'{place}: ').removeprefix(f'{path}: ')}")
    for note in getattr(error, "__notes__", ()):
        named.add_note(note)
    return named


def _about_the_file(error: ProcessError, limits: ProcessLimits) -> str:
    match error.kind:
        case "time":
            return (
                f"took longer than {limits.seconds:g} s to read; allow it more time (--timeout, "
                "Limits(seconds=...)), or save the file anew."
            )
        case "memory":
            return (
                f"needs more than {limits.memory_mb} MB of memory to read; allow it more (--memory, "
                "Limits(memory_mb=...)), or save the file anew."
            )
        case "reply":
            return f"holds more than {error.detail} of text; split it into papers."
        case "killed":
            return (
                "reading it was ended from outside (signal SIGKILL); the machine may be out of memory: "
                "close other programs and try again."
            )
        case "crashed":
            return (
                f"reading it crashed ({error.detail}); the file is likely damaged: save it anew, "
                "for instance by printing it to a PDF."
            )
        case "unexpected":
            return f"could not be read: {error.detail}; please report it."
