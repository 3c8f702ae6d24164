"""What is wrong with a question set, by line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.questions.sample import ONE, TWO, write
from vivavoce.errors import VivaError
from vivavoce.questions import (
    check,
    load,
    parse,
    text_of,
)
from vivavoce.questions.loading import MAX_FILE_BYTES

PROBLEMS = [
    # What no set can be made of.
    ("a: b\nquestions: [", 2, "not YAML: while parsing a flow node, expected the node content, but found"),
    (
        "questions:\n  - id: A\n    text: Who: me?\n",
        3,
        "not YAML: mapping values are not allowed here; put a",
    ),
    (
        "questions:\n  - id: A\n    text: 'Who?\n\n",
        3,
        "not YAML: while scanning a quoted scalar, found unexp",
    ),
    ("questions:\n  - id: \x07\n", 2, "not YAML: it has a character that can't be shown; take it out"),
    ('a: 1\nb: "\\UFFFFFFFF"\n', 2, "not YAML: it has an escape for a character that does not exist"),
    ('a: 1\nb: "\\U00110000"\n', 2, "not YAML: it has an escape for a character that does not exist"),
    (
        ONE + "---\n" + ONE,
        3,
        "not YAML: expected a single document in the stream, but found another document",
    ),
    ("", 1, "it is empty; a question set needs `questions:` and a list of them"),
    ("\n- just a list", 2, "it is a list; a question set needs `questions:` and a list of them"),
    ("# no\nword", 2, "it is a single value; a question set needs `questions:`"),
    ("questions:\n  - &x {id: A, text: 'Who?'}\n", 2, "has a YAML anchor or alias (& or *); write it out"),
    ("a: 1\nb: *x\n", 2, "has a YAML anchor or alias (& or *); write it out"),
    ("a: 1\nb: " + "[" * 50_000, 2, "is nested too deeply"),
    # The set.
    ("\nname: mine\n", 2, "the set has no `questions`"),
    ("name: mine\nquestions: []\n", 2, "there is no question in it"),
    ("name: mine\nquestions:\n", 2, "there is no question in it"),
    ("questions: all of them\n", 1, "`questions` is a single value; it should be a list"),
    (ONE + "titel: Mine\n", 3, "the set has an unknown field 'titel'; did you mean `title`?"),
    (
        ONE + "xyz: Mine\n",
        3,
        "the set has an unknown field 'xyz'; the fields are name, title, about, source,",
    ),
    (ONE + "title: Mine\ntitle: Yours\n", 4, "the set has the field `title` twice; keep one"),
    (
        ONE + "title: 2024-01-01\n",
        3,
        "the `title` of the set is a date to YAML, not text; put it in quotation",
    ),
    # A question.
    (TWO + "  - What?\n", 4, "entry 3 of `questions` is a single value; it needs fields: id, text,"),
    (ONE + "  - {}\n", 3, "entry 2 of `questions` has no id"),
    (ONE + "  - {text: 'Why?'}\n", 3, "entry 2 of `questions` has no id"),
    (ONE + "  - {text: 'Why?', id: ' '}\n", 3, "entry 2 of `questions` has no id"),
    (ONE + "  - {id: B}\n", 3, "question B has no text"),
    (ONE + "  - id: B\n    text:\n", 4, "question B has no text"),
    (ONE + "  - {id: B, text: '??'}\n", 3, "question B has no letter in its text"),
    (
        ONE + f"  - {{id: B, text: {'word ' * 201}}}\n",
        3,
        "question B has a text of more than 1,000 characters",
    ),
    (ONE + "  - {id: B, text: [Why]}\n", 3, "the `text` of question B is a list; it should be text"),
    (
        ONE + "  - id: B\n    text: no\n",
        4,
        "the `text` of question B is true or false to YAML, not text; put it",
    ),
    (
        ONE + "  - {id: 7, text: 'Why?'}\n",
        3,
        "the `id` of question 7 is a number to YAML, not text; put it in",
    ),
    (
        ONE + '  - {id: B, text: "Why\\e[2J?"}\n',
        3,
        "the `text` of question B has a character that can't be sh",
    ),
    (
        ONE + '  - {id: B, text: "Why \\ud800?"}\n',
        3,
        "the `text` of question B has a character that can't be",
    ),
    (TWO + "  - {id: A, text: 'What?'}\n", 4, "the id A is used twice; it is on line 2, too"),
    (TWO + "  - {id: C, text: 'Who?'}\n", 4, "question C has the same text as question A on line 2"),
    (
        ONE + "  - id: B\n    text: Why?\n    hint: so\n",
        5,
        "question B has an unknown field 'hint'; did you m",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', kind: url}\n",
        3,
        "question B has the unknown kind 'url'; the kinds are t",
    ),
    (ONE + "  - {id: B, text: 'Why?', kind: choice}\n", 3, "question B has the kind choice, and needs two"),
    (
        ONE + "  - {id: B, text: 'Why?', kind: choice, choices: [x]}\n",
        3,
        "question B has the kind choice, and",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', kind: choice, choices: x}\n",
        3,
        "the `choices` of question B is a sin",
    ),
    (
        ONE + "  - id: B\n    text: Why?\n    kind: choice\n    choices: [x, y, yes]\n",
        6,
        "an entry of the `choices` of question B is true or false to YAML, not text; put it in",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', kind: choice, choices: [x, y, x]}\n",
        3,
        "the `choices` of question B h",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', kind: choice, choices: [x, y, '']}\n",
        3,
        "an entry of the `choices` of q",
    ),
    (
        ONE + "  - id: B\n    text: Why?\n    choices: [x, y]\n",
        5,
        "question B has `choices`; then its kind must",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', screen: maybe}\n",
        3,
        "the `screen` of question B must be true or false",
    ),
    (
        ONE + "  - {id: B, text: 'Why?', screen: true}\n\n  - {id: C, text: 'What?', screen: on}\n",
        5,
        "question C is a second screening question, after question B on line 3; a set has one",
    ),
    (
        "questions:\n  - {id: B, text: 'Why?', screen: true}\n",
        2,
        "there is no question in it but the screening",
    ),
    # Variables.
    (TWO + "variables: {a: b}\n", 4, "`variables` is a mapping; it should be a list"),
    (
        TWO + "variables: [V]\n",
        4,
        "entry 1 of `variables` is a single value; it needs fields: name, category,",
    ),
    (TWO + "variables:\n  - {category: c, questions: [A]}\n", 5, "entry 1 of `variables` has no name"),
    (TWO + "variables:\n  - {name: V, questions: [A]}\n", 5, "variable V has no category"),
    (
        TWO + "variables:\n  - {name: V, category: c}\n",
        5,
        "variable V names no questions; give a list of their",
    ),
    (
        TWO + "variables:\n  - {name: V, category: c, questions: }\n",
        5,
        "variable V names no questions; give a",
    ),
    (
        TWO + "variables:\n  - {name: V, category: c, questions: A}\n",
        5,
        "the `questions` of variable V is a s",
    ),
    (
        TWO + "variables:\n  - name: V\n    category: c\n    questions:\n      - A\n      - Bb\n",
        9,
        "variable V names the question Bb, which is not there; did you mean B?",
    ),
    (
        TWO + "variables:\n  - {name: V, category: c, questions: [A], need: both}\n",
        5,
        "the `need` of variable V",
    ),
    (
        TWO + "variables:\n  - &v {name: V, category: c, questions: [A]}\n",
        5,
        "has a YAML anchor or alias (& or *); write it out, or put a text in quotation marks",
    ),
    (
        TWO + "variables:\n" + "  - {name: V, category: c, questions: [A]}\n" * 2,
        6,
        "there are two variables V; the other is on line 5",
    ),
]
VARIABLES = TWO + "variables:\n  - {name: V, category: what, questions: [A]}\nlevels:\n"
PROBLEMS += [
    (
        VARIABLES + "  - {number: one, name: L, categories: [what]}\n",
        7,
        "level one needs a `number`, a whole one",
    ),
    (
        VARIABLES + "  - {name: L, categories: [what]}\n",
        7,
        "entry 1 of `levels` needs a `number`, a whole one",
    ),
    (
        VARIABLES + "  - {number: 1.5, name: L, categories: [what]}\n",
        7,
        "level 1.5 needs a `number`, a whole on",
    ),
    (
        VARIABLES + "  - {number: !!int {a: b}, name: L, categories: [what]}\n",
        7,
        "entry 1 of `levels` needs a `n",
    ),
    (VARIABLES + "  - {number: 1, categories: [what]}\n", 7, "level 1 has no name"),
    (
        VARIABLES + "  - {number: 1, name: L}\n",
        7,
        "level 1 names no categories; give a list of the variables' c",
    ),
    (
        VARIABLES + "  - number: 1\n    name: L\n    categories: [what, whta]\n",
        9,
        "level 1 names the category whta, which no variable has; did you mean what?",
    ),
    (
        VARIABLES + "  - {number: 1, name: L, categories: [what]}\n" * 2,
        8,
        "there are two levels 1; the other is on line 7",
    ),
]


@pytest.mark.parametrize(("content", "line", "says"), PROBLEMS, ids=[says for *_, says in PROBLEMS])
def test_each_problem_with_its_line(tmp_path: Path, content: str, line: int, says: str) -> None:
    path = write(tmp_path, content)
    problems = check(path)
    assert [(p.line, p.text[: len(says)], p.warning) for p in problems if p.text.startswith(says)] == [
        (line, says, False)
    ]
    # Nothing else is said; an entry without anything in it lacks two things.
    assert len(problems) == (2 if "{}" in content else 1)
    with pytest.raises(VivaError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}:")
    assert "\n" not in str(error.value)


def test_all_problems_are_given_in_the_order_of_their_lines(tmp_path: Path) -> None:
    content = (
        "questions:\n  - {id: A}\n  - {id: B, text: 'Why (e.g., so)?'}\n  - {id: A, text: 'Who?', kind: x}\n"
        "levels: [1]\nabuot: me\n"
    )
    path = write(tmp_path, content)
    assert [(p.line, p.warning) for p in check(path)] == [
        (2, False),
        (3, True),
        (4, False),
        (4, False),
        (5, False),
        (6, False),
    ]
    with pytest.raises(VivaError) as error:
        load(path)
    assert str(error.value) == (
        f"{path}:2: question A has no text (and 4 more; see `viva questions check {path}`)"
    )
    with pytest.raises(VivaError, match=r"^kept:2: question A has no text \(and 4 more"):
        parse("kept", content)


def test_a_single_problem_has_no_more(tmp_path: Path) -> None:
    path = write(tmp_path, TWO + "  - {id: C}\n")
    with pytest.raises(VivaError) as error:
        load(path)
    assert str(error.value) == f"{path}:4: question C has no text"


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "my-set.yaml"
    path.write_bytes(b"questions:\n  - {id: A, text: 'M\xfcll?'}\n")
    with pytest.raises(VivaError, match=r"my-set.yaml:2: can't be read as UTF-8"):
        load(path)
    path.write_bytes(ONE.encode() + b"#" * (MAX_FILE_BYTES - len(ONE)))
    assert check(path) == []
    path.write_bytes(ONE.encode() + b"#" * (MAX_FILE_BYTES - len(ONE) + 1))
    for function in (load, check, text_of):
        with pytest.raises(VivaError, match="is larger than 1 MB"):
            function(path)


def test_an_unknown_set_names_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(VivaError, match=r"no question set 'nope'; give .*dl-methods"):
        load("nope")
    with pytest.raises(VivaError, match=r"did you mean 'dl-methods'\?"):
        load("dl-method")
    with pytest.raises(VivaError, match=r"there is no file 'nope.yaml'"):
        check("nope.yaml")
    with pytest.raises(VivaError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(VivaError, match="there is no question set"):
        load("x" * 5000)


@given(st.text(st.sampled_from("questions: -[]{}&*!?|>'\"#\n\tidAx,0%@"), max_size=80))
def test_whatever_stands_in_a_file_there_is_a_set_or_a_problem(text: str) -> None:
    from vivavoce.questions.files import read_yaml

    for content in (text, ONE + text, "questions:\n  - " + text):
        found, problems = read_yaml("x", content)
        assert (found is None) == any(not problem.warning for problem in problems)
