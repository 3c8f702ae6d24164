"""Papers without files: they join by the tables that name them, vote, and give way to a file."""

import json
from pathlib import Path

from tests.commands import viva
from vivavoce.study.study import Study

SET = """\
questions:
  - {id: S, screen: true, text: "Which network was trained?"}
  - {id: Q1, text: "Which seed was set?"}
"""
ONE = "uid,Q1,S\nbees.pdf,yes,yes\nowls.pdf,no,yes\nnewts.pdf,yes,yes\n"
TWO = "file,question_id,reported,quote\nbees.pdf,Q1,yes,A seed of 7\nowls.pdf,Q1,no,\nnewts.pdf,Q1,no,\n"
FILTER = "UID,has_network\nbees.pdf,Yes\nowls.pdf,No\nnewts.pdf,Yes\n"


def made(folder: Path, *tables: str) -> None:
    (folder / "set.yaml").write_text(SET, encoding="utf-8")
    arguments = []
    for number, text in enumerate(tables):
        (folder / f"{number}.csv").write_text(text, encoding="utf-8")
        arguments += ["--reader", f"table:{number}.csv"]
    done = viva(
        "run", "--study", "study", "--questions", "set.yaml", "--without-files", *arguments, cwd=folder
    )
    assert done.returncode == 0, done.stderr


def test_answers_without_files_count_and_vote(tmp_path: Path) -> None:
    made(tmp_path, ONE, TWO)
    study = Study.open(tmp_path / "study")
    cells = {(c.paper.file, c.question.id): c for c in study.results().cells()}
    assert len(study.results().papers) == 3
    bees, newts = cells["bees.pdf", "Q1"], cells["newts.pdf", "Q1"]
    assert (bees.verdict.status, len(bees.answers), bees.verdict.evidence) == ("reported", 2, ())
    assert {doubt.kind for doubt in bees.verdict.doubts} == {"no_file"}
    assert "tie" in {doubt.kind for doubt in newts.verdict.doubts}
    assert cells["owls.pdf", "Q1"].verdict.status == "not_reported"
    assert list(study.store.problems()) == []
    # Nothing is asked twice.
    assert study.run().cells == 0
    study.close()


def test_a_reader_that_reads_has_nothing_to_read(tmp_path: Path) -> None:
    made(tmp_path, ONE)
    assert viva("run", "--study", "study", "--reader", "builtin", cwd=tmp_path).returncode == 0
    study = Study.open(tmp_path / "study")
    said = {(a.reader, a.status) for a in study.answers() if a.reader == "builtin"}
    assert said == {("builtin", "unreadable")}
    study.close()


def test_an_entry_gives_way_to_its_file(tmp_path: Path) -> None:
    made(tmp_path, TWO)
    (tmp_path / "bees.md").write_text("# Bees\n\nA seed of 7 was set.\n", encoding="utf-8")
    assert viva("run", "bees.md", "--study", "study", "--without-files", cwd=tmp_path).returncode == 0
    study = Study.open(tmp_path / "study")
    assert sorted(paper.file for paper in study.results().papers) == ["bees.md", "newts.pdf", "owls.pdf"]
    (bees,) = (a for a in study.answers() if a.evidence)
    assert (bees.status, bees.evidence[0].quote, bees.doubts) == ("reported", "A seed of 7", ())
    study.close()


def test_the_filter(tmp_path: Path) -> None:
    made(tmp_path, "uid,Q1\nbees.pdf,yes\nowls.pdf,yes\nnewts.pdf,no\n", FILTER)
    said = json.loads(viva("screening", "study", "--json", cwd=tmp_path).stdout)
    assert (said["papers"], said["passed"]) == (3, 2)
    (question,) = said["questions"]
    assert (question["before"], question["after"]) == (
        {"reported": 2, "papers": 3},
        {"reported": 1, "papers": 2},
    )
    text = viva("screening", "study", cwd=tmp_path).stdout
    assert text.startswith("2 of 3 papers pass the filter.")
    table = json.loads(viva("check-table", "1.csv", "--questions", "set.yaml", "--json", cwd=tmp_path).stdout)
    assert (table["form"], table["filter"], table["unmatched_questions"]) == ("wide", "S", [])


def test_a_study_needs_papers(tmp_path: Path) -> None:
    done = viva("run", "--study", "study", cwd=tmp_path)
    assert (done.returncode, "name the papers to ask" in done.stderr) == (2, True)
    assert not (tmp_path / "study").exists()


def test_a_sheet_to_label(tmp_path: Path) -> None:
    made(tmp_path, ONE)
    for name in ("a.csv", "b.csv", "c.xlsx"):
        assert viva("labels", "study", "--sample", 4, "--seed", 5, "--to", name, cwd=tmp_path).returncode == 0
    sheet = (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert sheet == (tmp_path / "b.csv").read_text(encoding="utf-8")
    lines = sheet.splitlines()
    assert (len(lines), lines[0]) == (5, "file,title,question_id,question,reported,quote,page,coder")
    assert all(line.endswith(",,,,") for line in lines[1:])
    assert viva("labels", "study", "--to", "a.csv", cwd=tmp_path).returncode == 2  # it may be filled in
    filled = [lines[0], *(line[:-4] + ",yes,,," if n else line for n, line in enumerate(lines[1:]))]
    (tmp_path / "a.csv").write_text("\n".join(filled).replace(",,yes", ",yes"), encoding="utf-8")
    said = viva("evaluate", "study", "--labels", "a.csv", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert "1 row not labelled yet." in said.stdout
