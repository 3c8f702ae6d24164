"""Jobs on a Ray cluster: a pair of processes on each of its cores, all else as on this machine.

Files are read where the pairs are, by path on a shared file system or by URL, and only what was read and
answered comes back. Jobs are sent one at a time to each pair and outcomes are taken as they come, so this
process holds about as many papers as there are pairs, however many there are to do. Language models are
called from here: the limits of calls, tokens and money hold for the whole cluster, and keys stay here.

An actor that is lost is replaced, and its paper is done again by another. It is not given a job before it has
said that it's there: on a full cluster, or one that grows, jobs don't wait for machines that never come.
"""

import os
import sys
import threading
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from vivavoce.errors import InputError, MissingExtra, VivaError
from vivavoce.processes.isolation import Worker
from vivavoce.processes.limits import ProcessLimits
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.engines.computing import Pair
from vivavoce.study.engines.local import LOSSES, PairLost, Pairs, run_jobs
from vivavoce.study.engines.ray_worker import PaperWorker, versions

if TYPE_CHECKING:
    from vivavoce.readers.llm.session import ModelSession

LOOPBACK = "127.0.0.2"
"""Ray takes 127.0.0.1 for "some address of this machine", and listens where others can call it."""
PATIENCE_SECONDS = 30.0
"""How long no machine may answer before we say that we wait."""


class RayEngine:
    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self.workers = workers
        self.address = address

    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, session: "ModelSession | None" = None
    ) -> Generator[Outcome]:
        ray = _imported()
        ours = not ray.is_initialized()
        if ours:
            _connect(ray, self.address)
        try:
            many = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
            yield from run_jobs(RayPairs(ray, many), jobs, stop, session)
        finally:
            if ours:
                ray.shutdown()


def _imported() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    os.environ.setdefault("RAY_worker_niceness", "0")  # of a cluster that is started here: 15 by default
    try:
        import ray
    except ImportError:
        raise MissingExtra("the Ray engine needs an extra: pip install 'vivavoce[ray]'.") from None
    # Whatever happens to its processes Ray prints to stdout, where results go; there is no setting for it.
    if hasattr(ray._private.worker, "print_to_stdstream"):
        ray._private.worker.print_to_stdstream = lambda *_, **__: None
    return ray


def _connect(ray: Any, address: str | None) -> None:
    """To the cluster at this address; else to the one that `RAY_ADDRESS` names or that runs on this machine;
    else to one of this machine alone, which ends with the run."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    wanted = address or os.environ.get("RAY_ADDRESS")
    try:
        ray.init(address=wanted or "auto", **quiet)
    except (ConnectionError, TimeoutError, ValueError, RuntimeError) as error:
        if wanted:
            said = str(error).strip().splitlines()[0]
            raise InputError(
                f"--ray-address {wanted}: there is no Ray cluster there ({said}); start one with `ray start`."
            ) from None
        ray.init(address="local", include_dashboard=False, _node_ip_address=LOOPBACK, **quiet)


class RayPairs(Pairs):
    """A pair in each of so many actors."""

    def __init__(self, ray: Any, many: int) -> None:
        super().__init__(many)
        self._ray = ray
        self._actor = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(PaperWorker)
        self._versions = versions()
        self._actors: dict[Any, Any] = {}
        """The actors that were asked for and have not answered yet, by what they will answer with."""
        self._living: list[Any] = []
        self._lost = 0
        for _ in range(many):
            self._add()
        self._greeter = threading.Thread(target=self._greet, daemon=True, name="vivavoce-ray")
        self._greeter.start()

    def _add(self) -> None:
        actor = self._actor.remote()
        with self._changed:
            self._living.append(actor)
            self._actors[actor.versions.remote()] = actor

    def _greet(self) -> None:
        """Makes actors idle when they say that they are there."""
        waited, there = 0.0, 0
        while not self._ended:
            with self._changed:
                waiting = list(self._actors)
            ready, _ = self._ray.wait(waiting, timeout=0.2) if waiting else ([], [])
            for one in ready:
                there += self._greeted(one)
            if not waiting:
                threading.Event().wait(0.2)
            waited += 0.2 if waiting and not there else 0.0
            if waited >= PATIENCE_SECONDS:
                print("viva: waiting for a free core on the Ray cluster.", file=sys.stderr, flush=True)
                waited = -float("inf")

    def _greeted(self, ready: Any) -> bool:
        with self._changed:
            actor = self._actors.pop(ready)
        try:
            theirs = self._ray.get(ready)
        except self._ray.exceptions.RayError as error:
            with self._changed:
                if self._ended:
                    return False
                self._living.remove(actor)
            self._lost += 1
            if self._lost > LOSSES * self.many:
                said = str(error).strip().splitlines()[-1]
                self._give_up(f"no process could be started on the Ray cluster ({said}).")
            else:
                self._add()
            return False
        if tuple(theirs) != self._versions:
            self._give_up(
                f"the Ray cluster has vivavoce {theirs[0]} (reader {theirs[1]}), and here is "
                f"{self._versions[0]} (reader {self._versions[1]}); install the same version on all machines."
            )
            return False
        self._lost = 0
        self._put(_RemotePair(self._ray, actor))
        return True

    def _give_up(self, why: str) -> None:
        with self._changed:
            self.fault = self.fault or VivaError(why)
            self._changed.notify_all()

    def _replace(self, pair: Pair) -> None:
        assert isinstance(pair, _RemotePair)
        with self._changed:
            if pair.actor in self._living:
                self._living.remove(pair.actor)
        self._ray.kill(pair.actor)  # if it can't be reached, it is not to come back
        if not self._ended:
            self._add()

    def kill(self) -> None:
        super().kill()
        with self._changed:
            actors, self._living = self._living, []
        for actor in actors:
            self._ray.kill(actor)

    def close(self) -> None:
        self._greeter.join()


class _RemotePair(Pair):
    """The pair of an actor."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray, self.actor = ray, actor
        super().__init__(_RemoteWorker(self, "files"), _RemoteWorker(self, "answers"))

    def compute(self, job: Job) -> Outcome:
        outcome: Outcome = self.ask("compute", job)
        return replace(outcome, job=job)

    def ask(self, method: str, *args: object) -> Any:
        """What a method of the actor gives. An error of ours comes as it was raised there."""
        try:
            return self._ray.get(getattr(self.actor, method).remote(*args))
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, VivaError):
                raise error.cause from None
            raise
        except self._ray.exceptions.RayError as error:
            raise PairLost(str(error)) from None


class _RemoteWorker(Worker):
    """One process of a pair, elsewhere."""

    def __init__(self, pair: _RemotePair, which: str) -> None:
        super().__init__()
        self._pair, self._which = pair, which

    def call(self, function: str, *args: object, limits: ProcessLimits = ProcessLimits()) -> Any:
        return self._pair.ask("call", self._which, function, args, limits)
