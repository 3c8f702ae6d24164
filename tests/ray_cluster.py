"""A real Ray cluster for tests: two nodes on this machine, each at a loopback address of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.timing import wait_until

HEAD, SECOND = "127.0.0.2", "127.0.0.3"
"""Not 127.0.0.1, which Ray takes for "some address of this machine", and listens where others can call it."""


class Cluster:
    def __init__(self, address: str, nodes: "list[subprocess.Popen[bytes]]") -> None:
        self.address = address
        self._nodes = nodes

    def processes(self, name: str) -> list[int]:
        """The cluster's processes that have this in their command line."""
        found = []
        for pid in _descendants([node.pid for node in self._nodes]):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            if name.encode() in command:
                found.append(pid)
        return found


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Two nodes with a core each, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="viva-ray-"))  # a socket's path is short
    port = _free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",  # else its processes yield to everything else that runs here
        "RAY_raylet_start_wait_time_s": "200",  # on a busy machine
    }
    ray = [sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start", "--block"]
    small = ["--num-cpus=1", "--object-store-memory=100000000", "--include-log-monitor=false"]
    common = [*small, "--disable-usage-stats"]
    head = [
        "--head",
        f"--node-ip-address={HEAD}",
        f"--port={port}",
        "--include-dashboard=false",
        "--no-monitor",
    ]
    second = [f"--address={HEAD}:{port}", f"--node-ip-address={SECOND}"]
    nodes: list[subprocess.Popen[bytes]] = []
    log = (folder / "log").open("wb")

    def start(*options: str) -> None:
        command = [*ray, *common, *options]
        nodes.append(
            subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, cwd=folder, start_new_session=True
            )
        )

    try:
        start(*head, f"--temp-dir={folder}")
        wait_until(lambda: _listens(port))
        start(*second)
        wait_until(lambda: _alive(f"{HEAD}:{port}") >= 1)
        wait_until(lambda: _alive(f"{HEAD}:{port}") == 2)
        yield Cluster(f"{HEAD}:{port}", nodes)
    finally:
        everything = _descendants([node.pid for node in nodes])
        for pid in everything:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for node in nodes:
            node.wait()
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex((HEAD, port)) == 0


def _alive(address: str) -> int:
    """How many nodes the cluster has; 0 while nobody is there."""
    import ray._raylet

    client: Any = ray._raylet.GcsClient  # type: ignore[attr-defined]
    try:
        nodes = client(address=address).get_all_node_info(timeout=5)
    except Exception:  # whatever Ray raises while it is about to be there
        return 0
    return sum(node.state == 0 for node in nodes.values())


def _descendants(pids: list[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, left = [], list(pids)
    while left:
        found.append(left.pop())
        left += children.get(found[-1], [])
    return found


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HEAD, 0))
        return int(free.getsockname()[1])
