"""A real PostgreSQL server for tests: Debian's, on loopback, with a temporary folder for its data.

It refuses to run as root; then it runs as the user that Debian's package makes for it.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.timing import wait_until

SERVER_USER = "postgres"
FreshURL = Callable[[], str]
"""Gives the URL of a database that holds no study yet."""


def programs() -> Path | None:
    """Where the server's programs are, of the newest version; none when it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


@contextmanager
def server(bin: Path) -> Iterator[FreshURL]:
    """A server, until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="viva-postgres-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, SERVER_USER)
        as_user = ["setpriv", f"--reuid={SERVER_USER}", f"--regid={SERVER_USER}", "--init-groups"]
    data = folder / "data"
    # English order of letters: whoever relies on the order of their codes must say so.
    order = ["--locale=C", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"]
    made = subprocess.run(
        [*as_user, bin / "initdb", "-D", data, "-U", "viva", "-A", "trust", "--no-sync", *order],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert made.returncode == 0, made.stderr
    port = _free_port()
    settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "port": port}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    log = (folder / "log").open("wb")
    running = subprocess.Popen(
        [*as_user, bin / "postgres", "-D", data, *options], stdout=log, stderr=subprocess.STDOUT, cwd="/"
    )
    try:
        wait_until(lambda: _answers(port) or running.poll() is not None)
        assert running.poll() is None, (folder / "log").read_text(errors="replace")
        numbers = count(1)
        yield lambda: f"postgresql://viva@127.0.0.1:{port}/postgres?schema=study_{next(numbers)}"
    finally:
        running.send_signal(signal.SIGINT)  # without waiting for anybody's connection
        running.wait()
        log.close()
        shutil.rmtree(folder)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    import psycopg

    try:
        psycopg.connect(f"postgresql://viva@127.0.0.1:{port}/postgres").close()
    except psycopg.OperationalError:
        return False
    return True
