import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import processor_time
from vivavoce.errors import PaperError
from vivavoce.papers.text import PROMPT, read


def blocks(text: str) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in read(text.encode()).blocks]


def test_a_paper() -> None:
    draft = read(
        b"""Counting oaks with
deep networks

Jane Doe, jane@example.org
doi:10.1000/Q.1.

Abstract
We  count   trees with Ten-
sorFlow and a state-of-
the-art model. Region-specific models are better; region-
specific ones, that is.

2.1. Training the net
The classi-
fier ran pre- and post-
and main processing on https://my-
site.org/a-b now.
- first entry
- second entry

DATA AND CODE

On request.

References
[1] Doe J. Nets. doi:10.9999/other
[2] Roe R. Trees
and leaves.
"""
    )
    assert (draft.title, draft.doi, draft.warnings) == ("Counting oaks with deep networks", "10.1000/q.1", ())
    assert [(item.kind, item.text) for item in draft.blocks] == [
        ("title", "Counting oaks with deep networks"),
        ("prose", "Jane Doe, jane@example.org doi:10.1000/Q.1."),
        ("heading", "Abstract"),
        (
            "prose",
            "We count trees with TensorFlow and a state-of-the-art model. "
            "Region-specific models are better; region-specific ones, that is.",
        ),
        ("heading", "2.1. Training the net"),
        ("prose", "The classifier ran pre- and post- and main processing on https://my-site.org/a-b now."),
        ("prose", "- first entry"),
        ("prose", "- second entry"),
        ("heading", "DATA AND CODE"),
        ("prose", "On request."),
        ("heading", "References"),
        ("reference", "[1] Doe J. Nets. doi:10.9999/other"),
        ("reference", "[2] Roe R. Trees and leaves."),
    ]


def test_entries_of_references_with_no_numbers() -> None:
    text = (
        "It ends.\n\nLITERATURE CITED\nDoe, J., Roe, R., 2020. Nets for the\nBotanic Garden, 3-9.\n"
        "Roe R, Doe J (2021)\nTrees.\n\nAppendix A\nMore."
    )
    assert blocks(text)[1:] == [
        ("heading", "LITERATURE CITED"),
        ("reference", "Doe, J., Roe, R., 2020. Nets for the Botanic Garden, 3-9."),
        ("reference", "Roe R, Doe J (2021) Trees."),
        ("heading", "Appendix A"),
        ("prose", "More."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "3.5. Workflow performance",
        "Methods",
        "Data availability",
        "2 Materials and Methods",
        "IV. RESULTS",
        "ACKNOWLEDGEMENTS",
        "A R T I C L E  I N F O",
        "Code and data availability statement",
    ],
)
def test_headings(line: str) -> None:
    assert blocks(f"It ends here.\n\n{line}\n\nThe text goes on.")[1] == ("heading", " ".join(line.split()))


@pytest.mark.parametrize(
    "line",
    [
        "We used 2.5 million images.",
        "3.5 million images of plants were used for it.",
        "98.78%",
        "18 of 1472",
        "IWECAI 2021",
        "Accuracy",
        "GPU RAM",
        "1. We collected the images; 2. we labelled them",
    ],
)
def test_no_headings(line: str) -> None:
    assert blocks(f"It ends here.\n\n{line}\n\nThe text goes on.")[1] == ("prose", line)


def test_pages() -> None:
    draft = read(
        b"Page one. The net was\ntrained on convo-\n\n1\n\flutional layers.\n\nNew text.\n\n2\n\fThird.\n\f"
    )
    assert [page.number for page in draft.pages] == [1, 2, 3]
    assert [(item.text, item.page) for item in draft.blocks] == [
        ("Page one. The net was trained on convolutional layers.", 1),
        ("New text.", 2),
        ("Third.", 3),
    ]
    assert [(run.text, run.page) for run in draft.blocks[0].runs] == [
        ("Page one. The net was trained on convo", 1),
        ("lutional layers.", 2),
    ]


FRAME = """Use the following pieces of context to answer the question at the end. If you don't know, say so.

2.2. Hardware
All nets ran on two old work-
stations. Question: why?

They have no GPU.

Question: {instructions}
Use the provided pieces of context to answer.

Query: "Which GPU?"

Helpful Answer:
It was a V100."""


@pytest.mark.parametrize("instructions", ["%INSTRUCTIONS:", "Which GPU was used?"])
def test_only_the_context_of_a_prompt_is_the_paper(instructions: str) -> None:
    draft = read(FRAME.format(instructions=instructions).encode())
    assert [(item.kind, item.text) for item in draft.blocks] == [
        ("heading", "2.2. Hardware"),
        ("prose", "All nets ran on two old workstations. Question: why?"),
        ("prose", "They have no GPU."),
    ]
    assert (draft.warnings, draft.title) == ((PROMPT,), "")


def test_a_paper_that_quotes_the_prompt_is_a_paper() -> None:
    text = "We wrote:\n\n" + FRAME.format(instructions="x")
    assert read(text.encode()).warnings == ()
    assert "V100" in blocks(text)[-1][1]


def test_scrambled_bullets_and_signs() -> None:
    text = "Set as follows:\n\uf06c  Input is 224√ó224;\n\uf06c  Batch size is 30."
    assert blocks(text) == [
        ("prose", "Set as follows:"),
        ("prose", "Input is 224×224;"),
        ("prose", "Batch size is 30."),
    ]


word = st.text("abcdefghij", min_size=1, max_size=9)
paragraph = st.lists(st.lists(word, min_size=1, max_size=8), min_size=1, max_size=4)


@given(st.lists(paragraph, min_size=1, max_size=5), st.sampled_from(["\n\n", "\n \n\n", "\r\n\r\n", "\n\f"]))
def test_no_word_of_plain_paragraphs_is_lost(paragraphs: list[list[list[str]]], gap: str) -> None:
    text = gap.join("\n".join(" ".join(line) for line in lines) for lines in paragraphs)
    words = [word for lines in paragraphs for line in lines for word in line]
    assert " ".join(item.text for item in read(text.encode()).blocks).split() == words


def test_hostile() -> None:
    for data in (
        b"",
        b" \n\f\n",
        b"a" * 5_000_000,
        b"a-\n" * 50_000,
        b"\f" * 50_000,
        b"1. A\n" * 50_000,
        b"A " * 300_000,
    ):
        with processor_time(at_most=20):
            draft = read(data)
        assert bool(draft.unreadable) == (not draft.blocks)
    with pytest.raises(PaperError, match="binary"):
        read(random.Random(1).randbytes(100_000))
