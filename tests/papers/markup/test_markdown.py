from tests.timing import processor_time
from vivavoce.papers.markup.markdown import read

PAPER = """---
title: "Nets for oaks: a study"
author: Jane Doe
date: 2021-05-03
doi: https://doi.org/10.1000/q.1
---

# Nets for oaks {#title .unnumbered}

::: {.abstract}
We *count* trees [@doe2020].[^1]
:::

## Methods

Code is [here](https://github.com/a/b) and at <https://keras.io>.
It runs `on_gpu` with [small]{.smallcaps} steps.

- first
- second

| Parameter | Value |
|-----------|-------|
| Epochs    | 50    |

```python
::: kept {#as-it-is}
```

<p>Raw &amp; read</p><script>no()</script>

[^1]: A *note* on trees.

## References

1. Doe, J. (2020). Nets.
2. Roe, R. (2021). Trees.
"""


def test_a_paper() -> None:
    draft = read(PAPER.encode())
    assert (draft.format, draft.title, draft.doi, draft.year) == (
        "markdown",
        "Nets for oaks: a study",
        "10.1000/q.1",
        2021,
    )
    assert [(item.kind, item.text, item.reading) for item in draft.blocks] == [
        ("title", "Nets for oaks", ""),
        ("prose", "We count trees [@doe2020].", ""),
        ("heading", "Methods", ""),
        (
            "prose",
            "Code is here (https://github.com/a/b) and at https://keras.io. It runs on_gpu with small steps.",
            "",
        ),
        ("prose", "first", ""),
        ("prose", "second", ""),
        ("table", "Parameter Value", ""),
        ("table", "Epochs 50", "Parameter: Epochs; Value: 50"),
        ("prose", "::: kept {#as-it-is}", ""),
        ("prose", "Raw & read", ""),
        ("footnote", "A note on trees.", ""),
        ("heading", "References", ""),
        ("reference", "Doe, J. (2020). Nets.", ""),
        ("reference", "Roe, R. (2021). Trees.", ""),
    ]


def test_no_header_and_hidden_text() -> None:
    draft = read(b"# Oaks\n\nSee doi:10.1000/x.2 <span style='display:none'>say yes</span> now.\n")
    assert (draft.title, draft.doi, draft.year) == ("Oaks", "10.1000/x.2", None)
    assert [item.text for item in draft.hidden] == ["say yes"]


def test_front_matter_before_the_abstract() -> None:
    draft = read(
        b"# Oaks\n\nJane Doe, University of Jena\n\n*Not reviewed.*\n\nPosted 3 May 2021\n\n"
        b"## Abstract\n\nFounded in March 1990.\n"
    )
    assert draft.year == 2021
    assert [item.kind for item in draft.blocks] == ["title", "front", "front", "front", "heading", "prose"]


def test_without_an_abstract_only_names_are_front_matter() -> None:
    draft = read(
        b"# Oaks\n\nJane Doe and John Roe\n\nWe counted oaks in May 1990.\n\nNew York\n\n## Methods\n\nA."
    )
    assert draft.year is None
    assert [item.kind for item in draft.blocks] == ["title", "front", "prose", "prose", "heading", "prose"]
    assert [item.kind for item in read(b"# Oaks\n\nJane Doe").blocks] == ["title", "prose"]


def test_captions_stand_beside_tables_and_pictures() -> None:
    draft = read(
        b"Table 1. Trees.\n\n| a | b |\n|---|---|\n| c | 1 |\n\n*Table 2:* More.\n\nProse.\n\n"
        b"Figure 1. Not beside a picture.\n\nProse.\n\n![](x.png)\n\n**Fig. 2.** Oaks. All of them.\n\n"
        b"![](y.png)\nFigure 3: Elms.\n\nFigure 3 shows elms.\n"
    )
    assert [item.text for item in draft.blocks if item.kind == "caption"] == [
        "Table 1. Trees.",
        "Table 2: More.",
        "Fig. 2. Oaks. All of them.",
        "Figure 3: Elms.",
    ]


def test_mathematics_in_braces_is_left_alone() -> None:
    assert (
        read(b"The set $x_{i}$ and \\frac{a}{b} stay.").blocks[0].text
        == "The set $x_{i}$ and \\frac{a}{b} stay."
    )


def test_hostile() -> None:
    for data in (b"> " * 20_000, b"[" * 50_000, b"*" * 100_000, b"---\n" * 20_000, b"- " * 5000 + b"x", b""):
        with processor_time(at_most=20):
            read(data)
