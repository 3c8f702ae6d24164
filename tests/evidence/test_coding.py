"""Quotes become values: by kind, with and without what a network says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.evidence.coding import code, said_values
from vivavoce.evidence.signals import Marks, Signals, joined, moved
from vivavoce.questions import load
from vivavoce.records import Coded, Evidence, Question, QuestionKind, Terms


def quotes(*texts: str) -> list[Evidence]:
    return [Evidence(text, 1, "exact", 0, len(text)) for text in texts]


def coded(question: Question, *texts: str, said: Signals | None = None) -> list[object]:
    found = code(question, quotes(*texts), said or Signals())
    for one in found:
        assert one.quote is not None
        assert texts[one.quote][one.start : one.end].strip()
    return [one.value for one in found]


def marks(text: str, *answering: str) -> Marks:
    """Every word of the text, those of the answer with a high chance."""
    spans, chances, at = [], [], 0
    for word in text.split():
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        inside = any(text.index(a) <= at and at + len(word) <= text.index(a) + len(a) + 1 for a in answering)
        chances.append(0.9 if inside else 0.05)
        at += len(word)
    return Marks(tuple(chances), tuple(spans))


@pytest.mark.parametrize(
    ("kind", "question", "text", "values"),
    [
        ("link", "Where is the code?", "It is at https://a.org/x.", ["https://a.org/x"]),
        ("number", "At what temperature were they kept?", "Kept at 15°C for 12 weeks.", [15]),
        ("number", "How long were they kept?", "Kept at 15°C for 12 weeks.", [12]),
        ("number", "How many mice were used?", "We used 24 mice at 3 sites for 5 days.", [24]),
        (
            "date",
            "When were patients recruited?",
            "Recruited from May 2010 to June 2011.",
            ["May 2010 to June 2011"],
        ),
        ("yes_no", "Was data augmentation applied?", "No augmentation was applied.", ["no"]),
        ("yes_no", "Was data augmentation applied?", "Images were augmented by flipping.", ["yes"]),
        (
            "yes_no",
            "Were the groups blinded?",
            "Not only were the groups blinded, but also the staff.",
            ["yes"],
        ),
        (
            "software",
            "Which software was used?",
            "We used Tensor Flow (version 2.4.1) and R version 4.0.3.",
            ["Tensor Flow 2.4.1", "R 4.0.3"],
        ),
        (
            "software",
            "Which software was used?",
            "in GraphPad Prism 8 and MATLAB R2019a",
            ["GraphPad Prism 8", "MATLAB R2019a"],
        ),
        ("hardware", "Which hardware?", "Trained on three NVIDIA TITAN Xp GPUs.", ["NVIDIA TITAN Xp x 3"]),
        (
            "hardware",
            "Which hardware?",
            "on an Intel Core i7-8700K with 64 GB RAM",
            ["Intel Core i7-8700K", "64 GB RAM"],
        ),
        (
            "list",
            "Which augmentation was applied?",
            "We applied flipping, rotating, cropping and added noise.",
            ["flipping", "rotating", "cropping", "added noise"],
        ),
        (
            "list",
            "Which metrics were used?",
            "We report F1-score, recall and mAP.",
            ["F1-score", "recall", "mAP"],
        ),
        (
            "text",
            "Which optimiser was used?",
            "The network was optimised by SGD with momentum.",
            ["SGD", "momentum"],
        ),
    ],
)
def test_values_by_form_and_vocabulary(
    kind: QuestionKind, question: str, text: str, values: list[object]
) -> None:
    assert coded(Question(question, kind=kind), text) == values


def test_a_number_knows_its_unit_and_what_it_counts() -> None:
    (found,) = code(Question("How many images?", kind="number"), quotes("We took 1,200 colour images."))
    assert (found.value, found.unit, found.of) == (1200, "", "colour images")


def test_spellings_are_one_thing_to_count() -> None:
    question = Question("Which frameworks were used?", kind="software")
    names = [
        code(question, quotes(text))[0].name for text in ("in Tensor Flow", "in TensorFlow", "in tensorflow")
    ]
    assert names == ["TensorFlow"] * 3
    (keras,) = code(question, quotes("with tf.keras"))
    assert keras.name == "Keras"


def test_terms_of_ones_own() -> None:
    own = Terms("instrument", ("instrument",), (("BeeCam", ("bee camera",)),))
    question = Question("Which instrument was used?", vocabulary=(own,))
    (found,) = code(question, quotes("seen with a bee-camera at noon"))
    assert (found.value, found.name) == ("bee-camera", "BeeCam")


# With a network


def test_marks_say_which_number_answers() -> None:
    text = "Only 18% of mice with IgG survived and 56% of others."
    said = Signals(marks=(marks(text, "56%"),))
    assert coded(Question("How many survived?", kind="number"), text, said=said) == [56]


def test_marks_are_the_text() -> None:
    text = "It failed because of coarsening of the anode (see Fig. 2)."
    said = Signals(marks=(marks(text, "coarsening of the anode"),))
    assert coded(Question("Why did it fail?"), text, said=said) == ["coarsening of the anode"]


def test_marks_are_cut_into_items() -> None:
    text = "They were standardized by age, sex and income in 2019."
    said = Signals(marks=(marks(text, "age, sex and income"),))
    assert coded(Question("By what?", kind="list"), text, said=said) == ["age", "sex", "income"]


def test_a_logit_says_yes_or_no() -> None:
    question = Question("Was it blinded?", kind="yes_no")
    assert coded(question, "Only a single person scored them.", said=Signals(yes=(-2.0,))) == ["no"]
    assert coded(question, "We did not unblind anybody.", said=Signals(yes=(1.5,))) == ["yes"]


def test_marks_of_a_row_move_to_where_its_words_stand() -> None:
    read, row = "Setting: Weight decay; Value: 0.0005", "Weight decay 0.0005"
    there = moved(marks(read, "0.0005"), read, row)
    assert row[slice(*there.runs()[0])] == "0.0005"


def test_marks_of_two_sentences_are_one() -> None:
    one, other = Marks((0.1,), ((0, 3),)), Marks((0.9,), ((0, 4),))
    assert joined([(0, one), (4, other)]) == Marks((0.1, 0.9), ((0, 3), (4, 8)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_marks_always_have_a_run_inside_the_text(chances: list[float]) -> None:
    some = Marks(tuple(chances), tuple((2 * n, 2 * n + 1) for n in range(len(chances))))
    runs = some.runs()
    assert runs
    assert all(0 <= start < end <= 2 * len(chances) for start, end in runs)


# Choices

ITEMS = {question.id: question for question in load("open-science").questions}


@pytest.mark.parametrize(
    ("id", "text", "chosen", "words"),
    [
        ("blinding", "While blinding was not possible, we randomized the order.", "no", "blinding was not"),
        ("blinding", "They were scored by a blinded observer.", "yes", "blinded"),
        (
            "funding",
            "The authors received no specific funding from any agency.",
            "none",
            "received no specific funding",
        ),
        ("funding", "This work was supported by a fellowship.", "funded", "supported by"),
        (
            "interests",
            "The authors declare that no competing interests exist.",
            "none_declared",
            "no competing interests exist",
        ),
        (
            "interests",
            "A.B.: Reviewing editor. Others declare no competing interests.",
            "some_declared",
            "Reviewing editor",
        ),
        (
            "data",
            "Reads have been deposited in GEO under GSE193954.",
            "repository",
            "deposited in GEO under GSE193954",
        ),
        ("data", "All relevant data are within the paper.", "supplement", "All relevant data"),
        ("consent", "the informed consent was not deemed necessary", "waived", "consent was not deemed"),
        ("randomisation", "patients were not randomly assigned", "no", "not randomly"),
        ("software", "with SPSS software (version 11.0)", "with_version", "version 11.0"),
        ("resources", "Antibody Tie2 Santa Cruz Cat#: SC-324", "identifiers", "Cat#: SC-324"),
    ],
)
def test_cues_choose_and_are_the_proof(id: str, text: str, chosen: str, words: str) -> None:
    (found,) = code(ITEMS[id], quotes(text))
    assert (found.value, text[found.start : found.end]) == (chosen, words)


COLOUR = Question(
    "Which colour?",
    kind="choice",
    choices=("red", "blue", "other"),
    meanings=("It is red like blood.", "It is blue like the sky.", ""),
)


def test_weights_of_a_network_choose() -> None:
    said = Signals(choices={"red": -1.0, "blue": 2.0}, choice_quotes={"red": 0, "blue": 1})
    (found,) = code(COLOUR, quotes("first", "second"), said)
    assert found == Coded("blue", "", "", "", 1, 0, 6)


def test_what_remains_is_chosen_when_nothing_holds() -> None:
    said = Signals(choices={"red": -1.0, "blue": -2.0})
    assert coded(COLOUR, "It is green.", said=said) == ["other"]


def test_several_may_hold() -> None:
    question = Question("Which?", kind="choice", choices=("red", "blue"), several=True)
    assert coded(question, "x", said=Signals(choices={"red": 1.0, "blue": 2.0})) == ["red", "blue"]
    assert coded(question, "x", said=Signals(choices={"red": -1.0, "blue": -2.0})) == ["red"]


def test_no_quote_no_value() -> None:
    for kind in ("choice", "text", "number", "yes_no"):
        assert code(Question("Which?", kind=kind, choices=("a", "b")), []) == ()


def test_values_that_somebody_gave_keep_their_place() -> None:
    question = Question("Where is it?", kind="link")
    text = "It is at https://a.org/x."
    (found,) = said_values(question, ["https://a.org/x"], quotes(text))
    assert text[found.start : found.end] == "https://a.org/x"
    assert said_values(question, ["https://b.org"], quotes(text)) == (Coded("https://b.org"),)


@pytest.mark.parametrize("kind", ["text", "list", "link", "number", "date", "yes_no", "software", "hardware"])
@given(text=st.text(max_size=120))
def test_every_value_stands_in_its_quote(kind: QuestionKind, text: str) -> None:
    for one in code(Question("How many mice, when, with which software?", kind=kind), quotes(text)):
        assert 0 <= one.start <= one.end <= len(text)
