"""The sample PDFs hold known sentences: each must come out whole, once, on its page, with its kind."""

from functools import cache
from typing import Any

import pytest

from tests.conftest import EXAMPLES
from vivavoce import Paper, load
from vivavoce.evidence.locating import locate
from vivavoce.papers import pages

PDFS = ["camera-traps.pdf", "bird-songs.pdf"]
FILES = [*PDFS, "leaf-traits.xml", "coral-survey.html", "pollinator-notes.md"]


@cache
def paper(name: str) -> Paper:
    return load(EXAMPLES / "papers" / name)


@pytest.mark.parametrize("name", FILES)
def test_every_planted_sentence_is_a_sentence(name: str, planted: dict[str, Any]) -> None:
    found = {(s.text, s.page) for s in paper(name).sentences}
    missing = [
        item["text"]
        for item in planted[name]["items"]
        if item["kind"] == "prose"
        and "footnote_mark" not in item["traps"]
        and (item["text"], item["page"]) not in found
    ]
    assert missing == []


@pytest.mark.parametrize("name", FILES)
def test_everything_planted_is_located_on_its_page(name: str, planted: dict[str, Any]) -> None:
    wrong = []
    for item in planted[name]["items"]:
        text = item["text"]
        if item["kind"] == "caption":  # a label may stand apart from its caption
            text = text.split(". ", 1)[1]
        evidence = locate(paper(name), text)
        if evidence is None or evidence.match != "exact" or evidence.page != item["page"]:
            wrong.append((text, evidence))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_kinds(name: str, planted: dict[str, Any]) -> None:
    expected = {"table_row": "table"}
    wrong = []
    for item in planted[name]["items"]:
        text = item["text"].split(". ", 1)[1] if item["kind"] == "caption" else item["text"]
        evidence = locate(paper(name), text)
        assert evidence is not None
        kinds = {s.kind for s in paper(name).sentences_in(evidence.start, evidence.end)}
        if kinds != {expected.get(item["kind"], item["kind"])}:
            wrong.append((text, kinds))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_nothing_around_the_text_is_glued_into_it(name: str, planted: dict[str, Any]) -> None:
    prose = [s.text for s in paper(name).sentences if s.kind == "prose"]
    assert [(bad, text) for bad in planted[name]["not_in_prose"] for text in prose if bad in text] == []


@pytest.mark.parametrize("name", FILES)
def test_title_doi_and_spans(name: str, planted: dict[str, Any]) -> None:
    found = paper(name)
    assert (found.title, found.doi) == (planted[name]["title"], planted[name]["doi"])
    assert all(found.text[s.start : s.end] == s.text for s in found.sentences)
    assert all(a.end <= b.start for a, b in zip(found.sentences, found.sentences[1:], strict=False))


@pytest.mark.parametrize("name", PDFS)
def test_boxes_cover_each_sentence(name: str) -> None:
    """The text under a sentence's boxes is that sentence."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(EXAMPLES / "papers" / name)
    found = paper(name)
    for sentence in [s for s in found.sentences if s.kind in ("prose", "table", "caption")][::3]:
        under = ""
        for box in pages.boxes(found, [(sentence.start, sentence.end)])[0]:
            page = document[box.page - 1]
            height = page.get_height()
            under += page.get_textpage().get_text_bounded(
                box.x0 - 0.5, height - box.y1 - 0.5, box.x1 + 0.5, height - box.y0 + 0.5
            )
        assert _bare(under) == _bare(sentence.text)


def _bare(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum()).replace("ﬁ", "fi").replace("ﬂ", "fl")


def test_table_rows_read_with_their_header() -> None:
    rows = {s.text: s.reading for s in paper("camera-traps.pdf").sentences if s.kind == "table"}
    assert rows["Weight decay 0.0005"] == "Setting: Weight decay; Value: 0.0005"
    assert rows["Trainable parameters 2.9 million"] == "Setting: Trainable parameters; Value: 2.9 million"


def test_sections_are_attached() -> None:
    sections = {s.section for s in paper("bird-songs.pdf").sentences}
    assert {"Recordings", "Network", "Training"} <= sections
