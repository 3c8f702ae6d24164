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
