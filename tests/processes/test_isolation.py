"""The worker process may hang, crash or eat memory; the caller gets one line, and the next call works."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.timing import PATIENCE, wait_until
from vivavoce.errors import PaperError, ProcessError, VivaError
from vivavoce.papers import load_all
from vivavoce.processes import isolation
from vivavoce.processes.isolation import Worker
from vivavoce.processes.limits import ProcessLimits

HERE = Path(__file__).parent
SOON = ProcessLimits(seconds=0.5)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    monkeypatch.syspath_prepend(str(HERE))
    made = Worker()
    yield made
    made.close()


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_one_process_answers_all_calls(worker: Worker) -> None:
    pids = {worker.call("victims:pid") for _ in range(5)}
    assert len(pids) == 1
    assert pids != {os.getpid()}


def test_values_cross(worker: Worker) -> None:
    value = {"a": [1, 2.5, None, "ü\udcff", b"\0" * 500_000], "b": (True,)}
    assert worker.call("victims:echo", value) == value


def test_what_a_library_prints_stays_out_of_the_reply(
    worker: Worker, capfd: pytest.CaptureFixture[str]
) -> None:
    assert worker.call("victims:noise") == "quiet"
    assert worker.call("victims:echo", 1) == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("function", "limits", "says"),
    [
        ("sleep", SOON, "took longer than 0.5 s and was ended"),
        ("spin", SOON, "took longer than 0.5 s and was ended"),
        ("segfault", ProcessLimits(), "crashed (signal SIGSEGV)"),
        ("abort", ProcessLimits(), "crashed (signal SIGABRT)"),
        ("leave", ProcessLimits(), "crashed (exit code 7)"),
        ("hog", ProcessLimits(memory_mb=500), "needs more than 500 MB of memory"),
        ("native_hog", ProcessLimits(memory_mb=700), "needs more than 700 MB of memory"),
        ("terminate", ProcessLimits(), "needs more than 2048 MB of memory"),
        ("import_too_much", ProcessLimits(), "needs more than 2048 MB of memory"),
        ("map_too_much", ProcessLimits(), "needs more than 2048 MB of memory"),
        ("hog", ProcessLimits(memory_mb=1), "needs more than 1 MB of memory"),
    ],
)
def test_one_clear_line_and_the_next_call_works(
    worker: Worker, function: str, limits: ProcessLimits, says: str
) -> None:
    before = worker.call("victims:pid")
    with pytest.raises(ProcessError) as caught:
        worker.call(f"victims:{function}", limits=limits)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)
    assert worker.call("victims:pid") != before
    assert gone(before)


def test_a_worker_that_was_killed_while_idle_is_replaced(worker: Worker) -> None:
    before = worker.call("victims:pid")
    os.kill(before, signal.SIGKILL)
    assert worker.call("victims:pid") != before


def test_a_worker_that_is_killed_at_work_says_so(worker: Worker, tmp_path: Path) -> None:
    note = tmp_path / "pid"

    def kill() -> None:
        wait_until(lambda: note.exists() and note.read_text() != "")
        os.kill(int(note.read_text()), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    with pytest.raises(ProcessError, match="ended from outside"):
        worker.call("victims:sleep", str(note))
    thread.join()
    assert worker.call("victims:echo", 2) == 2


def test_errors_keep_their_type(worker: Worker) -> None:
    with pytest.raises(PaperError, match=r"^is encrypted; save it without a password\.$"):
        worker.call("victims:refuse")
    with pytest.raises(VivaError) as caught:
        worker.call("victims:lack")
    assert type(caught.value) is VivaError


def test_the_unforeseen_is_one_line_with_the_traceback_in_a_note(worker: Worker) -> None:
    before = worker.call("victims:pid")
    with pytest.raises(ProcessError) as caught:
        worker.call("victims:stumble")
    assert str(caught.value) == "failed: KeyError: 'first line\\nsecond line'; please report it."
    assert "in stumble" in caught.value.__notes__[0]
    assert worker.call("victims:pid") == before


def test_threads_take_turns(worker: Worker) -> None:
    seen: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: seen.append(worker.call("victims:echo", n) == n))
        for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 20


def test_a_thread_that_ends_does_not_take_the_worker_with_it(worker: Worker) -> None:
    pids: list[int] = []
    thread = threading.Thread(target=lambda: pids.append(worker.call("victims:pid")))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert worker.call("victims:pid") == pids[0]


def test_an_interrupt_leaves_no_half_read_reply(worker: Worker, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    worker.call("victims:pid")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def press() -> None:
        wait_until(lambda: note.exists() and note.read_text() != "")
        os.kill(os.getpid(), signal.SIGALRM)

    before = signal.signal(signal.SIGALRM, interrupt)
    pressing = threading.Thread(target=press)
    pressing.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.call("victims:sleep", str(note))
    finally:
        pressing.join()
        signal.signal(signal.SIGALRM, before)
    assert worker.call("victims:echo", 3) == 3


def test_a_worker_is_replaced_after_its_share_of_calls(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "MOST_CALLS", 2)
    pids = [worker.call("victims:pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_a_worker_that_has_grown_is_replaced(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "MOST_RESIDENT_MB", 150)
    before = worker.call("victims:pid")
    worker.call("victims:keep", 200_000_000)
    assert worker.call("victims:pid") != before


def test_a_reply_beyond_all_measure_is_refused(worker: Worker) -> None:
    with pytest.raises(ProcessError, match="more than 256 MB"):
        worker.call("victims:large", 260_000_000)
    assert worker.call("victims:echo", 4) == 4


def test_a_reply_cannot_run_code(worker: Worker, tmp_path: Path) -> None:
    target = tmp_path / "owned"
    with pytest.raises(VivaError, match="a reply may not hold"):
        worker.call("victims:trap", str(target))
    assert not target.exists()


def test_the_current_folder_is_not_imported_from(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    assert str(tmp_path) not in worker.call("victims:path")


def test_a_closed_worker_says_so(worker: Worker) -> None:
    before = worker.call("victims:pid")
    worker.close()
    assert gone(before)
    with pytest.raises(VivaError, match="closed"):
        worker.call("victims:pid")


def script(text: str) -> "subprocess.Popen[str]":
    """A program of its own, without a `__main__` guard, as a notebook is."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_default_worker_ends_with_the_program() -> None:
    program = script("""
        from vivavoce.processes import isolation
        print(isolation.default().call("victims:pid"))
    """)
    out, _ = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0
    wait_until(lambda: gone(int(out)))


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_at_work_ends_when_its_parent_is_killed(tmp_path: Path, signal_number: int) -> None:
    note = tmp_path / "pid"
    program = script(f"""
        from vivavoce.processes import isolation
        isolation.default().call("victims:sleep", {str(note)!r})
    """)
    wait_until(lambda: note.exists() and note.read_text() != "")
    program.send_signal(signal_number)
    program.communicate(timeout=PATIENCE)
    wait_until(lambda: gone(int(note.read_text())))


@pytest.mark.slow
def test_a_worker_that_holds_the_lock_ends_after_its_parent_was_killed() -> None:
    program = script("""
        from vivavoce.processes import isolation
        from vivavoce.processes.limits import ProcessLimits
        worker = isolation.default()
        print(worker.call("victims:pid"), flush=True)
        worker.call("victims:spin", limits=ProcessLimits(seconds=1))
    """)
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    time.sleep(0.3)
    program.kill()
    program.wait()
    program.stdout.close()
    wait_until(lambda: gone(pid))


def test_a_forked_child_has_a_worker_of_its_own() -> None:
    program = script("""
        import os
        from vivavoce.processes import isolation
        mine = isolation.default().call("victims:pid")
        child = os.fork()
        if child == 0:
            assert isolation.default().call("victims:pid") != mine
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert isolation.default().call("victims:pid") == mine
        print("fine")
    """)
    out, _ = program.communicate(timeout=PATIENCE)
    assert out == "fine\n"


def test_load_all_keeps_order_and_goes_on_after_a_failure(tmp_path: Path) -> None:
    names = [f"{number:02}.txt" for number in range(12)]
    for name in names:
        (tmp_path / name).write_bytes(b"" if name == "05.txt" else f"Paper {name} is here.".encode())
    outcomes = list(load_all([tmp_path / name for name in names], workers=3))
    assert [path.name for path, _ in outcomes] == names
    for path, outcome in outcomes:
        if path.name == "05.txt":
            assert isinstance(outcome, PaperError)
            assert str(outcome) == f"{path}: is empty (0 bytes); download it again."
        else:
            assert not isinstance(outcome, PaperError)
            assert f"Paper {path.name} is here." in outcome.text


def test_load_all_reads_no_further_ahead_than_it_must(tmp_path: Path) -> None:
    taken: list[Path] = []

    def paths() -> Iterator[Path]:
        for number in range(1000):
            path = tmp_path / f"{number}.txt"
            path.write_text("One sentence.")
            taken.append(path)
            yield path

    before = set(threading.enumerate())
    outcomes = load_all(paths(), workers=2)
    next(outcomes)
    assert len(taken) <= 4
    outcomes.close()  # type: ignore[attr-defined]
    assert set(threading.enumerate()) <= before
