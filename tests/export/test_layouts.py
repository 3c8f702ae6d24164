"""A wide table and a folder of answers: what is in them, and that tables read them again."""

import csv
from pathlib import Path

from tests.commands import viva
from tests.export.planted import planted
from vivavoce.papers.entries import entry
from vivavoce.readers import reader
from vivavoce.records import Status
from vivavoce.results.cells import Results
from vivavoce.results.statuses import status_words
from vivavoce.store import Store


def verdicts(study: Path) -> dict[tuple[str, str], Status]:
    store = Store.open(study)
    found = {(c.paper.file, c.question.id): c.verdict.status for c in Results.of(store).cells()}
    store.close()
    return found


def test_wide(tmp_path: Path) -> None:
    planted(tmp_path / "study").store.close()
    assert viva("export", tmp_path / "study", "--to", tmp_path / "w.csv", "--wide").returncode == 0
    with (tmp_path / "w.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    said = verdicts(tmp_path / "study")
    # A spreadsheet could take =Q3 for a formula.
    found = {(row["file"], id.lstrip("'")): row[id] for row in rows for id in row}
    assert {cell: found[cell] for cell in said} == {
        cell: status_words(status) for cell, status in said.items()
    }
    assert viva("export", tmp_path / "study", "--to", tmp_path / "t.csv", "--cells", "text").returncode == 0
    assert (tmp_path / "t.csv").read_bytes() != (tmp_path / "w.csv").read_bytes()


def test_a_folder_of_answers_is_read_again(tmp_path: Path) -> None:
    results = planted(tmp_path / "study")
    to = tmp_path / "answers-folder"
    assert viva("export", tmp_path / "study", "--to", f"{to}/").returncode == 0
    assert {path.name for path in to.iterdir()} >= {"verdict", "alpha"}
    again = reader(f"table:{to / 'verdict'}")
    for paper in results.papers:
        said = {
            a.question.id: a.status
            for a in again.read(entry(Path(paper.file).name), results.questions.questions)
        }
        for cell in results.cells():
            if (
                cell.paper == paper
                and cell.verdict.status in ("reported", "not_reported")
                and cell.verdict.text
                and cell.question.id != "=Q3"
            ):
                assert said[cell.question.id] == cell.verdict.status
    full = viva("export", tmp_path / "study", "--to", to)
    assert (full.returncode, "is a folder with files in it" in full.stderr) == (2, True)


def test_wrong_calls(tmp_path: Path) -> None:
    planted(tmp_path / "study").store.close()
    for arguments, says in (
        (["a.xlsx", "--wide"], "--wide and --cells are for a .csv file"),
        (["a.csv", "--cells", "colour"], "--cells takes status or text"),
    ):
        done = viva("export", "study", "--to", *arguments, cwd=tmp_path)
        assert (done.returncode, says in done.stderr) == (2, True)
