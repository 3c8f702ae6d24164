"""The sample papers are what their script writes, and their labels and planted truth stand in them."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from lxml import etree
from lxml import html as lxml_html

EXAMPLES = Path(__file__).parent.parent / "examples"
PAPERS = sorted(path.name for path in (EXAMPLES / "papers").iterdir())
MADE_WITH = "5.1.0"  # the reportlab of the committed papers
PLANTED = json.loads((EXAMPLES / "planted.json").read_text(encoding="utf-8"))


def labels() -> list[dict[str, str]]:
    with (EXAMPLES / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def squeezed(text: str) -> str:
    """Without whitespace, hyphens and U+FFFE, which PDFium writes for a hyphen at a line end."""
    return re.sub(r"[\s\ufffe\u00ad-]", "", text)


@cache
def pages(name: str) -> tuple[str, ...]:
    """The squeezed text of each page; XML, HTML and Markdown have one."""
    path = EXAMPLES / "papers" / name
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as document:
            return tuple(squeezed(page.get_textpage().get_text_range()) for page in document)
    if path.suffix == ".md":
        return (squeezed(path.read_text(encoding="utf-8").replace("|", "")),)
    if path.suffix == ".xml":
        root = etree.parse(path).getroot()
        for note in root.findall("body//fn"):  # where it stands, it would cut its sentence in two
            root.append(etree.fromstring(etree.tostring(note, with_tail=False)))
        etree.strip_elements(root.find("body"), "fn", with_tail=False)
    else:
        root = lxml_html.parse(path).getroot()
        etree.strip_elements(root, "script", "style", with_tail=False)
    return (squeezed("".join(map(str, root.itertext()))),)


def stands_on(name: str, page: int, text: str) -> bool:
    """Whether a text begins on the page, and ends there or, over a column or page end, on the next."""
    wanted, here = squeezed(text), pages(name)[page - 1]
    if wanted in here:
        return True
    length = next(n for n in range(len(wanted), -1, -1) if wanted[:n] in here)
    return length >= 20 and wanted[length:] in "".join(pages(name)[page - 1 : page + 1])


def drawn(pdf: bytes) -> list[bytes]:
    """The content streams, which every version of reportlab writes alike; its own name it does not."""
    return re.findall(rb"stream.*?endstream", pdf, re.DOTALL)


def test_the_script_writes_the_same_bytes(tmp_path: Path) -> None:
    reportlab = pytest.importorskip("reportlab")
    subprocess.run([sys.executable, EXAMPLES / "make_papers.py", "--to", tmp_path], check=True)
    assert sorted(path.name for path in (tmp_path / "papers").iterdir()) == PAPERS
    for file in [*(f"papers/{name}" for name in PAPERS), "planted.json"]:
        made, kept = (tmp_path / file).read_bytes(), (EXAMPLES / file).read_bytes()
        other = file.endswith(".pdf") and reportlab.Version != MADE_WITH
        assert drawn(made) == drawn(kept) if other else made == kept, (
            f"{file}: run examples/make_papers.py and commit what it writes"
        )


def test_the_papers_are_small_and_say_that_they_are_invented() -> None:
    for name in PAPERS:
        assert (EXAMPLES / "papers" / name).stat().st_size < 150_000
        assert squeezed("the study, data and results are invented") in pages(name)[0]


def test_labels_are_complete() -> None:
    rows = labels()
    assert list(rows[0]) == ["file", "question_id", "reported", "quote", "page"]
    asked = [(row["file"], row["question_id"]) for row in rows]
    assert len(asked) == len(set(asked))
    assert set(asked) == {(name, f"CQ{number}") for name in PAPERS for number in range(1, 29)}
    for row in rows:
        assert row["reported"] in {"yes", "no"}
        assert bool(row["quote"]) == bool(row["page"]) == (row["reported"] == "yes"), row
    assert 0.55 <= sum(row["reported"] == "yes" for row in rows) / len(rows) <= 0.70


@pytest.mark.parametrize("name", PAPERS)
def test_quotes_stand_on_their_pages(name: str) -> None:
    for row in labels():
        if row["file"] == name and row["reported"] == "yes":
            assert stands_on(name, int(row["page"]), row["quote"]), row


@pytest.mark.parametrize("name", PAPERS)
def test_planted_items_stand_on_their_pages(name: str) -> None:
    for item in PLANTED[name]["items"]:
        text = re.sub(r"^((?:Figure|Table) \d)\. ", "", item["text"])  # JATS keeps the label apart
        assert stands_on(name, item["page"], text), item


@pytest.mark.parametrize("name", PAPERS)
def test_furniture_is_in_no_planted_sentence(name: str) -> None:
    prose = [item["text"] for item in PLANTED[name]["items"] if item["kind"] == "prose"]
    assert PLANTED[name]["not_in_prose"]
    for text in PLANTED[name]["not_in_prose"]:
        assert not any(text in sentence for sentence in prose), text


@pytest.mark.parametrize(
    ("name", "traps"),
    [
        ("camera-traps.pdf", "after_caption citation crosses_column crosses_page footnote footnote_mark"),
        ("camera-traps.pdf", "hyphen_real hyphen_soft table_row wrapped_url"),
        ("bird-songs.pdf", "abbreviation after_caption crosses_page decimal hyphen_soft italics url"),
        ("leaf-traits.xml", "abbreviation footnote footnote_mark table_row"),
        ("coral-survey.html", "abbreviation table_row url"),
    ],
)
def test_the_traps_are_set(name: str, traps: str) -> None:
    """A change of wording moves line ends: this says when one has moved a trap away."""
    assert set(traps.split()) <= {trap for item in PLANTED[name]["items"] for trap in item["traps"]}


def test_words_are_broken_at_both_kinds_of_hyphen() -> None:
    broken = {word for item in PLANTED["camera-traps.pdf"]["items"] for word in item.get("broken_words", [])}
    assert {"convolutional", "two-dimensional", "state-of-the-art"} <= broken
    with pypdfium2.PdfDocument(EXAMPLES / "papers" / "camera-traps.pdf") as document:
        text = "".join(page.get_textpage().get_text_range() for page in document)
    for head, tail in (("convolution", "al network"), ("two", "dimensional, since"), ("state-of", "the-art")):
        assert re.search(f"{head}[\ufffe-]\\s*{tail}", text)
