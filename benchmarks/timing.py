"""Times tools against each other: each in a process of its own, each file in turn, so that none pays for
another's caches and a noisy machine disturbs all alike."""

import logging
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Tools = Mapping[str, Callable[[str], object]]


class Server:
    """A process that runs one tool of a script (called with `--serve TOOL`) on files when it is told to."""

    def __init__(self, script: str, tool: str) -> None:
        command = [sys.executable, script, "--serve", tool]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, file: Path) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(file, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self) -> float:
        """Ends the process; its peak memory in MB."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        peak = float(self.process.stdout.readline())
        self.process.wait()
        return peak


def serve(tools: Tools, tool: str) -> None:
    """What a server's process does."""
    logging.disable(logging.CRITICAL)  # pypdf complains about fonts at length
    for line in sys.stdin:
        start = time.perf_counter()
        tools[tool](line.strip())
        print(time.perf_counter() - start, flush=True)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, flush=True)


def peak_memory(script: str, tool: str, file: Path) -> float:
    """MB at the peak of a new process that reads one file."""
    server = Server(script, tool)
    server.seconds(file)
    return server.close()


def measure(
    script: str, tools: Iterable[str], files: list[Path], rounds: int
) -> tuple[dict[tuple[str, Path], float], dict[str, float]]:
    """Median seconds of each tool on each file, and each tool's peak memory in MB over all of them."""
    servers = {tool: Server(script, tool) for tool in tools}
    times: dict[tuple[str, Path], list[float]] = {}
    for server in servers.values():
        server.seconds(files[0])  # imports and caches
    for _ in range(rounds):
        for file in files:
            for tool, server in servers.items():
                times.setdefault((tool, file), []).append(server.seconds(file))
    peaks = {tool: server.close() for tool, server in servers.items()}
    return {key: statistics.median(values) for key, values in times.items()}, peaks
