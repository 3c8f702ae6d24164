"""Question sets: the one that ships, and files that are wrong."""

from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.questions import load, shipped


def test_the_28() -> None:
    questions = load("dl-methods").questions
    assert [q.id for q in questions] == [f"CQ{n}" for n in range(1, 29)]
    assert all(q.text.endswith("?") and q.hints and q.topic for q in questions)
    assert len({q.text for q in questions}) == 28
    assert "dl-methods" in shipped()


def test_training_asks_in_the_words_that_ship() -> None:
    from training.wordings import WORDINGS

    assert {q.id: q.text for q in load().questions} == {id: texts[0] for id, texts in WORDINGS.items()}


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("title:\nquestions:\n  - {id: A, text: 'Who  asked?'}\n", encoding="utf-8")
    found = load(str(file))
    assert (found.name, found.title) == ("mine", "")
    assert [(q.id, q.text) for q in found.questions] == [("A", "Who asked?")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"questions: [", "not YAML"),
        (b"- just a list", "needs a list of `questions`"),
        (b"questions: []", "there is no question in it"),
        (b"questions: [{id: A}]", "question 1 needs an id and a text"),
        (b"questions: [{id: A, text: 'x?'}, {id: A, text: 'y?'}]", "the id A is used twice"),
        (b"questions: \xff\xfe", "can't be read as UTF-8"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_bytes(content)
    with pytest.raises(VivaError, match=says) as error:
        load(str(file))
    assert "\n" not in str(error.value)


def test_an_unknown_set_names_those_that_there_are() -> None:
    with pytest.raises(VivaError, match=r"no question set 'nope'.*dl-methods"):
        load("nope")
