"""What a file is, by content; and what is said of a file that is nothing that can be read."""

import gzip
import hashlib
import io
import os
import pickle
import zipfile
from pathlib import Path

import pytest

import vivavoce
from tests.papers import hostile_files as files
from vivavoce.errors import PaperError, VivaError
from vivavoce.papers import Limits, find, load, pages
from vivavoce.papers.recognition import doubts, format_name


def archive(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name in names:
            made.writestr(zipfile.ZipInfo(name), "x")  # of no time of day
    return out.getvalue()


JATS = b'<article article-type="research-article"><front/><body><p>Bees.</p></body></article>'
XHTML = (
    b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n'
    b'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Bees.</p></body></html>'
)
DOCTYPE = b'<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.2//EN" "JATS.dtd" [<!ENTITY a "b>">]>'
DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.pdf", b"%PDF-1.7\n1 0 obj", "pdf"),
        ("pdf called txt.txt", b"%PDF-1.7\n1 0 obj", "pdf"),
        ("no ending", b"%PDF-1.4", "pdf"),
        ("junk in front.pdf", b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj", "pdf"),
        ("about.txt", b"A file that begins with %PDF-1.7 is a PDF.", "text"),
        ("a.docx", archive("[Content_Types].xml", "word/document.xml"), "docx"),
        ("a.zip", archive("[Content_Types].xml", "word/document2.xml"), "docx"),
        ("a.xml", JATS, "jats"),
        ("a.txt", JATS, "jats"),
        ("a.nxml", b"\xef\xbb\xbf  \n" + DECLARATION + b"<!-- a > b -->" + DOCTYPE + JATS, "jats"),
        ("a.xml", (DECLARATION.replace(b"UTF-8", b"UTF-16") + JATS).decode().encode("utf-16"), "jats"),
        ("a.xml", DECLARATION + b'<j:article xmlns:j="http://jats.nlm.nih.gov"/>', "jats"),
        ("a.xml", b"<pmc-articleset>" + JATS + b"</pmc-articleset>", "jats"),
        ("a.xml", DECLARATION + b"<OAI-PMH xmlns='o'><GetRecord>" + JATS + b"</GetRecord></OAI-PMH>", "jats"),
        ("a.html", b"<!doctype html><p>Bees.", "html"),
        ("a.txt", b"\n<!-- saved -->\n<!DOCTYPE HTML><p>Bees.", "html"),
        ("a", b"<HTML><BODY>Bees.", "html"),
        ("a.xml", XHTML, "html"),
        ("a.html", b"<article><p>An article of HTML.</p></article>", "html"),
        ("a.htm", b"Bees <b>and</b> bees", "html"),
        ("a.htm", b"Bees and bees", "text"),
        ("a.html", JATS, "jats"),
        ("a.md", b"# Bees\n\nText.", "markdown"),
        ("a.markdown", b"<b>Bees</b> in Markdown", "markdown"),
        ("a.MD", b"<div><body></div>", "markdown"),
        ("a.txt", b"Bees, if x < y.", "text"),
        ("a.txt", b"<x, y> is a pair.", "text"),
        ("a.txt", "Bienen hören".encode(), "text"),
        ("a.txt", "Bienen hören Käfer".encode("latin-1"), "text"),
        ("a.txt", "Bienen".encode("utf-16"), "text"),
        ("a.txt", "Bienen hören".encode("utf-16-le"), "text"),
        ("a.txt", "Bienen hören".encode("utf-16-be"), "text"),
        ("a.txt", "蜜蜂".encode() * 30_000, "text"),  # a sample ends within a character
        ("a.pdf", b"<html><body>Please log in.", "html"),
    ],
)
def test_format_name(name: str, data: bytes, format: str) -> None:
    assert format_name(data, name) == format


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.pdf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a PNG picture; save it as PDF or DOCX."),
        ("a.pdf", b"\xff\xd8\xff\xe0\0\x10JFIF", "is a JPEG picture; save it as PDF or DOCX."),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "is an old Office file"),
        ("a.ps", b"%!PS-Adobe-3.0\n", "is PostScript; save it as PDF or DOCX."),
        ("a.xml.gz", gzip.compress(b"x", mtime=0), "is a gzip archive; unpack it first."),
        ("a.xlsx", archive("[Content_Types].xml", "xl/workbook.xml"), "is an Excel workbook; save it as PDF"),
        ("a.zip", archive("a.dat"), "is a zip archive with no paper in it that we know; unpack it first."),
        ("a.docx", archive("word/document.xml")[:40], "is a damaged zip file"),
        ("a.xml", b'<?xml version="1.0"?><recipe xmlns="x"/>', "its root is <recipe>"),
        ("a.xml", b'<?xml version="1.0"?><OAI-PMH><error/></OAI-PMH>', "its root is <OAI-PMH>"),
        ("a.txt", bytes(400), "is of no known format"),
        ("a.txt", b"\x7fELF\x02\x01" + bytes(200) + b"\x01\0\x02\0" * 50, "is of no known format"),
        ("a.xml", b'<?xml version="1.0"?>', "is XML without a root element"),
        ("a.pdf", b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "is a Git LFS pointer"),
        ("a.txt", b"text with a \0 in it", "is of no known format; save it as PDF or DOCX."),
        ("a.txt", bytes(range(1, 256)) * 20, "is of no known format"),
        ("a.txt", b"\x01\x02\x03" * 100, "is of no known format"),
    ],
)
def test_decide_against(name: str, data: bytes, says: str) -> None:
    with pytest.raises(PaperError) as caught:
        format_name(data, name)
    assert says in str(caught.value)


def test_a_web_page_called_pdf_is_doubted() -> None:
    assert "login page" in doubts("html", "a.PDF")[0]
    assert doubts("html", "a.html") == doubts("pdf", "a.pdf") == ()


def test_a_paper_knows_its_bytes_and_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"Bees live in hives. They make honey."
    (tmp_path / "bees.txt").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    paper = vivavoce.load("bees.txt")
    assert paper.id == hashlib.sha256(data).hexdigest()
    assert (paper.file, paper.format, paper.unreadable) == ("bees.txt", "text", "")
    assert [(page.number, page.width, page.height) for page in paper.pages] == [(1, 0, 0)]
    assert [sentence.text for sentence in paper.sentences] == ["Bees live in hives.", "They make honey."]
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)


def test_a_path_is_of_the_folder_that_the_caller_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(f"The text in {folder}.")
        monkeypatch.chdir(tmp_path / folder)
        assert f"The text in {folder}." in load("a.txt").text


def test_a_pdf_called_txt_is_read_as_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(files.plain())
    paper = load(path)
    assert paper.format == "pdf"
    assert len(paper.pages) == 2
    assert pickle.loads(pickle.dumps(paper)) == paper


def test_boxes_and_pictures_come_from_the_file_that_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(files.plain())
    paper = load(path)
    at = paper.text.index("300 pictures")
    (box,) = pages.boxes(paper, [(at, at + len("300 pictures"))])[0]
    assert box.page == 1
    assert 150 < box.x0 < box.x1 < 400
    assert pages.picture(paper, 2, [box]).startswith(b"\x89PNG")
    path.write_bytes(files.plain(3))
    with pytest.raises(PaperError, match="has changed since it was read"):
        pages.boxes(paper, [(at, at + 3)])
    path.unlink()
    with pytest.raises(PaperError, match="moved since it was read"):
        pages.picture(paper, 1)


@pytest.mark.parametrize("data", [b" \n \t\n", b"<html><body><script>x</script></body></html>"])
def test_nothing_in_it_is_unreadable(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    paper = load(path)
    assert (paper.unreadable, paper.warnings) == ("the file holds no text", ())


def test_very_little_text_is_doubted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bees live in hives. They make honey.")
    assert load(path).warnings == ("very little text (2 sentences): is this the whole paper?",)
    path.write_text("Bees live in hives that other bees have made of wax. " * 20)
    assert load(path).warnings == ()


def test_utf_16_without_a_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Bees live in hives. They hören.".encode("utf-16-le"))
    assert [sentence.text for sentence in load(path).sentences] == ["Bees live in hives.", "They hören."]


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    def complaint(path: Path, limits: Limits = Limits()) -> str:
        with pytest.raises(PaperError) as caught:
            load(path, limits=limits)
        return str(caught.value).removeprefix(f"{path}: ")

    assert complaint(tmp_path).startswith("is a folder")
    assert complaint(tmp_path / "nix.pdf") == "there is no such file; check the spelling."
    (tmp_path / "a.txt").write_bytes(bytes(1_000_001))
    assert complaint(tmp_path / "a.txt" / "b.txt") == "there is no such file; check the spelling."
    assert complaint(tmp_path / "a.txt", Limits(file_mb=1)).startswith("is 2 MB large, and the limit is 1 MB")
    os.mkfifo(tmp_path / "pipe")
    assert complaint(tmp_path / "pipe").startswith("is not a regular file")
    assert complaint(Path("a\0b")).startswith("is not a possible file name")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Text.")
    path.chmod(0)
    with pytest.raises(PaperError, match="no permission"):
        load(path)


def test_find(tmp_path: Path) -> None:
    for name in ("b.pdf", "a.PDF", "deep/er/c.xml", "deep/d.jpg", ".hidden/e.pdf", ".f.pdf", "~$g.docx", "h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "deep" / "loop").symlink_to(tmp_path)
    (tmp_path / "z.pdf").symlink_to(tmp_path / "b.pdf")
    found = find([tmp_path, tmp_path / "b.pdf", str(tmp_path / "h")])
    assert [str(path.relative_to(tmp_path)) for path in found] == ["a.PDF", "b.pdf", "deep/er/c.xml", "h"]
    assert find([tmp_path / ".f.pdf"]) == [tmp_path / ".f.pdf"]
    assert find(tmp_path / "deep" / "er") == find([str(tmp_path / "deep" / "er")])


def test_find_nothing(tmp_path: Path) -> None:
    assert find([tmp_path]) == []
    with pytest.raises(VivaError, match=r"nix: there is no such file or folder"):
        find([tmp_path / "nix"])
    (tmp_path / "dead.pdf").symlink_to(tmp_path / "nix")
    with pytest.raises(VivaError, match="is a link to a file that does not exist"):
        find([tmp_path / "dead.pdf"])
