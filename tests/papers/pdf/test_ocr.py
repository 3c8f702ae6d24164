"""Scans and garbled files, made from the sample papers, read by OCR: the words, and where they stand."""

import json
import pickle
import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image
from rapidfuzz import fuzz

from vivavoce.papers import Limits, load, pages
from vivavoce.papers.loading import load_with, read_file
from vivavoce.papers.pdf import ocr
from vivavoce.papers.pdf.ocr_layout import Piece, in_order
from vivavoce.processes.isolation import Worker
from vivavoce.records import Box, Paper, ScanLine

PAPERS = Path(__file__).parents[3] / "examples" / "papers"
PLANTED = json.loads((PAPERS.parent / "planted.json").read_text())
LINES = [
    "The birds of the northern woods were counted in the spring of each year, and",
    "the counts were sent to the office in the town, where they were added up by",
    "hand. In the last of these years the work was given to a network, which was",
    "trained on a set of nine thousand pictures. It was as good as the people who",
    "had done the work for years, and it was done in a day. We report the score of",
    "the network for each of the species, and for all of them together in a table.",
]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHIFTED = str.maketrans(LETTERS, LETTERS[7:] + LETTERS[:7])

needs_ocr = pytest.mark.skipif(not ocr.available(), reason="needs `pip install 'vivavoce[ocr]'`")


def picture(document: pdfium.PdfDocument, page: int, dpi: int = 150) -> Image.Image:
    """A page as a slightly crooked, slightly noisy scan."""
    image = document[page - 1].render(scale=dpi / 72).to_pil().convert("L")
    image = image.rotate(0.25, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = Image.effect_noise(image.size, 12)
    return Image.blend(image, noise, 0.06)


def scan(name: str, page: int, to: Path) -> Path:
    """One page of a sample paper as a PDF that is nothing but a picture."""
    picture(pdfium.PdfDocument(PAPERS / name), page).save(to, resolution=150)
    return to


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def planted(name: str, page: int) -> list[str]:
    return [
        item["text"] for item in PLANTED[name]["items"] if item["page"] == page and item["kind"] == "prose"
    ]


def under(file: Path, boxes: tuple[Box, ...], page: int) -> str:
    """What the text layer of the original has under the boxes."""
    document = pdfium.PdfDocument(file)
    handle = document[page - 1]
    height = handle.get_height()
    layer = handle.get_textpage()
    found = [layer.get_text_bounded(b.x0, height - b.y1 + 2, b.x1, height - b.y0 - 2) for b in boxes]
    return " ".join(" ".join(found).replace("\ufffe", "-").split())


def garbled(path: Path) -> Path:
    """A PDF that looks right, and whose font says of each small letter that it is another."""
    pairs = "\n".join(f"<{ord(a):02x}> <{ord(a.translate(SHIFTED)):04x}>" for a in LETTERS)
    codes = "1 begincodespacerange\n<00> <ff>\nendcodespacerange"
    table = f"begincmap\n{codes}\n26 beginbfchar\n{pairs}\nendbfchar\nendcmap"
    drawn = "BT /F 11 Tf 15 TL 72 720 Td " + " ".join(f"({line}) Tj T*" for line in LINES) + " ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
        f"<</Length {len(table)}>>stream\n{table}\nendstream",
    ]
    body = "".join(f"{number} 0 obj\n{item}\nendobj\n" for number, item in enumerate(objects, 1))
    path.write_text(f"%PDF-1.4\n{body}trailer<</Root 1 0 R/Size 7>>\n%%EOF\n")
    return path


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    """The first page of the two-column sample, scanned and read."""
    return load(scan("camera-traps.pdf", 1, tmp_path_factory.mktemp("scan") / "scan.pdf"))


def test_without_ocr_a_scan_says_how_it_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    paper = load(scan("camera-traps.pdf", 1, tmp_path / "scan.pdf"))
    assert paper.unreadable.startswith("it is a scan")
    assert paper.unreadable.endswith("; `pip install 'vivavoce[ocr]'` reads it by OCR")
    assert not paper.sentences
    paper = load(garbled(tmp_path / "garbled.pdf"))
    assert "garbled" in paper.unreadable
    assert paper.unreadable.endswith(ocr.INSTALL)


def test_too_many_pages_for_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: True)
    paper = load(scan("camera-traps.pdf", 1, tmp_path / "scan.pdf"), limits=Limits(ocr_pages=0))
    assert paper.unreadable.endswith(
        "it has 1 page to read by OCR, and the limit is 0: --max-ocr-pages 1 reads it all the same"
    )


@pytest.mark.slow
@needs_ocr
def test_the_words_of_a_scan(scanned: Paper) -> None:
    assert not scanned.unreadable
    assert any("page 1: read by OCR" in warning for warning in scanned.warnings)
    assert any("check quotes against the page" in warning for warning in scanned.warnings)
    wanted = planted("camera-traps.pdf", 1)
    found = set(words(scanned.text))
    told = [word in found for sentence in wanted for word in words(sentence)]
    assert sum(told) >= 0.95 * len(told)
    whole = {sentence.text for sentence in scanned.sentences}
    assert sum(sentence in whole for sentence in wanted) >= 0.75 * len(wanted)
    assert fuzz.ratio(scanned.title, PLANTED["camera-traps.pdf"]["title"]) > 97
    assert scanned.doi == PLANTED["camera-traps.pdf"]["doi"]


@pytest.mark.slow
@needs_ocr
def test_columns_are_read_one_after_the_other(scanned: Paper) -> None:
    wanted = [text for text in planted("camera-traps.pdf", 1) if text in scanned.text]
    places = [scanned.text.index(text) for text in wanted]
    assert places == sorted(places)


@pytest.mark.slow
@needs_ocr
def test_a_quote_of_a_scan_has_its_place(scanned: Paper) -> None:
    wanted = [text for text in planted("camera-traps.pdf", 1) if text in scanned.text]
    assert len(wanted) > 10
    for quote in wanted:
        start = scanned.text.index(quote)
        boxes = pages.boxes(scanned, [(start, start + len(quote))])[0]
        shown = under(PAPERS / "camera-traps.pdf", boxes, 1)
        assert fuzz.ratio(words_together(shown), words_together(quote)) > 93, (quote, shown)
    assert pages.boxes(pickle.loads(pickle.dumps(scanned)), [(start, start + len(quote))])[0] == boxes
    assert pages.picture(scanned, 1, boxes).startswith(b"\x89PNG")


def words_together(text: str) -> str:
    """Letters and digits only: hyphens at line ends differ between a page and its text."""
    return "".join(words(text))


@pytest.mark.slow
@needs_ocr
def test_one_scanned_page_among_pages_of_text(tmp_path: Path) -> None:
    original = pdfium.PdfDocument(PAPERS / "bird-songs.pdf")
    scan("bird-songs.pdf", 2, tmp_path / "page.pdf")
    mixed = pdfium.PdfDocument.new()
    mixed.import_pages(original, [0])
    mixed.import_pages(pdfium.PdfDocument(tmp_path / "page.pdf"))
    mixed.import_pages(original, [2])
    mixed.save(tmp_path / "mixed.pdf")
    paper = load(tmp_path / "mixed.pdf")
    assert any("page 2: read by OCR" in warning for warning in paper.warnings)
    for page in (1, 2, 3):
        told = [
            word in paper.text.lower() for text in planted("bird-songs.pdf", page) for word in words(text)
        ]
        assert sum(told) >= 0.95 * len(told)
        quote = next(
            s for s in paper.sentences if s.page == page and s.text in planted("bird-songs.pdf", page)
        )
        boxes = pages.boxes(paper, [(quote.start, quote.end)])[0]
        assert {box.page for box in boxes} == {page}
        shown = under(PAPERS / "bird-songs.pdf", boxes, page)
        assert fuzz.ratio(words_together(shown), words_together(quote.text)) > 93


@pytest.mark.slow
@needs_ocr
def test_garbled_letters_are_read_off_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("CI", raising=False)  # it would keep onnxruntime from writing anyway
    worker = Worker()
    paper = load_with(worker, garbled(tmp_path / "garbled.pdf"), Limits())
    worker.close()
    assert not list(home.iterdir())
    assert not paper.unreadable
    assert any("read by OCR" in warning for warning in paper.warnings)
    assert fuzz.ratio(" ".join(paper.text.split()), " ".join(LINES)) > 97


@pytest.mark.slow
@needs_ocr
def test_a_scan_that_makes_no_sense_stays_unreadable(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "secret.pdf"))
    for index, line in enumerate(LINES):
        canvas.drawString(72, 720 - 15 * index, line.translate(SHIFTED))
    canvas.save()
    paper = read_file(str(tmp_path / "secret.pdf"), Limits(), by_ocr=True)
    assert paper.unreadable.endswith("OCR found no readable text either")
    assert not paper.sentences


def pieces(*places: tuple[str, float, float, float]) -> list[Piece]:
    return [Piece(text, x0, x1, base, 10, (x0, base - 8, x1, base + 2)) for text, x0, x1, base in places]


def test_the_order_of_a_page_with_columns() -> None:
    left = [(f"left column, line number {n}", 50.0, 280.0, 200 + 13.0 * n) for n in range(9)]
    right = [(f"right column, line number {n}", 300.0, 530.0, 200 + 13.0 * n) for n in range(9)]
    head = [("A running head", 50.0, 120.0, 30.0), ("212", 520.0, 530.0, 30.0)]
    title = ("A title that stands across both of the columns", 60.0, 500.0, 80.0)
    mixed = [place for pair in zip(left, right, strict=True) for place in pair]
    rows = in_order(pieces(*mixed, title, *head), 800)
    told = [" ".join(piece.text for piece in row) for row in rows]
    assert told == ["A running head 212", title[0], *(x[0] for x in left), *(x[0] for x in right)]


def test_a_table_is_read_row_by_row() -> None:
    cells = [
        (text, x, x + 40, 100 + 13.0 * n) for n in range(8) for text, x in (("Batch", 50.0), ("48", 300.0))
    ]
    rows = in_order(pieces(*cells), 800)
    assert [[piece.text for piece in row] for row in rows] == [["Batch", "48"]] * 8


def test_places_are_cut_out_of_lines() -> None:
    lines = (ScanLine(2, 0, 10, 100, 50, 200, 60), ScanLine(2, 11, 21, 100, 70, 200, 80))

    def places(*runs: tuple[int, int, int]) -> list[Box]:
        return pages.scan_boxes(lines, [pages.Characters(*run) for run in runs])

    assert places((2, 5, 10)) == [Box(2, 150, 50, 200, 60), Box(2, 100, 70, 140, 80)]
    assert places((2, 0, 3), (2, 3, 1)) == [Box(2, 100, 50, 140, 60)]
    assert places() == places((2, 10, 1)) == []
