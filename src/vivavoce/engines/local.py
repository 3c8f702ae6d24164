"""Jobs in processes of this machine.

A slot is a thread with two processes: one reads files (whatever a file does to it, it can be replaced at no
cost), the other holds the readers' networks and answers. A slot of each core keeps them busy: within a
slot everything runs on one thread, since several papers at a time scale better than several threads a paper.
"""

import os
import threading
import time
from collections.abc import Generator, Iterable
from queue import Empty, SimpleQueue

from vivavoce.engines import Job, Outcome
from vivavoce.errors import VivaError
from vivavoce.papers.isolation import Worker
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load_with
from vivavoce.records import Answer

ANSWER = "vivavoce.engines.work:answer"
ANSWERING = Limits(seconds=1800.0, memory_mb=8192)
"""What answering one paper may take. One of ten pages takes about two seconds of one core."""
GRACE_SECONDS = 1.5
"""How long what is under way may take when there is to be an end."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Local:
    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))

    def run(self, jobs: Iterable[Job], stop: threading.Event | None = None) -> Generator[Outcome]:
        waiting: SimpleQueue[Job | None] = SimpleQueue()
        done: SimpleQueue[Outcome | BaseException] = SimpleQueue()
        slots = [_Slot(waiting, done) for _ in range(self.workers)]
        stop = stop or threading.Event()
        under_way = 0
        try:
            for job in jobs:
                if stop.is_set():
                    break
                waiting.put(job)
                under_way += 1
                # One job more than slots, so that none waits for the caller.
                while under_way > self.workers and (outcome := _outcome(done, stop)):
                    yield outcome
                    under_way -= 1
            while under_way and (outcome := _outcome(done, stop)):
                yield outcome
                under_way -= 1
        finally:
            for _ in slots:
                waiting.put(None)
            for slot in slots:
                slot.end()


def _outcome(done: "SimpleQueue[Outcome | BaseException]", stop: threading.Event) -> Outcome | None:
    """The next one; none when there is to be an end and none has come in time."""
    deadline = float("inf")
    while time.monotonic() < deadline:
        try:
            found = done.get(timeout=0.1)
        except Empty:
            if stop.is_set() and deadline == float("inf"):
                deadline = time.monotonic() + GRACE_SECONDS
            continue
        if isinstance(found, BaseException):
            raise found
        return found
    return None


class _Slot:
    def __init__(
        self, waiting: "SimpleQueue[Job | None]", done: "SimpleQueue[Outcome | BaseException]"
    ) -> None:
        self._waiting, self._done = waiting, done
        self._files, self._answers = Worker(), Worker(ONE_THREAD)
        self._thread = threading.Thread(target=self._work, daemon=True, name="vivavoce-slot")
        self._thread.start()

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None:
            try:
                self._done.put(self._do(job))
            except BaseException as error:  # a fault of ours: the caller must see it, not wait for ever
                self._done.put(error)

    def _do(self, job: Job) -> Outcome:
        paper = job.paper
        answers: list[Answer] = []
        reasons: list[str] = []
        try:
            if paper is None:
                paper = load_with(self._files, job.path, job.limits)
        except VivaError as error:
            return Outcome(job, reason=_one_line(error, job))
        for reader, questions in job.asks:
            try:
                answers += self._answers.call(ANSWER, reader, paper, questions, limits=ANSWERING)
            except VivaError as error:  # the other readers are asked all the same
                reasons.append(_one_line(error, job))
        return Outcome(job, paper, tuple(answers), "; ".join(reasons))

    def end(self) -> None:
        """Ends what is under way, and the slot."""
        for worker in (self._files, self._answers):
            worker.kill()
        self._thread.join()
        for worker in (self._files, self._answers):
            worker.close()


def _one_line(error: VivaError, job: Job) -> str:
    """Why, without the file's name, which stands beside it anyway."""
    said = " ".join(str(error).split())
    return said.removeprefix(f"{job.path}: ").removeprefix(f"{os.path.abspath(job.path)}: ")
