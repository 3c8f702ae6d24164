"""A PDF's title, DOI and year. The file's own properties are often wrong ("Microsoft Word - final2.doc",
the date of a download), so they count only when the first page says the same."""

import re
import unicodedata
from collections.abc import Sequence

from vivavoce.papers.draft import find_doi
from vivavoce.papers.pdf.kinds import Body
from vivavoce.papers.pdf.paragraphs import KNOWN, NUMBERED, Paragraph

BROKEN_DOI = re.compile(r"(doi\.org/|doi:)\s+(?=10\.\d{4})", re.I)
SPLIT_DOI = re.compile(r"(10\.\d{4,9}/\S*[/._-])\s+(?=[\w./-]*\d)")
_YEAR = r"((?:19[6-9]|20[0-4])\d)\b"
_DATE = r"\D{0,30}?(?:\d{1,2}\D{1,12})?" + _YEAR
DATED = [
    re.compile(rf"\b(?:published|publication date|posted|issued)\b{_DATE}", re.IGNORECASE),
    re.compile(rf"(?<![\d/])\(?{_YEAR}\)?[;,]?\s*\d{{1,4}}\s*(?:\(\d+\)\s*)?[:,]\s*[e\d]"),  # 2019;10:186
    re.compile(rf"(?:copyright|©|\(c\)|& ){_DATE}", re.IGNORECASE),
    re.compile(rf"\baccepted\b{_DATE}", re.IGNORECASE),
]
"""Where a first page names its year, from the surest place on."""
YEAR = re.compile(r"(?<![\d./])((?:19[6-9]|20[0-4])\d)(?![\d/])")
LABEL = re.compile(
    r"\W*(?:(?:open access|original|research|review|clinical|case|short|brief|rapid|technical|methodology|"
    r"systematic|"
    r"full|regular|invited|mini|data|software|featured?|special)\W*){0,3}\s*"
    r"(?:articles?|reports?|papers?|communications?|notes?|reviews?|letters?|study|research|protocol|editorial|commentary|"
    r"perspective|open access|artigo original|artículo original)\W*",
    re.IGNORECASE,
)
"""What sort of article it is, as it stands above a title."""
NOTICE = re.compile(
    r"this (?:provisional|article|pdf|version|is an?)\b|like all articles|articles in\b|for "
    r"information|available online|"
    r"contents lists|journal homepage|citation\b|downloaded from|accepted manuscript|author['’]?s? "
    r"(?:copy|version)",
    re.IGNORECASE,
)
JOURNAL = re.compile(
    r"(?:the )?(?:bmc|plos|journal of|journal|annals of|archives of|acta|proceedings of|international "
    r"journal|"
    r"european journal|american journal|british journal|revista|frontiers in|transactions|nature "
    r"\w+$|cadernos|ieee "
    r"(?:transactions|access|journal)|(?:open )?access journal)\b",
    re.IGNORECASE,
)
LETTERS = re.compile(r"[^\W_]+")


def title_of(paragraphs: Sequence[Paragraph], body: Body, stated: str) -> tuple[str, list[Paragraph]]:
    """The title as it stands on the first page, and the paragraphs that hold it."""
    page = [p for p in paragraphs if p.page == paragraphs[0].page]
    wanted = _fold(stated)
    if len(wanted) >= 12:
        for index in range(len(page)):
            for count in (1, 2, 3):
                some = page[index : index + count]
                if _fold(" ".join(p.text for p in some)) == wanted:
                    return " ".join(stated.split()), list(some)
    large = [
        p for p in page
        if p.size >= 1.15 * body.size and len(p.text.split()) >= 3 and 15 <= p.length <= 350
    ]  # fmt: skip
    whole_page = " ".join(p.text for p in page)
    large = [p for p in large if not _is_no_title(p.text, whole_page)] or large
    if large:
        largest = max(p.size for p in large)  # a journal's name may be set a little larger than the title
        best = max((p for p in large if p.size >= 0.88 * largest), key=lambda p: p.length)
        whole = _with_next(best, page)
        return " ".join(_joined(part) for part in whole), whole
    for paragraph in page:
        if paragraph.length > 350:
            break  # text: a title stands above it
        heading = NUMBERED.match(paragraph.text) or KNOWN.match(paragraph.text)
        if paragraph.first.bold and len(paragraph.text.split()) >= 4 and not heading:
            return _joined(paragraph), [paragraph]
    if len(wanted) >= 12 and wanted in _fold(" ".join(p.text for p in page)):
        return " ".join(stated.split()), []
    return "", []


def split_labels(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs, with a line such as "Review Article" above a title as one of its own."""
    first = paragraphs[0].page if paragraphs else 0
    found: list[Paragraph] = []
    for paragraph in paragraphs:
        if paragraph.page == first and len(paragraph.lines) > 1 and LABEL.fullmatch(paragraph.first.text):
            rest = Paragraph.of(paragraph.lines[1])
            for line in paragraph.lines[2:]:
                rest.add(line)
            found += [Paragraph.of(paragraph.first), rest]
        else:
            found.append(paragraph)
    return found


def _is_no_title(text: str, page: str) -> bool:
    """A journal's name, a label, or what a publisher says about the file."""
    if LABEL.fullmatch(text) or NOTICE.match(text) or re.search(r"[.;] [A-Z].*\.$", text):
        return True
    if JOURNAL.match(text) and len(text.split()) <= 9:
        return True
    # A journal's name stands on the page once more, with the volume.
    again = re.search(re.escape(text) + r"\W{0,3}(?:\(?(?:19|20)\d\d|vol)", page, re.IGNORECASE)
    return again is not None


def _with_next(title: Paragraph, page: Sequence[Paragraph]) -> list[Paragraph]:
    """The title and the lines below it in the same type."""
    whole = [title]
    for paragraph in page[page.index(title) + 1 :]:
        down = paragraph.first.base - whole[-1].last.base
        if abs(paragraph.size - title.size) > 0.03 * title.size or not 0 < down < 2.5 * title.size:
            break
        if paragraph.first.font != title.first.font:
            break
        whole.append(paragraph)
    return whole


def doi_of(*places: str) -> str:
    """The paper's own DOI, from the likeliest place to the least."""
    for text in places:
        whole = SPLIT_DOI.sub(r"\1", BROKEN_DOI.sub(r"\1", text))
        found = find_doi(whole)
        if found:
            return found
    return ""


def year_of(page: str) -> int | None:
    """The year of publication, as the first page states it; else the one that its head names most."""
    for pattern in DATED:
        match = pattern.search(page)
        if match:
            return int(match[1])
    years = [int(year) for year in YEAR.findall(page[:400])]
    return max(set(years), key=lambda year: (years.count(year), year)) if years else None


def _joined(paragraph: Paragraph) -> str:
    parts = []
    for line in paragraph.lines:
        parts.append(line.text + ("-" if line.hyphen else " "))
    return " ".join(unicodedata.normalize("NFKC", "".join(parts)).split())


def _fold(text: str) -> str:
    return "".join(LETTERS.findall(unicodedata.normalize("NFKC", text).lower()))
