"""A run gives values, with terms of the study's own."""

from pathlib import Path

from vivavoce.study.study import Study

PAPER = """# Bees in meadows

## Methods

The traps used to catch the bees were bee bowls. We counted 240 bees in two meadows.

The code is available at https://github.com/ab/bees.
"""
SET = """name: bees
questions:
  - {id: CODE, kind: link, text: "Where is the code available?"}
  - {id: TRAP, text: "Which trap was used to catch the bees?"}
"""


def test_values_come_through_a_run(tmp_path: Path) -> None:
    (tmp_path / "bees.md").write_text(PAPER, encoding="utf-8")
    (tmp_path / "set.yaml").write_text(SET, encoding="utf-8")
    study = Study.create(tmp_path / "study", str(tmp_path / "set.yaml"))
    folder = tmp_path / "study" / "vocabulary"
    folder.mkdir()
    (folder / "traps.yaml").write_text("kind: trap\nasked: [trap]\nterms:\n  pan trap: [bee bowl]\n")
    summary = study.run([tmp_path / "bees.md"], workers=1)
    assert summary.failed == ()
    answers = {answer.question.id: answer for answer in study.answers()}
    assert answers["CODE"].value == "https://github.com/ab/bees"
    (trap,) = answers["TRAP"].coded
    assert (trap.value, trap.name) == ("bee bowls", "pan trap")
    quote = answers["TRAP"].evidence[trap.quote or 0].quote
    assert quote[trap.start : trap.end] == "bee bowls"
    study.close()
