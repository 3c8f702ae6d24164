"""Quotes: planted in small papers, so that the exact span is known."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.timing import processor_time
from vivavoce.evidence import spans
from vivavoce.evidence.locating import Boxes, boxed, evidence_at, locate, with_boxes
from vivavoce.evidence.spans import find_span
from vivavoce.papers import tables
from vivavoce.papers.blocks import Block, Run, assemble, block
from vivavoce.processes import isolation
from vivavoce.processes.isolation import Worker
from vivavoce.processes.limits import ProcessLimits
from vivavoce.records import Answer, Box, Evidence, Page, PageSource, Paper, Question


def paper_of(*blocks: Block | str) -> Paper:
    made = [block("prose", item) if isinstance(item, str) else item for item in blocks]
    text, sentences, anchors = assemble(made)
    last = max((item.page for item in made), default=1)
    pages = tuple(Page(number, 0, 0) for number in range(1, last + 1))
    return Paper("id", "f.txt", "text", text, sentences, pages, anchors=anchors)


def found(paper: Paper, quote: str, page: int | None = None) -> Evidence:
    evidence = locate(paper, quote, page)
    assert evidence is not None
    assert evidence.quote == paper.text[evidence.start : evidence.end]
    return evidence


EXACT = [
    # what the paper has, what the quoter wrote
    ("We trained the network for 50 epochs.", "We trained the network for 50 epochs."),
    ("We trained the network for 50 epochs.", "trained the network"),
    ("We trained the network for 50 epochs.", "we trained the network"),
    ("Then we trained the network.", "We trained the network."),
    ("a multi-scale network", "a multiscale network"),
    ("a multiscale network", "a multi- scale network"),
    ("a multi\u00adscale net\u00ad work", "a multi-scale network"),
    ("a ﬁne‐tuned classiﬁer", "a fine-tuned classifier"),
    ("the “best” model’s score", 'the "best" model\'s score'),
    ("the “best” model", "the 'best' model"),
    ("the ``best'' model", "the “best” model"),
    ("a range of 3–5 m — at most", "a range of 3-5 m - at most"),
    ("a rate of 10−4 was used", "a rate of 10-4 was used"),
    ("a rate of 10⁻⁴ was used", "a rate of 10−4 was used"),
    ("the ( first ) value , then", "the (first) value, then"),
    ("thenetworkwas trained", "the network was trained"),
    ("the net work was trained", "the network was trained"),
    ("an accuracy of 95 % (n=3)", "an accuracy of 95% (n = 3)"),
    ("• birds • bats", "birds, bats".replace(",", "")),
    ("a zero\u200bwidth space", "a zerowidth space"),
    ("the population9. In", "the population"),
    ("a 3 × 3 kernel", "a 3x3 kernel"),
    ("cafe\u0301 au lait", "café au lait"),
    ("at 25 ºC in May", "at 25 °C in May"),
    ("we trained it, then stopped", "“We trained it.”"),
    ("we trained it, then stopped", "... trained it ..."),
    ("we trained it, then stopped", "[…] trained it […]"),
    ("of the species’ range", "of the species' range"),
    ("classes: cats, dogs, ... and birds", "cats, dogs, … and birds"),
]


@pytest.mark.parametrize(("written", "quote"), EXACT)
def test_typesetting_is_forgiven(written: str, quote: str) -> None:
    paper = paper_of("Nothing here speaks of it.", f"Some say {written} , and so on.", "Nor does this.")
    evidence = found(paper, quote)
    assert (evidence.match, evidence.score) == ("exact", 1.0)
    assert (
        paper.text.index(written)
        <= evidence.start
        < evidence.end
        <= paper.text.index(written) + len(written) + 1
    )


NOT_EXACT = [
    ("a rate of 10−4 was used", "a rate of 104 was used"),
    ("a rate of 104 was used", "a rate of 10-4 was used"),
    ("a rate of 10² was used", "a rate of 102 was used"),
    ("cells 3 32 here", "cells 33 2 here"),
    ("cells 3 32 here", "cells 332 here"),
    ("cells 332 here", "cells 3 32 here"),
    ("a width of 1½ m here", "a width of 11/2 m here"),
    ("a rate of 1.5 mm", "a rate of 15 mm"),
    ("it took 115 epochs", "15 epochs"),
    ("it took 1.5 epochs", "5 epochs"),
    ("it took 1,500 epochs", "500 epochs"),
    ("at −5 degrees", "at 5 degrees"),
    ("at −5 degrees", "5 degrees"),
    ("at 5 degrees", "at -5 degrees"),
    ("we counted 150", "we counted 15"),
    ("we counted 1.50 on", "we counted 1"),
    ("we counted 10⁴ on", "we counted 10"),
    ("we counted 1e-5 on", "we counted 1"),
    ("we counted 10−4 on", "we counted 10"),
    ("we did not train it", "we did train it"),
    ("we did train it", "we did not train it"),
    ("we can't say", "we can"),
    ("a non-linear model", "linear model"),
    ("a nonlinear model", "linear model"),
    ("the models ran", "the model"),
    ("the Model ran here", "the model ran here"),
    ("we trained the network", "we trained a network"),
    ("the network, trained", "the network; trained"),
]


@pytest.mark.parametrize(("written", "quote"), NOT_EXACT)
def test_words_and_numbers_are_not(written: str, quote: str) -> None:
    evidence = locate(paper_of(f"Some say {written} and so on."), quote)
    assert evidence is None or (evidence.match == "close" and evidence.score < 1)


@pytest.mark.parametrize("quote", ["", " ", "...", "“”", "—", "•", "[...]", ".", "?!", "\u200b"])
def test_nothing_to_find(quote: str) -> None:
    assert locate(paper_of("Some text ... — “here”."), quote) is None
    assert locate(paper_of(), quote) is None


def test_an_empty_paper() -> None:
    assert locate(paper_of(), "We trained the network for fifty epochs.") is None


def test_the_span_is_the_papers_own_words() -> None:
    paper = paper_of("First. Then the classi-\nﬁer “ran”. Last.")
    evidence = found(paper, 'Then the classifier "ran".')
    assert evidence.quote == "Then the classi-\nﬁer “ran”."
    assert (evidence.start, evidence.end) == (7, 34)


def test_marks_around_it_count_only_when_the_paper_has_them() -> None:
    assert found(paper_of("They ran. “We won,” they said."), "“We won,”").quote == "“We won,”"
    assert found(paper_of("They said we won, and left."), "“We won.”").quote == "we won"


def test_a_hidden_place_inside_a_word_does_not_hide_the_real_one() -> None:
    paper = paper_of("It took 115 epochs. Later it took 15 epochs.")
    assert found(paper, "15 epochs").start == paper.text.index("15 epochs.", 20)


TWICE = "We trained the network for 50 epochs."


def test_the_page_decides_between_places() -> None:
    paper = paper_of(block("prose", TWICE, 1), block("caption", TWICE, 2), block("prose", TWICE, 3))
    assert [found(paper, TWICE, page).page for page in (None, 1, 2, 3, 9)] == [1, 1, 2, 3, 1]


def test_prose_comes_before_other_kinds() -> None:
    paper = paper_of(
        block("title", TWICE, 1),
        block("heading", TWICE, 1),
        block("caption", TWICE, 2),
        block("prose", TWICE, 3),
        block("prose", TWICE, 4),
        block("reference", TWICE, 5),
    )
    assert found(paper, TWICE).page == 3
    without = paper_of(block("heading", TWICE, 1), block("reference", TWICE, 2), block("caption", TWICE, 3))
    assert found(without, TWICE).page == 3


def test_a_quote_over_two_pages_is_on_both() -> None:
    paper = paper_of(block("prose", "It ended. The net", 1), block("prose", "was deep. The net was deep.", 2))
    assert found(paper, "The net was deep", 1).page == 1


class FakeWorker(Worker):
    """Stands for the process that reads files: counts what it is asked, and gives a box for each quote."""

    def __init__(self) -> None:
        self.asked: list[list[list[tuple[int, int, int]]]] = []

    def call(self, function: str, *args: Any, limits: ProcessLimits = ProcessLimits()) -> Any:
        assert (function, args[:2]) == ("vivavoce.papers.pdf.view:rectangles", ("/f.pdf", "id"))
        assert limits.seconds
        self.asked.append(args[2])
        return [[Box(1, run[0][1], 0, run[0][1] + run[0][2], 1)] for run in args[2]]


def paged(text: str) -> Paper:
    made, sentences, anchors = assemble([Block("prose", (Run(text, 1, 1, len(text)),))])
    source = PageSource("/f.pdf")
    return Paper("id", "f.pdf", "pdf", made, sentences, (Page(1, 9, 9),), anchors=anchors, page_source=source)


def test_boxes_are_asked_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = FakeWorker()
    monkeypatch.setattr(isolation, "default", lambda: worker)
    assert found(paged("Some net ran."), "net").boxes == (Box(1, 6, 0, 9, 1),)
    assert worker.asked == [[[(1, 6, 3)]]]


def answer_of(paper: Paper, *quotes: str) -> Answer:
    evidence = tuple(evidence_at(paper, span) for quote in quotes if (span := find_span(paper, quote)))
    return Answer(Question("Why?"), "r", "1", "reported", evidence=evidence)


def test_boxes_of_all_answers_are_asked_for_once_and_together() -> None:
    paper, worker = paged("Some net ran. Another net slept."), FakeWorker()
    answers = [answer_of(paper, "Some net", "ran"), answer_of(paper), answer_of(paper, "ran", "slept")]
    assert all(e.boxes == () for answer in answers for e in answer.evidence)
    known: Boxes = {}
    found = with_boxes(paper, answers, worker, known)
    assert [[e.boxes for e in answer.evidence] for answer in found] == [
        [(Box(1, 1, 0, 9, 1),), (Box(1, 10, 0, 13, 1),)],
        [],
        [(Box(1, 10, 0, 13, 1),), (Box(1, 27, 0, 32, 1),)],
    ]
    assert worker.asked == [[[(1, 1, 8)], [(1, 10, 3)], [(1, 27, 5)]]]
    more = with_boxes(paper, [answer_of(paper, "ran", "Another")], worker, known)
    assert more[0].evidence[0].boxes == (Box(1, 10, 0, 13, 1),)
    assert worker.asked[1:] == [[[(1, 15, 7)]]], "what is known is not asked for again"


def test_boxes_of_several_quotes_are_asked_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    paper, worker = paged("Some net ran. Another net slept."), FakeWorker()
    monkeypatch.setattr(isolation, "default", lambda: worker)
    first, second = boxed(paper, answer_of(paper, "Some net", "slept").evidence)
    assert (first.quote, first.boxes) == ("Some net", (Box(1, 1, 0, 9, 1),))
    assert (second.quote, second.boxes) == ("slept", (Box(1, 27, 0, 32, 1),))
    assert worker.asked == [[[(1, 1, 8)], [(1, 27, 5)]]]


def test_no_file_is_asked_where_there_are_no_pages() -> None:
    paper, worker = paper_of("Some net ran."), FakeWorker()
    assert with_boxes(paper, [answer_of(paper, "net")], worker)[0].evidence[0].boxes == ()
    assert worker.asked == []


def test_a_quote_of_a_table_row_is_read_with_its_heads() -> None:
    rows = tables.rows([["Model", "Epochs"]], [["ResNet", "50"], ["VGG", "60"]])
    paper = paper_of("We trained two.", *(block("table", text, reading=reading) for text, reading in rows))
    readings = {s.text: s.reading for s in paper.sentences if s.kind == "table"}
    assert any(readings.values())
    row = next(text for text in readings if "ResNet" in text)
    assert found(paper, row).reading == readings[row] != ""
    assert found(paper, "ResNet").reading == readings[row], "a part of a row is read as the row"
    assert found(paper, "We trained two.").reading == ""
    after = next(text for text in readings if "VGG" in text)
    both = found(paper, f"{row} {after}")
    assert both.reading == f"{readings[row]} {readings[after]}"
    assert found(paper, f"We trained two. {paper.sentences[1].text}").reading == ""


PROSE = (
    "Moths were caught with a light trap that stood at the edge of the forest. "
    "The images were resized to 224 by 224 pixels before training. "
    "We trained a network with stochastic gradient descent and momentum on two cards for 50 epochs. "
    "The test set was never shown to the network during training."
)

CLOSE = [
    ("The images were rescaled to 224 by 224 pixels before training.", 1),
    ("The images were resized to 256 by 256 pixels before training.", 1),
    ("images were all resized to 224 by 224 pixels before the training", 1),
    ("The test set was shown to the network during training.", 3),
    ("the test set was never shown to the NETWORK during training", 3),
    ("We trained a network with stochastic gradient descent on two cards for 50 epochs.", 2),
    ("Moths were caught using a light-trap that stood at the edge of a forest.", 0),
]


@pytest.mark.parametrize(("quote", "index"), CLOSE)
def test_close_finds_the_sentence(quote: str, index: int) -> None:
    paper = paper_of(PROSE)
    evidence = found(paper, quote)
    sentence = paper.sentences[index]
    assert evidence.match == "close"
    assert spans.CLOSE_SCORE <= evidence.score < 1
    assert sentence.start <= evidence.start
    assert evidence.end <= sentence.end
    assert len(sentence.text) - len(evidence.quote) <= 8


def test_close_ends_at_words() -> None:
    evidence = found(paper_of(PROSE), "trained networks with stochastic gradient descents and moment")
    assert evidence.quote == "trained a network with stochastic gradient descent and momentum"


@pytest.mark.parametrize(
    "quote",
    [
        "We trained",  # of other words, too short to be close
        "The images were cats",
        "Bats were recorded with a microphone that hung from the roof of the house.",
        "The learning rate was set to 0.001 and halved whenever the loss stopped falling.",
    ],
)
def test_other_text_is_not_found(quote: str) -> None:
    assert locate(paper_of("The moths flew away. " + PROSE.replace("We trained", "We fed")), quote) is None


@pytest.mark.parametrize("dots", ["...", "…", "[...]", "[…]", ". . .", "(...)"])
def test_left_out_words(dots: str) -> None:
    evidence = found(paper_of(PROSE), f"We trained a network {dots} for 50 epochs.")
    assert evidence.match == "close"
    assert evidence.quote == (
        "We trained a network with stochastic gradient descent and momentum on two cards for 50 epochs"
    )


def test_parts_in_the_wrong_order_or_far_apart() -> None:
    assert (
        locate(paper_of(PROSE), "on two cards for 50 epochs ... Moths were caught with a light trap") is None
    )
    far = paper_of(
        "We trained a network.", "It was cold and it rained all day. " * 60, "It took 50 epochs of time."
    )
    assert locate(far, "We trained a network ... It took 50 epochs") is None


# Properties


LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORD = st.one_of(
    st.text(LETTERS, min_size=1, max_size=9),
    st.sampled_from(
        ["multi-scale", "classifier", "efficient", "model’s", "“best”", "(see", "below)", "ResNet"]
    ),
    st.integers(0, 5000).map(str),
    st.sampled_from(["0.001", "10−4", "3–5", "95%", "n = 3", "k-fold", "not", "étude", "°C"]),
)
SENTENCE = st.lists(WORD, min_size=4, max_size=14).map(lambda words: " ".join(words).capitalize() + ".")
PAPER = st.lists(SENTENCE, min_size=1, max_size=8)


def _noisy(quote: str, dice: random.Random) -> str:
    """The same words in another typesetting."""
    steps: list[Callable[[str], str]] = [
        lambda s: re.sub(r"(?<=[a-z])(?=[a-z])", lambda _: dice.choice(["", "", "", "-\n", "\u00ad"]), s),
        lambda s: s.replace("fi", dice.choice(["fi", "ﬁ"])).replace("ff", dice.choice(["ff", "ﬀ"])),
        lambda s: re.sub("[-−–]", lambda _: dice.choice("-−–‐"), s),
        lambda s: re.sub("[“”]", lambda _: dice.choice('"“”«'), s).replace("’", dice.choice("'’`")),
        lambda s: s.replace(" ", dice.choice([" ", "  ", "\n", "\u00a0", " \t"])),
        lambda s: dice.choice(["", "“", "... ", "…"]) + s + dice.choice(["", "”", " ...", "…", "."]),
    ]
    for step in dice.sample(steps, dice.randint(1, len(steps))):
        quote = step(quote)
    return quote


def _piece(paper: Paper, dice: random.Random) -> tuple[int, int]:
    """A stretch of whole words of one sentence."""
    sentence = dice.choice(paper.sentences)
    words = [match.span() for match in re.finditer(r"\S+", sentence.text)]
    first = dice.randrange(len(words))
    last = dice.randrange(first, len(words))
    return sentence.start + words[first][0], sentence.start + words[last][1]


def _plain(text: str) -> str:
    """A second opinion on what two typesettings of one text have in common, simpler than folding."""
    return re.sub(r"[^a-z0-9é%().]", "", text.lower().replace("ﬁ", "fi").replace("ﬀ", "ff")).replace(" ", "")


@given(PAPER, st.randoms(use_true_random=False))
def test_whole_words_are_found_in_any_typesetting(written: list[str], dice: random.Random) -> None:
    paper = paper_of(*written)
    start, end = _piece(paper, dice)
    piece = paper.text[start:end]
    assume(any(letter.isalnum() for letter in piece))
    evidence = found(paper, _noisy(piece, dice))
    assert evidence.match == "exact"
    assert evidence.score == 1
    assert _plain(evidence.quote).strip(".") == _plain(piece).strip(".")


@given(PAPER, st.randoms(use_true_random=False))
def test_a_changed_word_or_number_is_never_exact(written: list[str], dice: random.Random) -> None:
    paper = paper_of(*written)
    start, end = _piece(paper, dice)
    words = paper.text[start:end].split(" ")
    assume(len(words) > 2)
    at = dice.randrange(1, len(words) - 1)
    change = dice.choice(["swap", "drop", "add", "digit"])
    if change == "digit":
        digits = [place for place, word in enumerate(words) if re.search(r"\d", word)]
        assume(digits)
        at = dice.choice(digits)
        words[at] = re.sub(r"\d", lambda match: str((int(match[0]) + 1) % 10), words[at], count=1)
    elif change == "drop":
        del words[at]
    else:
        words[at : at + (change == "swap")] = ["Unheard"]
    quote = " ".join(words)
    # Unless the paper says that, too, elsewhere (or the dropped word stood twice).
    assume(_plain(quote).strip(".") not in _plain(paper.text))
    evidence = locate(paper, _noisy(quote, dice))
    assert evidence is None or (evidence.match == "close" and evidence.score < 1)


ODD = st.text(st.one_of(st.characters(), st.sampled_from("-−' ­\u0301ﬁ½²⁻⁴0123ab.…[]\n\u200b\ufffe\x02İß")))


@given(ODD, ODD, st.one_of(st.none(), st.integers(-1, 3)))
def test_never_raises_and_spans_hold(text: str, quote: str, page: int | None) -> None:
    paper = paper_of(text)
    for asked in (quote, text, text[1:-1], text * 3):
        evidence = locate(paper, asked, page)
        if evidence is not None:
            assert 0 <= evidence.start < evidence.end <= len(paper.text)
            assert evidence.quote == paper.text[evidence.start : evidence.end]
            assert evidence.page == paper.page_at(evidence.start)
            assert (evidence.match == "exact") == (evidence.score == 1)


@given(ODD)
def test_any_text_is_found_in_itself(text: str) -> None:
    paper = paper_of(text)
    assume(re.search("[A-Za-z0-9]", text))
    assume(not re.search(r"[-−­⁻\ufffe\x02]\s*$|^\s*[-−­⁻\ufffe\x02]", text))
    evidence = locate(paper, text)
    assert evidence is not None
    assert evidence.match == "exact"


def test_speed() -> None:
    dice = random.Random(1)
    vocabulary = ["".join(dice.choices(LETTERS, k=dice.randint(2, 9))) for _ in range(3000)]
    lines = [" ".join(dice.choices(vocabulary, k=18)).capitalize() + "." for _ in range(950)]
    paper = paper_of(*lines)
    assert len(paper.text) > 90_000
    locate(paper, lines[0])  # folds the paper
    with processor_time(at_most=0.1):
        for line in lines[-10:]:
            locate(paper, line)
    with processor_time(at_most=1):
        for line in lines[-5:]:
            locate(paper, line.replace(line.split(" ")[5], "unheard"))
    with processor_time(at_most=1):
        for _ in range(5):
            locate(paper, " ".join(dice.choices(vocabulary, k=18)))


def test_folded_papers_do_not_pile_up() -> None:
    for number in range(30):
        locate(paper_of(f"Paper {number} is here."), "is here")
    assert spans._fold_paper.cache_info().currsize <= 8
