"""Many files -> papers, a few worker processes at a time."""

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from vivavoce.errors import PaperError
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load_with
from vivavoce.processes.isolation import Worker
from vivavoce.records import Paper

if TYPE_CHECKING:
    from concurrent.futures import Future

Outcome = tuple[Path, Paper | PaperError]


def load_all(
    paths: Iterable[str | Path], workers: int = 2, *, limits: Limits = Limits()
) -> Iterator[Outcome]:
    """Read the files, and give each with its paper or with the reason why there is none, in order.

    At most two papers per worker are held at a time, however many files there are: reading waits for
    the caller. Stop early by closing the iterator; the workers end with it."""
    from concurrent.futures import ThreadPoolExecutor  # here, since importing it takes its time

    pool = [Worker() for _ in range(max(1, workers))]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in pool:
        idle.put(worker)

    def read(path: Path) -> Outcome:
        worker = idle.get()
        try:
            return path, load_with(worker, path, limits)
        except PaperError as error:
            return path, error
        finally:
            idle.put(worker)

    pending: deque[Future[Outcome]] = deque()
    threads = ThreadPoolExecutor(len(pool), thread_name_prefix="vivavoce")
    try:
        for path in paths:
            pending.append(threads.submit(read, Path(path)))
            if len(pending) >= 2 * len(pool):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
        for worker in pool:
            worker.kill()  # ends a call that is under way, and with it the thread that waits for it
        threads.shutdown()
        for worker in pool:
            worker.close()
