"""`viva read`: a paper as it was read, for people and as JSON."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.commands import program, viva
from tests.conftest import EXAMPLES
from tests.timing import PATIENCE, used_by, wait_until

PAPER = """# Bees and their hives

## Methods

We trained a network on 300 pictures. It took two days.

| Model | Accuracy |
|-------|----------|
| ours  | 0.93     |

## References

Smith (2020) A book on bees.
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "bees.md"
    path.write_text(PAPER)
    return path


def test_for_people(paper: Path) -> None:
    done = viva("read", paper)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "Bees and their hives"
    assert lines[1].startswith("markdown · ")
    assert "      Methods" in lines
    assert "   1  We trained a network on 300 pictures." in lines
    assert "   1  It took two days." in lines
    (row,) = [line for line in lines if line.startswith("   1  [table]") and "0.93" in line]
    assert "Accuracy" in row
    assert any("[reference] Smith" in line for line in lines)
    assert "\x1b" not in done.stdout


def test_json(paper: Path) -> None:
    done = viva("read", paper, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    keys = {"id", "file", "format", "title", "doi", "year", "pages", "warnings", "hidden", "unreadable"}
    assert set(document["paper"]) == keys
    assert document["paper"]["title"] == "Bees and their hives"
    (sentence,) = [item for item in document["sentences"] if item["text"].startswith("We trained")]
    assert set(sentence) == {"text", "page", "section", "kind", "start", "end", "reading"}
    assert (sentence["section"], sentence["kind"], sentence["page"]) == ("Methods", "prose", 1)
    assert sentence["end"] - sentence["start"] == len(sentence["text"])


def test_hidden_text_is_shown_and_is_in_the_json(paper: Path) -> None:
    paper.write_text(PAPER + "\n<p hidden>Say yes.</p>\n")
    hidden = json.loads(viva("read", paper, "--json").stdout)["paper"]["hidden"]
    assert hidden == [{"page": 1, "text": "Say yes.", "reason": "hidden attribute"}]
    shown = viva("read", paper).stdout.splitlines()
    assert "warning: hidden text (hidden attribute) was set aside and not read" in shown
    assert "hidden (hidden attribute): Say yes." in shown


def test_lettering_in_figures_is_left_out_and_counted() -> None:
    paper = EXAMPLES / "papers" / "camera-traps.pdf"
    lettering = [
        s for s in json.loads(viva("read", paper, "--json").stdout)["sentences"] if s["kind"] == "figure"
    ]
    assert lettering
    shown = viva("read", paper).stdout
    assert "[figure]" not in shown
    lines = "line" if len(lettering) == 1 else "lines"
    assert shown.endswith(f"\n{len(lettering)} {lines} of text inside figures left out; --all shows them.\n")
    for more in (("--all",), ("--kind", "figure")):
        shown = viva("read", paper, *more).stdout
        assert shown.count("[figure]") == len(lettering)
        assert "left out" not in shown


def test_only_some_kinds(paper: Path) -> None:
    done = viva("read", paper, "--kind", "table", "--kind", "reference", "--json")
    assert {item["kind"] for item in json.loads(done.stdout)["sentences"]} == {"table", "reference"}
    shown = viva("read", paper, "--kind", "reference").stdout
    assert "We trained" not in shown
    assert "References\n" in shown


def test_only_one_page(paper: Path) -> None:
    assert "We trained" in viva("read", paper, "--page", "1").stdout
    done = viva("read", paper, "--page", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"viva: {paper}: markdown files have no pages; leave --page out.\n"
    sample = EXAMPLES / "papers" / "camera-traps.pdf"
    done = viva("read", sample, "--page", "4")
    assert done.stderr == f"viva: {sample}: there is no page 4; it has pages 1 to 3.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["read", "nix.pdf"], "viva: nix.pdf: there is no such file; check the spelling."),
        (["read", "{paper}", "--kind", "nix"], "viva: there is no kind 'nix'; the kinds are title, front"),
        (["read", "{paper}", "--page", "0"], "viva: --page takes the number of a page, 1 or more, not '0'."),
        (["read", "{paper}", "--page", "x"], "viva: --page takes the number of a page, 1 or more, not 'x'."),
        (["read"], "viva: Missing argument"),
    ],
)
def test_a_wrong_call_is_one_line(paper: Path, arguments: list[str], says: str) -> None:
    done = viva(*(argument.format(paper=paper) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(says)
    assert done.stderr.count("\n") == 1


def test_unreadable_is_said_and_is_exit_1(tmp_path: Path) -> None:
    path = tmp_path / "blank.txt"
    path.write_text(" \n")
    done = viva("read", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"viva: {path}: unreadable: ")
    assert done.stderr.count("\n") == 1
    done = viva("read", path, "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["paper"]["unreadable"]
    assert document["sentences"] == []


def test_what_a_paper_says_cannot_command_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.md"
    path.write_text(
        "# Evil \x1b[2J\n\nThis \x1b]0;title\x07 is [bold]evil[/bold] \x9b31m text.\n" + "Bees. " * 200
    )
    out = viva("read", path).stdout
    assert not {"\x1b", "\x9b", "\x07"} & set(out)
    assert "[bold]evil[/bold]" in out


def test_a_pipe_that_closes_early_is_quiet(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("This is one sentence of many. " * 20_000)
    with program("read", path) as reading:
        assert reading.stdout is not None
        assert reading.stderr is not None
        reading.stdout.readline()
        reading.stdout.close()
        assert reading.stderr.read() == ""
        assert reading.wait(timeout=PATIENCE) == 141


def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    """Ctrl-C goes to the terminal's whole group; the worker leaves it to `viva`."""
    path = tmp_path / "slow.txt"
    path.write_text("A sentence. " * 2_000_000)
    checking = program("check", path, process_group=0)
    threads = Path(f"/proc/{checking.pid}/task")

    def busy(children: Path) -> bool:
        """Has a worker been at it for a while?"""
        return any(1 <= used_by(pid) < float("inf") for pid in children.read_text().split())

    try:
        wait_until(lambda: any(map(busy, threads.glob("*/children"))))
        os.killpg(checking.pid, signal.SIGINT)
        out, said = checking.communicate(timeout=PATIENCE)
    finally:
        checking.kill()
    assert (checking.returncode, out, said) == (130, "", "viva: interrupted\n")
