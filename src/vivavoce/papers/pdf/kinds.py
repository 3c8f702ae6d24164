"""What each paragraph of a PDF is: heading, prose, caption, table, footnote, reference, front matter,
lettering inside a figure. Told by its type against the body's, its words, and what came before it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vivavoce.papers.draft import REFERENCES
from vivavoce.papers.pdf.backmatter import (
    RUN_IN,
    contents_pages,
    is_contents,
    leaves_references,
    opens_references,
)
from vivavoce.papers.pdf.paragraphs import BULLET, ENDS, KNOWN, NUMBERED, SUBNUMBERED, Paragraph
from vivavoce.records import Kind

CAPTION = re.compile(
    r"^(?:(?:Supplementary|Supporting|Extended Data|Appendix|Online)\s+)?"
    r"(?P<label>Fig(?:ure|\.)?|Tab(?:le|\.)?|Scheme|Plate|Box|Algorithm|Listing|Video|"
    r"FIG(?:URE|\.)?|TABLE|BOX|ALGORITHM)"
    r"\s*(?P<number>[A-Z]{0,2}\.?\d{1,3}(?:\.\d+)*[a-z]?|[IVX]{1,5})\b"
    r"(?P<mark>\s*[.:|–—-]|\)?\s+(?=[A-Z(\d])|\s*$)"
)
FRONT = re.compile(
    r"\b(?:received|accepted|published|revised)\s*:|@[\w-]+\.|"
    r"^\W*(?:correspond\w+|e-?mail|edited by|reviewed by|academic editors?|citation|copyright|"
    r"specialty section|handling editor|funding information|how to cite|keywords|key words|article info|"
    r"running (?:title|head))\b|©|creative commons|all rights reserved|open access article|\blicensee\b|"
    r"^\W*(?:\d\W*)?(?:department|institute|faculty|school|university|centre|center|laboratory)\b|"
    r"contents lists available|journal homepage|orcid\.org|doi\s*:\s*10\.|https?://(?:dx\.)?doi\.org/10",
    re.IGNORECASE,
)
AFFILIATION = re.compile(
    r"\b(?:Universit|Institut|Department|Faculty|Centre|Center|Museum|School|Laborator|Academy|Museo|Colleges?\b)"
)
CLOSING = re.compile(
    r"^(?:conflicts? of interest|competing interests?|copyright|publisher['’]s note|disclaimer|©|"
    r"open access\b|how to cite|additional information|supporting information)",
    re.IGNORECASE,
)
"""What stands behind a reference list, with its heading inside the paragraph."""
FOOTNOTE = re.compile(r"^(?:\d{1,2}|[*†‡§¶#]{1,2}|[a-d])\s?(?=[A-Z(“h]|https?:)")
NOTE = re.compile(r"^(?:notes?|abbreviations?|sources?|\*+|[a-c])\s*[.:=)]?\s*\S", re.I)


TABLE_GAP = 4.5
"""Lines further below a table than this many font sizes do not belong to it."""


@dataclass(frozen=True, slots=True)
class Body:
    """The type that most of the paper is set in."""

    size: float
    font: str
    width: float
    """Of a full line."""
    top: float
    """Where the first line of a page stands."""


@dataclass(frozen=True, slots=True)
class Table:
    """The table whose caption came last, as far as it was seen."""

    page: int
    bottom: float
    """The baseline of its lowest line so far."""


def body_of(paragraphs: Iterable[Paragraph]) -> Body:
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for paragraph in paragraphs:
        for line in paragraph.lines:
            sizes[round(line.size * 2) / 2] += len(line.text)
            fonts[line.font] += len(line.text)
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    lines = [line for p in paragraphs for line in p.lines if abs(line.size - size) < 0.5 and not line.cells]
    widths = sorted(line.x1 - line.x0 for line in lines)
    width = widths[int(len(widths) * 0.6)] if widths else 240.0
    tops: dict[int, float] = {}
    for line in lines:
        tops[line.page] = min(tops.get(line.page, line.base), line.base)
    top = sorted(tops.values())[len(tops) // 2] if tops else 0.0
    return Body(size, fonts.most_common(1)[0][0] if fonts else "", width, top)


def classify(paragraphs: Sequence[Paragraph], body: Body) -> None:
    """Sets the kind of every paragraph, in reading order."""
    before: Paragraph | None = None
    references = False
    opened = False  # past the title page's front matter
    table: Table | None = None
    claimed: set[int] = set()  # rows that an earlier caption has above itself
    contents = contents_pages(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        if paragraph.kind == "title":
            continue
        short = len(paragraph.lines) < 4 or paragraph.page == 1
        text = paragraph.text if short else paragraph.lines[0].text  # a long one is told by how it begins
        after = paragraphs[index + 1] if index + 1 < len(paragraphs) else None
        heading = is_heading(paragraph, text, body, after)
        listed = paragraph.page in contents
        if listed and is_contents(paragraph):
            paragraph.kind = "front"
        elif not listed and _opens_references(heading, paragraph, text, paragraphs[index + 1 : index + 4]):
            paragraph.kind, references, table = "heading", True, None
        elif not listed and RUN_IN.match(text):
            paragraph.kind, references, table = "reference", True, None
        elif references and leaves_references(paragraph, text, after):
            paragraph.kind, references, table = "heading", False, None
        elif is_caption(paragraph, text, body, before):
            paragraph.kind = "caption"
            of_table = text[:3].lower() == "tab" or " table" in text[:24].lower()
            above = of_table and _rows_above(paragraphs[:index], paragraph, claimed)
            table = Table(paragraph.page, paragraph.last.base) if of_table and not above else None
        elif before is not None and before.kind == "caption" and _below(before, paragraph, body):
            paragraph.kind = "caption"
        elif (
            table is not None
            and not _strong(heading, paragraph, text, body)
            and _in_table(paragraph, text, body, table, after)
        ):
            paragraph.kind = "table"
            table = Table(paragraph.page, max(table.bottom, paragraph.last.base))
            claimed.add(id(paragraph))
        elif (
            references
            and not CLOSING.match(text)
            and not (heading and _leaves_references(text, paragraph, body))
        ):
            paragraph.kind = "reference"
        elif _tabular(paragraph):
            paragraph.kind = "table"
        elif heading and (opened or paragraph.page > 1 or KNOWN.match(text) or NUMBERED.match(text)):
            paragraph.kind, references, table = "heading", False, None
            opened = True
        else:
            references, table = False, None
            paragraph.kind = _text_kind(paragraph, text, body, opened, before)
        opened = opened or (paragraph.kind == "prose" and paragraph.length > 400)
        before = paragraph


def _opens_references(heading: bool, paragraph: Paragraph, text: str, following: Sequence[Paragraph]) -> bool:
    if heading and len(text) < 60 and REFERENCES.fullmatch(text):
        return True
    return opens_references(paragraph, text, following)


def _strong(heading: bool, paragraph: Paragraph, text: str, body: Body) -> bool:
    """A heading beyond doubt, even where a table's rows might go on."""
    return heading and bool(KNOWN.match(text) or NUMBERED.match(text)) and paragraph.size >= 0.95 * body.size


def _below(caption: Paragraph, paragraph: Paragraph, body: Body) -> bool:
    """The next lines of a caption: same type, which is not the body's, right below."""
    return (
        abs(caption.size - paragraph.size) <= 0.03 * caption.size
        and abs(caption.size - body.size) > 0.05 * body.size
        and caption.last.page == paragraph.page
        and 0 < paragraph.first.base - caption.last.base < 1.6 * caption.size
        and abs(caption.x0 - paragraph.x0) < 2 * caption.size
        and not paragraph.first.cells
        and paragraph.length > 12
    )


def _rows_above(earlier: Sequence[Paragraph], caption: Paragraph, claimed: set[int]) -> bool:
    """Some journals set the caption below the table: then what came right before it are the rows."""
    rows: list[Paragraph] = []
    for paragraph in reversed(earlier):
        if (
            paragraph.page != caption.page
            or paragraph.kind not in ("figure", "table")
            or id(paragraph) in claimed
        ):
            break
        if paragraph.last.base > caption.first.base:
            break
        rows.append(paragraph)
    if sum(1 for paragraph in rows for line in paragraph.lines if line.cells) < 2:
        return False
    for paragraph in rows:
        paragraph.kind = "table"
    return True


def _tabular(paragraph: Paragraph) -> bool:
    """A table with no caption right before it: several rows of several cells."""
    rows = [line for line in paragraph.lines if line.cells]
    return len(rows) >= 3 and sum(len(line.cells) for line in rows) >= 2.5 * len(rows)


def _text_kind(paragraph: Paragraph, text: str, body: Body, opened: bool, before: Paragraph | None) -> Kind:
    """The kind of what is no heading, caption, table or reference."""
    small = paragraph.size < 0.93 * body.size
    if paragraph.page == 1:
        about = FRONT.search(text) or AFFILIATION.search(text)
        apart = small or paragraph.length < 200 or len(AFFILIATION.findall(text)) > 1
        if (not opened and (about or paragraph.length < 200)) or (about and apart):
            return "front"
    if small and FOOTNOTE.match(text) and paragraph.length > 15:
        return "footnote"
    like_body = abs(paragraph.size - body.size) <= 0.12 * body.size
    letters = sum(letter.isalpha() for letter in text) if paragraph.length < 200 else paragraph.length
    if letters < 0.5 * len(text):
        return "prose" if like_body and letters > 12 else "figure"
    if like_body:
        is_text = paragraph.length > 25 or ENDS.search(text) or BULLET.match(text)
        return "prose" if is_text or _inline(paragraph, body, before) else "figure"
    average = paragraph.length / len(paragraph.lines)
    if paragraph.length > 60 and average > 30:
        return "prose"
    return "front" if paragraph.page == 1 and letters > 12 else "figure"


def _inline(paragraph: Paragraph, body: Body, before: Paragraph | None) -> bool:
    """A short line that belongs to the text: in the body's own type (the last words of a paragraph, or the
    first of a page), or right below prose, in line with it."""
    line = paragraph.first
    if line.cells:
        return False
    if line.font == body.font:
        return True
    return (
        before is not None
        and before.kind in ("prose", "heading")
        and before.page == paragraph.page
        and abs(before.x0 - paragraph.x0) < 2 * line.size
        and 0 < line.base - before.last.base < 2 * line.size
    )


def is_heading(paragraph: Paragraph, text: str, body: Body, after: Paragraph | None) -> bool:
    """A few words that stand out by their type, right above the text that they head."""
    if len(paragraph.lines) > 3 or not 3 <= len(text) <= 140 or len(re.findall(r"[^\W\d_]", text)) < 3:
        return False
    if KNOWN.match(text):
        return text[0].isupper() or text[0].isdigit() or paragraph.first.font != body.font
    numbered = bool(NUMBERED.match(text))
    line = paragraph.first
    if text[-1] in ".,;:=+(" and not (numbered and len(text) < 60 and text[-1] == "."):
        return False
    if not (text[0].isupper() or numbered) or (line.cells and not numbered) or len(text.split()) > 16:
        return False
    if "://" in text:
        return False
    if not _heads(paragraph, after):
        return False
    larger = paragraph.size >= 1.08 * body.size
    bold = line.bold and "bold" not in body.font and paragraph.size >= 0.9 * body.size
    capitals = text.isupper() and len(text) > 4 and paragraph.size >= 0.9 * body.size
    other = line.font != body.font and abs(line.size - body.size) < 0.12 * body.size
    italic = "ital" in line.font or "obli" in line.font
    if numbered:
        alone = bool(SUBNUMBERED.match(text)) and paragraph.x1 - paragraph.x0 < 0.9 * body.width
        return larger or bold or capitals or other or (alone and paragraph.size >= 0.95 * body.size)
    return larger or bold or capitals or (other and italic and len(paragraph.lines) == 1)


def _heads(paragraph: Paragraph, after: Paragraph | None) -> bool:
    """Does the next paragraph stand right below, in the same column, or at the top of the next?"""
    if after is None or after.first.text[:1].islower():
        return False
    down = after.first.base - paragraph.last.base
    if after.page != paragraph.page or down < 0:
        return after.length > 60 and " " in paragraph.text and not BULLET.match(after.text)
    near = down < 7 * paragraph.size and abs(after.x0 - paragraph.x0) < 6 * paragraph.size
    return near and (after.length > 30 or bool(NUMBERED.match(after.text)))


def is_caption(paragraph: Paragraph, text: str, body: Body, before: Paragraph | None) -> bool:
    """A figure's or table's label at the start, set off from the text around it by its type, its
    punctuation, or its place: "Figure 3." may as well end a sentence."""
    match = CAPTION.match(text)
    if not match:
        return False
    line = paragraph.first
    set_off = abs(paragraph.size - body.size) > 0.05 * body.size or line.font != body.font
    set_off = set_off or (bool(line.label) and line.label != body.font)
    mark = match["mark"].strip()
    if match["label"].isupper() or mark not in ("", "."):
        return True
    if mark:
        return set_off or not _may_go_on(paragraph, body, before)
    return set_off and not _may_go_on(paragraph, body, before)


def _may_go_on(paragraph: Paragraph, body: Body, before: Paragraph | None) -> bool:
    """Might the paragraph continue the sentence that the one before leaves open?"""
    if before is None or before.kind != "prose" or before.length < 60 or ENDS.search(before.last.text):
        return False
    line = paragraph.first
    if before.last.page == paragraph.page and line.base > before.last.base:
        return line.base - before.last.base < 2 * body.size
    return line.base < body.top + 2 * body.size


def _leaves_references(text: str, paragraph: Paragraph, body: Body) -> bool:
    """A heading behind the reference list, rather than a heading-like line of an entry."""
    if KNOWN.match(text):
        return True
    return paragraph.size >= 1.08 * body.size and not re.match(r"^\W*\d", text)


def _in_table(paragraph: Paragraph, text: str, body: Body, table: Table, after: Paragraph | None) -> bool:
    """Does the paragraph still belong to the table whose caption came last?"""
    if paragraph.page == table.page:
        if paragraph.first.base > table.bottom + TABLE_GAP * paragraph.size:
            return False
    elif paragraph.page != table.page + 1 or not _tabular(paragraph):
        return False
    if any(line.cells for line in paragraph.lines):
        return True
    wide = paragraph.x1 - paragraph.x0 > 0.8 * body.width
    like_body = abs(paragraph.size - body.size) <= 0.06 * body.size
    if like_body and wide and (len(paragraph.lines) > 1 or paragraph.length > 60):
        return False
    if NOTE.match(text) and wide:
        return False
    if len(paragraph.lines) == 1 and after is not None and after.page == paragraph.page and after.first.cells:
        return (
            after.first.base - paragraph.last.base < TABLE_GAP * paragraph.size
        )  # a header with narrow gaps
    long = paragraph.length / len(paragraph.lines) > 50
    return not (long and wide)
