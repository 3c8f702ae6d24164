"""The `viva` command for tests: in this process, which is quick, or as a program where the process itself
is what is tested (signals, pipes, encodings, terminals)."""

import io
import os
import subprocess
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from vivavoce.cli import main

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
VIVA = [sys.executable, "-c", "from vivavoce.cli import main; main()"]


@dataclass(frozen=True)
class Done:
    """What `subprocess.run` gives of a program that has ended."""

    returncode: int
    stdout: str
    stderr: str


def viva(*arguments: object, cwd: Path | None = None, encoding: str = "utf-8", **environment: str) -> Done:
    """Runs a command in this process, in a folder and with settings of the environment if they are given."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="") for _ in range(2))
    with ExitStack() as around:
        around.enter_context(redirect_stdout(out))
        around.enter_context(redirect_stderr(err))
        around.enter_context(patch.dict(os.environ, environment))
        if cwd is not None:
            around.enter_context(chdir(cwd))
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            code = leaving.code
    assert isinstance(code, int)
    texts = []
    for stream in (out, err):
        stream.flush()
        buffer = stream.detach()
        assert isinstance(buffer, io.BytesIO)
        texts.append(buffer.getvalue().decode(encoding))
    return Done(code, *texts)


def program(*arguments: object, process_group: int | None = None) -> "subprocess.Popen[str]":
    """Starts a command as a program of its own."""
    return subprocess.Popen(
        [*VIVA, *map(str, arguments)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=process_group,
    )
