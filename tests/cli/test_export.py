"""`viva export`: what is written, what is said, and when the call is wrong."""

import csv
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.commands import viva
from tests.export.planted import empty_store, planted
from vivavoce.cli import main


def run(*arguments: object) -> int:
    """The command in this process: its exit code."""
    with pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    assert isinstance(leaving.value.code, int)
    return leaving.value.code


def test_several_files_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(tmp_path / "study").store.close()
    monkeypatch.chdir(tmp_path)
    names = ("answers.csv", "answers.jsonl", "answers.xlsx")
    assert run("export", "study", *(word for name in names for word in ("--to", name)), "--to", names[0]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [f"{name}: 2 papers, 6 answers, 3 of them failed" for name in names]
    with Path("answers.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 19
    assert len(Path("answers.jsonl").read_text(encoding="utf-8").splitlines()) == 18
    assert load_workbook("answers.xlsx").sheetnames[0] == "Matrix"


def test_an_empty_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty_store(tmp_path).close()
    assert run("export", tmp_path, "--to", tmp_path / "a.xlsx") == 0
    assert capsys.readouterr().err == f"{tmp_path / 'a.xlsx'}: 0 papers, 0 answers\n"


def test_a_study_that_can_only_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "study"
    planted(study).store.close()
    study.chmod(0o555)
    try:
        assert run("export", study, "--to", tmp_path / "a.csv") == 0
    finally:
        study.chmod(0o755)
    assert "2 papers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["study"], "say where to write: --to FILE"),
        (
            ["study", "--to", "a.doc"],
            "a.doc: the ending says what is written; there is .csv .jsonl .xlsx .html.",
        ),
        (["study", "--to", "a.csv", "--to", "b"], "b: the ending says what is written"),
        (["study", "--to", "nowhere/a.csv"], "nowhere/a.csv: there is no folder nowhere; make it first."),
        (["empty", "--to", "a.csv"], "empty: there is no study here; `viva run "),
        (["nowhere", "--to", "a.csv"], "nowhere: there is no study here; `viva run "),
    ],
)
def test_a_wrong_call_is_one_line_and_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    says: str,
) -> None:
    planted(tmp_path / "study").store.close()
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run("export", *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"viva: {says}")
    assert len(said.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "study"]


def test_from_the_shell(tmp_path: Path) -> None:
    planted(tmp_path / "study").store.close()
    done = viva("export", tmp_path / "study", "--to", tmp_path / "a.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("paper,file,")
