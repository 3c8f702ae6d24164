"""`viva check`: exit codes, what goes to stdout and what to stderr, and JSON that is JSON."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

VIVA = [sys.executable, "-c", "from vivavoce.cli import main; main()"]


def viva(*arguments: object, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}
    return subprocess.run(
        [*VIVA, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bees.md").write_text("# Bees and their hives\n\nBees live in hives. They make honey.\n")
    (tmp_path / "blank.txt").write_text(" \n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "login.pdf").write_bytes(
        b"<html><title>Log in</title><body><p>Please log in.</p></body></html>"
    )
    return tmp_path


def test_all_can_be_read(folder: Path) -> None:
    done = viva("check", folder / "bees.md")
    assert (done.returncode, done.stderr) == (0, "")
    head, row, summary = done.stdout.splitlines()
    assert head.split()[:5] == ["file", "format", "pages", "sentences", "title"]
    assert row.startswith(str(folder / "bees.md"))
    assert row.endswith("Bees and their hives  readable")
    assert summary == "1 paper: 1 readable"


def test_some_cannot(folder: Path) -> None:
    done = viva("check", folder)
    assert (done.returncode, done.stderr) == (1, "")
    rows = {row.split()[0]: row for row in done.stdout.splitlines()[1:-1]}
    assert list(rows) == sorted(
        str(folder / name) for name in ("bees.md", "blank.txt", "deep/picture.pdf", "login.pdf")
    )
    assert "unreadable: " in rows[str(folder / "blank.txt")]
    picture = rows[str(folder / "deep" / "picture.pdf")]
    assert picture.endswith("error: is a PNG picture; save it as PDF or DOCX.")
    assert "warning: The file is a web page" in rows[str(folder / "login.pdf")]
    assert done.stdout.splitlines()[-1] == "4 papers: 2 readable, 1 unreadable, 1 failed"
    assert "\x1b" not in done.stdout


def test_json_is_one_document_and_nothing_else(folder: Path) -> None:
    done = viva("check", folder, "--json")
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert {key: document[key] for key in ("readable", "unreadable", "failed")} == {
        "readable": 2,
        "unreadable": 1,
        "failed": 1,
    }
    keys = {"file", "format", "id", "title", "doi", "year", "pages", "sentences"}
    keys |= {"status", "reason", "warnings", "hidden"}
    assert all(set(paper) == keys for paper in document["papers"])
    bees, blank, picture, login = document["papers"]
    assert (bees["status"], bees["reason"], bees["title"]) == ("readable", "", "Bees and their hives")
    assert (bees["pages"], len(bees["id"])) == (1, 64)
    assert blank["status"] == "unreadable"
    assert blank["reason"]
    assert (picture["status"], picture["id"]) == ("failed", "")
    assert login["warnings"]


def test_json_in_a_terminal_without_unicode(folder: Path) -> None:
    (folder / "käfer.md").write_text("# Käfer 🐞\n\nText.")
    done = viva("check", folder / "käfer.md", "--json", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["papers"][0]["title"] == "Käfer 🐞"


def test_a_long_title_is_shortened_and_a_reason_is_not(folder: Path) -> None:
    (folder / "long.md").write_text("# " + "very " * 40 + "long\n\nText.")
    out = viva("check", folder / "long.md", folder / "deep", COLUMNS="60").stdout
    assert "very very…" in out
    assert "is a PNG picture; save it as PDF or DOCX." in out


def test_a_title_cannot_command_the_terminal(folder: Path) -> None:
    (folder / "evil.html").write_text(
        "<html><title>Evil\x1b[2J \x9b31m[red]x[/red]</title><p>Text.</p></html>"
    )
    out = viva("check", folder / "evil.html").stdout
    assert not {"\x1b", "\x9b"} & set(out)
    assert "[red]x[/red]" in out


def test_a_file_name_that_is_not_unicode(tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xff.txt")
    (tmp_path / name).write_text("Some text.")
    document = json.loads(viva("check", tmp_path, "--json").stdout)
    assert document["papers"][0]["file"] == str(tmp_path / name)
    assert viva("check", tmp_path).returncode == 0


def test_a_limit_is_kept(folder: Path) -> None:
    done = viva("check", folder / "bees.md", "--timeout", "0.1", "--memory", "100")
    assert done.returncode in (0, 1)
    assert viva("check", folder / "bees.md", "--timeout", "0").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check"], "PAPERS"),
        (["check", "nix"], "nix: there is no such file or folder"),
        (["check", "{empty}"], "no papers found; looked for files ending in .pdf"),
        (["check", "{empty}", "--json"], "no papers found"),
        (["check", ".", "--nix"], "--nix"),
        (["chek"], "check"),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = viva(*(argument.format(empty=tmp_path) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("viva: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_help_and_version() -> None:
    for arguments in ((), ("--help",), ("-h",)):
        done = viva(*arguments)
        assert done.returncode == 0
        assert "check" in done.stdout
        assert "read" in done.stdout
    assert viva("--version").stdout.startswith("viva 0.")
    assert "--timeout" in viva("check", "--help").stdout


def test_help_imports_nothing_heavy() -> None:
    code = """
        import sys
        from vivavoce.cli import main
        try:
            main(["--help"])
        except SystemExit:
            heavy = {"pypdfium2", "lxml", "numpy", "PIL"}
            print(*heavy & set(sys.modules), file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == "\n"
