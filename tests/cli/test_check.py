"""`viva check`: exit codes, what goes to stdout and what to stderr, and JSON that is JSON."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest

from tests.commands import ENVIRONMENT, VIVA, viva
from tests.conftest import EXAMPLES
from tests.timing import PATIENCE


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


def test_all_can_be_read() -> None:
    paper = EXAMPLES / "papers" / "leaf-traits.xml"
    done = viva("check", paper)
    assert (done.returncode, done.stderr) == (0, "1 paper: 1 readable\n")
    head, row = (line.split("\t") for line in done.stdout.splitlines())
    assert head == [
        *("file", "format", "pages", "sentences", "status", "title", "remarks"),
        *("kind", "language", "words", "sections", "references", "statements", "hidden"),
    ]
    assert row[7:9] == ["article", "English"]
    assert all(int(number) > 0 for number in row[9:12])
    assert (row[:2], row[4], row[6]) == ([str(paper), "jats"], "readable", "")
    assert row[5].startswith("Leaf area and leaf thickness")


def test_very_little_text_is_a_warning(folder: Path) -> None:
    done = viva("check", folder / "bees.md")
    assert done.returncode == 0
    row = done.stdout.splitlines()[1].split("\t")
    assert row[4:7] == [
        "warning",
        "Bees and their hives",
        "very little text (3 sentences): is this the whole paper?",
    ]


def test_some_cannot(folder: Path) -> None:
    done = viva("check", folder)
    assert (done.returncode, done.stderr) == (1, "4 papers: 2 readable, 1 unreadable, 1 failed\n")
    rows = {row.split("\t")[0]: row.split("\t")[1:] for row in done.stdout.splitlines()[1:]}
    assert list(rows) == sorted(
        str(folder / name) for name in ("bees.md", "blank.txt", "deep/picture.pdf", "login.pdf")
    )
    assert rows[str(folder / "blank.txt")][3:6] == ["unreadable", "", "the file holds no text"]
    picture = rows[str(folder / "deep" / "picture.pdf")]
    assert picture == ["", "", "", "error", "", "is a PNG picture; save it as PDF or DOCX.", *[""] * 7]
    assert rows[str(folder / "login.pdf")][3] == "warning"
    assert rows[str(folder / "login.pdf")][5].startswith("the file is a web page in spite of its ending: was")
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
    keys |= {"status", "reason", "warnings", "hidden", "warning_kinds", "kind", "language", "words"}
    keys |= {"sections", "references", "statements", "hidden_share", "hidden_reasons"}
    assert all(set(paper) == keys for paper in document["papers"])
    bees, blank, picture, login = document["papers"]
    assert (bees["status"], bees["reason"], bees["title"]) == ("readable", "", "Bees and their hives")
    assert (bees["pages"], len(bees["id"])) == (1, 64)
    assert blank["status"] == "unreadable"
    assert blank["reason"]
    assert (picture["status"], picture["id"]) == ("failed", "")
    assert login["warnings"]
    assert login["warning_kinds"][0] == "wrong_ending"
    assert (bees["kind"], bees["words"], bees["sections"]) == ("article", 11, [])


def test_json_in_a_terminal_without_unicode(folder: Path) -> None:
    (folder / "käfer.md").write_text("# Käfer 🐞\n\nText.")
    done = viva("check", folder / "käfer.md", "--json", encoding="ascii")
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["papers"][0]["title"] == "Käfer 🐞"


def test_nothing_is_cut_into_a_pipe(folder: Path) -> None:
    (folder / "long.md").write_text("# " + "very " * 40 + "long\n\nText.")
    out = viva("check", folder / "long.md", folder / "deep", COLUMNS="60").stdout
    assert "\t" + "very " * 40 + "long\t" in out
    assert "\tis a PNG picture; save it as PDF or DOCX.\t" in out


def test_a_page_shows_what_was_read(folder: Path) -> None:
    page = folder / "out.html"
    done = viva("check", EXAMPLES / "papers" / "camera-traps.pdf", folder, "--html", page)
    assert done.returncode == 1
    shown = page.read_text(encoding="utf-8")
    assert shown.count('<div class="page">') == len(re.findall("data:image/jpeg;base64,", shown)) > 1
    assert re.search(r'<i title="heading" style="left:\d+px', shown)
    assert "is a PNG picture" in shown
    assert "<b>Bees and their hives</b>" in shown


def test_a_page_that_cannot_be_written(folder: Path) -> None:
    done = viva("check", folder / "bees.md", "--html", folder / "none" / "out.html")
    assert done.returncode == 2
    assert "can't be written" in done.stderr


def in_a_terminal(width: int, *arguments: object) -> list[str]:
    """What a terminal of that width shows, without its colours."""
    parent, child = os.openpty()
    environment = {**ENVIRONMENT, "COLUMNS": str(width), "TERM": "xterm"}
    with subprocess.Popen(
        [*VIVA, *map(str, arguments)], env=environment, stdout=child, stderr=subprocess.DEVNULL
    ) as program:
        os.close(child)
        shown = b""
        with suppress(OSError):  # what a terminal says whose other end is closed
            while part := os.read(parent, 65536):
                shown += part
        program.wait(timeout=PATIENCE)
    os.close(parent)
    return re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).splitlines()


def test_a_narrow_terminal_breaks_no_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    name = f"deep/{'a-name-that-is-far-too-long-for-its-column-' * 2}.md"
    (folder / name).write_text("# Bees\n\nBees.")
    shown = in_a_terminal(60, "check", "bees.md", "deep", "login.pdf")
    assert shown == [
        "file              format    pages  sentences  status",
        "bees.md           markdown      1          3  warning",
        "    article, 11 words, 0 sections, 0 references",
        "    very little text (3 sentences): is this the whole paper?",
        name,
        "                  markdown      1          2  warning",
        "    article, 2 words, 0 sections, 0 references",
        "    very little text (2 sentences): is this the whole paper?",
        "deep/picture.pdf                              error",
        "    is a PNG picture; save it as PDF or DOCX.",
        "login.pdf         html          1          1  warning",
        "    article, 3 words, 0 sections, 0 references",
        "    the file is a web page in spite of its ending: was a",
        "    login page saved instead of the paper?",
        "    very little text (1 sentence): is this the whole paper?",
        "4 papers: 3 readable, 1 failed",
    ]


def test_a_wide_terminal_has_room_for_titles(folder: Path) -> None:
    (folder / "bees.md").write_text("# " + "very " * 40 + "long\n\nText.")
    head, row, *_ = in_a_terminal(len(str(folder)) + 80, "check", folder / "bees.md")
    assert head.endswith("status   title")
    assert row.startswith(f"{folder}/bees.md  markdown")
    assert re.search(r"warning  very .*…$", row)
    assert len(row) <= len(str(folder)) + 80


def test_names_from_two_trees_can_be_copied(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "ants.md"
    other.write_text("# Ants\n\nAnts.")
    shown = "\n".join(in_a_terminal(200, "check", folder / "bees.md", other))
    assert str(folder / "bees.md") in shown
    assert str(other) in shown


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
    paper = EXAMPLES / "papers" / "camera-traps.pdf"
    assert viva("check", paper, "--memory", "300").returncode == 0
    done = viva("check", paper, "--max-pages", "2")
    assert done.returncode == 1
    assert "raise the limit with --max-pages" in done.stdout
    (folder / "big.txt").write_bytes((b"bees " * 300 + b"live in hives. ") * 800)
    done = viva("check", folder / "big.txt", "--max-mb", "1")
    assert (
        "is 2 MB large, and the limit is 1 MB; split it, or raise the limit with --max-mb 2." in done.stdout
    )
    assert viva("check", folder / "big.txt", "--max-mb", "2").returncode == 0


@pytest.mark.parametrize(
    ("option", "typed", "says"),
    [
        ("--timeout", "0", "--timeout takes a number of seconds, 0.1 or more, not '0'."),
        ("--timeout", "nan", "--timeout takes a number of seconds, 0.1 or more, not 'nan'."),
        ("--memory", "100", "--memory takes a number of megabytes, 300 or more, not '100'."),
        ("--max-pages", "many", "--max-pages takes a number of pages, 1 or more, not 'many'."),
        ("--max-mb", "0", "--max-mb takes a number of megabytes, 1 or more, not '0'."),
    ],
)
def test_a_wrong_number_is_said_in_our_words(folder: Path, option: str, typed: str, says: str) -> None:
    done = viva("check", folder, option, typed)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"viva: {says}\n")


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


def test_help_speaks_of_no_python_types() -> None:
    said = viva("check", "--help", COLUMNS="80").stdout
    assert said.startswith("Usage: viva check PAPERS... [OPTIONS]\n")
    assert "\n  PAPERS...  Files and folders.\n" in said
    assert "\n  --timeout SECONDS  Give up on a file" in said
    assert "Default: 2048." in said
    assert not set("<>{}") & set(said + viva("read", "--help").stdout)


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
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.stderr == "\n"
