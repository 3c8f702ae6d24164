"""Jobs in processes of this machine, calls to language models on one event loop beside them.

A paper is worked on by a thread, which does nothing itself: files are read, and the built-in reader answers,
in pairs of processes (`computing`), a pair for each core. When models are called there are more threads than
pairs, so that the cores are busy while others wait for replies. Where the pairs are is all that another
engine changes (`on_ray`): `run_jobs` is the same.
"""

import os
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from vivavoce.errors import VivaError
from vivavoce.evidence.locating import Boxes, with_boxes
from vivavoce.processes.isolation import Worker
from vivavoce.readers import is_language_model
from vivavoce.records import Answer, Paper, Question
from vivavoce.study.engines import Job, Outcome, ReaderFailure
from vivavoce.study.engines.computing import ANSWER_LIMITS, ONE_THREAD, Pair, one_line

if TYPE_CHECKING:
    from vivavoce.readers.llm.reader import LLM, PromptResult
    from vivavoce.readers.llm.session import ModelSession

T = TypeVar("T")

RANK_TASK = "vivavoce.study.engines.worker_tasks:rank"
LOSSES = 5
"""How often a pair may be lost with a paper before the paper is given up: it may be what ends them."""
GRACE_SECONDS = 1.5
"""How long work under way may take to finish once the run is to stop."""
BATCH_SECONDS = 0.25
"""How long a language model's answer waits for others about the same paper, so that the boxes of all their
quotes are asked for together."""
EXTRA_PAPERS = 6
"""How many more papers than pairs may be under way while language models are called."""


class PairLost(VivaError):
    """The machine that a pair was on, or the pair itself, is gone. The work can be done by another."""


class Pairs:
    """The pairs of one run. A thread takes one for a step of its work, and waits while there is none."""

    def __init__(self, many: int) -> None:
        self.many = many
        self.fault: VivaError | None = None
        """Why no pair can be had at all: then the run ends."""
        self._idle: list[Pair] = []
        self._changed = threading.Condition()
        self._ended = False

    @contextmanager
    def taken(self, rather: Pair | None = None) -> Iterator[Pair]:
        """A pair, `rather` this one if it is idle: it has the file at hand that it read."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or self._ended or self.fault)
            if self._ended:
                raise VivaError("it was stopped")
            if self.fault is not None:
                raise self.fault
            pair = rather if rather is not None and rather in self._idle else self._idle[0]
            self._idle.remove(pair)
        try:
            yield pair
        except PairLost:
            self._replace(pair)
            raise
        except BaseException:
            self._put(pair)
            raise
        else:
            self._put(pair)

    def _put(self, pair: Pair) -> None:
        with self._changed:
            self._idle.append(pair)
            self._changed.notify()

    def _replace(self, pair: Pair) -> None:
        """The pair is lost: one in its place will be idle when it is there."""

    def kill(self) -> None:
        """Ends what is under way; nobody can take a pair any more."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """Lets go of them, when nobody has one any more."""


class LocalPairs(Pairs):
    """On this machine."""

    def __init__(self, many: int) -> None:
        super().__init__(many)
        self._all = [Pair(Worker(), Worker(ONE_THREAD)) for _ in range(many)]
        self._idle = list(self._all)

    def kill(self) -> None:
        super().kill()
        for pair in self._all:
            pair.files.kill()
            pair.answers.kill()

    def close(self) -> None:
        for pair in self._all:
            pair.files.close()
            pair.answers.close()


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
        return run_jobs(LocalPairs(self.workers), jobs, stop, session)


def run_jobs(
    pairs: Pairs,
    jobs: Iterable[Job],
    stop: threading.Event | None = None,
    session: "ModelSession | None" = None,
) -> Generator[Outcome]:
    """Runs the jobs in these pairs, as `Engine.run` says."""
    work = _Run(pairs, session)
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


class _Run:
    """The threads, the pairs and the loop of one run."""

    def __init__(self, pairs: Pairs, session: "ModelSession | None") -> None:
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        self._done: SimpleQueue[_Done] = SimpleQueue()
        self._pairs = pairs
        self._threads: list[threading.Thread] = []
        self._add_threads(pairs.many)
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
        if calls and len(self._threads) == self._pairs.many:
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
        self._pairs.kill()
        self._calls.end()
        for thread in self._threads:
            thread.join()
        self._pairs.close()

    def _work(self) -> None:
        while (job := self._waiting.get()) is not None and not self._ended:
            try:
                self._done.put(_Done(self._do(job)))
            except BaseException as error:  # a fault of ours: the caller must see it, not wait for ever
                self._done.put(_Done(None, fault=error))

    def _do(self, job: Job) -> Outcome:
        models = tuple(ask for ask in job.asks if is_language_model(ask[0]))
        others = tuple(ask for ask in job.asks if ask not in models)
        outcome, pair = Outcome(job, job.paper), None
        if others or job.paper is None:
            try:
                outcome, pair = self._with_pair(lambda pair: pair.compute(replace(job, asks=others)))
            except VivaError as error:
                if error is self._pairs.fault:
                    raise
                return Outcome(job, reason=one_line(error, job))
        failed = list(outcome.failed)
        if outcome.paper is not None:
            boxed = _Boxed(outcome.paper, self._with_pair, pair)
            for reader, questions in models:
                try:
                    failed += self._call(job, boxed, reader, questions)
                except VivaError as error:  # the other readers are asked all the same
                    failed.append(ReaderFailure(reader, questions, one_line(error, job)))
        return replace(outcome, job=job, failed=tuple(failed))

    def _with_pair(self, work: Callable[[Pair], T], rather: Pair | None = None) -> tuple[T, Pair]:
        """What some pair makes of the work, and which. When it is lost meanwhile, another does it again."""
        for _ in range(LOSSES):
            with suppress(PairLost), self._pairs.taken(rather) as pair:
                return work(pair), pair
        raise VivaError(f"the process that worked on it was lost {LOSSES} times; try it alone.")

    def _call(
        self, job: Job, boxed: "_Boxed", reader: str, questions: tuple[Question, ...]
    ) -> list[ReaderFailure]:
        """Asks a language model. Answers are handed over as they come; what went wrong is returned."""
        paper, model = boxed.paper, self._calls.model(reader)
        ranked: list[list[int]] = []
        if model.needs_ranking and not paper.unreadable:
            ranked, _ = self._with_pair(
                lambda pair: pair.answers.call(
                    RANK_TASK, paper, questions, model.retrieval, limits=ANSWER_LIMITS
                )
            )
        results: SimpleQueue[PromptResult | None] = SimpleQueue()
        work = self._calls.begin(model.ask(paper, questions, ranked, results.put), lambda: results.put(None))
        failed: list[ReaderFailure] = []
        for batch in _batches(results):
            try:
                answers = iter(boxed([answer for result in batch for answer in result.answers]))
            except VivaError as error:
                lost = tuple(answer.question for result in batch for answer in result.answers)
                failed.append(ReaderFailure(reader, lost, one_line(error, job)))
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

    def __init__(
        self, paper: Paper, with_pair: Callable[..., tuple[Any, Pair]], read_by: Pair | None
    ) -> None:
        self.paper = paper
        self._with_pair = with_pair
        self._read_by = read_by
        self._known: Boxes = {}

    def __call__(self, answers: Sequence[Answer]) -> list[Answer]:
        if not any(answer.evidence for answer in answers):
            return list(answers)
        boxed, _ = self._with_pair(
            lambda pair: with_boxes(self.paper, answers, pair.files, self._known), self._read_by
        )
        return list(boxed)


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
