"""`viva run`, `viva status` and `viva doctor` from end to end, in processes of their own."""

import json
import signal
import sqlite3
from pathlib import Path

import pytest

from tests.commands import program, viva
from tests.timing import PATIENCE

PAPER = """# {title}

## Methods
The network was trained on {number} pictures with the Adam optimiser and a learning rate of 0.001. It is a
convolutional neural network with {number} layers. Training ran on one NVIDIA GTX 1080 graphics card and was
stopped after {number} epochs. Pictures were resized to 224 x 224 pixels and flipped at random.

## Results
The F1 score on the test set was 0.91. The code is on GitHub at https://github.com/example-org/{slug}.
"""


def papers_in(folder: Path, many: int) -> Path:
    folder.mkdir(exist_ok=True)
    for n in range(many):
        text = PAPER.format(title=f"Paper {n}", number=10 + n, slug=f"paper-{n}")
        (folder / f"paper-{n}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_one_bad_paper_in_ten(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 10)
    good = (folder / "paper-4.md").read_bytes()
    (folder / "paper-4.md").unlink()
    bad = folder / "paper-4.pdf"
    bad.write_bytes(b"%PDF-1.7\n" + b"broken" * 50)
    study = tmp_path / "study"

    first = viva("run", folder, "--study", study, "--json")
    assert first.returncode == 1, first.stderr
    said = json.loads(first.stdout)
    assert said["papers"] == 10
    assert said["done"] == 9 * 29
    assert said["statuses"]["failed"] == 29
    assert [entry["file"] for entry in said["failed"]] == [str(bad)]
    assert said["failed"][0]["reason"] in first.stderr
    assert "\n" not in said["failed"][0]["reason"]
    assert "Traceback" not in first.stderr

    shown = viva("status", study)
    assert shown.returncode == 1
    assert str(bad) in shown.stdout

    bad.write_bytes(good)  # mended: its content tells what it is, whatever it is called
    second = viva("run", folder, "--study", study, "--json")
    assert second.returncode == 0, second.stderr
    again = json.loads(second.stdout)
    assert again["done"] == 29
    assert again["statuses"]["failed"] == 0
    assert again["failed"] == []
    assert viva("doctor", study).returncode == 0


@pytest.mark.slow
def test_ctrl_c_stops_soon_and_keeps_what_was_done(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 60)
    study = tmp_path / "study"
    run = program("run", folder, "--study", study)
    assert run.stderr is not None
    said = [run.stderr.readline() for _ in range(3)]  # three papers are done
    assert said[2].startswith("[3/60]")
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert "give the same command again" in err
    assert "Traceback" not in err
    state = json.loads(viva("status", study, "--json").stdout)
    done = state["cells"] - state["waiting"]
    assert 3 * 29 <= done < 60 * 29
    assert done % 29 == 0
    assert viva("doctor", study).returncode == 0


@pytest.mark.slow
def test_the_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 60)
    run = program("run", folder, "--study", tmp_path / "study")
    assert run.stderr is not None
    run.stderr.readline()
    run.send_signal(signal.SIGINT)
    said = iter(run.stderr.readline, "")
    assert any("press again" in line for line in said), "it does not say how to stop at once"
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert "Traceback" not in err


@pytest.mark.slow
def test_two_runs_of_one_study(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 30)
    study = tmp_path / "study"
    first = program("run", folder, "--study", study)
    assert first.stderr is not None
    first.stderr.readline()
    first.send_signal(signal.SIGSTOP)  # however fast it is, it is still at work
    second = viva("run", folder, "--study", study)
    assert second.returncode == 2
    assert second.stderr.count("\n") == 1
    assert f"process {first.pid}" in second.stderr
    looked = viva("status", study, "--json")  # one may look meanwhile
    assert json.loads(looked.stdout)["papers"] == 30
    first.send_signal(signal.SIGCONT)
    third = viva("run", "--study", study, "--wait", "--json")
    assert third.returncode == 0, third.stderr
    assert json.loads(third.stdout)["done"] == 0
    first.communicate(timeout=PATIENCE)
    assert first.returncode == 0


@pytest.mark.slow
def test_papers_that_fail_the_screening_are_not_applicable(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 1)
    letters = (
        "# Letters between two observatories\n\n## Sources\nThe letters lie in two city archives. Each was "
        "photographed and transcribed by two of us. Differences were settled by a third reader.\n\n"
        "## Findings\nTime signals were the most frequent topic. Replies took nine days on average. Disputes "
        "about priority were rare, and ended by telegraph.\n"
    )
    (folder / "letters.md").write_text(letters, encoding="utf-8")
    found = viva("run", folder, "--study", tmp_path / "study", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["statuses"]["not_applicable"] == 28
    out = tmp_path / "answers.jsonl"
    assert viva("export", tmp_path / "study", "--to", out).returncode == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    applies: dict[str, set[str]] = {row["paper"]["title"]: set() for row in rows}
    for row in rows:
        applies[row["paper"]["title"]].add(row["status"])
    assert "not_applicable" in applies["Letters between two observatories"]
    assert "not_applicable" not in applies["Paper 0"]


def test_wrong_calls_cost_one_line(tmp_path: Path) -> None:
    paper = papers_in(tmp_path / "papers", 1) / "paper-0.md"
    (tmp_path / "set.yaml").write_text("questions: 3\n", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    study = tmp_path / "study"
    for arguments, told in (
        (("run", paper), "--study DIR"),
        (("run", tmp_path / "nowhere", "--study", study), "no such file"),
        (("run", tmp_path / "empty", "--study", study), "no paper in it"),
        (("run", "--study", study), "no study here"),
        (("run", paper, "--study", study, "--questions", "nothing"), "no question set 'nothing'"),
        (("run", paper, "--study", study, "--questions", tmp_path / "set.yaml"), "set.yaml:1"),
        (("run", paper, "--study", study, "--reader", "oracle"), "no reader 'oracle'"),
        (
            ("run", paper, "--study", study, "--engine", "steam"),
            "steam: there is no such engine; choose one of: local",
        ),
        (("run", paper, "--study", study, "--workers", "0"), "--workers"),
        (("run", paper, "--study", tmp_path / "file"), "file"),
        (("status", tmp_path), "no study here"),
        (("doctor", tmp_path / "nowhere"), "no study here"),
    ):
        found = viva(*arguments)
        assert found.returncode == 2, (arguments, found)
        assert told in found.stderr, (arguments, found.stderr)
        assert found.stderr.count("\n") == 1, found.stderr
        assert found.stdout == ""
    assert not study.exists() or not list(study.iterdir())


def test_the_doctor_lists_papers_of_an_older_version_and_reread_reads_them(tmp_path: Path) -> None:
    folder = papers_in(tmp_path / "papers", 1)
    study, paper = tmp_path / "study", str(folder / "paper-0.md")
    (tmp_path / "set.txt").write_text("Where is the code?\n")
    assert viva("run", folder, "--study", study, "--questions", tmp_path / "set.txt").returncode == 0
    assert json.loads(viva("doctor", study, "--json").stdout)["outdated"] == []
    with sqlite3.connect(study / "viva.db") as database:
        database.execute("UPDATE papers SET parsed_by = 'markdown 0'")
    database.close()

    said = viva("doctor", study)
    assert said.returncode == 0  # it is nothing wrong
    assert f"{paper}: was read by an older version (markdown 0)\n" in said.stdout
    assert f"`viva run --study {study} --reread` reads these papers again.\n" in said.stdout
    found = json.loads(viva("doctor", study, "--json").stdout)
    assert found["outdated"] == [{"file": paper, "parsed_by": "markdown 0"}]

    again = viva("run", "--study", study, "--reread", "--json")
    assert (again.returncode, json.loads(again.stdout)["done"]) == (0, 0)  # its text is the same
    assert json.loads(viva("doctor", study, "--json").stdout)["outdated"] == []


def test_doctor_of_the_installation() -> None:
    found = json.loads(viva("doctor", "--json").stdout)
    assert found["readers"]["builtin"]
    assert "dl-methods" in found["question_sets"]
