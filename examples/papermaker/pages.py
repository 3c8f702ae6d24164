"""Lays a sample paper out on PDF pages, in one column or two, and remembers where everything landed.

The content stream is in reading order: a column's lines, its footnotes, then the next column. Figures and
tables float to the top of the next column, so that they stand in the middle of whatever sentence was
running. Pages aren't compressed: the bytes then depend on no zlib version.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from papermaker import figures
from papermaker.content import (
    Equation,
    Figure,
    Footnote,
    Heading,
    Paragraph,
    Reference,
    SamplePaper,
    Table,
)
from papermaker.lines import SUPERSCRIPT, Fonts, Line, Measure, Run, break_lines, to_words
from papermaker.truth import Planted, plant_row, plant_sentence

PAGE_WIDTH, PAGE_HEIGHT = 504.0, 720.0
TOP, BOTTOM = 668.0, 62.0


@dataclass(frozen=True)
class Layout:
    """How a paper's pages look."""

    columns: int
    size: float
    leading: float
    margin: float
    gap: float
    fonts: Fonts

    @property
    def text_width(self) -> float:
        return PAGE_WIDTH - 2 * self.margin

    @property
    def column_width(self) -> float:
        return (self.text_width - self.gap * (self.columns - 1)) / self.columns


TWO_COLUMNS = Layout(2, 10.4, 13.2, 46, 18, Fonts("Times-Roman", "Times-Italic", "Times-Bold"))
ONE_COLUMN = Layout(1, 11, 14, 66, 0, Fonts("TimesLig-Roman", "TimesLig-Italic", "TimesLig-Bold", True))


def register_ligature_fonts() -> None:
    """Times with fi and fl, which lie in the MacRoman encoding and not in the usual one."""
    for style in ("Roman", "Italic", "Bold"):
        ligatures = pdfmetrics.Font(f"TimesMac-{style}", f"Times-{style}", "MacRomanEncoding")
        font = pdfmetrics.Font(f"TimesLig-{style}", f"Times-{style}", "WinAnsiEncoding")
        font.substitutionFonts = [ligatures]
        pdfmetrics.registerFont(ligatures)
        pdfmetrics.registerFont(font)


@dataclass
class Frame:
    """A column of one page."""

    number: int
    x: float
    width: float
    bottom: float
    opened_by_float: bool = False


class PageSetter:
    """Draws one paper; afterwards `planted` and `furniture` hold the truth about it."""

    def __init__(
        self, path: Path, paper: SamplePaper, layout: Layout, hyphenation: dict[str, tuple[str, ...]]
    ):
        register_ligature_fonts()
        self.paper, self.layout, self.hyphenation = paper, layout, hyphenation
        self.canvas = Canvas(str(path), (PAGE_WIDTH, PAGE_HEIGHT), invariant=1, pageCompression=0)
        self.canvas.setTitle(paper.about["title"])
        self.canvas.setAuthor(paper.about["authors"])
        self.canvas.setSubject(paper.about["notice"])
        self.canvas.setCreator("examples/make_papers.py")
        self.planted: list[Planted] = []
        self.furniture: list[str] = []
        self.page = 0
        self.floats: list[Figure | Table] = []
        self.footnotes: list[tuple[Footnote, list[Line]]] = []
        self.frame = Frame(0, layout.margin, layout.text_width, BOTTOM)
        self.column, self.column_top, self.y = 0, TOP, TOP

    def set(self) -> None:
        """Draws the whole paper."""
        self._open_page()
        self._set_front()
        blocks = list(self.paper.blocks)
        abstract = next(n for n, block in enumerate(blocks) if isinstance(block, Heading) and n)
        for block in blocks[:abstract]:
            self._set_block(block)
        self._open_columns(below_front=True)
        for block in blocks[abstract:]:
            self._set_block(block)
        while self.floats:
            self._next_frame()
        self._close_frame()
        self._close_page()
        self.canvas.save()

    # Pages and columns

    def _open_page(self) -> None:
        self.page += 1
        fonts, about, number = self.layout.fonts, self.paper.about, self._page_number()
        if "imprint" in about:
            return
        head = about["journal"] if self.page % 2 else about["short"]
        self._draw(head, self.layout.margin, 690, fonts.italic, 8.5)
        width = pdfmetrics.stringWidth(number, fonts.roman, 8.5)
        self._draw(number, PAGE_WIDTH - self.layout.margin - width, 690, fonts.roman, 8.5)
        self.canvas.setLineWidth(0.4)
        self.canvas.line(self.layout.margin, 685, PAGE_WIDTH - self.layout.margin, 685)
        self.furniture += [head, number]

    def _close_page(self) -> None:
        if imprint := self.paper.about.get("imprint"):
            self._draw(imprint, self.layout.margin, 36, self.layout.fonts.roman, 8)
            self._draw(
                self._page_number(), PAGE_WIDTH - self.layout.margin - 8, 36, self.layout.fonts.roman, 8
            )
            self.furniture += [imprint, self._page_number()]
        self.canvas.showPage()

    def _page_number(self) -> str:
        return str(int(self.paper.about["first-page"]) + self.page - 1)

    def _open_columns(self, below_front: bool = False) -> None:
        self.column_top = self.y - 8 if below_front else TOP
        self._open_frame(0)

    def _open_frame(self, column: int) -> None:
        layout = self.layout
        x = layout.margin + column * (layout.column_width + layout.gap)
        self.frame = Frame(self.frame.number + 1, x, layout.column_width, BOTTOM)
        self.column, self.y = column, self.column_top
        if self.floats:
            self.frame.opened_by_float = True
            self._set_float(self.floats.pop(0))

    def _next_frame(self) -> None:
        self._close_frame()
        if self.column + 1 < self.layout.columns:
            self._open_frame(self.column + 1)
            return
        self._close_page()
        self._open_page()
        self._open_columns()

    def _close_frame(self) -> None:
        """Sets the column's footnotes below a short rule."""
        if not self.footnotes:
            return
        self.y = self.frame.bottom - 12
        self.canvas.setLineWidth(0.4)
        self.canvas.line(self.frame.x, self.y + 9, self.frame.x + 60, self.y + 9)
        for note, lines in self.footnotes:
            self.planted.append(Planted("footnote", note.text, self.page, {"footnote"}))
            for line in lines:
                self._draw_line(line, self.frame.x, self.y, 8)
                self.y -= 9.6
        self.footnotes = []

    # Blocks

    def _set_front(self) -> None:
        about, fonts = self.paper.about, self.layout.fonts
        for text, font, size in (
            (about["title"], fonts.bold, 15.0),
            (about["authors"], fonts.roman, 10.5),
            (about["notice"], fonts.italic, 9.5),
            (f"{about['journal']}, {about['date']}. https://doi.org/{about['doi']}", fonts.roman, 8.5),
        ):
            self.y -= size * 1.3 - 8
            for line in self._lines([text], size, font=font, justified=False):
                self.y -= size * 1.2
                self._draw_line(line, self.frame.x, self.y, size)
        self.y -= 8

    def _set_block(self, block: object) -> None:
        match block:
            case Heading(text, level):
                self._set_heading(text, level)
            case Paragraph():
                self._set_paragraph(block)
            case Figure() | Table():
                self.floats.append(block)
            case Equation(text, number):
                self._room_for(24)
                self.y -= 19
                self._draw(text, self.frame.x + 60, self.y, self.layout.fonts.italic, self.layout.size)
                self._draw(number, self.frame.x + self.frame.width - 18, self.y, self.layout.fonts.roman, 11)
                self.y -= 5
            case Reference(text):
                self._set_reference(text)

    def _room_for(self, height: float) -> None:
        if self.y - height < self.frame.bottom:
            self._next_frame()

    def _set_heading(self, text: str, level: int) -> None:
        self._room_for(4.5 * self.layout.leading)
        size = self.layout.size + (1.2 if level == 1 else 0.2)
        font = self.layout.fonts.bold if level == 1 else self.layout.fonts.italic
        self.y -= self.layout.leading * (1 if self.y == self.column_top else 1.6)
        self._draw(text, self.frame.x, self.y, font, size)
        self.y -= 3

    def _set_paragraph(self, block: Paragraph) -> None:
        lines = self._lines(block.sentences, self.layout.size)
        sentences = [plant_sentence(sentence) for sentence in block.sentences]
        last_frame: dict[int, tuple[int, int]] = {}
        carried = ""  # the head of a word that the line before broke
        for line in lines:
            notes = [n for n in block.footnotes if any(r.raised and r.text == n.mark for r in _runs(line))]
            note_lines = [self._lines([f"{{^{n.mark}}} {n.text}"], 8) for n in notes]
            self._room_for(self.layout.leading + sum(len(lines) * 9.6 + 14 for lines in note_lines))
            for note, its_lines in zip(notes, note_lines, strict=True):
                self.frame.bottom += len(its_lines) * 9.6 + 14
                self.footnotes.append((note, its_lines))
            self.y -= self.layout.leading
            self._draw_line(line, self.frame.x, self.y, self.layout.size)
            for number in dict.fromkeys(word.sentence for word in line.words):
                self._note_place(sentences[number], last_frame.get(number))
                last_frame[number] = (self.page, self.frame.number)
            carried = _note_break(line, carried, sentences)
        self.y -= 3

    def _note_place(self, sentence: Planted, before: tuple[int, int] | None) -> None:
        """Writes down that a line of the sentence stands here."""
        if before is None:
            sentence.page = self.page
            self.planted.append(sentence)
        elif before[1] != self.frame.number:
            sentence.traps.add("crosses_page" if before[0] != self.page else "crosses_column")
            if self.frame.opened_by_float:
                sentence.traps.add("after_caption")

    def _set_float(self, block: Figure | Table) -> None:
        if isinstance(block, Figure):
            self.y -= figures.draw(self.canvas, block.name, self.frame.x, self.y, self.frame.width) + 2
            self._set_caption(block.caption)
        else:
            self._set_caption(block.caption)
            self._set_table(block)
        self.y -= 8

    def _set_caption(self, caption: str) -> None:
        self.planted.append(Planted("caption", caption, self.page))
        for line in self._lines([caption], self.layout.size - 1.2):
            self.y -= self.layout.leading - 1.4
            self._draw_line(line, self.frame.x, self.y, self.layout.size - 1.2)
        self.y -= 4

    def _set_table(self, table: Table) -> None:
        x, width, fonts = self.frame.x, self.frame.width, self.layout.fonts
        self.canvas.setLineWidth(0.6)
        self.canvas.line(x, self.y, x + width, self.y)
        for number, row in enumerate(table.rows):
            self.y -= self.layout.leading
            for column, cell in enumerate(row):
                left = x + 4 + column * width / len(row)
                self._draw(
                    cell, left, self.y + 1, fonts.roman if number else fonts.bold, self.layout.size - 0.8
                )
            if number == 0:
                self.canvas.line(x, self.y - 3, x + width, self.y - 3)
                self.y -= 3
                continue
            self.planted.append(plant_row(row))
            self.planted[-1].page = self.page
        self.canvas.line(x, self.y - 3, x + width, self.y - 3)
        self.y -= 6

    def _set_reference(self, text: str) -> None:
        size = self.layout.size - 1
        lines = self._lines([text], size)
        self._room_for(len(lines) * (size + 1.8))
        self.planted.append(Planted("reference", text, self.page))
        for line in lines:
            self.y -= size + 1.8
            self._draw_line(line, self.frame.x, self.y, size)
        self.y -= 2

    # Lines

    def _lines(self, texts: Sequence[str], size: float, font: str = "", justified: bool = True) -> list[Line]:
        measure = Measure(self.frame.width, size, self.layout.fonts, self.hyphenation, justified)
        return break_lines(to_words(texts, self.layout.fonts, font), measure)

    def _draw(self, text: str, x: float, y: float, font: str, size: float) -> None:
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, y, self.layout.fonts.shape(text))

    def _draw_line(self, line: Line, x: float, y: float, size: float) -> None:
        """Draws a line as one text object, so that its spaces are spaces and not gaps."""
        fonts = self.layout.fonts
        text = self.canvas.beginText(x, y)
        text.setWordSpace(line.space - pdfmetrics.stringWidth(" ", fonts.roman, size))
        for run in _merged(line):
            text.setFont(run.font, size * (SUPERSCRIPT if run.raised else 1))
            text.setRise(size * 0.35 if run.raised else 0)
            text.textOut(fonts.shape(run.text))
        text.setRise(0)
        text.setWordSpace(0)
        self.canvas.drawText(text)


def _runs(line: Line) -> list[Run]:
    return [run for word in line.words for run in word.runs]


def _note_break(line: Line, carried: str, sentences: list[Planted]) -> str:
    """Writes down a word that ends in this line; gives the head of the word that the line itself breaks."""
    first, last = line.words[0], line.words[-1]
    if carried and not (line.break_kind and first is last):
        sentences[first.sentence].broken_words.append((carried + first.text).strip(".,;:()"))
    if not line.break_kind:
        return ""
    sentences[last.sentence].traps.add(line.break_kind)
    head = last.text[:-1] if line.break_kind == "hyphen_soft" else last.text
    return carried + head if first is last else head


def _merged(line: Line) -> list[Run]:
    """The line's runs with spaces between the words, neighbours of one font joined.

    A space is as wide in every Times, so it may stand in the font of the word before it.
    """
    merged: list[Run] = []
    for number, word in enumerate(line.words):
        for place, run in enumerate(word.runs):
            space = " " if number and not place else ""
            if merged and (merged[-1].font, merged[-1].raised) == (run.font, run.raised):
                merged[-1] = Run(merged[-1].text + space + run.text, run.font, run.raised)
            elif space and merged and not merged[-1].raised:
                merged[-1] = Run(merged[-1].text + space, merged[-1].font)
                merged.append(run)
            else:
                merged.append(Run(space + run.text, run.font, run.raised))
    return merged
