"""PDF -> `Draft`: the stages in order, and what can be wrong with a file.

lines (`pdf_text`) -> hidden text out (`pdf_hidden`) -> margins out (`pdf_margins`) -> paragraphs
(`pdf_paragraphs`) -> kinds (`pdf_kinds`) -> reading order (`pdf_flow`, `pdf_tables`) -> blocks
(`pdf_runs`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from vivavoce.errors import PaperError
from vivavoce.papers import pdf_hidden
from vivavoce.papers.blocks import Block
from vivavoce.papers.draft import Draft
from vivavoce.papers.hyphens import WORD, count_words
from vivavoce.papers.legibility import judge
from vivavoce.papers.limits import Limits
from vivavoce.papers.pdf_flow import in_reading_order
from vivavoce.papers.pdf_kinds import body_of, classify
from vivavoce.papers.pdf_margins import PageLines, strip_margins
from vivavoce.papers.pdf_metadata import doi_of, title_of, year_of
from vivavoce.papers.pdf_paragraphs import Paragraph, paragraphs
from vivavoce.papers.pdf_runs import join_lines
from vivavoce.papers.pdf_tables import table_rows
from vivavoce.papers.pdf_text import HYPHEN, Line, PageText
from vivavoce.papers.view import ScanLine
from vivavoce.records import Hidden, Page

SCAN = 0.6
"""A page of which one picture covers this share, with no visible text, is a scan."""


@dataclass(slots=True)
class Contents:
    """What was taken out of the file, before any of it is understood."""

    pages: list[Page]
    lines: list[PageLines]
    hidden: list[Hidden]
    scans: list[int]
    """Pages that are one picture and have no text."""
    layered: list[int]
    """Pages that are one picture with a text layer that nobody sees: somebody's OCR."""
    properties: dict[str, str]
    by_ocr: list[int] | None = None
    """Pages that were read by OCR; None when it was not asked for."""
    places: list[ScanLine] = field(default_factory=list)
    """Where the text that was read by OCR stands."""
    unsure: int = 0
    """Lines that OCR left out because it was not sure of them."""


def read(path: str, limits: Limits, by_ocr: bool = False) -> Draft:
    """The PDF's blocks in reading order. `by_ocr`: pages without usable text are read by OCR."""
    document = open_document(path)
    try:
        if len(document) > limits.pages:
            raise PaperError(
                f"has {len(document):,} pages, and the limit is {limits.pages:,}; "
                "cut out the pages that matter, or raise the limit with --max-pages."
            )
        if len(document) == 0:
            raise PaperError("has no pages; the file is damaged: download it again.")
        contents = _contents(document)
        if by_ocr:
            _add_scans(contents, document)
    finally:
        document.close()
    return _draft(contents)


def open_document(path: str) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise PaperError("is locked with a password; save a copy without one and read that.") from None
        raise PaperError("is not a whole PDF (cut off or damaged); download it again.") from None


def _contents(document: pdfium.PdfDocument) -> Contents:
    found = Contents([], [], [], [], [], document.get_metadata_dict(skip_empty=True))
    fonts: dict[int, str] = {}
    broken: list[int] = []
    for index in range(len(document)):
        try:
            page = PageText(document, index, fonts)
        except pdfium.PdfiumError:
            broken.append(index + 1)
            found.pages.append(Page(index + 1, 0, 0))
            continue
        try:
            _add_page(found, page)
        finally:
            page.close()
    if len(broken) == len(document):
        raise PaperError("none of its pages can be opened (cut off or damaged); download it again.")
    return found


def _add_page(found: Contents, page: PageText) -> None:
    finding = pdf_hidden.find(page)
    found.pages.append(Page(page.number, page.width, page.height))
    letters = len("".join(page.text.split()))
    if finding.picture > SCAN and letters and len(finding.hidden) > 0.9 * letters:
        found.layered.append(page.number)
    elif finding.hidden:
        found.hidden.extend(_set_aside(page, finding.hidden))
    if finding.picture > SCAN and letters < 20:
        found.scans.append(page.number)
    lines: list[Line] = []
    angles: Counter[int] = Counter()
    for line in page.lines():
        reason = pdf_hidden.unseen(line, page)
        if reason:
            found.hidden.append(Hidden(page.number, line.text, reason))
        else:
            lines.append(line)
            angles[line.angle] += len(line.text)
    turned = angles.most_common(1)[0][0] if angles else 0
    if turned:
        lines = list(page.lines(turned))
        found.lines.append(PageLines(page.number, page.height, page.width, lines))
    else:
        found.lines.append(PageLines(page.number, page.width, page.height, lines))


def _add_scans(found: Contents, document: pdfium.PdfDocument) -> None:
    """Reads the pages that have no usable text by OCR, and puts their lines in place of what they had."""
    from vivavoce.papers import ocr  # here, since it is an extra

    scans = ocr.read_pages(document, _to_scan(found))
    by_number = {page.number: page for page in scans.pages if page.lines}
    found.lines = sorted(
        [*(page for page in found.lines if page.number not in by_number), *by_number.values()],
        key=lambda page: page.number,
    )
    found.scans = [number for number in found.scans if number not in by_number]
    found.by_ocr, found.places, found.unsure = sorted(by_number), scans.places, scans.unsure


def _to_scan(found: Contents) -> list[int]:
    """The pages that only OCR can read: all when the file as a whole can't be read otherwise."""
    if _unreadable(found):
        return [page.number for page in found.pages if page.width * page.height > 0]
    return found.scans


def _unreadable(contents: Contents) -> str:
    """Why the file has no usable text; empty when it has."""
    text = "\n".join(line.text for page in contents.lines for line in page.lines)
    reason = judge(text).reason
    pages = len(contents.pages)
    if not reason and sum(map(len, text.split())) < 40 * pages and len(contents.scans) > 0.5 * pages:
        reason = "it is a scan: pictures of pages, with no text in them"
    return reason


def _set_aside(page: PageText, hidden: dict[int, str]) -> list[Hidden]:
    """Takes hidden characters out of the page's text; says what they were."""
    items: list[Hidden] = []
    text = list(page.text)
    reason, said, last = "", "", -2
    for index in sorted(hidden):
        if hidden[index] != reason or index > last + 3:
            if said.strip():
                items.append(Hidden(page.number, " ".join(said.split()), reason))
            reason, said = hidden[index], ""
        elif index > last + 1:
            said += " "
        said += text[index].replace(HYPHEN, "-")
        text[index] = "\x00"
        last = index
    if said.strip():
        items.append(Hidden(page.number, " ".join(said.split()), reason))
    page.text = "".join(text)
    return items


def _draft(contents: Contents) -> Draft:
    raw_text = "\n".join(line.text for page in contents.lines for line in page.lines)
    pages = tuple(contents.pages)
    warnings = _warnings(contents, judge(raw_text).language)
    scans = tuple(_to_scan(contents))
    reason = _unreadable(contents)
    if reason and contents.by_ocr is not None:
        reason = f"{reason}; OCR found no readable text either"
    if reason:
        return Draft(
            "pdf",
            (),
            pages=pages,
            unreadable=reason,
            warnings=warnings,
            hidden=tuple(contents.hidden),
            scans=scans,
        )
    first, *others = (" ".join(line.text for line in page.lines) for page in contents.lines[:3])
    strip_margins(contents.lines)
    found = paragraphs(contents.lines)
    body = body_of(found)
    title, holders = title_of(found, body, contents.properties.get("Title", ""))
    for paragraph in holders:
        paragraph.kind = "title"
    classify(found, body)
    ordered = in_reading_order(_with_rows(found), body)
    words = _vocabulary(contents.lines)
    return Draft(
        "pdf",
        tuple(Block(p.kind, join_lines(p.lines, words), p.reading) for p in ordered),
        title=title,
        doi=doi_of(first, contents.properties.get("Subject", ""), " ".join(others)[:2000]),
        year=year_of(first),
        pages=pages,
        warnings=warnings,
        hidden=tuple(contents.hidden),
        scans=scans,
        places=tuple(contents.places),
    )


def _with_rows(found: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs with every table cut into its rows."""
    whole: list[Paragraph] = []
    for is_table, group in groupby(found, key=lambda paragraph: paragraph.kind == "table"):
        some = list(group)
        whole.extend(table_rows(some) if is_table else some)
    return whole


def _vocabulary(pages: Sequence[PageLines]) -> dict[str, int]:
    """The words of the paper, but for those that a line's end has broken."""
    whole: list[str] = []
    broken = False
    for page in pages:
        for line in page.lines:
            words = WORD.findall(line.text.lower())
            whole.extend(words[int(broken) : len(words) - int(line.hyphen)])
            broken = line.hyphen
    return count_words(whole)


def _warnings(contents: Contents, language: str) -> tuple[str, ...]:
    said: list[str] = []
    if contents.hidden:
        where = sorted({item.page for item in contents.hidden})
        reasons = ", ".join(sorted({item.reason for item in contents.hidden}))
        said.append(f"hidden text on {_pages(where)} ({reasons}) was set aside and not read")
    if contents.layered:
        said.append(f"{_pages(contents.layered)}: scanned; read from the text layer that came with the scan")
    if contents.by_ocr:
        left_out = f" ({contents.unsure} illegible lines left out)" if contents.unsure else ""
        said.append(f"{_pages(contents.by_ocr)}: read by OCR{left_out}; check quotes against the page")
    if contents.scans:
        said.append(f"{_pages(contents.scans)}: a picture with no text, not read")
    if language not in ("", "English"):
        said.append(f"the text is not English ({language}); sentences and answers may be worse")
    return tuple(said)


def _pages(numbers: Sequence[int]) -> str:
    """Page numbers as people write them: page 3; pages 1-4, 7."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    said = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
    return f"page {said}" if len(numbers) == 1 else f"pages {said}"
