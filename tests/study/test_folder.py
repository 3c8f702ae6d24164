"""`study.toml`, and the lock that keeps two runs apart."""

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.timing import PATIENCE
from vivavoce.errors import VivaError
from vivavoce.study.folder import Definition, locked, read_definition, write_definition, write_text

HOLD = """
import sys
from pathlib import Path
from vivavoce.study.folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize("readers", [("builtin",), ("builtin", 'a "quoted" \\ näme', "http://x:1/v1#m")])
def test_a_definition_comes_back(tmp_path: Path, readers: tuple[str, ...]) -> None:
    write_definition(tmp_path, Definition(readers))
    assert read_definition(tmp_path) == Definition(readers)
    assert [file.name for file in tmp_path.iterdir()] == ["study.toml"]


def test_people_may_edit_it(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        "# mine\nmore = 1\nreaders = [\n 'b', 'a',\n 'b']\n", encoding="utf-8"
    )
    assert read_definition(tmp_path) == Definition(("b", "a"))


EDITED = """\
# Bees: the panel of 12 May.
readers = [
    "builtin",  # the one that ships
    "table:labels.csv",  # Ada's labels
]

[models]
# The server at home is slow.
timeout = 900
calls = 2  # never more

[panel]
vote = "hard"  # until we have weights
"""


def test_adding_a_reader_keeps_peoples_comments_and_order(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(EDITED)
    was = read_definition(tmp_path)
    now = replace(was, readers=(*was.readers, "ollama:qwen3:8b"), models=replace(was.models, calls=3))
    write_definition(tmp_path, now)
    assert read_definition(tmp_path) == now
    expected = EDITED.replace("calls = 2", "calls = 3").replace(
        "# Ada's labels\n", '# Ada\'s labels\n    "ollama:qwen3:8b",\n'
    )
    assert file.read_text() == expected


def test_a_setting_that_was_left_out_is_added(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('readers = ["builtin"]  # mine\n')
    was = read_definition(tmp_path)
    now = replace(was, models=replace(was.models, context="paper"))
    write_definition(tmp_path, now)
    assert read_definition(tmp_path) == now
    assert file.read_text() == 'readers = ["builtin"]  # mine\n\n[models]\ncontext = "paper"\n'


def test_what_has_not_changed_is_left_as_it_is_to_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_bytes(EDITED.replace("\n", "\r\n").encode())
    write_definition(tmp_path, read_definition(tmp_path))
    assert file.read_bytes() == EDITED.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, r"study\.toml: the study's definition is missing; restore it from a copy"),
        (b"readers = a", r"study\.toml: not TOML: .*line 1"),
        (b"readers = ['\xe9']", r"study\.toml: can't be read"),
        (b"", r"study\.toml: `readers` must be a list of names, such as \[\"builtin\"\]"),
        (b"readers = 'builtin'", "must be a list of names"),
        (b"readers = []", "must be a list of names"),
        (b"readers = ['builtin', 3]", "must be a list of names"),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / "study.toml").write_bytes(content)
    with pytest.raises(VivaError, match=says) as said:
        read_definition(tmp_path)
    assert "\n" not in str(said.value)


def test_a_folder_of_that_name_cant_be_read(tmp_path: Path) -> None:
    (tmp_path / "study.toml").mkdir()
    with pytest.raises(VivaError, match=r"study\.toml: can't be read"):
        read_definition(tmp_path)


# Writing


def full(*_: object, **__: object) -> int:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_writing_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "study.toml"
    path.write_text("old", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(Path, step, full)
        with pytest.raises(VivaError, match=r"study\.toml: can't be written \(No space left on device\)"):
            write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["study.toml"]
    write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "new"


def test_what_cant_be_taken_away_either_is_still_one_line(tmp_path: Path) -> None:
    (tmp_path / "study.toml.new").mkdir()  # in its way
    with pytest.raises(VivaError, match=r"study\.toml: can't be written"):
        write_text(tmp_path / "study.toml", "new")


# The lock


@contextmanager
def held(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the lock until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_another_process_has_it(tmp_path: Path) -> None:
    with held(tmp_path) as other:
        with pytest.raises(VivaError, match="another run is at work on this study") as said, locked(tmp_path):
            pass
        assert f"(process {other.pid})" in str(said.value)
        assert "--wait" in str(said.value)
        other.send_signal(signal.SIGKILL)  # as hard as can be: it is free at once all the same
        other.wait()
        with locked(tmp_path):
            assert (tmp_path / "viva.lock").read_text(encoding="utf-8") == str(os.getpid())


def test_waiting_until_it_ends(tmp_path: Path) -> None:
    with held(tmp_path) as other:
        assert other.stdin is not None
        told: list[str] = []

        def end() -> None:
            told.append("end")
            assert other.stdin is not None
            other.stdin.close()

        threading.Timer(0.4, end).start()
        with locked(tmp_path, wait=True):
            assert told == ["end"]  # it was waited for
            assert other.wait(PATIENCE) == 0


def test_two_runs_in_one_process(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(VivaError, match=f"process {os.getpid()}"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_an_error_inside_sets_it_free(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path):
        raise KeyError
    with locked(tmp_path):
        pass


def test_its_children_dont_keep_it(tmp_path: Path) -> None:
    with locked(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with locked(tmp_path):
        pass
    child.kill()
    child.wait()
    assert child.stdin is not None
    child.stdin.close()


def test_a_folder_that_cant_be_written(tmp_path: Path) -> None:
    says = r"nowhere: can't be written \(No such file or directory\)"
    with pytest.raises(VivaError, match=says), locked(tmp_path / "nowhere"):
        pass


def test_a_disk_that_has_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with pytest.raises(VivaError, match=r"can't be locked \(No locks available\)"), locked(tmp_path):
        pass
