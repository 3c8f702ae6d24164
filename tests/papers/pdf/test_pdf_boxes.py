"""A quote's boxes hold the quote and nothing else: what journals do to a page, each with its quote planted.

The text under the boxes is taken by place, from another library (`benchmarks/letters.py`).
"""

from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

from benchmarks import boxes as measured
from benchmarks.boxes import Covered, covered
from benchmarks.letters import on_pages
from tests.papers.pdf.test_pdf_layout import Sheet, prose, wrap
from vivavoce import Box, Paper
from vivavoce.evidence.locating import locate
from vivavoce.papers import pages


def boxes_of(paper: Paper, quote: str) -> tuple[Box, ...]:
    evidence = locate(paper, quote)
    assert evidence is not None
    assert evidence.match == "exact"
    assert evidence.boxes == pages.boxes(paper, [(evidence.start, evidence.end)])[0]
    return evidence.boxes


def check(paper: Paper, quotes: list[str], high: float = 1.3) -> list[tuple[Box, ...]]:
    """Each quote's boxes, once they were found to hold it alone."""
    letters = on_pages(paper.file, range(1, len(paper.pages) + 1))
    found = [boxes_of(paper, quote) for quote in quotes]
    under = [covered(quote, boxes, letters) for quote, boxes in zip(quotes, found, strict=True)]
    assert [c.differences() for c in under if not c.equal] == []
    assert max(height for c in under for height in c.heights) < high
    return found


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory) -> tuple[Paper, list[str]]:
    """Two columns over several pages, with a running head, and its sentences."""
    planted = prose(60)
    lines = wrap(" ".join(planted), 46)
    sheet = Sheet(tmp_path_factory.mktemp("columns") / "paper.pdf")
    for page in range(0, len(lines), 40):
        sheet.canvas.drawString(60, 810, "Journal of Invented Results")
        for column in range(2):
            sheet.y = 770
            first = page + 20 * column
            sheet.write(lines[first : first + 20], x=60 + 250 * column)
        sheet.turn()
    return sheet.load(), planted


def test_two_columns_and_the_ends_of_columns_and_pages(columns: tuple[Paper, list[str]]) -> None:
    paper, planted = columns
    found = check(paper, planted)
    sides = [{(box.page, box.x0 < 300) for box in boxes} for boxes in found]
    pages = [{box.page for box in boxes} for boxes in found]
    assert any(len(side) == 2 and len(page) == 1 for side, page in zip(sides, pages, strict=True))
    assert any(len(page) == 2 for page in pages)
    assert all(box.x1 < 300 or box.x0 > 305 for boxes in found for box in boxes)


def test_parts_of_sentences_and_several_sentences(columns: tuple[Paper, list[str]]) -> None:
    paper, planted = columns
    check(paper, [" ".join(text.split()[2:-1]) for text in planted if len(text.split()) > 9])
    check(paper, [" ".join(planted[at : at + 3]) for at in range(0, 57, 3)])


def test_a_wrong_box_is_noticed(columns: tuple[Paper, list[str]]) -> None:
    """Otherwise nothing here would say anything."""
    paper, planted = columns
    letters = on_pages(paper.file, range(1, len(paper.pages) + 1))

    def under(*boxes: Box) -> Covered:
        return covered(quote, boxes, letters)

    quote = next(text for text in planted if len(boxes_of(paper, text)) == 2)
    first, last = boxes_of(paper, quote)
    assert under(first, last).equal
    assert under(first, last).others() == [0, 0]
    assert not under(first).equal
    assert not under(last, first).equal
    assert not under(first._replace(x0=first.x0 + 6), last).equal
    assert not under(first._replace(y0=first.y0 + 6, y1=first.y1 + 6), last).equal
    wide = under(first, last._replace(x1=last.x1 + 60))
    assert not wide.equal
    assert wide.others()[0] == 0 < wide.others()[1]
    assert "{+" in wide.differences()
    assert "[-" in under(first).differences()
    assert under(first._replace(y0=first.y0 - 12), last).heights[0] > 1.8
    assert under(first._replace(y0=5, y1=9), last).heights[0] == float("inf")


def test_hyphens_at_the_ends_of_lines(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(8)), 80))
    sheet.write(
        [
            "The pictures went through a network with many convo-",
            "lutions and then a well-known method with a state-of-the-",
            "art result was taken. The rest of them was lost in the winter.",
        ]
    )
    sentence = (
        "The pictures went through a network with many convolutions and then a well-known method with a "
        "state-of-the-art result was taken."
    )
    (boxes, *_) = check(
        sheet.load(), [sentence, "many convolutions and then", "with a state-of-the-art result"]
    )
    assert len(boxes) == 3
    width = stringWidth("The pictures went through a network with many convo-", "Times-Roman", 10)
    assert boxes[0].x1 == pytest.approx(72 + width, abs=0.6)  # the hyphen is marked, too


def test_a_hyphen_is_free_at_a_line_end_only() -> None:
    def equal(quote: str, *under: str) -> bool:
        return Covered(quote, under, (1.0,) * len(under)).equal

    assert equal("convolutions", "convo-", "lutions")
    assert equal("convo-lutions", "convo-", "lutions")
    assert not equal("convolutions", "convo-lutions")
    assert not equal("well-known", "well", "known")
    assert not equal("minus", "minus-")
    assert not equal("anything")


def test_raised_and_lowered_numbers_stay_in_their_line(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(8)), 80))
    canvas, x = sheet.canvas, 72.0
    for text, size, rise in (
        ("We chose a learning rate of 10", 10, 0),
        ("−4", 6.5, 3.6),
        (" for the CO", 10, 0),
        ("2", 6.5, -2),
        (" data in the end.", 10, 0),
        ("12", 6.5, 3.6),
        (" Then it was winter in the forest.", 10, 0),
    ):
        canvas.setFont("Times-Roman" if "−" not in text else _unicode_font(), size)
        canvas.drawString(x, sheet.y + rise, text)
        x += stringWidth(text, canvas._fontname, size)
    paper = sheet.load()
    (boxes,) = check(paper, ["We chose a learning rate of 10−4 for the CO2 data in the end."], high=1.6)
    assert len(boxes) == 1
    check(paper, ["a learning rate of 10−4", "Then it was winter in the forest."], high=1.6)


def test_ligatures_also_at_both_ends(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(8)), 80))
    sheet.canvas.setFont(_unicode_font(), 9)
    sheet.write(["Then ﬁlters of ﬁve sizes were ﬂat and the ﬁnal staﬀ was in the ﬁ", "eld for a while."])
    paper = sheet.load()
    (first, *_) = check(
        paper,
        ["filters of five sizes were flat and the final", "five sizes", "of five sizes were flat"],
    )
    assert len(first) == 1


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [(0, 0, 600, 800), (30, 50, 560, 780)])
def test_rotated_and_cropped_pages(tmp_path: Path, rotation: int, crop: tuple[int, int, int, int]) -> None:
    """Boxes count from the corner that is seen, whatever the file's own corner is."""
    planted = prose(14)
    sheet = Sheet(tmp_path / "paper.pdf", (600, 800))

    def in_file(x: float, y: float) -> tuple[float, float]:
        """A point of the page as it is seen, from its lower left corner, before it is turned."""
        return {0: (x, y), 90: (800 - y, x), 180: (600 - x, 800 - y), 270: (y, 600 - x)}[rotation]

    xs, ys = zip(in_file(*crop[:2]), in_file(*crop[2:]), strict=True)
    sheet.canvas.setPageRotation(rotation)  # reportlab swaps the sides, so that the page looks upright
    sheet.canvas.setCropBox((min(xs), min(ys), max(xs), max(ys)))
    sheet.canvas.translate(*in_file(0, 0))
    sheet.canvas.rotate(rotation)
    sheet.y = 500
    sheet.write(wrap(" ".join(planted), 70))
    paper = sheet.load()
    found = check(paper, planted)
    left, bottom, right, top = crop
    assert (paper.pages[0].width, paper.pages[0].height) == (right - left, top - bottom)
    assert found[0][0].x0 == pytest.approx(72 - left, abs=1)
    assert found[0][0].y1 == pytest.approx(top - 500, abs=3)


@pytest.mark.parametrize("quarters", [1, 3])
def test_text_that_stands_sideways(tmp_path: Path, quarters: int) -> None:
    """Its lines stand side by side; each has a box of its own."""
    planted = prose(10)
    lines = wrap(" ".join(planted), 80)
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.canvas.translate(*((500, 60) if quarters == 1 else (100, 780)))
    sheet.canvas.rotate(90 * quarters)
    sheet.y = 300
    for line in lines:
        half = line[: line.index(" ", 30) + 1]
        sheet.canvas.drawString(72, sheet.y, half)
        sheet.canvas.drawString(72 + stringWidth(half, "Times-Roman", 10), sheet.y, line[len(half) :])
        sheet.y -= 12
    # pdfium has the lines of text that is turned clockwise in the wrong order, so there it's single lines.
    found = check(sheet.load(), planted if quarters == 1 else lines, high=float("inf"))
    assert all(box.x1 - box.x0 < 11 for boxes in found for box in boxes)
    assert quarters == 1 or {len(boxes) for boxes in found} == {1}


def test_words_set_wide_apart(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "paper.pdf")
    sheet.write(wrap(" ".join(prose(8)), 80))
    for line in ("The last few pictures of the lake", "were taken by people with a camera", "in the spring."):
        sheet.canvas.drawString(72, sheet.y, line, wordSpace=6)
        sheet.y -= 12
    quote = "The last few pictures of the lake were taken by people with a camera in the spring."
    (boxes,) = check(sheet.load(), [quote])
    assert len(boxes) == 3


def test_letters_that_a_figure_cuts_off_are_not_under_a_box(tmp_path: Path) -> None:
    """A figure may be a whole page of which a part is shown."""
    planted = prose(12)
    sheet = Sheet(tmp_path / "paper.pdf")
    canvas = sheet.canvas
    canvas.beginForm("figure", 0, 0, 595, 200)
    canvas.setFont("Times-Roman", 10)
    canvas.drawString(72, 100, "Shown in the figure")
    for n in range(30):
        canvas.drawString(75, 770 - 12 * n, "These words are not to be seen by anybody at all")
    canvas.endForm()
    canvas.doForm("figure")
    canvas.setFont("Times-Roman", 10)
    sheet.write(wrap(" ".join(planted), 80))
    paper = sheet.load()
    check(paper, planted)
    letters = on_pages(paper.file, [1])[1]
    assert "Shown in the figure" in "".join(letter.text for letter in letters)


@pytest.mark.slow
def test_boxes_of_gold_quotes_cover_them(shared: Path) -> None:
    found = [c for _, c in measured.results(shared)]
    located = [c for c in found if c]
    assert len(found) == 100
    assert sum(c.equal for c in located) >= 98
    assert max(height for c in located for height in c.heights) < 2
    assert max(share for c in located for share in c.others()) <= 0.2


def _unicode_font() -> str:
    """One that has a minus sign and ligatures; it comes with reportlab."""
    registerFont(TTFont("Vera", "Vera.ttf"))
    return "Vera"
