"""Papers in other wrappings: gzip, zip, EPUB, ODT, RTF."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from vivavoce import load
from vivavoce.errors import PaperError
from vivavoce.papers import archives

SENTENCE = "The birds were counted by two people who walked along each of the paths at dawn."
JATS = f"<article article-type='x'><front/><body><p>{SENTENCE}</p></body></article>".encode()


def zipped(**files: bytes | str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def prose(path: Path) -> list[str]:
    return [s.text for s in load(path).sentences if s.kind == "prose"]


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    assert prose(written(tmp_path / "a.xml.gz", gzip.compress(JATS))) == [SENTENCE]


def test_a_zip_with_one_paper_is_read(tmp_path: Path) -> None:
    data = zipped(**{"a/paper.xml": JATS, "__MACOSX/a/._paper.xml": b"x", "a/figure.png": b"x"})
    assert prose(written(tmp_path / "a.zip", data)) == [SENTENCE]


def test_a_zip_of_papers_says_how_to_unpack_it(tmp_path: Path) -> None:
    with pytest.raises(PaperError, match="of 2 papers; unpack it first"):
        load(written(tmp_path / "a.zip", zipped(**{"a.xml": JATS, "b.xml": JATS})))


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_UNPACKED_BYTES", 1000)
    with pytest.raises(PaperError, match="unpacks to more than"):
        archives.unpacked(gzip.compress(b"x" * 5000), "a.xml.gz")
    with pytest.raises(PaperError, match="unpacks to more than"):
        archives.unpacked(zipped(**{"a.xml": b"x" * 5000}), "a.zip")


@pytest.mark.parametrize("keep", [3, 12, 30])
def test_a_cut_gzip_file_is_refused(keep: int) -> None:
    with pytest.raises(PaperError, match="damaged gzip"):
        archives.unpacked(gzip.compress(JATS)[:keep], "a.xml.gz")


EPUB = {
    "META-INF/container.xml": "<container><rootfiles><rootfile full-path='O/c.opf'/></rootfiles></container>",
    "O/c.opf": "<package xmlns:dc='d'><metadata><dc:title>Bird "
    "counts</dc:title><dc:identifier>doi:10.1234/abc"
    "</dc:identifier></metadata><manifest><item id='b' href='b.xhtml' "
    "media-type='application/xhtml+xml'/><item id='a' "
    "href='a.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/><itemref "
    "idref='b'/></spine>"
    "</package>",
    "O/a.xhtml": f"<html><body><h1>Bird counts</h1><h2>Methods</h2><p>{SENTENCE}</p></body></html>",
    "O/b.xhtml": "<html><body><h2>References</h2><p>Smith J. Birds. 2001.</p></body></html>",
}
ODT = (
    "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='tb' "
    "xmlns:style='s'><office:automatic-styles>"
    "<style:style style:name='P1' "
    "style:parent-style-name='Title'/></office:automatic-styles><office:body><office:text>"
    "<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes><text:p text:style-name='P1'>Bird "
    "counts</text:p>"
    f"<text:h>Methods</text:h><text:p>{SENTENCE}<text:note><text:note-citation>1</text:note-citation>"
    "<text:note-body>"
    "<text:p>By hand.</text:p></text:note-body></text:note></text:p><table:table><table:table-row>"
    "<table:table-cell>"
    "<text:p>Site</text:p></table:table-cell><table:table-cell><text:p>n</text:p></table:table-cell>"
    "</table:table-row>"
    "<table:table-row><table:table-cell><text:p>Lake</text:p></table:table-cell><table:table-cell>"
    "<text:p>4</text:p>"
    "</table:table-cell></table:table-row></table:table></office:text></office:body>"
    "</office:document-content>"
)


def test_epub(tmp_path: Path) -> None:
    paper = load(written(tmp_path / "a.epub", zipped(**EPUB)))
    assert (paper.format, paper.title, paper.doi) == ("epub", "Bird counts", "10.1234/abc")
    assert [(s.kind, s.text) for s in paper.sentences] == [
        ("title", "Bird counts"),
        ("heading", "Methods"),
        ("prose", SENTENCE),
        ("heading", "References"),
        ("reference", "Smith J. Birds. 2001."),
    ]


def test_odt(tmp_path: Path) -> None:
    paper = load(written(tmp_path / "a.odt", zipped(**{"content.xml": ODT})))
    assert (paper.format, paper.title) == ("odt", "Bird counts")
    assert [(s.kind, s.text, s.reading) for s in paper.sentences] == [
        ("title", "Bird counts", ""),
        ("heading", "Methods", ""),
        ("prose", SENTENCE, ""),
        ("footnote", "By hand.", ""),
        ("table", "Site n", ""),
        ("table", "Lake 4", "Site: Lake; n: 4"),
    ]


def test_rtf(tmp_path: Path) -> None:
    rtf = rf"{{\rtf1\ansi Birds of the northern lake\par Methods\par {SENTENCE} A caf\'e9 was near.\par}}"
    paper = load(written(tmp_path / "a.rtf", rtf.encode()))
    assert (paper.format, paper.title) == ("rtf", "Birds of the northern lake")
    assert [s.text for s in paper.sentences if s.kind == "prose"] == [SENTENCE, "A café was near."]


@pytest.mark.parametrize("name", ["a.epub", "a.odt"])
def test_a_broken_one_is_refused(tmp_path: Path, name: str) -> None:
    whole = zipped(**EPUB) if name == "a.epub" else zipped(**{"content.xml": ODT})
    for keep in (len(whole) // 3, len(whole) - 30):
        with pytest.raises(PaperError):
            load(written(tmp_path / name, whole[:keep]))
    with pytest.raises(PaperError):
        load(
            written(
                tmp_path / name,
                whole.replace(b"<", b"\x01", 1) if name == "x" else zipped(**{"content.xml": "<a"}),
            )
        )
