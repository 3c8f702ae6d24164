"""Jobs in processes of this machine, calls to language models on one event loop beside them.

A paper is worked on by a thread, which does nothing itself: files are read, and the built-in reader answers,
in pairs of processes, a pair for each core: one reads files (whatever a file does to it, it can be replaced
at no cost), the other holds the readers' networks. Within a pair everything runs on one thread, since several
papers at a time scale better than several threads a paper. When models are called there are more threads
than pairs, so that the cores are busy while others wait for replies.
"""

import asyncio
import os
import threading
import time
from collections.abc import Coroutine, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from vivavoce.errors import VivaError
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load_with
from vivavoce.processes.isolation import Worker
from vivavoce.readers import is_language_model, provider
from vivavoce.records import Answer, Paper, Question
from vivavoce.study.engines import Job, Outcome, ReaderFailure

if TYPE_CHECKING:
    from vivavoce.readers.llm.limits import RunLimits
    from vivavoce.readers.llm.reader import LLM, PromptResult
    from vivavoce.readers.llm.retrying import Limiter

T = TypeVar("T")

ANSWER = "vivavoce.study.engines.worker_tasks:answer"
RANK = "vivavoce.study.engines.worker_tasks:rank"
ANSWERING = Limits(seconds=1800.0, memory_mb=8192)
"""What answering one paper may take. One of ten pages takes about two seconds of one core."""
GRACE_SECONDS = 1.5
"""How long what is under way may take when there is to be an end."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
WAITING = 6
"""Papers besides that may wait for language models."""


class _Pair(NamedTuple):
    files: Worker
    answers: Worker


class _Done(NamedTuple):
    """What a thread hands over: a part of a job, its end, or a fault of ours."""

    outcome: Outcome | None
    last: bool = True
    fault: BaseException | None = None


class Local:
    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))

    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, limits: "RunLimits | None" = None
    ) -> Generator[Outcome]:
        crew = _Crew(self.workers, limits)
        stop = stop or threading.Event()
        under_way = 0
        try:
            for job in jobs:
                if stop.is_set():
                    break
                under_way += 1
                # One job more than threads, so that none waits for the caller.
                room = crew.begin(job)
                while under_way > room and (done := crew.next(stop)):
                    under_way -= done.last
                    if done.outcome:
                        yield done.outcome
            while under_way and (done := crew.next(stop)):
                under_way -= done.last
                if done.outcome:
                    yield done.outcome
        finally:
            crew.end()


class _Crew:
    """The threads, the processes and the loop of one run."""

    def __init__(self, workers: int, limits: "RunLimits | None") -> None:
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        self._done: SimpleQueue[_Done] = SimpleQueue()
        self._pairs = [_Pair(Worker(), Worker(ONE_THREAD)) for _ in range(workers)]
        self._idle: SimpleQueue[_Pair] = SimpleQueue()
        for pair in self._pairs:
            self._idle.put(pair)
        self._threads: list[threading.Thread] = []
        self._add_threads(workers)
        self._calls = _Calls(limits)
        self._ended = False

    def _add_threads(self, many: int) -> None:
        for _ in range(many):
            thread = threading.Thread(target=self._work, daemon=True, name="vivavoce-job")
            thread.start()
            self._threads.append(thread)

    def begin(self, job: Job) -> int:
        """Takes a job on; how many may be under way."""
        if len(self._threads) == len(self._pairs) and any(is_language_model(name) for name, _ in job.asks):
            self._add_threads(max(WAITING, self._calls.many))
        self._waiting.put(job)
        return len(self._threads)

    def next(self, stop: threading.Event) -> _Done | None:
        """What is done next; none when there is to be an end and none has come in time."""
        deadline = float("inf")
        while time.monotonic() < deadline:
            try:
                found = self._done.get(timeout=0.1)
            except Empty:
                if stop.is_set() and deadline == float("inf"):
                    deadline = time.monotonic() + GRACE_SECONDS
                continue
            if found.fault is not None:
                raise found.fault
            return found
        return None

    def end(self) -> None:
        """Ends what is under way, and all that belongs to it."""
        self._ended = True
        for _ in self._threads:
            self._waiting.put(None)
        for pair in self._pairs:
            for worker in pair:
                worker.kill()
        self._calls.end()
        for thread in self._threads:
            thread.join()
        for pair in self._pairs:
            for worker in pair:
                worker.close()

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None and not self._ended:
            try:
                self._done.put(_Done(self._do(job)))
            except BaseException as error:  # a fault of ours: the caller must see it, not wait for ever
                self._done.put(_Done(None, fault=error))

    @contextmanager
    def _pair(self) -> Iterator[_Pair]:
        pair = self._idle.get()
        try:
            yield pair
        finally:
            self._idle.put(pair)

    def _do(self, job: Job) -> Outcome:
        paper = job.paper
        answers: list[Answer] = []
        failed: list[ReaderFailure] = []
        seconds: dict[str, float] = {}
        if paper is None:
            try:
                with self._pair() as pair:
                    paper = load_with(pair.files, job.path, job.limits)
            except VivaError as error:
                return Outcome(job, reason=_one_line(error, job))
        for reader, questions in job.asks:
            try:
                if is_language_model(reader):
                    failed += self._call(job, paper, reader, questions)
                    continue
                with self._pair() as pair:
                    began = time.monotonic()
                    answers += pair.answers.call(ANSWER, reader, paper, questions, limits=ANSWERING)
                    seconds[reader] = time.monotonic() - began
            except VivaError as error:  # the other readers are asked all the same
                failed.append(ReaderFailure(reader, questions, _one_line(error, job)))
        return Outcome(job, paper, tuple(answers), failed=tuple(failed), seconds=seconds)

    def _call(
        self, job: Job, paper: Paper, reader: str, questions: tuple[Question, ...]
    ) -> list[ReaderFailure]:
        """Asks a language model. Each answer is handed over as it comes; what went wrong is returned."""
        model = self._calls.model(reader)
        ranked: list[list[int]] = []
        if model.shown != "paper" and not paper.unreadable:
            with self._pair() as pair:
                ranked = pair.answers.call(RANK, paper, questions, limits=ANSWERING)

        def keep(result: "PromptResult") -> None:
            outcome = Outcome(job, paper, result.answers, replies=result.replies, part=True)
            self._done.put(_Done(outcome, last=False))

        failed = self._calls.wait(model.ask(paper, questions, ranked, keep))
        if failed is None:
            return [ReaderFailure(reader, questions, "it was stopped")]
        return [ReaderFailure(reader, some, reason) for some, reason in failed]


class _Calls:
    """An event loop in a thread of its own, and the models that are called on it; begun when it is needed."""

    def __init__(self, limits: "RunLimits | None") -> None:
        self._limits = limits
        self._limiters: dict[str, Limiter] = {}
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._models: dict[str, LLM] = {}
        self._ended = False

    @property
    def many(self) -> int:
        """Calls that may be under way to one provider."""
        return self._limits.models.calls if self._limits else 0

    def model(self, name: str) -> "LLM":
        from vivavoce.readers.llm.limits import RunLimits
        from vivavoce.readers.llm.reader import LLM
        from vivavoce.readers.llm.retrying import Limiter

        with self._lock:
            if name not in self._models:
                limits = self._limits or RunLimits()
                limiter = self._limiters.setdefault(provider(name), Limiter(limits.models.calls))
                self._models[name] = LLM(name, limits, limiter=limiter)
            return self._models[name]

    def wait(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Runs it on the loop, and waits for its end; none when it was ended before."""
        with self._lock:
            if self._ended:
                work.close()
                return None
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, daemon=True, name="vivavoce-calls"
                )
                self._thread.start()
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError:
            return None

    def end(self) -> None:
        with self._lock:
            self._ended = True
            loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return

        async def cancel() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        with suppress(TimeoutError):  # whoever won't be cancelled ends with the process
            asyncio.run_coroutine_threadsafe(cancel(), loop).result(timeout=2)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=5)


def _one_line(error: VivaError, job: Job) -> str:
    """Why, without the file's name, which stands beside it anyway."""
    said = " ".join(str(error).split())
    return said.removeprefix(f"{job.path}: ").removeprefix(f"{os.path.abspath(job.path)}: ")
