"""What papers cost on several engines and databases, and how that grows.

    python benchmarks/scale.py reask [PAPERS...]          further questions from states that were kept
    python benchmarks/scale.py engines [--papers 50]      the local engine and Ray, one after the other
    python benchmarks/scale.py share --store URL          one run, and two at once, on PostgreSQL
    python benchmarks/scale.py growth [--papers 1000]     cost per paper and the driver's memory, on Ray

Cost is processor time: of this process, and of all that it began (for Ray, of the whole cluster, which is
started here). On a machine that does other things, too, that is what can be compared; seconds on the clock
are shown beside it. What happens before the first paper is done (starting processes, loading the network) is
left out, and shown by itself.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.studies import EXAMPLES, copies, memory
from vivavoce.questions import text_of
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.store import states_name
from vivavoce.study.engines import Engine, find_engine
from vivavoce.study.progress import Progress, same_answer
from vivavoce.study.study import Study

TICK = os.sysconf("SC_CLK_TCK")
NEW = [
    "How many pictures were used for training?",
    "Which loss function was used?",
    "Who paid for the study?",
]


def processor_time(roots: list[int]) -> float:
    """Seconds that these processes and all below them have used, including those that have ended."""
    parents: dict[int, list[tuple[int, float]]] = {}
    own: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                values = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            own[int(entry.name)] = sum(map(int, values[11:15])) / TICK
            parents.setdefault(int(values[1]), []).append((int(entry.name), own[int(entry.name)]))
    total, left, seen = 0.0, list(roots), set[int]()
    while left:
        pid = left.pop()
        if pid not in seen:
            seen.add(pid)
            total += own.get(pid, 0.0)
            left += [child for child, _ in parents.get(pid, [])]
    return total


@dataclass
class Meter:
    """Counts what is used from the first paper that is done to the last."""

    roots: list[int] = field(default_factory=lambda: [os.getpid()])
    every: int = 0
    """Print a line every so many papers."""
    steps: list[tuple[float, float]] = field(default_factory=list)
    """Processor time and seconds on the clock when each paper was done."""
    began: tuple[float, float] = (0.0, 0.0)

    def __call__(self, step: Progress) -> None:
        now = (processor_time(self.roots), time.monotonic())
        if step.event == "begun":
            self.began = now
        elif step.event == "done" and step.cells:
            self.steps.append(now)
            if self.every and len(self.steps) % self.every == 0:
                before = self.steps[-self.every]
                print(
                    f"{len(self.steps):>8} {(now[0] - before[0]) / (self.every - 1):>14.3f} "
                    f"{(now[1] - before[1]) / (self.every - 1):>12.3f} {memory(os.getpid()):>12.0f}",
                    flush=True,
                )

    def row(self, name: str) -> str:
        (first, at), (last, end) = self.steps[0], self.steps[-1]
        papers = len(self.steps) - 1
        start = first - self.began[0]
        return (
            f"{name:<28} {papers + 1:>7} {start:>10.1f} {(last - first) / papers:>14.3f} "
            f"{(end - at) / papers:>12.3f}"
        )

    @property
    def each(self) -> float:
        return (self.steps[-1][0] - self.steps[0][0]) / (len(self.steps) - 1)


HEADS = f"{'':<28} {'papers':>7} {'start s':>10} {'processor s':>14} {'clock s':>12}   (each paper)"


def reask(files: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        asked = folder / "asked.yaml"
        asked.write_text(text_of("dl-methods"), encoding="utf-8")
        study = Study.create(folder / "study", str(asked))
        print(HEADS)
        first = Meter()
        study.run(files, workers=1, progress=first, keep_states=True)
        print(first.row(f"{len(study.questions().questions)} questions, from the files"), flush=True)
        _compare(study)
        more = folder / "more.txt"
        for many in (1, len(NEW)):
            more.write_text("\n".join(f"{question[:-1]} ({many})?" for question in NEW[:many]))
            study.close()
            study = Study.create(folder / "study", str(more))
            again = Meter()
            study.run(workers=1, progress=again)
            print(
                f"{again.row(f'{many} more, from states')}   {first.each / again.each:.1f} x cheaper",
                flush=True,
            )
        study.close()


def _compare(study: Study) -> None:
    """Answers from states against answers from files."""
    reader = Builtin(1)
    name = states_name(reader.name, reader.version)
    questions = study.questions().questions
    cells = same = statuses = kept = sentences = 0
    for info in study.results().papers:
        states = study.store.states(info.id, name)
        if states is None:
            continue
        paper = study.paper(info.id)
        kept, sentences = kept + len(states), sentences + len(paper.sentences)
        was = {a.question.id: a for a in study.store.answers(info.id).values()}
        for answer in reader.read_from(paper, questions, states)[0]:
            cells += 1
            before = was[answer.question.id]
            statuses += before.status == answer.status
            same += same_answer(before, answer)
    papers = len(study.results().papers)
    print(
        f"{cells} answers from states: {statuses} with the same status, {same} with the same words and quotes"
    )
    print(f"{kept / papers / 1e6:.2f} MB of states for each paper of {sentences / papers:.0f} sentences")


@contextmanager
def _cluster(cores: int) -> Iterator[tuple[str, list[int]]]:
    """A Ray cluster of this machine: its address, and the process that holds it."""
    with tempfile.TemporaryDirectory(prefix="viva-ray-", ignore_cleanup_errors=True) as place:
        port = 6390
        command = [sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start", "--head"]
        options = ["--block", f"--port={port}", "--node-ip-address=127.0.0.2", f"--num-cpus={cores}"]
        quiet = ["--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={place}"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        environment |= {"RAY_worker_niceness": "0"}  # as nice as the local engine's processes
        head = subprocess.Popen([*command, *options, *quiet], env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait_for(f"127.0.0.2:{port}")
            yield f"127.0.0.2:{port}", [head.pid]
        finally:
            head.terminate()
            head.wait()


def _wait_for(address: str) -> None:
    import socket

    import ray

    host, _, port = address.partition(":")
    for _ in range(100):
        with socket.socket() as trying:
            if trying.connect_ex((host, int(port))) != 0:
                time.sleep(3)
                continue
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except ConnectionError:
            time.sleep(3)
            continue
        ray.shutdown()
        return
    raise SystemExit("Ray did not start")


def _run(papers: Path, place: Path, engine: Engine, meter: Meter) -> bytes:
    from vivavoce.export import write

    study = Study.create(place)
    study.run([papers], on=engine, progress=meter)
    write(study.results(), place / "answers.csv")
    study.close()
    return (place / "answers.csv").read_bytes()


def engines(many: int, cores: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place, _cluster(cores) as (address, head):
        folder = Path(place)
        (folder / "papers").mkdir()
        copies(folder / "papers", many)
        print(HEADS)
        made: dict[str, bytes] = {}
        each: dict[str, list[float]] = {"local": [], "ray": []}
        for n in range(rounds):  # in turns, for the machine may be slower now than then
            for name, engine in (
                ("local", find_engine("local", cores)),
                ("ray", find_engine("ray", cores, address)),
            ):
                meter = Meter([os.getpid(), *(head if name == "ray" else [])])
                made[name] = _run(folder / "papers", folder / f"{name}-{n}", engine, meter)
                each[name].append(meter.each)
                print(meter.row(name), flush=True)
        print("the same bytes" if made["local"] == made["ray"] else "OTHER BYTES")
        overhead = min(each["ray"]) / min(each["local"]) - 1
        print(f"Ray's overhead: {overhead:+.1%} of processor time")


def growth(many: int, cores: int) -> None:
    with tempfile.TemporaryDirectory() as place, _cluster(cores) as (address, head):
        folder = Path(place)
        (folder / "papers").mkdir()
        copies(folder / "papers", many)
        print(f"{'papers':>8} {'processor s':>14} {'clock s':>12} {'driver MB':>12}   (each paper)")
        meter = Meter([os.getpid(), *head], every=max(2, many // 10))
        _run(folder / "papers", folder / "study", find_engine("ray", cores, address), meter)


def share(many: int, cores: int, url: str) -> None:
    """One run, and then two at once with half of the workers each, on a study of their own."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "papers").mkdir()
        copies(folder / "papers", many)
        viva = [sys.executable, "-c", "from vivavoce.cli import main; main()", "run", str(folder / "papers")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        print(f"{'':<12} {'processor s':>14} {'clock s':>10} {'answers':>9}")
        for runs in (1, 2):
            store = f"{url}{'&' if '?' in url else '?'}schema=share_{os.getpid()}_{runs}"
            Study.create(folder / f"study-{runs}", store=store).close()
            used, began = os.times(), time.monotonic()
            begun = [
                subprocess.Popen(
                    [
                        *viva,
                        "--study",
                        str(folder / f"study-{runs}"),
                        "--workers",
                        str(max(1, cores // runs)),
                    ],
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                for _ in range(runs)
            ]
            codes = [run.wait() for run in begun]
            now = os.times()
            spent = now.children_user + now.children_system - used.children_user - used.children_system
            study = Study.open(folder / f"study-{runs}")
            took = time.monotonic() - began
            print(f"{f'{runs} run(s)':<12} {spent:>14.1f} {took:>10.1f} {len(study.answers()):>9}")
            print(f"exit codes {codes}; problems: {list(study.store.problems())}")
            study.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["reask", "engines", "share", "growth"])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--papers", type=int, default=50)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--store", default="")
    given = parser.parse_args()
    todo: dict[str, Callable[[], None]] = {
        "reask": lambda: reask(given.files or sorted(EXAMPLES.iterdir())),
        "engines": lambda: engines(given.papers, given.cores, given.rounds),
        "growth": lambda: growth(given.papers, given.cores),
        "share": lambda: share(given.papers, given.cores, given.store),
    }
    todo[given.what]()


if __name__ == "__main__":
    main()
