"""`viva review` from the command line: what it prints, where it listens, and what it refuses."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs vivavoce[web]")

from tests.commands import ENVIRONMENT, program, viva
from tests.timing import PATIENCE
from vivavoce.study.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Path:
    Study.create(tmp_path / "study").close()
    return tmp_path / "study"


def refused(*arguments: object) -> str:
    """The one line that a wrong call gets."""
    done = viva("review", "--no-open", *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def listening(port: int) -> set[str]:
    """The addresses on which somebody listens at the port, as the system writes them."""
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            address, state = line.split()[1], line.split()[3]
            if state == "0A" and int(address.split(":")[1], 16) == port:
                found.add(address.split(":")[0])
    return found


@pytest.mark.slow
def test_it_prints_one_address_listens_on_this_machine_alone_and_ends_quietly(study: Path) -> None:
    process = program("review", study, "--port", "0", "--no-open", "--reviewer", "ada")
    try:
        assert process.stdout is not None
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/open\?token=[\w-]{43}\n", process.stdout.readline())
        assert found
        assert listening(int(found[1])) == {"0100007F"}
    finally:
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
    assert out == ""
    assert "0 await ada" in errors
    assert "Traceback" not in errors
    assert process.returncode == 0


def test_others_need_a_password(study: Path, tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "lab.example"):
        assert "--password-file" in refused(study, "--host", host)
    short = tmp_path / "short"
    short.write_text("1234567\n")
    assert "fewer than 8" in refused(study, "--host", "0.0.0.0", "--password-file", short)
    assert "can't be read" in refused(study, "--host", "0.0.0.0", "--password-file", tmp_path / "none")


def test_a_port_that_is_taken(study: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = refused(study, "--port", other.getsockname()[1])
    assert "is taken" in said
    assert "--port" in said


def test_wrong_calls(study: Path, tmp_path: Path) -> None:
    assert "there is no study here" in refused(tmp_path / "nowhere")
    file = tmp_path / "file"
    file.write_text("")
    assert "is a file" in refused(file)
    assert "--adjudicate" in refused(study, "--blind", "--adjudicate")
    assert "--reviewer" in refused(study, "--reviewer", " ")
    assert "--port" in refused(study, "--port", "many")
    assert "check --host" in refused(study, "--port", "99999")


def test_a_missing_extra_is_one_line(study: Path) -> None:
    """In a fresh process: in this one, the page has been imported."""
    code = "import sys; sys.modules['fastapi'] = None; from vivavoce.cli import main; main()"
    command = [sys.executable, "-c", code, "review", "--no-open", str(study)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'vivavoce[web]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_page_can_t_reach_a_reader() -> None:
    """Not even by way of what it imports."""
    code = (
        "import sys, vivavoce.web.serving; "
        "rooms = tuple(f'vivavoce.readers.{room}' for room in ('builtin', 'llm', 'table')); "
        "heavy = (*rooms, 'vivavoce.study.engines', 'onnx'); "
        "print([m for m in sys.modules if m.startswith(heavy)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
