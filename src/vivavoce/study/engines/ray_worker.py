"""What runs on a machine of a Ray cluster: an actor with a pair of processes.

A file is read where the actor is, by its path or URL: it is not sent there. Nothing of Ray is imported here.
"""

from typing import Any

import vivavoce
from vivavoce.errors import ProcessError
from vivavoce.processes.isolation import Worker
from vivavoce.processes.limits import ProcessLimits
from vivavoce.readers import reader
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.engines.computing import ONE_THREAD, Pair, compute

ATTEMPTS = 3


class StubbornWorker(Worker):
    """Does a call again when its process was killed from outside, as it happens on machines that are
    shared, preempted or short of memory."""

    def call(self, function: str, *args: object, limits: ProcessLimits = ProcessLimits()) -> Any:
        for _ in range(ATTEMPTS - 1):
            try:
                return super().call(function, *args, limits=limits)
            except ProcessError as error:
                if error.kind != "killed":
                    raise
        return super().call(function, *args, limits=limits)


def versions() -> tuple[str, str]:
    """Of the package and of its built-in reader: answers must not depend on the machine."""
    return vivavoce.__version__, reader("builtin").version


class PaperWorker:
    """The actor. Its readers are loaded once and kept."""

    def __init__(self) -> None:
        self._pair = Pair(StubbornWorker(), StubbornWorker(ONE_THREAD))

    def versions(self) -> tuple[str, str]:
        return versions()

    def compute(self, job: Job) -> Outcome:
        return compute(self._pair, job)

    def call(self, which: str, function: str, args: tuple[Any, ...], limits: ProcessLimits) -> Any:
        worker: Worker = getattr(self._pair, which)
        return worker.call(function, *args, limits=limits)
