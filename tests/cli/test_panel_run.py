"""Several readers in one study, and in one `viva ask`: from the command line to the export."""

import json
import tomllib
from pathlib import Path

import pytest

from tests import commands
from tests.cli.test_run import papers_in
from tests.commands import Done
from vivavoce.errors import VivaError
from vivavoce.records import Answer, Doubt
from vivavoce.study.study import Study

NO_QUOTE = Doubt("no_quote", "no quote given")
CARD = "Which hardware was used?"
SET = """name: two
questions:
  - {id: Q1, text: "Which optimiser was used?"}
  - {id: Q2, text: "Which hardware was used?"}
"""


def viva(folder: Path, *arguments: object) -> Done:
    return commands.viva(*arguments, cwd=folder)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Two papers, two questions, and what two people say."""
    papers_in(tmp_path / "papers", 2)
    (tmp_path / "set.yaml").write_text(SET)
    (tmp_path / "labels.csv").write_text(
        "file,question_id,question,reported,quote\n"
        "paper-0.md,Q1,Which optimiser was used?,yes,with the Adam optimiser\n"
        f"paper-0.md,Q2,{CARD},no,\n"
        "paper-1.md,Q1,Which optimiser was used?,no,\n"
    )
    (tmp_path / "people.csv").write_text(
        "file,question_id,reported\npaper-0.md,Q1,yes\npaper-0.md,Q2,no\npaper-1.md,Q1,no\n"
    )
    return tmp_path


def by_reader(study: Study) -> dict[tuple[str, str, str], Answer]:
    found = {}
    for cell in study.results().cells():
        for answer in (*cell.answers, cell.verdict):
            found[Path(cell.paper.file).name, cell.question.id, answer.reader] = answer
    return found


@pytest.mark.slow
def test_a_panel_from_the_command_line(work: Path) -> None:
    names = ("--reader", "builtin", "--reader", "table:labels.csv", "--reader", "table:people.csv")
    first = viva(work, "run", "papers", "--study", "study", "--questions", "set.yaml", *names, "--json")
    assert first.returncode == 0, first.stderr
    said = json.loads(first.stdout)
    assert said["readers"] == ["builtin", "table:../labels.csv", "table:../people.csv"]
    assert said["done"] == 2 * 2 + 3 + 3
    assert said["waiting"] == 0

    export = viva(work, "export", "study", "--to", "out.jsonl", "--to", "out.csv")
    assert export.returncode == 0, export.stderr
    lines = [json.loads(line) for line in (work / "out.jsonl").read_text().splitlines()]
    cell = {
        line["reader"]: line
        for line in lines
        if line["paper"]["file"] == "papers/paper-0.md" and line["question"]["id"] == "Q2"
    }
    assert [cell[r]["status"] for r in ("table:../labels.csv", "table:../people.csv", "verdict")] == [
        "not_reported",
        "not_reported",
        "not_reported",
    ]
    assert len(lines) == (4 + 3 + 3) + 4  # and a verdict for each cell

    again = viva(work, "run", "--study", "study", "--json")  # nothing to do, from anywhere
    assert json.loads(again.stdout)["done"] == 0

    (work / "people.csv").write_text(
        "file,question_id,reported\npaper-0.md,Q2,yes\n"
    )  # only its cells are redone
    changed = json.loads(viva(work.parent, "run", "--study", work / "study", "--json").stdout)
    assert changed["done"] == 1
    study = Study.open(work / "study")
    found = by_reader(study)
    assert found["paper-0.md", "Q2", "table:../people.csv"].status == "reported"
    assert ("paper-0.md", "Q1", "table:../people.csv") not in found
    study.close()
    assert viva(work, "doctor", "study").returncode == 0

    moved = work / "elsewhere"
    moved.mkdir()
    for name in ("study", "labels.csv", "people.csv"):
        (work / name).rename(moved / name)
    there = viva(work, "run", "--study", "elsewhere/study", "--json")
    assert there.returncode == 0, there.stderr
    assert json.loads(there.stdout)["done"] == 0


def test_tables_alone_and_weights(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    names = ("table:labels.csv", "table:people.csv")
    (work / "other.csv").write_text("file,question_id,reported\npaper-0.md,Q1,no\n")
    study = Study.create("study", "set.yaml", [*names, "table:other.csv"])
    study.run(["papers"], workers=1)
    found = by_reader(study)
    assert found["paper-0.md", "Q1", "verdict"].status == "reported"
    assert found["paper-0.md", "Q1", "verdict"].version == "hard"
    assert found["paper-0.md", "Q1", "table:../people.csv"].doubts == (NO_QUOTE,)  # through the store
    assert ("paper-1.md", "Q2", "verdict") not in found  # nobody says anything
    study.close()

    definition = work / "study" / "study.toml"
    readers = tomllib.loads(definition.read_text())["readers"]
    assert readers == ["table:../labels.csv", "table:../people.csv", "table:../other.csv"]
    text = definition.read_text().replace('vote = "hard"', 'vote = "weighted"')
    definition.write_text(text)
    with pytest.raises(VivaError, match=r"table:\.\./labels\.csv has no weight"):
        Study.open("study").run()
    weights = ", ".join(f'"{name}" = {weight}' for name, weight in zip(readers, (0.4, 0.4, 0.9), strict=True))
    definition.write_text(text.replace("weights = {}", f"weights = {{{weights}}}"))
    study = Study.open("study")
    study.run(workers=1)
    verdict = by_reader(study)["paper-0.md", "Q1", "verdict"]
    assert (verdict.status, verdict.version) == ("not_reported", "weighted")
    assert study.results().weights == {readers[0]: 0.4, readers[1]: 0.4, readers[2]: 0.9}
    study.close()

    with pytest.raises(VivaError, match="builtin has no weight"):
        Study.create("study", readers=["builtin"])
    assert tomllib.loads(definition.read_text())["readers"] == readers
    Study.create("study").close()  # writes nothing anew, or all of it
    assert tomllib.loads(definition.read_text())["panel"]["weights"][readers[2]] == 0.9


@pytest.mark.parametrize(
    ("panel", "says"),
    [
        ('vote = "soft"', '`vote` is "hard" or "weighted"'),
        ("weights = {builtin = 0}", "numbers above 0"),
        ("weights = {builtin = true}", "numbers above 0"),
        ('weights = "x"', "numbers above 0"),
        ("wieghts = {}", "has `vote` and `weights`"),
    ],
)
def test_what_is_wrong_with_a_panel(work: Path, panel: str, says: str) -> None:
    study = Study.create(work / "study", str(work / "set.yaml"), [f"table:{work / 'labels.csv'}"])
    (work / "study" / "study.toml").write_text(f'readers = ["builtin"]\n[panel]\n{panel}\n')
    with pytest.raises(VivaError, match=says):
        study.run([work / "papers"])


def test_a_table_that_is_gone(work: Path) -> None:
    study = Study.create(work / "study", str(work / "set.yaml"), [f"table:{work / 'labels.csv'}"])
    study.run([work / "papers"], workers=1)
    (work / "labels.csv").unlink()
    with pytest.raises(VivaError, match=r"labels\.csv: there is no such table"):
        study.run()
    assert len(list(study.results().cells())) == 3  # looking needs no reader


def test_a_table_that_is_not_there_makes_no_study(work: Path) -> None:
    with pytest.raises(VivaError, match="there is no such table"):
        Study.create(work / "study", str(work / "set.yaml"), ["table:nowhere.csv"])
    assert not (work / "study").exists()


def test_ask(work: Path) -> None:
    paper = "papers/paper-0.md"
    both = ("--reader", "table:labels.csv", "--reader", "table:people.csv")
    found = viva(work, "ask", paper, CARD, *both, "--json")
    assert found.returncode == 0, found.stderr
    said = json.loads(found.stdout)
    assert [answer["reader"] for answer in said["answers"]] == ["table:labels.csv"]
    assert said["verdict"] == {**said["answers"][0], "reader": "verdict"}
    assert found.stderr == "viva: table:people.csv has no answer to this question about this paper.\n"
    nobody = viva(work, "ask", paper, "Who paid?", *both)
    assert nobody.returncode == 2
    assert "has no answer to this question" in nobody.stderr


def test_ask_shows_a_tie(work: Path) -> None:
    (work / "other.csv").write_text(f"file,question_id,question,reported\npaper-0.md,Q2,{CARD},yes\n")
    readers = ("--reader", "table:other.csv", "--reader", "table:labels.csv")
    shown = viva(work, "ask", "papers/paper-0.md", CARD, *readers)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.endswith(
        "\nThe readers:\n"
        "  table:other.csv: reported (confidence 0.80)\n"
        "  table:labels.csv: not reported (confidence 0.80)\n"
        "To review: tie: table:other.csv says reported, table:labels.csv says not reported\n"
        "To review: no quote given\n"
    )
