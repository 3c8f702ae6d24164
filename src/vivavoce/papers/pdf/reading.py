"""PDF -> `Draft`: the stages in order, and the warnings about the file.

contents (`contents`: lines by `text`, hidden text out by `hidden`) -> margins out
(`margins`) -> paragraphs (`paragraphs`) -> kinds (`kinds`) -> reading order (`flow`,
`tables`) -> blocks (`runs`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pypdfium2 import PdfDocument

from vivavoce.errors import PaperError
from vivavoce.papers.blocks import Block
from vivavoce.papers.draft import NO_TEXT, Draft
from vivavoce.papers.hyphens import WORD, count_words
from vivavoce.papers.legibility import GARBLED
from vivavoce.papers.limits import Limits
from vivavoce.papers.pdf.backmatter import without_reports
from vivavoce.papers.pdf.contents import Contents, add_scans, contents_of, for_ocr, legibility, open_document
from vivavoce.papers.pdf.flow import in_reading_order, with_whole_lettering
from vivavoce.papers.pdf.kinds import body_of, classify
from vivavoce.papers.pdf.letters import TH_PUT_BACK, put_letters_together
from vivavoce.papers.pdf.margins import strip_margins
from vivavoce.papers.pdf.metadata import doi_of, split_labels, title_of, year_of
from vivavoce.papers.pdf.paragraphs import Paragraph, paragraphs
from vivavoce.papers.pdf.runs import join_lines
from vivavoce.papers.pdf.tables import table_rows
from vivavoce.papers.pdf.text import Cell, Line, PageText
from vivavoce.records import PaperWarning


def read(data: bytes, limits: Limits, by_ocr: bool = False) -> Draft:
    """The PDF's blocks in reading order. `by_ocr` reads the pages that have no usable text by OCR."""
    document = open_document(data)
    try:
        if len(document) > limits.pages:
            raise PaperError(
                f"has {len(document):,} pages, and the limit is {limits.pages:,}; "
                "cut out the pages that matter, or raise the limit with --max-pages."
            )
        if len(document) == 0:
            raise PaperError("has no pages; the file is damaged: download it again.")
        contents = contents_of(document)
        if by_ocr:
            add_scans(contents, document)
        return _draft(contents, Ruler(document, contents))
    finally:
        document.close()


class Ruler:
    """Measures the words of a line on its page. Few lines need it, so pages are opened again for them."""

    def __init__(self, document: PdfDocument, contents: Contents) -> None:
        self.document = document
        self.upright = {page.number for page in contents.lines if not page.turned}
        self.page: PageText | None = None

    def words(self, line: Line) -> list[Cell]:
        if line.page not in self.upright:
            return []
        if self.page is None or self.page.number != line.page:
            if self.page is not None:
                self.page.close()
            self.page = PageText(self.document, line.page - 1, {})
        return self.page.words(line, self.page.rotation)


def _draft(contents: Contents, ruler: Ruler) -> Draft:
    verdict = legibility(contents)
    draft = Draft(
        "pdf",
        (),
        pages=tuple(contents.pages),
        warnings=tuple(_warnings(contents)),
        hidden=tuple(contents.hidden),
        scans=tuple(for_ocr(contents, verdict)),
        places=tuple(contents.places),
    )
    if verdict.reason:
        either = "" if contents.by_ocr is None else "; OCR found no readable text either"
        return replace(draft, unreadable=verdict.reason + either)
    useless = {*contents.garbled}
    kept = [page for page in contents.lines if page.number not in useless]
    if not any(page.lines for page in kept):
        return replace(draft, unreadable=GARBLED if useless else NO_TEXT)
    first, *others = (" ".join(line.text for line in page.lines) for page in kept[:3])
    repaired = put_letters_together(kept)
    strip_margins(kept)
    found = split_labels(paragraphs(kept))
    body = body_of(found)
    title, holders = title_of(found, body, contents.properties.get("Title", ""))
    for paragraph in holders:
        paragraph.kind = "title"
    classify(found, body)
    found, reports = without_reports(found)
    found = with_whole_lettering(found)
    words = _vocabulary(found)
    return replace(
        draft,
        blocks=tuple(
            Block(paragraph.kind, join_lines(paragraph.lines, words), paragraph.reading)
            for paragraph in in_reading_order(_with_rows(found, ruler), body)
        ),
        title=title,
        warnings=(
            *draft.warnings,
            *((PaperWarning("lost_letters", TH_PUT_BACK),) if repaired else ()),
            *_reports(reports),
        ),
        doi=doi_of(first, contents.properties.get("Subject", ""), " ".join(others)[:2000]),
        year=year_of(first),
    )


def _reports(pages: Sequence[int]) -> Iterator[PaperWarning]:
    if pages:
        said = "reviewers' reports behind the paper; they are other people's words and were not read"
        yield PaperWarning("other_articles", f"{_pages(pages)}: {said}")


def _with_rows(found: Sequence[Paragraph], ruler: Ruler) -> list[Paragraph]:
    """The paragraphs with every table cut into its rows."""
    whole: list[Paragraph] = []
    for is_table, group in groupby(found, key=lambda paragraph: paragraph.kind == "table"):
        some = list(group)
        whole.extend(table_rows(some, ruler.words) if is_table else some)
    return whole


def _vocabulary(found: Sequence[Paragraph]) -> dict[str, int]:
    """The paper's own words, but for those that a line's end has broken. Other people's titles, in the
    reference list, are no witnesses."""
    whole: list[str] = []
    broken = False
    for paragraph in found:
        for line in paragraph.lines if paragraph.kind != "reference" else ():
            text = line.text
            if broken:
                text = text.partition(" ")[2]
            if line.hyphen:
                text = text.rpartition(" ")[0]
            whole.append(text)
            broken = line.hyphen
    return count_words(WORD.findall("\n".join(whole).lower()))


def _warnings(contents: Contents) -> Iterator[PaperWarning]:
    if contents.hidden:
        where = sorted({item.page for item in contents.hidden})
        reasons = ", ".join(sorted({item.reason for item in contents.hidden}))
        yield PaperWarning(
            "hidden_text", f"hidden text on {_pages(where)} ({reasons}) was set aside and not read"
        )
    if contents.mostly_hidden:
        least = min(contents.mostly_hidden.values())
        yield PaperWarning(
            "hidden_text",
            f"{_pages(sorted(contents.mostly_hidden))}: {least:.0%} or more of the text layer can't be seen "
            f"on the "
            "page and was not read; look at the page, or print the file to a PDF and read that by OCR",
        )
    if contents.unlikely:
        yield PaperWarning(
            "hidden_text",
            f"{_pages(contents.unlikely)}: nearly all text is tiny or off the page by the file's own "
            f"measures; "
            "it was read all the same",
        )
    if contents.layered:
        yield PaperWarning(
            "text_layer",
            f"{_pages(contents.layered)}: scanned; read from the text layer that came with the scan",
        )
    if contents.by_ocr:
        left_out = f" ({contents.unsure} illegible lines left out)" if contents.unsure else ""
        yield PaperWarning(
            "read_by_ocr", f"{_pages(contents.by_ocr)}: read by OCR{left_out}; check quotes against the page"
        )
    if contents.scans and len(contents.scans) < len(contents.pages):
        yield PaperWarning("scanned", f"{_pages(contents.scans)}: a picture with no text, not read")
    if contents.garbled and len(contents.garbled) < len(contents.pages):
        garbled = f"{_pages(contents.garbled)}: garbled (fonts without a Unicode table), not read"
        yield PaperWarning("garbled_pages", garbled)
    if contents.lost_fonts:
        fonts = ", ".join(sorted({name for names in contents.lost_fonts.values() for name in names}))
        yield PaperWarning(
            "lost_letters",
            f"{_pages(sorted(contents.lost_fonts))}: letters are lost, since the fonts they need ({fonts}) "
            f"are "
            "not in the file",
        )
    if contents.broken:
        yield PaperWarning("damaged_pages", f"{_pages(contents.broken)}: damaged, not read")


def _pages(numbers: Sequence[int]) -> str:
    """Page numbers as people write them: page 3; pages 1-4, 7."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    listed = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
    return f"page {listed}" if len(numbers) == 1 else f"pages {listed}"
