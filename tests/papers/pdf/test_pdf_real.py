"""What real files do, each in a small file with the same defect: fonts, scans, lists, heads, accents."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from tests.papers.pdf.test_pdf_layout import Sheet, prose, texts, wrap
from vivavoce import Paper, load

SHORT = "Birds of the northern lake and what became of them"


def kinds(paper: Paper) -> list[str]:
    return [warning.kind for warning in paper.warnings]


def raw_pdf(path: Path, objects: Sequence[bytes]) -> Path:
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, item) for number, item in enumerate(objects, 1))
    path.write_bytes(b"%%PDF-1.4\n%strailer<</Root 1 0 R/Size %d>>\n%%%%EOF\n" % (body, len(objects) + 1))
    return path


def stream(data: bytes) -> bytes:
    return b"<</Length %d>>stream\n%s\nendstream" % (len(data), data)


def type3(path: Path, lines: Sequence[str], unit: float, size: float) -> Path:
    """A file in a Type 3 font: letters 40 units high, set in a size that makes them 10 points."""
    letters = sorted(set("".join(lines)))
    names = {letter: b"g%d" % ord(letter) for letter in letters}
    drawn = b"".join(
        b"BT /F1 %g Tf 1 0 0 1 60 %d Tm (%s) Tj ET\n" % (size, 780 - 13 * n, line.encode())
        for n, line in enumerate(lines)
    )
    glyph = stream(
        b"%g 0 0 0 %g %g d1 0 0 %g %g re f" % (20 * unit, 18 * unit, 28 * unit, 16 * unit, 20 * unit)
    )
    table = stream(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> "
        b"endbfrange endcmap"
    )
    first, last = ord(letters[0]), ord(letters[-1])
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 %g %g]/FontMatrix[1 0 0 1 0 "
        b"0]/CharProcs<<%s>>/Encoding<</Differences[%s]>>"
        b"/FirstChar %d/LastChar %d/Widths[%s]/ToUnicode 7 0 R>>"
    ) % (
        30 * unit,
        40 * unit,
        b"".join(b"/%s 6 0 R" % name for name in names.values()),
        b" ".join(b"%d /%s" % (ord(letter), name) for letter, name in names.items()),
        first,
        last,
        b" ".join(b"%g" % (20 * unit) for _ in range(first, last + 1)),
    )
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>"
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return raw_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", pages, page, stream(drawn), font, glyph, table])


@pytest.mark.parametrize(("unit", "size"), [(1, 0.24), (0.01, 24)], ids=["tiny size", "large size"])
def test_type_3_fonts_have_units_of_their_own(tmp_path: Path, unit: float, size: float) -> None:
    planted = prose(12)
    paper = load(type3(tmp_path / "a.pdf", wrap(" ".join(planted), 70), unit, size))
    assert texts(paper) == planted
    assert paper.hidden == ()


def test_a_scan_in_strips_is_read_from_its_text_layer(tmp_path: Path) -> None:
    planted = prose(14)
    sheet = Sheet(tmp_path / "a.pdf")
    strip = ImageReader(Image.effect_noise((600, 28), 80))
    for n in range(30):
        sheet.canvas.drawImage(strip, 0, n * 842 / 30, 595, 842 / 30)
    layer = sheet.canvas.beginText(72, 770)
    layer.setTextRenderMode(3)
    layer.setFont("Times-Roman", 10)
    for line in wrap(" ".join(planted), 80):
        layer.textLine(line)
    sheet.canvas.drawText(layer)
    paper = sheet.load()
    assert texts(paper) == planted
    assert kinds(paper) == ["text_layer"]


def test_hidden_text_on_an_empty_page_stays_hidden_and_its_share_is_said(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(" ".join(prose(14)), 80))
    sheet.turn()
    layer = sheet.canvas.beginText(72, 770)
    layer.setTextRenderMode(3)
    layer.setFont("Times-Roman", 10)
    layer.textLine("A secret order that nobody sees on this page at all.")
    sheet.canvas.drawText(layer)
    paper = sheet.load()
    assert "secret" not in paper.text
    assert any("100%" in warning for warning in paper.warnings if warning.kind == "hidden_text")


def test_a_white_copy_behind_a_caption_is_no_hidden_text(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(" ".join(prose(14)), 80))
    caption = "Figure 1. Counts of all of the birds at the lake in the spring."
    sheet.canvas.setFillGray(1)
    sheet.canvas.drawString(72, 200, caption)
    sheet.canvas.setFillGray(0)
    sheet.canvas.drawString(73, 199, caption)
    paper = sheet.load()
    assert texts(paper, "caption") == ["Figure 1. Counts of all of the birds at the lake in the spring."]
    assert paper.hidden == ()


def test_a_circled_digit_at_the_edge_of_a_page_is_no_page_number(tmp_path: Path) -> None:
    cmap = stream(
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <7e> <2461> endbfchar "
        b"endcmap"
    )
    lines = [b"BT /F 10 Tf 72 800 Td (Head ~) Tj ET"]
    lines += [
        b"BT /F 10 Tf 72 %d Td (%s) Tj ET" % (700 - 12 * n, text.encode()) for n, text in enumerate(prose(9))
    ]
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/ToUnicode 6 0 R>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>"
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    file = raw_pdf(
        tmp_path / "a.pdf",
        [b"<</Type/Catalog/Pages 2 0 R>>", pages, page, stream(b"\n".join(lines)), font, cmap],
    )
    assert load(file).unreadable == ""


def test_a_page_of_one_letter_is_garbled_and_no_crash(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(["A " * 40] * 6)
    paper = sheet.load()
    assert "garbled" in paper.unreadable


ENTRIES = [
    f"[{n}] Smith, J. and Doe, A. ({1990 + n}) A study of the birds of lake {n}. Journal of Birds {n}, "
    f"{n}0-{n}9."
    for n in range(1, 9)
]


@pytest.mark.parametrize(
    "heading",
    [
        "VII. REFERENCES",
        "9 References",
        "Ref erences",
        "Bibliography",
        "Literatur",
        "Bibliografia",
        "LITERATURE CITED:",
    ],
)
def test_references_under_a_heading_in_the_type_of_the_text(tmp_path: Path, heading: str) -> None:
    planted = prose(14)
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(" ".join(planted), 80))
    sheet.y -= 14
    sheet.write([heading])
    sheet.y -= 8
    sheet.write([line for entry in ENTRIES for line in wrap(entry, 80)])
    paper = sheet.load()
    assert texts(paper, "reference") == ENTRIES
    assert texts(paper) == planted


def test_a_heading_that_runs_into_the_first_entry_opens_the_references(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    planted = prose(14)
    sheet.write(wrap(" ".join(planted), 80))
    sheet.y -= 14
    sheet.write([line for entry in [f"References {ENTRIES[0]}", *ENTRIES[1:]] for line in wrap(entry, 80)])
    paper = sheet.load()
    assert texts(paper) == planted
    assert len(texts(paper, "reference")) == len(ENTRIES)


def test_a_list_of_contents_opens_no_references_and_is_no_prose(tmp_path: Path) -> None:
    planted = prose(30)
    sheet = Sheet(tmp_path / "a.pdf")
    names = (
        "Introduction",
        "Methods of counting",
        "Results of counting",
        "Discussion of it",
        "Outlook for all",
    )
    sheet.write([f"{n} {name} {'. ' * 30} {n * 7}" for n, name in enumerate(names, 1)])
    sheet.canvas.setFont("Times-Bold", 12)
    sheet.write(["References"])
    sheet.turn()
    sheet.write(wrap(" ".join(planted), 80))
    paper = sheet.load()
    assert texts(paper) == planted
    assert texts(paper, "reference") == []


def test_an_appendix_behind_the_references_is_text(tmp_path: Path) -> None:
    planted = prose(10)
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(" ".join(prose(14, seed=5)), 80))
    sheet.y -= 14
    sheet.write(["References"])
    sheet.y -= 8
    sheet.write([line for entry in ENTRIES for line in wrap(entry, 80)])
    sheet.y -= 20
    sheet.write(["Appendix A: What was asked"])
    sheet.y -= 8
    sheet.write(wrap(" ".join(planted), 80))
    paper = sheet.load()
    assert [s.text for s in paper.sentences if s.section == "Appendix A: What was asked"] == planted


def test_reviewers_reports_behind_the_paper_are_not_read(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    planted = prose(20)
    sheet.write(wrap(" ".join(planted), 80))
    sheet.turn()
    sheet.write(["References"])
    sheet.y -= 8
    sheet.write([line for entry in ENTRIES for line in wrap(entry, 80)])
    sheet.turn()
    sheet.write(["Open Peer Review", "Referee Report 29 January 2015"])
    sheet.write(wrap(" ".join(prose(12, seed=9)), 80))
    paper = sheet.load()
    assert texts(paper) == planted
    assert "other_articles" in kinds(paper)


def test_accents_of_tex_stand_on_their_letters(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    said = "The R\u00b4esum\u00b4e of the \u00a8Uber plan was sent to Fran\u00b8cois and Garc\u00b4\u0131a."
    said = said.replace("\u0131", "i").replace("n\u00b8c", "nc\u00b8")
    sheet.write(wrap(" ".join(prose(14)), 80))
    sheet.y -= 30
    sheet.write([said])
    paper = sheet.load()
    assert "The Résumé of the Über plan was sent to François and García." in texts(paper)


def test_a_lost_ligature_is_put_back_and_said(tmp_path: Path) -> None:
    planted = [
        f"The lake number {n} was visited in each of the years, and its birds were counted."
        for n in range(20)
    ]
    sheet = Sheet(tmp_path / "a.pdf")
    for sentence in planted:
        sheet.write(wrap(sentence.replace("The", "+e"), 90))
        sheet.y -= 12
    paper = sheet.load()
    assert texts(paper) == planted
    assert "lost_letters" in kinds(paper)


def test_numbers_at_every_fifth_line_are_dropped(tmp_path: Path) -> None:
    planted = prose(30)
    sheet = Sheet(tmp_path / "a.pdf")
    for number, line in enumerate(wrap(" ".join(planted), 70), 1):
        if number % 5 == 0:
            sheet.canvas.drawString(36, sheet.y, str(number))
        sheet.write([line], lead=14)
        if sheet.y < 80:
            sheet.turn()
    assert texts(sheet.load()) == planted


def test_a_foot_that_stands_deep_in_the_page_is_dropped(tmp_path: Path) -> None:
    planted = prose(90)
    lines = wrap(" ".join(planted), 80)
    sheet = Sheet(tmp_path / "a.pdf")
    for start in range(0, len(lines), 12):
        sheet.write(lines[start : start + 12])
        sheet.canvas.drawString(72, 130, "Published in the long Proceedings of a Meeting on Birds, and so on")
        sheet.turn()
    assert texts(sheet.load()) == planted


def test_the_title_is_neither_the_journal_nor_the_sort_of_article(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    canvas = sheet.canvas
    canvas.setFont("Helvetica-Bold", 22)
    canvas.drawString(72, 790, "Journal of Invented Birds")
    canvas.setFont("Times-Italic", 17)
    canvas.drawString(72, 750, "Review Article")
    canvas.drawString(72, 730, SHORT)
    canvas.setFont("Times-Roman", 10)
    sheet.y = 690
    sheet.write(wrap(" ".join(prose(20)), 80))
    assert sheet.load().title == SHORT


def test_the_lettering_of_a_figure_is_a_few_sentences(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(" ".join(prose(14)), 80))
    sheet.canvas.setFont("Helvetica", 6)
    for n in range(300):
        sheet.canvas.drawString(60 + 24 * (n % 20), 100 + 20 * (n // 20), f"0.{n}")
    paper = sheet.load()
    assert 0 < len(texts(paper, "figure", "table")) < 30


def test_polish_is_read_and_named(tmp_path: Path) -> None:
    said = (
        "Celem niniejszej pracy jest przedstawienie metod analizy danych przestrzennych w badaniach nad "
        "lasami. "
        "W pierwszym rozdziale omowiono podstawowe pojecia oraz przeglad literatury. "
    )
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.write(wrap(said * 8, 80))
    paper = sheet.load()
    assert paper.unreadable == ""
    assert kinds(paper) == ["other_language"]
    assert "Polish" in paper.warnings[0]
