"""Loading a question set by its name, from YAML, or from plain text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.questions.sample import PUBLISHED, WHOLE, write
from vivavoce.errors import VivaError
from vivavoce.questions import (
    Problem,
    check,
    load,
    parse,
    text_of,
)
from vivavoce.records import Level, Question, QuestionSet, Variable


def test_a_whole_set(tmp_path: Path) -> None:
    path = write(tmp_path, WHOLE)
    assert check(path) == []
    assert load(path) == QuestionSet(
        "bees",
        (
            Question("Is it about bees?", "B", screen=True),
            Question("Which bees?", "B1", "honey bees", "bees", "list"),
            Question("Wild or kept?", "B2", kind="choice", choices=("wild", "kept")),
        ),
        "Bees",
        "What a paper on bees says.",
        "nobody",
        (Variable("Bees", "what", ("B1", "B2"), "all"), Variable("Kept", "how", ("B2",))),
        (Level(1, "some", ("what",)), Level(2, "both", ("what", "how"))),
    )
    assert text_of(path) == WHOLE
    assert parse(path, text_of(path)) == load(Path(path))


def test_a_set_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    found = load(write(tmp_path, "\ufefftitle:\nquestions:\n  - {id: A, text: 'Who  asked?'}\n", "mine.yml"))
    assert (found.name, found.title) == ("mine", "")
    assert [(q.id, q.text) for q in found.questions] == [("A", "Who asked?")]


def test_a_plain_text_has_a_question_on_each_line(tmp_path: Path) -> None:
    path = write(tmp_path, f"# after somebody\r\nWhich  bees?\r\n\r\n  {PUBLISHED}\n", "bees.TXT")
    assert [(p.line, p.text[:11], p.warning) for p in check(path)] == [(4, "question Q2", True)]
    found = load(path)
    assert found.name == "bees"
    assert [(q.id, q.text[:12], q.hints) for q in found.questions] == [
        ("Q1", "Which bees?", ""),
        ("Q2", "What methods", "surveys, sensors, public datasets"),
    ]
    # A study keeps it as YAML, and needs to know nothing of where it came from.
    assert parse("kept.yaml", text_of(path)) == found


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("\n# nothing\n", 1, "there is no question in it; write one on each line"),
        ("Who?\n\nWhy?\nWho?\n", 4, "question Q3 has the same text as question Q1 on line 1"),
        ("Who?\n???\n", 2, "question Q2 has no letter in its text"),
        ("Who?\nW\x1b[2Jhy?\n", 2, "question Q2 has a character that can't be shown, U+001B; take it out"),
    ],
)
def test_problems_of_a_plain_text(tmp_path: Path, content: str, line: int, says: str) -> None:
    path = write(tmp_path, content, "bees.txt")
    assert check(path) == [Problem(line, says)]
    with pytest.raises(VivaError, match=rf"bees.txt:{line}: "):
        load(path)


@given(st.lists(st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=30), max_size=6))
def test_a_plain_text_and_its_yaml_are_the_same_set(lines: list[str]) -> None:
    from vivavoce.questions.files import as_yaml, read_lines, read_yaml

    text = "\n".join(lines)
    found, problems = read_lines("x", text)
    again, others = read_yaml("x", as_yaml("x", text))
    assert found == again
    assert (not problems) == (not others)
