"""Question sets: those that ship, files of one's own, and all that can be wrong with them, by line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import VivaError
from vivavoce.questions import (
    Problem,
    asked,
    check,
    load,
    parse,
    shipped,
    split_examples,
    text_of,
)
from vivavoce.questions.loading import MOST_BYTES
from vivavoce.records import Level, Question, QuestionSet, Variable

WHOLE = """\
name: bees
title: Bees
about: >
  What a paper
  on bees says.
source: nobody
questions:
  - {id: B, text: "Is it about bees?", screen: yes}
  - id: B1
    text: Which  bees?
    hints: honey bees
    topic: bees
    kind: list
  - {id: B2, text: "Wild or kept?", kind: choice, choices: [wild, kept]}
variables:
  - {name: Bees, category: what, questions: [B1, B2], need: all}
  - {name: Kept, category: how, questions: [B2]}
levels:
  - {number: 2, name: both, categories: [what, how]}
  - {number: 1, name: some, categories: [what]}
"""


def write(folder: Path, content: str, name: str = "my-set.yaml") -> str:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_the_28() -> None:
    found = load("dl-methods")
    questions = asked(found)
    assert [q.id for q in questions] == [f"CQ{n}" for n in range(1, 29)]
    assert [q.id for q in found.questions if q.screen] == ["DL"]
    assert found.questions[0].text == "Which neural network was trained or applied?"
    assert [q.id for q in questions if q.kind == "link"] == ["CQ8", "CQ9", "CQ10", "CQ11"]
    assert [q.id for q in questions if q.kind == "list"] == ["CQ5", "CQ13", "CQ19", "CQ22"]


def test_training_asks_in_the_words_that_ship() -> None:
    from training.wordings import WORDINGS

    assert {q.id: q.text for q in asked(load())} == {id: texts[0] for id, texts in WORDINGS.items()}


def reached(some: QuestionSet, reported: set[str]) -> list[int]:
    """The numbers of the levels of a paper that reports these questions."""
    given = {
        v.name: (all if v.need == "all" else any)(id in reported for id in v.questions)
        for v in some.variables
    }
    lacking = {v.category for v in some.variables if not given[v.name]}
    return [level.number for level in some.levels if not lacking & set(level.categories)]


def test_the_reproducibility_levels_of_the_28() -> None:
    some = load("dl-methods")
    assert len(some.variables) == 10
    assert len({v.category for v in some.variables}) == 4
    resources = {"CQ11", "CQ8", "CQ19", "CQ12"}
    methods = {"CQ20", "CQ6", "CQ13"}
    statistics = {"CQ22", "CQ23"}
    assert reached(some, set()) == []
    assert reached(some, resources) == [1]
    assert reached(some, resources - {"CQ8"} | {"CQ10"}) == [1]
    assert reached(some, resources - {"CQ8"}) == []
    assert reached(some, resources | methods) == [1, 2]
    assert reached(some, resources | methods - {"CQ20"}) == [1]
    assert reached(some, resources | methods | statistics) == [1, 2, 3]
    assert reached(some, resources | methods | {"CQ24"}) == [1, 2, 4]
    assert reached(some, resources | methods | statistics | {"CQ24"}) == [1, 2, 3, 4, 5]
    assert reached(some, resources | methods | {"CQ22", "CQ24"}) == [1, 2, 4]


@pytest.mark.parametrize("name", shipped())
def test_what_ships_is_sound(name: str) -> None:
    assert check(name) == []
    some = load(name)
    assert some.name == name
    assert some.title
    assert some.about
    assert "et al. (20" in some.source
    assert all(q.text.endswith("?") and q.hints and q.topic for q in some.questions)
    assert [q.screen for q in some.questions] == [True] + [False] * (len(some.questions) - 1)
    assert some.variables
    # Every level can be reached, and only by a paper that reports something.
    assert reached(some, {q.id for q in some.questions}) == [level.number for level in some.levels] != []
    assert reached(some, set()) == []


def test_which_sets_ship() -> None:
    assert shipped() == ("dl-methods", "ml-reproducibility", "species-distribution")


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


ONE = "questions:\n  - {id: A, text: 'Who?'}\n"
TWO = ONE + "  - {id: B, text: 'Why?'}\n"
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
    path.write_bytes(ONE.encode() + b"#" * (MOST_BYTES - len(ONE)))
    assert check(path) == []
    path.write_bytes(ONE.encode() + b"#" * (MOST_BYTES - len(ONE) + 1))
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


PUBLISHED = (
    "What methods are utilized for collecting raw data in the deep learning pipeline "
    "(e.g., surveys, sensors, public datasets)?"
)


def test_a_published_wording_is_asked_without_its_examples(tmp_path: Path) -> None:
    path = write(tmp_path, ONE + f'  - id: B\n    text: "{PUBLISHED} "\n')
    assert check(path) == [
        Problem(
            4,
            "question B has examples in its text; they were taken for its `hints`: they leak into answers",
            warning=True,
        )
    ]
    question = load(path).questions[1]
    assert question.text == "What methods are utilized for collecting raw data in the deep learning pipeline?"
    assert question.hints == "surveys, sensors, public datasets"


@pytest.mark.parametrize(
    "question",
    [
        f'{{id: B, text: "{PUBLISHED}", hints: "diaries"}}',
        '{id: B, text: "Which tools (e.g., nets) were used in the field?"}',
        '{id: B, text: "Which tools (E.g. nets) were used (and why)?"}',
    ],
)
def test_examples_that_cannot_be_moved_stay_and_are_warned_about(tmp_path: Path, question: str) -> None:
    path = write(tmp_path, ONE + f"  - {question}\n")
    said = "question B has examples in its text; move them to `hints`: they leak into answers"
    assert check(path) == [Problem(3, said, warning=True)]
    kept = load(path).questions[1]
    assert "e.g." in kept.text.lower()
    assert kept.hints in ("diaries", "")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Which tools (e.g., nets)?", ("Which tools?", "nets")),
        ("Which tools (e.g. nets, traps) ? ", ("Which tools?", "nets, traps")),
        ("Which tools? (e.g., nets)", ("Which tools?", "nets")),
        ("Tools (E.g.: nets)", ("Tools", "nets")),
        ("Tools (eg nets).", ("Tools.", "nets")),
        ("Which spp. (e. g., Apis (wild))?", ("Which spp.?", "Apis (wild)")),
        ("Which tools (e.g., nets) (e.g., traps)?", ("Which tools?", "nets, traps")),
        ("Which tools (nets)?", ("Which tools (nets)?", "")),
        ("Which eggs (eggs of bees)?", ("Which eggs (eggs of bees)?", "")),
        ("Which tools (e.g., nets) exactly?", ("Which tools (e.g., nets) exactly?", "")),
        ("(e.g., nets)?", ("(e.g., nets)?", "")),
        ("nets, e.g., big)?", ("nets, e.g., big)?", "")),
        ("Which tools (e.g.,)?", ("Which tools (e.g.,)?", "")),
        ("", ("", "")),
    ],
)
def test_examples_at_the_end_are_split_off(text: str, parts: tuple[str, str]) -> None:
    assert split_examples(text) == parts


WORDS = st.lists(st.text("abcxyzäß019,-'", min_size=1, max_size=8), min_size=1, max_size=8).map(" ".join)


@given(
    WORDS.filter(lambda head: any(c.isalnum() for c in head)),
    WORDS,
    st.sampled_from(["e.g.,", "e.g.", "eg:"]),
)
def test_what_was_put_together_comes_apart(head: str, examples: str, mark: str) -> None:
    assert split_examples(f"{head} ({mark} {examples})?") == (f"{head}?", examples)
    assert split_examples(f" {head}  ({mark} {examples}) ") == (head, examples)
    assert split_examples(f"{head}?") == (f"{head}?", "")


@given(st.text(st.sampled_from("ab ?.()e.g.,:\n"), max_size=60))
def test_splitting_loses_no_letter_and_leaves_nothing_to_split(text: str) -> None:
    rest, examples = split_examples(text)
    assert split_examples(rest) == (rest, "")
    letters = [c for c in text if c in "ab"]
    assert [c for c in rest + examples if c in "ab"] == letters
    if not examples:
        assert rest == text.strip()


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


@given(st.text(st.sampled_from("questions: -[]{}&*!?|>'\"#\n\tidAx,0%@"), max_size=80))
def test_whatever_stands_in_a_file_there_is_a_set_or_a_problem(text: str) -> None:
    from vivavoce.questions.files import read_yaml

    for content in (text, ONE + text, "questions:\n  - " + text):
        found, problems = read_yaml("x", content)
        assert (found is None) == any(not problem.warning for problem in problems)
