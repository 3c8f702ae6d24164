"""`viva questions`: for people, as JSON, and when the call or the file is wrong."""

import json
from pathlib import Path

import pytest

from tests.commands import viva
from tests.questions.sample import ONE, PUBLISHED, TWO, WHOLE
from vivavoce.questions import shipped


@pytest.fixture
def bees(tmp_path: Path) -> Path:
    path = tmp_path / "bees.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    return path


def test_list_is_what_it_does_by_itself() -> None:
    done = viva("questions")
    assert (done.returncode, done.stderr) == (0, "")
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert head == ["name", "questions", "title", "about"]
    assert tuple(row[0] for row in rows) == shipped()
    assert rows[0][1:3] == ["28", "Deep-learning methods"]
    assert all(len(row) == 4 and row[3].endswith(".") for row in rows)
    assert viva("questions", "list").stdout == done.stdout


def test_list_as_json() -> None:
    sets = json.loads(viva("questions", "list", "--json").stdout)["sets"]
    assert tuple(one["name"] for one in sets) == shipped()
    assert sets[0]["questions"] == 28


def test_list_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    from vivavoce.cli import questions

    screen = Console(width=60, force_terminal=True, color_system=None, record=True, legacy_windows=False)
    monkeypatch.setattr(questions, "console", lambda: screen)
    questions.list_sets()
    lines = screen.export_text().splitlines()
    assert lines[0] == "name                  questions  title"
    assert lines[1] == "dl-methods                   28  Deep-learning methods"
    assert lines[2].startswith("    What a paper that trains")
    assert max(map(len, lines)) <= 80


def test_show(bees: Path) -> None:
    done = viva("questions", "show", bees)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "bees · Bees\n"
        "What a paper on bees says.\n"
        "\n"
        "  B   Is it about bees?\n"
        "      screening: a paper that clearly fails it is not asked the other questions\n"
        "  B2  Wild or kept?\n"
        "      one of: wild; kept\n"
        "\n"
        "bees\n"
        "  B1  Which bees? [list]\n"
        "      honey bees\n"
        "\n"
        "Variables: what the answers add up to\n"
        "  what\n"
        "    Bees: B1 and B2\n"
        "  how\n"
        "    Kept: B2\n"
        "\n"
        "Levels: a paper reaches one when it gives every variable of these categories\n"
        "  1  some: what\n"
        "  2  both: what, how\n"
        "\n"
        "Source: nobody\n"
    )


@pytest.mark.parametrize("name", shipped())
def test_show_a_set_that_ships(name: str) -> None:
    document = json.loads(viva("questions", "show", name, "--json").stdout)
    shown = viva("questions", "show", name).stdout
    assert all(f"  {q['id']} " in shown and q["text"] in shown for q in document["questions"])
    screens = sum(q["screen"] for q in document["questions"])
    assert shown.count("screening: a paper") == screens <= 1
    assert max(map(len, shown.splitlines())) <= 100


def test_show_as_json(bees: Path) -> None:
    document = json.loads(viva("questions", "show", bees, "--json").stdout)
    assert set(document) == {"name", "title", "about", "source", "questions", "variables", "levels"}
    assert document["questions"][2] == {
        "text": "Wild or kept?",
        "id": "B2",
        "hints": "",
        "topic": "",
        "kind": "choice",
        "choices": ["wild", "kept"],
        "screen": False,
        "meanings": [],
        "cues": [],
        "several": False,
        "absent": "",
        "also": [],
        "vocabulary": [],
    }
    assert document["variables"][0] == {
        "name": "Bees",
        "category": "what",
        "questions": ["B1", "B2"],
        "need": "all",
        "values": [],
    }
    assert document["levels"][0] == {"number": 1, "name": "some", "categories": ["what"]}


def test_check_a_sound_file(bees: Path, tmp_path: Path) -> None:
    done = viva("questions", "check", bees)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{bees}: 2 questions and a screening question, no problems.\n"
    plain = tmp_path / "one.txt"
    plain.write_text("Who?\n", encoding="utf-8")
    assert viva("questions", "check", plain).stdout == f"{plain}: 1 question, no problems.\n"


def test_check_says_all_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "my-set.yaml"
    path.write_text(ONE + f'  - {{id: B, text: "{PUBLISHED}"}}\n  - {{id: C}}\ntitel: x\n', encoding="utf-8")
    done = viva("questions", "check", path)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines() == [
        f"{path}:3: warning: question B has examples in its text; they were taken for its `hints`: "
        "they leak into answers",
        f"{path}:4: question C has no text",
        f"{path}:5: the set has an unknown field 'titel'; did you mean `title`?",
        f"{path}: 2 errors, 1 warning.",
    ]
    done = viva("questions", "check", path, "--json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert (document["file"], document["questions"]) == (str(path), 0)
    assert (document["errors"], document["warnings"]) == (2, 1)
    assert document["problems"][1] == {"line": 4, "text": "question C has no text", "warning": False}


def test_a_warning_alone_is_exit_0(tmp_path: Path) -> None:
    path = tmp_path / "my-set.txt"
    path.write_text(f"Who?\n{PUBLISHED}\n", encoding="utf-8")
    done = viva("questions", "check", path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == [f"{path}: 2 questions, 1 warning."]
    document = json.loads(viva("questions", "check", path, "--json").stdout)
    assert (document["questions"], document["errors"], document["warnings"]) == (2, 0, 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "nope"], "viva: there is no question set 'nope'; give a YAML file, or one of: dl-methods,"),
        (["check", "nope.yaml"], "viva: there is no file 'nope.yaml';"),
        (["show", "{bad}"], "viva: {bad}:4: question C has no text"),
        (["show"], "viva: Missing argument 'SET'. See `viva questions show --help`."),
        (["nope"], "viva: No such command 'nope'. See `viva questions --help`."),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(TWO + "  - {id: C}\n", encoding="utf-8")
    done = viva("questions", *(argument.format(bad=bad) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(says.format(bad=bad))
    assert done.stderr.count("\n") == 1


def test_what_a_file_says_cannot_command_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.yaml"
    path.write_text(TWO + 'title: "\\e[2J"\n"\\e]0;x": 1\nname: "a\\u200eb\\u009b"\n', encoding="utf-8")
    for command in ("check", "show"):
        done = viva("questions", command, path)
        assert done.returncode == 2
        assert not {"\x1b", "\x9b", "\u200e"} & set(done.stdout + done.stderr)
    path.write_text(TWO + 'title: "[bold]a\\u200eb[/bold]"\n', encoding="utf-8")
    assert "[bold]a\ufffdb[/bold]" in viva("questions", "show", path).stdout


def test_help_is_as_that_of_the_other_commands() -> None:
    shown = viva("questions", "show", "-h").stdout
    assert shown.startswith("Usage: viva questions show SET [OPTIONS]\n")
    assert "Arguments:\n  SET  The name of a set" in shown
