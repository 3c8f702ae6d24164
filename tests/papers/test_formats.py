"""Formats: found in a registry that other packages can join; what is no paper is named."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from vivavoce.errors import PaperError
from vivavoce.papers import find, load
from vivavoce.papers.formats import FORMATS, OURS, Format, all_endings, format_of, is_current
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import read_file

EXAMPLES = Path(__file__).parents[2] / "examples" / "papers"

PLUGIN = """
from vivavoce.papers.blocks import block
from vivavoce.papers.draft import Draft
from vivavoce.papers.formats import Format

def read(data):
    lines = data.decode().splitlines()[1:]
    return Draft("shout", tuple(block("prose", line.capitalize() + ".") for line in lines))

FORMAT = Format("shout", "7", read, (".shout",), lambda data, name: data.startswith(b"SHOUT"))
"""


@pytest.fixture
def shout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package, installed, that adds a format."""
    site = tmp_path / "site"
    (site / "shout-1.0.dist-info").mkdir(parents=True)
    (site / "shout-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n"
    )
    (site / "shout-1.0.dist-info" / "entry_points.txt").write_text(
        "[vivavoce.formats]\nshout = shouting:FORMAT\n"
    )
    (site / "shouting.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(FORMATS, "_loaded", {})
    FORMATS.__dict__.pop("_added", None)
    yield
    FORMATS.__dict__.pop("_added", None)


@pytest.mark.usefixtures("shout")
def test_another_package_adds_a_format(tmp_path: Path) -> None:
    file = tmp_path / "a.shout"
    file.write_text("SHOUT\nWE USED TWO CARDS\nTHE NET WAS DEEP\n")
    paper = read_file(str(file), Limits())
    assert [s.text for s in paper.sentences] == ["We used two cards.", "The net was deep."]
    assert (paper.format, paper.parsed_by) == ("shout", "shout 7")
    assert is_current("shout", "shout 7")
    assert file in find(tmp_path)
    assert ".shout" in all_endings()


@pytest.mark.usefixtures("shout")
def test_our_own_formats_are_still_told_by_content() -> None:
    assert format_of(b"%PDF-1.4 1 0 obj", "a.shout").name == "pdf"


def test_a_paper_says_which_reader_read_it() -> None:
    assert load(EXAMPLES / "coral-survey.html").parsed_by == "html 2"
    assert is_current("html", "html 2")
    assert not is_current("html", "html 0")
    assert not is_current("html", "")
    assert not is_current("a format that was uninstalled", "x 1")


@pytest.mark.parametrize(
    ("name", "parsed_by", "digest"),
    [
        ("coral-survey.html", "html 2", "0532c6d1ccb28217"),
        ("leaf-traits.xml", "jats 2", "9ee3e202f4bfe0f1"),
        ("pollinator-notes.md", "markdown 1", "97ffed2eebe50e22"),
    ],
)
def test_a_version_stands_for_one_way_of_reading(name: str, parsed_by: str, digest: str) -> None:
    """Fails when a format's reader reads differently: then raise the format's version, and write the new
    version and digest here. Else nobody is told that papers were read by an older reader."""
    paper = read_file(str(EXAMPLES / name), Limits())
    read = "\n".join(f"{s.kind} {s.start} {s.end} {s.reading}" for s in paper.sentences) + paper.text
    assert paper.parsed_by == parsed_by
    assert hashlib.sha256(read.encode()).hexdigest()[:16] == digest


def test_every_format_has_a_reader() -> None:
    for format in OURS:
        assert FORMATS.get(format.name) is format
        assert isinstance(format, Format)
        assert isinstance(format.reader, str)


BIBTEX = """% made by hand
@string{j = "Journal"}
@article{smith2021, title = {On moths}, year = 2021}
@inproceedings{lee2020,
  title = {On bees},
}
"""
RIS = "TY  - JOUR\nTI  - On moths\nER  - \n\nTY  - CONF\nTI  - On bees\nER  - \n"
PUBMED = "\nPMID- 123\nTI  - On moths\n"
ENDNOTE = "%0 Journal Article\n%T On moths\n\n%0 Book\n%T On bees\n"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("refs.bib", BIBTEX, "is a bibliography (BibTeX, 2 entries), not a paper; give the PDFs"),
        ("refs.ris", RIS, "is a bibliography (RIS, 2 entries), not a paper; give the PDFs"),
        ("refs.ris", "\ufeff" + RIS, "is a bibliography (RIS, 2 entries), not a paper"),
        ("refs.txt", RIS, "is a bibliography (RIS, 2 entries), not a paper"),
        ("refs.nbib", PUBMED, "is a bibliography (PubMed, 1 entry), not a paper"),
        ("refs.enw", ENDNOTE, "is a bibliography (EndNote, 2 entries), not a paper"),
    ],
)
def test_a_bibliography_is_no_paper(name: str, text: str, says: str) -> None:
    with pytest.raises(PaperError) as caught:
        format_of(text.encode(), name)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    "text",
    [
        "We wrote to us@home.org. @article is a kind of entry in BibTeX.",
        "Methods\n\n@article{a, title = {x}} is what an entry looks like.",
        "TYPE - JOURNAL\nWe used TY  - JOUR.",
    ],
)
def test_a_text_about_bibliographies_is_a_paper(text: str) -> None:
    assert format_of(text.encode(), "a.txt").name == "text"
