"""Coded questions in a set's file."""

import pytest

from vivavoce.questions import load, parse
from vivavoce.questions.files import dump, read_yaml
from vivavoce.records import Question

START = "questions:\n  - id: A\n    text: Where is it?\n"


def question(more: str) -> Question:
    return parse("x.yaml", START + more).questions[0]


def test_choices_with_their_meanings() -> None:
    found = question(
        "    kind: choice\n    also: [Place]\n    several: true\n    absent: nowhere\n"
        "    choices:\n      here: It is here.\n      there: It is there.\n      other: ''\n"
        "    cues:\n      there: ['over ... there', 'yond*|<link>']\n"
    )
    assert (found.choices, found.meanings) == (
        ("here", "there", "other"),
        ("It is here.", "It is there.", ""),
    )
    assert (found.several, found.absent, found.also) == (True, "nowhere", ("Place",))
    assert found.cues == ((), ("over ... there", "yond*|<link>"), ())


def test_one_choice_is_enough_beside_a_code_for_nothing() -> None:
    found = question("    kind: choice\n    absent: nowhere\n    choices: [here]\n")
    assert (found.choices, found.meanings) == (("here",), ())


@pytest.mark.parametrize("kind", ["date", "yes_no", "software", "hardware"])
def test_the_newer_kinds(kind: str) -> None:
    assert question(f"    kind: {kind}\n").kind == kind


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("    kind: choice\n    choices: {here: It is here.}\n", "needs two `choices` or more"),
        ("    kind: choice\n    absent: b\n    choices: [a, b]\n", "is one of its choices"),
        ("    kind: number\n    absent: b\n", "then its kind must be choice"),
        ("    kind: choice\n    choices: {a: '', b: ''}\n", "several choices without a meaning"),
        ("    kind: choice\n    choices: [a, b]\n    cues: {c: [x]}\n", "which is none of its choices"),
        ("    kind: choice\n    choices: [a, b]\n    cues: {a: ['<colour>']}\n", "has <colour>"),
        ("    kind: choice\n    choices: [a, b]\n    cues: {a: ['x ...']}\n", "needs words"),
        ("    kind: choice\n    choices: [a, b]\n    cues: [x]\n", "they need choices"),
        ("    kind: choice\n    choices: [a, b]\n    several: some\n", "must be true or false"),
        ("    kind: colour\n", "the kinds are text, list, link, number, date, yes_no"),
    ],
)
def test_what_is_wrong(more: str, said: str) -> None:
    found, problems = read_yaml("x", START + more)
    assert found is None
    assert said in problems[0].text


@pytest.mark.parametrize("name", ["open-science", "trial-reporting"])
def test_a_coded_set_survives_its_own_yaml(name: str) -> None:
    some = load(name)
    assert parse("again.yaml", dump(some)) == some


def test_the_codes_of_open_science() -> None:
    codes = {q.id: (*sorted(q.choices), q.absent) for q in load("open-science").questions}
    assert list(codes) == [
        *("data", "code", "funding", "interests", "ethics", "consent", "registration", "sample_size"),
        *("blinding", "randomisation", "exclusions", "replication", "software", "resources"),
        *("limitations", "contributions"),
    ]
    assert codes["data"] == (
        *("repository", "request", "restricted", "supplement", "third_party", "unavailable"),
        "not_stated",
    )
    assert codes["blinding"] == ("no", "yes", "not_stated")
    assert all(q.meanings and q.also and q.hints and any(q.cues) for q in load("open-science").questions)
