"""What of a model's reply stands: planted replies, of which is known what is in the paper."""

from pathlib import Path

import pytest

from vivavoce import load
from vivavoce.readers.llm.checking import ModelReply, check, make_answer
from vivavoce.readers.llm.facts import appears_in, unproven_facts
from vivavoce.records import Answer, Doubt, Paper, Question

TEXT = """# Counting bees

## Methods
We filmed 1,200 bees. The network, a ResNet-50, was trained on two GPUs of the type GTX 1080.
It was written in PyTorch 1.12 and ran for 3.5 hours.

## Results
The F1 score was 0.91.
"""
CARD = "The network, a ResNet-50, was trained on two GPUs of the type GTX 1080."
QUESTION = Question("Which hardware was the model trained on?")


@pytest.fixture
def paper(tmp_path: Path) -> Paper:
    (tmp_path / "bees.md").write_text(TEXT, encoding="utf-8")
    return load(tmp_path / "bees.md")


def checked(paper: Paper, said: ModelReply) -> Answer:
    everything = range(len(paper.sentences))
    made = make_answer(paper, QUESTION, "m", "1", said, check(paper, said, everything))
    assert made.status != "reported" or unproven_facts(made.text, made.evidence) == ()
    return made


def number(paper: Paper, beginning: str) -> int:
    return next(n for n, s in enumerate(paper.sentences) if s.text.startswith(beginning))


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("GPUs", "one GPU."),
        ("GPU", "three GPUs"),
        ("ResNet50", "a ResNet-50"),
        ("ResNet-50", "a ResNet50,"),
        ("1200", "of 1,200 bees"),
        ("0.91", "was 0.91."),
        ("16", "with 16GB of memory"),
        ("224", "224x224 pixels"),
        ("TITAN Xp", "(TITAN\nXp)"),
        ("https://a.org/b", "at https://a.org/ b"),
    ],
)
def test_a_fact_stands_however_it_is_written(fact: str, text: str) -> None:
    assert appears_in(fact, text)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("3", "3.5 hours"),
        ("5", "3.5 hours"),
        ("32", "132"),
        ("GTX", "GT"),
        ("5", "5e-4"),
        ("10", "1080"),
        ("0.9", "0.91"),
    ],
)
def test_a_part_of_another_fact_is_not_it(fact: str, text: str) -> None:
    assert not appears_in(fact, text)


def test_words_that_the_quotes_prove_are_kept(paper: Paper) -> None:
    made = checked(paper, ModelReply(True, "Two GPUs (GTX 1080).", quotes=(CARD,)))
    assert made.text == "Two GPUs (GTX 1080)."
    assert made.doubts == ()


def test_a_quote_without_an_answer_is_the_answer(paper: Paper) -> None:
    made = checked(paper, ModelReply(True, "", quotes=(CARD,)))
    assert made.status == "reported"
    assert made.text == CARD
    assert made.doubts == ()


@pytest.mark.parametrize("invented", ["two GTX 1080 and a TPU", "two GTX 1080 with 11 GB"])
def test_an_answer_with_an_invention_gives_way_to_its_quotes(paper: Paper, invented: str) -> None:
    made = checked(paper, ModelReply(True, invented, quotes=(CARD,)))
    assert made.text == CARD
    assert any("not in the paper" in doubt.text for doubt in made.doubts)


def test_a_fact_from_elsewhere_in_the_paper_is_no_part_of_the_answer(paper: Paper) -> None:
    made = checked(paper, ModelReply(True, "GTX 1080, for 3.5 hours", quotes=(CARD,)))
    assert made.text == CARD
    assert made.doubts == (Doubt("fact_not_in_quotes", "in no quote: 3.5"),)


def test_a_sentence_that_was_named_proves_what_no_quote_does(paper: Paper) -> None:
    named = (number(paper, "It was written"), number(paper, "The F1"))
    made = checked(paper, ModelReply(True, "GTX 1080, for 3.5 hours", named, quotes=(CARD,)))
    assert made.text == "GTX 1080, for 3.5 hours"
    assert [e.quote for e in made.evidence] == [CARD, paper.sentences[named[0]].text]
    assert made.doubts == ()


def test_the_only_sentence_that_has_a_name_of_the_answer_is_quoted(paper: Paper) -> None:
    """A small model that says the right thing, and quotes the sentence beside it."""
    beside = paper.sentences[number(paper, "It was written")].text
    made = checked(paper, ModelReply(True, "A GTX 1080.", quotes=(beside,)))
    assert made.text == "A GTX 1080."
    assert [e.quote for e in made.evidence] == [CARD, beside]
    said = ModelReply(True, "A GTX 1080.", quotes=(beside,))
    unseen = check(paper, said, [number(paper, "It was written")])  # what it was not shown it can't mean
    assert [e.quote for e in unseen.found] == [beside]


def test_the_number_before_a_quote_is_not_part_of_it(paper: Paper) -> None:
    here = number(paper, "The network")
    for quote in (f"[{here}] {CARD}", f"{here} {CARD}"):
        (found,) = checked(paper, ModelReply(True, "GTX 1080", (here,), quotes=(quote,))).evidence
        assert found.match == "exact"
        assert found.quote == CARD


def test_nothing_but_inventions_is_unsupported(paper: Paper) -> None:
    """A quote beside it does not make it true: of all that was said, nothing stands in the paper."""
    made = checked(paper, ModelReply(True, "", quotes=(CARD,), values=("TPU", "A100")))
    assert made.status == "unsupported"
    assert made.evidence == ()
    assert len(made.doubts) == 2


def test_facts_that_stand_in_a_quote_are_values(paper: Paper) -> None:
    said = ModelReply(
        True, "Two GPUs.", quotes=(CARD,), values=("GTX 1080", "GTX  1080", "TPU v4", "3.5 hours")
    )
    found = checked(paper, said)
    assert [(value.kind, value.text) for value in found.values] == [("fact", "GTX 1080")]
