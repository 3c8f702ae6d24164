"""What journals do to a page, each with its sentence planted: line numbers, rotated pages, scans, garbled
fonts, tables without a caption, captions below the table, addresses that wrap."""

import random
import re
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from vivavoce import Paper, load
from vivavoce.evidence.locating import locate
from vivavoce.papers import pages

WORDS = re.findall(
    r"\w+",
    "the network was trained on pictures of birds and trees in the forest and it was tested on a lake where "
    "the pictures were taken by people who walked along the shore with a camera in the first days of spring",
)


def prose(sentences: int, seed: int = 1) -> list[str]:
    """Sentences that can all be told apart."""
    pick = random.Random(seed)
    made = []
    for number in range(sentences):
        words = [pick.choice(WORDS) for _ in range(pick.randrange(9, 22))]
        made.append(f"{' '.join(words).capitalize()} {number + 1000}.")
    return made


def wrap(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > width:
            lines.append(line.strip())
            line = ""
        line += word + " "
    return [*lines, line.strip()]


class Sheet:
    """A page to write on, line by line from the top."""

    def __init__(self, path: Path, size: tuple[float, float] = (595, 842)) -> None:
        self.path, self.size = path, size
        self.canvas = Canvas(str(path), pagesize=size, invariant=1)
        self.canvas.setFont("Times-Roman", 10)
        self.y = size[1] - 72.0

    def write(self, lines: list[str], x: float = 72, lead: float = 12) -> None:
        for line in lines:
            self.canvas.drawString(x, self.y, line)
            self.y -= lead

    def turn(self) -> None:
        self.canvas.showPage()
        self.canvas.setFont("Times-Roman", 10)
        self.y = self.size[1] - 72.0

    def load(self) -> Paper:
        self.canvas.showPage()
        self.canvas.save()
        return load(self.path)


def texts(paper: Paper, *kinds: str) -> list[str]:
    return [s.text for s in paper.sentences if s.kind in (kinds or ("prose",))]


def test_sentences_cross_columns_and_pages(tmp_path: Path) -> None:
    planted = prose(60)
    lines = wrap(" ".join(planted), 46)
    sheet = Sheet(tmp_path / "paper.pdf")
    for page in range(0, len(lines), 50):
        for column in range(2):
            sheet.y = 770
            sheet.write(lines[page + 25 * column : page + 25 * column + 25], x=60 + 250 * column)
        sheet.canvas.drawString(60, 30, f"Journal of Invented Results {page // 50 + 1}")
        sheet.turn()
    assert texts(sheet.load()) == planted


def test_line_numbers_of_a_manuscript_are_dropped(tmp_path: Path) -> None:
    planted = prose(30)
    sheet = Sheet(tmp_path / "paper.pdf")
    for number, line in enumerate(wrap(" ".join(planted), 70)):
        sheet.canvas.drawString(40, sheet.y, str(number + 1))
        sheet.write([line], lead=18)
        if sheet.y < 80:
            sheet.turn()
    assert texts(sheet.load()) == planted


def test_lines_that_begin_with_a_count_are_no_line_numbers(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    for count in range(5, 45, 5):
        sheet.write([f"{count} birds were counted on the lake in the morning of that day."])
    sheet.canvas.drawString(40, sheet.y, "45 birds rested on the shore in the evening of that day.")
    sheet.write([""])
    sheet.write(wrap(" ".join(prose(20)), 80))
    text = sheet.load().text
    assert "5 birds were counted" in text
    assert "45 birds rested" in text


def test_running_heads_that_alternate_are_dropped(tmp_path: Path) -> None:
    planted = prose(90)
    lines = wrap(" ".join(planted), 80)
    sheet = Sheet(tmp_path / "paper.pdf")
    for page, start in enumerate(range(0, len(lines), 12)):
        head = "Sample and others" if page % 2 else "Pictures of birds at the lake"
        sheet.canvas.drawString(72, 810, f"{head}   {page + 17}")
        sheet.write(lines[start : start + 12])
        sheet.turn()
    assert texts(sheet.load()) == planted


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_page_reads_and_marks_as_it_is_seen(tmp_path: Path, rotation: int) -> None:
    planted = prose(12)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.canvas.setPageRotation(rotation)  # reportlab swaps the sides, so that the page looks upright
    if rotation == 90:
        sheet.canvas.translate(842, 0)
    elif rotation == 180:
        sheet.canvas.translate(595, 842)
    else:
        sheet.canvas.translate(0, 595)
    sheet.canvas.rotate(rotation)
    sheet.y = 500
    sheet.write(wrap(" ".join(planted), 80))
    paper = sheet.load()
    assert texts(paper) == planted
    first = locate(paper, planted[0])
    assert first is not None
    assert (paper.pages[0].width, paper.pages[0].height) == (595, 842)
    assert abs(first.boxes[0].x0 - 72) < 2
    assert 842 - 500 - 12 < first.boxes[0].y0 < 842 - 500


def test_a_sideways_table_page_is_read(tmp_path: Path) -> None:
    planted = prose(10)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.canvas.translate(500, 60)
    sheet.canvas.rotate(90)
    sheet.y = 300
    sheet.write(wrap(" ".join(planted), 80))
    assert texts(sheet.load()) == planted


def test_margin_text_that_stands_sideways_is_dropped(tmp_path: Path) -> None:
    planted = prose(12)
    sheet = Sheet(tmp_path / "paper.pdf")
    lines = wrap(" ".join(planted), 80)
    sheet.write(lines[:5])
    sheet.canvas.saveState()
    sheet.canvas.translate(580, 100)
    sheet.canvas.rotate(90)
    sheet.canvas.drawString(
        0, 0, "Downloaded from a library on the first of May; see the terms and conditions"
    )
    sheet.canvas.restoreState()
    sheet.write(lines[5:])
    assert texts(sheet.load()) == planted


def test_table_rows_with_headers_and_caption_above(tmp_path: Path) -> None:
    planted = prose(14)
    lines = wrap(" ".join(planted), 80)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(lines[:6])
    sheet.y -= 20
    sheet.canvas.setFont("Times-Roman", 8.5)
    sheet.write(["Table 1. Settings of both networks."])
    sheet.y -= 6
    for row in (
        ("", "First net", "Second net"),
        ("Batch size", "16", "64"),
        ("Learning rate", "0.001", "0.01"),
    ):
        for x, cell in zip((72, 220, 340), row, strict=True):
            sheet.canvas.drawString(x, sheet.y, cell)
        sheet.y -= 12
    sheet.y -= 24
    sheet.canvas.setFont("Times-Roman", 10)
    sheet.write(lines[6:])
    paper = sheet.load()
    assert texts(paper) == planted
    assert texts(paper, "caption") == ["Table 1. Settings of both networks."]
    rows = {s.text: s.reading for s in paper.sentences if s.kind == "table"}
    assert rows == {
        "First net Second net": "",
        "Batch size 16 64": "Batch size: First net 16; Second net 64",
        "Learning rate 0.001 0.01": "Learning rate: First net 0.001; Second net 0.01",
    }


def test_addresses_that_wrap_are_whole_again(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(8)), 80))
    sheet.write(
        [
            "The code of the network is kept at https://github.com/example-org/forest-",
            "floor/tree/main and the pictures have the address https://doi.org/",
            "10.5555/pictures.2024.17 for everybody. The site https://example.org/data.",
            "The rest of it was lost in the winter.",
        ]
    )
    found = texts(sheet.load())
    assert found[-3:] == [
        "The code of the network is kept at https://github.com/example-org/forest-floor/tree/main and the "
        "pictures have the address https://doi.org/10.5555/pictures.2024.17 for everybody.",
        "The site https://example.org/data.",
        "The rest of it was lost in the winter.",
    ]


@pytest.mark.slow  # garbled pages are read by OCR
def test_garbled_letters_are_unreadable_and_never_text(tmp_path: Path) -> None:
    shifted = str.maketrans({chr(c): chr((c - 97 + 3) % 26 + 97) for c in range(97, 123)})
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(40)).translate(shifted), 80))
    paper = sheet.load()
    assert "garbled" in paper.unreadable
    assert paper.sentences == ()
    assert paper.text == ""


def test_a_paper_in_another_language_is_read_with_a_warning(tmp_path: Path) -> None:
    words = (
        "das Netz wurde mit Bildern von Vögeln trainiert und die Bilder sind in dem Wald von den Leuten "
        "gemacht worden die nicht auf dem See waren und es ist auch ein Bild von der Kamera dabei"
    )
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap((words + ". ") * 6, 80))
    paper = sheet.load()
    assert paper.unreadable == ""
    assert any("German" in warning for warning in paper.warnings)


def test_pictures_mark_the_quote(tmp_path: Path) -> None:
    import io

    from PIL import Image

    planted = prose(12)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(planted), 80))
    paper = sheet.load()
    evidence = locate(paper, planted[3])
    assert evidence is not None
    plain = Image.open(io.BytesIO(pages.picture(paper, 1, scale=2)))
    marked = Image.open(io.BytesIO(pages.picture(paper, 1, highlight=evidence.boxes, scale=2)))
    assert plain.size == marked.size == (1190, 1684)
    box = evidence.boxes[0]
    inside = (int(box.x0 * 2) + 1, int(box.y0 * 2) - 1)
    assert plain.getpixel(inside) == (255, 255, 255)
    assert marked.getpixel(inside) != (255, 255, 255)
    assert marked.getpixel((5, 5)) == (255, 255, 255)


def test_a_citation_number_stays_with_its_sentence(tmp_path: Path) -> None:
    """Raised, behind the full stop, and with a gap before the next sentence."""
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(10)), 80))
    for first, number, second in (
        ("The network was trained in the winter.", "3", "The pictures were taken in the spring."),
        ("It was then tested on a lake.", "12,13", "All of the birds were found on it."),
    ):
        canvas, y = sheet.canvas, sheet.y
        canvas.drawString(72, y, first)
        x = 72 + canvas.stringWidth(first, "Times-Roman", 10) + 1.5
        canvas.setFont("Times-Roman", 6.5)
        canvas.drawString(x, y + 3.6, number)
        x += canvas.stringWidth(number, "Times-Roman", 6.5) + 2.5
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(x, y, second)
        sheet.y -= 12
    assert texts(sheet.load())[-4:] == [
        "The network was trained in the winter.3",
        "The pictures were taken in the spring.",
        "It was then tested on a lake.12,13",
        "All of the birds were found on it.",
    ]


def test_a_manuscript_set_wide_has_whole_sentences(tmp_path: Path) -> None:
    planted = prose(40)
    sheet = Sheet(tmp_path / "paper.pdf")
    for line in wrap(" ".join(planted), 70):
        sheet.write([line], lead=24)
        if sheet.y < 80:
            sheet.turn()
    assert texts(sheet.load()) == planted


@pytest.mark.slow  # garbled pages are read by OCR
def test_a_garbled_page_is_left_out_with_a_warning(tmp_path: Path) -> None:
    shifted = str.maketrans({chr(c): chr((c - 97 + 3) % 26 + 97) for c in range(97, 123)})
    planted = prose(30)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(planted), 80))
    sheet.turn()
    sheet.write(wrap(" ".join(prose(30, seed=2)).translate(shifted), 80))
    paper = sheet.load()
    assert texts(paper) == planted
    assert any("page 2" in warning and "garbled" in warning for warning in paper.warnings)


def test_a_page_of_names_is_not_garbled(tmp_path: Path) -> None:
    names = "Picea abies, Abies alba, Fagus sylvatica, Pinus mugo, Larix decidua, Acer campestre, "
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(30)), 80))
    sheet.turn()
    sheet.write(wrap(names * 12, 80))
    paper = sheet.load()
    assert paper.warnings == ()
    assert "Fagus sylvatica" in paper.text


def test_title_doi_and_year_of_the_first_page(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    canvas = sheet.canvas
    canvas.setFont("Times-Roman", 16)
    sheet.write(["Journal of Invented Results"], lead=30)
    canvas.setFont("Times-Roman", 15)
    sheet.write(["Small networks for the counting of birds", "on lakes in the winter months"], lead=18)
    canvas.setFont("Times-Roman", 8)
    sheet.write(["Received: 3 May 2019; Accepted: 20 December 2020; Published: 4 January 2021"], lead=10)
    sheet.write(["https://doi.org/10.5555/birds.on.lakes.7"], lead=30)
    canvas.setFont("Times-Roman", 10)
    sheet.write(wrap(" ".join(prose(20)), 80))
    paper = sheet.load()
    assert paper.title == "Small networks for the counting of birds on lakes in the winter months"
    assert (paper.doi, paper.year) == ("10.5555/birds.on.lakes.7", 2021)


def test_a_caption_in_the_middle_of_a_sentence(tmp_path: Path) -> None:
    """In the body's own type, between two halves of a sentence on two pages."""
    planted = prose(40)
    lines = wrap(" ".join(planted), 80)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.y = 400
    sheet.write(lines[:15])
    sheet.y = 700
    sheet.write(["Figure 1: The lake, and where the cameras hung."])
    sheet.turn()
    sheet.write(lines[15:])
    paper = sheet.load()
    assert texts(paper) == planted
    assert texts(paper, "caption") == ["Figure 1: The lake, and where the cameras hung."]


def test_headings_one_below_the_other(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    planted = prose(20)
    sheet.write(wrap(" ".join(planted[:8]), 80))
    sheet.canvas.setFont("Times-Bold", 11)
    sheet.y -= 8
    sheet.write(["3 Experiments"], lead=14)
    sheet.write(["3.1 Counting of birds"], lead=14)
    sheet.canvas.setFont("Times-Roman", 10)
    sheet.write(wrap(" ".join(planted[8:]), 80))
    paper = sheet.load()
    assert texts(paper) == planted
    assert texts(paper, "heading") == ["3 Experiments", "3.1 Counting of birds"]
    assert paper.sentences[-1].section == "3.1 Counting of birds"
