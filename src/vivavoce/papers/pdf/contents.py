"""What is in a PDF, page by page, before any of it is understood: lines, hidden text, scans.

Three things keep a page's text layer from being its text: nobody sees it (`hidden`), it is not there
(a scan), or its letters are the wrong ones (`legibility`). Such pages are listed; OCR, where it is
installed and asked for, puts lines in their place.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from vivavoce.errors import PaperError
from vivavoce.papers.injection import speaks
from vivavoce.papers.legibility import GARBLED, Legibility, garbled, judge
from vivavoce.papers.pdf.hidden import INVISIBLE, Finding, Span, find, on_ink, unseen
from vivavoce.papers.pdf.margins import PageLines
from vivavoce.papers.pdf.text import HYPHEN, Line, PageText
from vivavoce.records import Hidden, Page, ScanLine

SCAN_PICTURE_SHARE = 0.6
"""A page of which one picture covers this share, with no visible text, is a scan."""
MANY_DRAWINGS = 300
"""So many lines and areas on a page without text are letters that were turned into outlines."""
NEARLY_ALL = 0.9
"""When more than this share of a page's letters would be hidden, the page is looked at."""
MIN_LETTERS_PER_PAGE = 40
"""Letters a page, on average, below which a file of scans has no text worth the name."""


@dataclass(slots=True)
class Contents:
    properties: dict[str, str]
    pages: list[Page] = field(default_factory=list)
    lines: list[PageLines] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    """Pages that could not be opened."""
    scans: list[int] = field(default_factory=list)
    """Pages that are one picture and have no text."""
    garbled: list[int] = field(default_factory=list)
    """Pages whose letters form no words, in a file that can be read otherwise."""
    layered: list[int] = field(default_factory=list)
    """Pages that are one picture with a text layer that nobody sees: somebody's OCR."""
    unlikely: list[int] = field(default_factory=list)
    """Pages of which nearly all text was hidden by its size or place, and was read all the same."""
    mostly_hidden: dict[int, float] = field(default_factory=dict)
    """Pages of which nearly all text is hidden, and the share."""
    lost_fonts: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Pages whose letters are lost, since these fonts are not in the file."""
    by_ocr: list[int] | None = None
    """Pages that were read by OCR; None when it was not asked for."""
    places: list[ScanLine] = field(default_factory=list)
    """Where the text that was read by OCR stands."""
    unsure: int = 0
    """Lines that OCR left out because it was not sure of them."""


def open_document(data: bytes) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise PaperError("is locked with a password; save a copy without one and read that.") from None
        raise PaperError("is not a whole PDF (cut off or damaged); download it again.") from None


def contents_of(document: pdfium.PdfDocument) -> Contents:
    """The document's pages, one after the other; a page that can't be opened doesn't stop the others."""
    found = Contents(document.get_metadata_dict(skip_empty=True))
    fonts: dict[int | None, str] = {}
    for index in range(len(document)):
        try:
            page = PageText(document, index, fonts)
        except pdfium.PdfiumError:
            found.broken.append(index + 1)
            found.pages.append(Page(index + 1, 0, 0))
            continue
        try:
            _add_page(found, page)
        finally:
            page.close()
    if len(found.broken) == len(document):
        raise PaperError("none of its pages can be opened (cut off or damaged); download it again.")
    return found


def legibility(found: Contents) -> Legibility:
    """Whether the file as a whole can be read, and in which language."""
    text = "\n".join(line.text for page in found.lines for line in page.lines)
    verdict = judge(text)
    pages = len(found.pages)
    few = sum(map(len, text.split())) < MIN_LETTERS_PER_PAGE * pages and len(found.scans) > 0.5 * pages
    if few and not verdict.reason:
        return Legibility("", "it is a scan: pictures of pages, with no text in them")
    if len(found.lost_fonts) > 0.5 * pages:
        fonts = ", ".join(sorted({name for names in found.lost_fonts.values() for name in names}))
        return Legibility("", f"its letters are lost: the fonts they need ({fonts}) are not in the file")
    with_text = [page.number for page in found.lines if page.lines]
    if with_text and 2 * len(found.garbled) >= len(with_text) and not verdict.reason:
        return Legibility("", GARBLED)
    return verdict


def for_ocr(found: Contents, verdict: Legibility) -> list[int]:
    """The pages that only OCR can read: all when the file as a whole can't be read otherwise."""
    if verdict.reason:
        return [page.number for page in found.pages if page.number not in found.broken]
    return sorted({*found.scans, *found.garbled})


def add_scans(found: Contents, document: pdfium.PdfDocument) -> None:
    """Reads the pages that have no usable text by OCR, and puts their lines in place of what they had."""
    from vivavoce.papers.pdf import ocr  # here, since it is an extra

    scans = ocr.read_pages(document, for_ocr(found, legibility(found)))
    by_number = {page.number: page for page in scans.pages if page.lines and not garbled(_text(page.lines))}
    found.lines = sorted(
        [*(page for page in found.lines if page.number not in by_number), *by_number.values()],
        key=lambda page: page.number,
    )
    found.scans = [number for number in found.scans if number not in by_number]
    found.garbled = [number for number in found.garbled if number not in by_number]
    found.by_ocr, found.places, found.unsure = sorted(by_number), scans.places, scans.unsure


def _add_page(found: Contents, page: PageText) -> None:
    finding = find(page)
    found.pages.append(Page(page.number, page.width, page.height))
    if finding.unreadable_fonts:
        found.lost_fonts[page.number] = finding.unreadable_fonts
    _add_hidden(found, page, finding)
    lines: list[Line] = []
    unseen_lines: list[tuple[Line, str]] = []
    angles: Counter[int] = Counter()
    for line in page.lines():
        reason = unseen(line, page)
        if reason:
            unseen_lines.append((line, reason))
        else:
            lines.append(line)
            angles[line.angle] += len(line.text)
    if _all_unseen(unseen_lines, lines):
        found.unlikely.append(page.number)
        lines, unseen_lines = [line for line, _ in unseen_lines] + lines, []
    found.hidden.extend(Hidden(page.number, line.text, reason) for line, reason in unseen_lines)
    turned = angles.most_common(1)[0][0] if angles else 0
    width, height = page.width, page.height
    if turned:
        lines, width, height = list(page.lines(turned)), height, width
    if garbled(_text(lines)):
        found.garbled.append(page.number)
    found.lines.append(PageLines(page.number, width, height, lines, bool(turned)))


def _add_hidden(found: Contents, page: PageText, finding: Finding) -> None:
    """Sets the page's hidden text aside, unless it is the text layer of what people see; and notes a page
    that is a picture."""
    scan = finding.picture > SCAN_PICTURE_SHARE
    letters = len("".join(page.text.split())) if scan or finding.hidden or finding.drawings else 0
    hidden = sum(span.end - span.start for span in finding.hidden)
    if letters and hidden > NEARLY_ALL * letters:
        if scan or on_ink(page, finding.hidden):
            if any(span.reason == INVISIBLE for span in finding.hidden):
                found.layered.append(page.number)
            return
        found.mostly_hidden[page.number] = min(1.0, hidden / letters)
    if finding.hidden:
        found.hidden.extend(_set_aside(page, finding.hidden))
    if letters < 20 and (scan or (not letters and finding.drawings > MANY_DRAWINGS)):
        found.scans.append(page.number)


def _all_unseen(unseen_lines: Sequence[tuple[Line, str]], lines: Sequence[Line]) -> bool:
    """Is nearly all of a page too small to see, or off the page? No page is like that: its units are
    unusual."""
    away = sum(len(line.text) for line, _ in unseen_lines)
    return away > 200 and away > NEARLY_ALL * (away + sum(len(line.text) for line in lines))


def _text(lines: Sequence[Line]) -> str:
    return " ".join(line.text for line in lines)


def _set_aside(page: PageText, hidden: Sequence[Span]) -> list[Hidden]:
    """Takes hidden stretches out of the page's text, and says what they were. The places stay: what follows
    must keep its index."""
    kept: list[str] = []
    found: list[Hidden] = []
    done = 0
    for start, end, reason in hidden:
        text = " ".join(page.text[start:end].replace(HYPHEN, "-").split())
        found.append(Hidden(page.number, text, reason))
        kept += (page.text[done:start], "\x00" * (end - start))
        done = end
    page.text = "".join(kept) + page.text[done:]
    seen = "".join(page.text.lower().split())
    return [item for item in found if not _also_seen(item.text, seen) or speaks(item.text)]


def _also_seen(text: str, seen: str) -> bool:
    """Does the page show the same words, as where a caption is drawn twice? Then nothing is missing."""
    return all(word in seen for word in text.lower().split())
