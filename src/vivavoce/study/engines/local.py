"""Jobs in processes of this machine, calls to language models on one event loop beside them.

A paper is worked on by a thread, which does nothing itself: files are read, and the built-in reader answers,
in pairs of processes, a pair for each core. One reads files and finds the boxes of quotes on their pages:
whatever a file does to it, it can be replaced at no cost. The other holds the readers' networks. Within a
pair everything runs on one thread, since several papers at a time scale better than several threads a paper.
When models are called there are more threads than pairs, so that the cores are busy while others wait for
replies.
"""

import os
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from vivavoce.errors import VivaError
from vivavoce.evidence.locating import Boxes, with_boxes
from vivavoce.papers.entries import is_entry
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load_with
from vivavoce.processes.isolation import Worker, allowed_in_replies
from vivavoce.readers import is_language_model
from vivavoce.records import Answer, Closest, Coded, Doubt, Evidence, Paper, Question, Receipt, Terms, Value
from vivavoce.study.engines import Job, Outcome, ReaderFailure

if TYPE_CHECKING:
    from vivavoce.readers.llm.reader import LLM, PromptResult
    from vivavoce.readers.llm.session import ModelSession

T = TypeVar("T")

for _record in (Answer, Closest, Coded, Doubt, Evidence, Question, Receipt, Terms, Value):
    allowed_in_replies(_record)

ANSWER_TASK = "vivavoce.study.engines.worker_tasks:answer"
RANK_TASK = "vivavoce.study.engines.worker_tasks:rank"
ANSWER_LIMITS = Limits(seconds=1800.0, memory_mb=8192)
"""What answering one paper may take. One of ten pages takes about two seconds of one core."""
GRACE_SECONDS = 1.5
"""How long work under way may take to finish once the run is to stop."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
BATCH_SECONDS = 0.25
"""How long a language model's answer waits for others about the same paper, so that the boxes of all their
quotes are asked for together."""
EXTRA_PAPERS = 6
"""How many more papers than pairs may be under way while language models are called."""


class _Pair(NamedTuple):
    files: Worker
    answers: Worker


class _Pairs:
    """The pairs of one run. A thread takes one for a step of its work, and waits while there is none."""

    def __init__(self, many: int) -> None:
        self.all = [_Pair(Worker(), Worker(ONE_THREAD)) for _ in range(many)]
        self._idle = list(self.all)
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, rather: _Pair | None = None) -> Iterator[_Pair]:
        """A pair, `rather` this one if it is idle: it has the file at hand that it read."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle)
            pair = rather if rather is not None and rather in self._idle else self._idle[0]
            self._idle.remove(pair)
        try:
            yield pair
        finally:
            with self._changed:
                self._idle.append(pair)
                self._changed.notify()


class _Done(NamedTuple):
    """What a thread hands over: part of a job, the end of a job, or a bug of ours."""

    outcome: Outcome | None
    last: bool = True
    fault: BaseException | None = None


class LocalEngine:
    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))

    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, session: "ModelSession | None" = None
    ) -> Generator[Outcome]:
        work = _LocalRun(self.workers, session)
        stop = stop or threading.Event()
        under_way = 0
        try:
            for job in jobs:
                if stop.is_set():
                    break
                under_way += 1
                # One job more than threads, so that none waits for the caller.
                room = work.begin(job)
                while under_way > room and (done := work.next(stop)):
                    under_way -= done.last
                    if done.outcome:
                        yield done.outcome
            while under_way and (done := work.next(stop)):
                under_way -= done.last
                if done.outcome:
                    yield done.outcome
        finally:
            work.end()


class _LocalRun:
    """The threads, the processes and the loop of one run."""

    def __init__(self, workers: int, session: "ModelSession | None") -> None:
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        self._done: SimpleQueue[_Done] = SimpleQueue()
        self._pairs = _Pairs(workers)
        self._threads: list[threading.Thread] = []
        self._add_threads(workers)
        self._calls = _ModelCalls(session)
        self._ended = False

    def _add_threads(self, many: int) -> None:
        for _ in range(many):
            thread = threading.Thread(target=self._work, daemon=True, name="vivavoce-job")
            thread.start()
            self._threads.append(thread)

    def begin(self, job: Job) -> int:
        """Begins a job; returns how many may be under way."""
        calls = any(is_language_model(name) for name, _ in job.asks)
        if calls and len(self._threads) == len(self._pairs.all):
            self._add_threads(max(EXTRA_PAPERS, self._calls.many))
        self._waiting.put(job)
        return len(self._threads)

    def next(self, stop: threading.Event) -> _Done | None:
        """The next thing done; none when the run is to stop and nothing was done in time."""
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
        """Ends everything that is under way."""
        self._ended = True
        for _ in self._threads:
            self._waiting.put(None)
        for pair in self._pairs.all:
            for worker in pair:
                worker.kill()
        self._calls.end()
        for thread in self._threads:
            thread.join()
        for pair in self._pairs.all:
            for worker in pair:
                worker.close()

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None and not self._ended:
            try:
                self._done.put(_Done(self._do(job)))
            except BaseException as error:  # a fault of ours: the caller must see it, not wait for ever
                self._done.put(_Done(None, fault=error))

    def _do(self, job: Job) -> Outcome:
        paper, pair = job.paper, None
        answers: list[Answer] = []
        asked: list[tuple[str, tuple[Question, ...]]] = []
        failed: list[ReaderFailure] = []
        seconds: dict[str, float] = {}
        if paper is None:
            try:
                with self._pairs.taken() as pair:
                    paper = load_with(pair.files, job.path, job.limits)
            except VivaError as error:
                return Outcome(job, reason=_one_line(error, job))
        boxed = _Boxed(paper, self._pairs, pair)
        for reader, questions in job.asks:
            try:
                if is_language_model(reader):
                    failed += self._call(job, boxed, reader, questions)
                    continue
                if is_entry(paper) and reader in job.readers:  # no file, no network: nothing to isolate
                    said = job.readers[reader].read(paper, questions)
                    answers += [replace(answer, reader=reader) for answer in said]
                    continue
                with self._pairs.taken() as pair:
                    began = time.monotonic()
                    answers += pair.answers.call(
                        ANSWER_TASK, reader, paper, questions, job.readers.get(reader), limits=ANSWER_LIMITS
                    )
                    seconds[reader] = time.monotonic() - began
                asked.append((reader, questions))
            except VivaError as error:  # the other readers are asked all the same
                failed.append(ReaderFailure(reader, questions, _one_line(error, job)))
        try:
            answers = boxed(answers)
        except VivaError as error:
            answers = []
            failed += [ReaderFailure(reader, questions, _one_line(error, job)) for reader, questions in asked]
        return Outcome(job, paper, tuple(answers), failed=tuple(failed), seconds=seconds)

    def _call(
        self, job: Job, boxed: "_Boxed", reader: str, questions: tuple[Question, ...]
    ) -> list[ReaderFailure]:
        """Asks a language model. Answers are handed over as they come; what went wrong is returned."""
        paper, model = boxed.paper, self._calls.model(reader)
        ranked: list[list[int]] = []
        if model.needs_ranking and not paper.unreadable:
            with self._pairs.taken() as pair:
                ranked = pair.answers.call(RANK_TASK, paper, questions, model.retrieval, limits=ANSWER_LIMITS)
        results: SimpleQueue[PromptResult | None] = SimpleQueue()
        work = self._calls.begin(model.ask(paper, questions, ranked, results.put), lambda: results.put(None))
        failed: list[ReaderFailure] = []
        for batch in _batches(results):
            try:
                answers = iter(boxed([answer for result in batch for answer in result.answers]))
            except VivaError as error:
                lost = tuple(answer.question for result in batch for answer in result.answers)
                failed.append(ReaderFailure(reader, lost, _one_line(error, job)))
                continue
            for result in batch:
                own = tuple(islice(answers, len(result.answers)))
                outcome = Outcome(job, paper, own, replies=result.replies, part=True)
                self._done.put(_Done(outcome, last=False))
        try:
            return failed + [ReaderFailure(reader, some, reason) for some, reason in work.result()]
        except CancelledError:
            return [ReaderFailure(reader, questions, "it was stopped")]


class _Boxed:
    """Adds boxes to answers about one paper, in the process that reads files: each quote's once."""

    def __init__(self, paper: Paper, pairs: "_Pairs", read_by: "_Pair | None") -> None:
        self.paper = paper
        self._pairs = pairs
        self._read_by = read_by
        self._known: Boxes = {}

    def __call__(self, answers: Sequence[Answer]) -> list[Answer]:
        if not any(answer.evidence for answer in answers):
            return list(answers)
        with self._pairs.taken(self._read_by) as pair:
            return with_boxes(self.paper, answers, pair.files, self._known)


def _batches(results: "SimpleQueue[PromptResult | None]") -> Iterator[list["PromptResult"]]:
    """What comes within a moment, together; until there is nothing to come any more."""
    more = True
    while more and (first := results.get()) is not None:
        batch = [first]
        deadline = time.monotonic() + BATCH_SECONDS
        while more and (left := deadline - time.monotonic()) > 0:
            try:
                result = results.get(timeout=left)
            except Empty:
                break
            if result is None:
                more = False
            else:
                batch.append(result)
        yield batch


class _ModelCalls:
    """The language models of one run, and the calls to them that are under way."""

    def __init__(self, session: "ModelSession | None") -> None:
        self._session = session
        self._lock = threading.Lock()
        self._models: dict[str, LLM] = {}
        self._under_way: set[Future[Any]] = set()
        self._ended = False

    @property
    def many(self) -> int:
        """Calls that may be under way to one provider."""
        return self._session.limits.models.calls if self._session else 0

    def model(self, name: str) -> "LLM":
        from vivavoce.readers.llm.reader import LLM
        from vivavoce.readers.llm.session import ModelSession

        with self._lock:
            self._session = self._session or ModelSession()
            if name not in self._models:
                self._models[name] = LLM(name, self._session)
            return self._models[name]

    def begin(self, work: Coroutine[Any, Any, T], when_done: Callable[[], None]) -> "Future[T]":
        """Runs it on the loop for calls. What it comes to is cancelled when everything was ended before it
        was done."""
        from vivavoce.readers.llm import loop

        with self._lock:
            if self._ended:
                work.close()
                future: Future[T] = Future()
                future.cancel()
            else:
                future = loop.submit(work)
                self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        future.add_done_callback(lambda _: when_done())
        return future

    def end(self) -> None:
        with self._lock:
            self._ended = True
            under_way = list(self._under_way)
        for future in under_way:
            future.cancel()


def _one_line(error: VivaError, job: Job) -> str:
    """The reason, without the file's name, which is shown beside it."""
    reason = " ".join(str(error).split())
    return reason.removeprefix(f"{job.path}: ").removeprefix(f"{os.path.abspath(job.path)}: ")
