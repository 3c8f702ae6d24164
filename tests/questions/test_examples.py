"""Examples in a question's text are taken for its hints."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.questions.sample import ONE, PUBLISHED, write
from vivavoce.questions import (
    Problem,
    check,
    load,
    split_examples,
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
