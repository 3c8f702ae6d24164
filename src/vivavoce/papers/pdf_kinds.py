"""What each paragraph of a PDF is: heading, prose, caption, table, footnote, reference, front matter,
lettering inside a figure. Told by its type against the body's, its words, and what came before it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vivavoce.papers.pdf_paragraphs import BULLET, ENDS, Paragraph
from vivavoce.records import Kind

CAPTION = re.compile(
    r"^(?:(?:Supplementary|Supporting|Extended Data|Appendix|Online)\s+)?"
    r"(?P<label>Fig(?:ure|\.)?|Tab(?:le|\.)?|Scheme|Plate|Box|Algorithm|Listing|Video|FIG(?:URE|\.)?|TABLE|BOX|ALGORITHM)"
    r"\s*(?P<number>[A-Z]{0,2}\.?\d{1,3}(?:\.\d+)*[a-z]?|[IVX]{1,5})\b(?P<mark>\s*[.:|–—-]|\)?\s+(?=[A-Z(\d])|\s*$)"
)
REFERENCES = re.compile(
    r"^\W*(?:\d+\.?\s*\|?\s*)?(?:references|bibliography|literature cited|literature|works cited|"
    r"references and notes|reference list|cited literature|references cited)\W*$", re.I)  # fmt: skip
NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,4}\.|[A-H]\.)\s*\|?\s+[A-Z“\"(]")
KNOWN = re.compile(
    r"^(?:abstract|summary|introduction|background|related works?|methods?|methodology|materials? and methods?|"
    r"methods? and materials?|experimental(?: setup| design)?|experiments?|results?(?: and discussion)?|discussion|"
    r"conclusions?|conclusions? and .{3,40}|acknowledge?ments?|author(?:s['’])? contributions?|contributions|funding|"
    r"(?:data|code|software)(?: and (?:data|code|software|materials?))? (?:availability|accessibility|archiving)"
    r"(?: statement)?|availability of (?:data|code)[\w ]{0,40}|data accessibility|"
    r"(?:competing|conflicts?(?: of)?) interests?(?: statement)?|declarations?|ethics(?: statement)?|keywords|key words|"
    r"appendix(?: [a-z0-9])?|appendices|supplementary (?:materials?|information|data)|"
    r"supporting information|additional information|references|abbreviations|highlights|"
    r"publisher['’]s note|open practices|study area|limitations|future work|implementation(?: details)?)\W*$",
    re.I)  # fmt: skip
FRONT = re.compile(
    r"\b(?:received|accepted|published|revised)\s*:|@[\w-]+\.|^\W*(?:correspond\w+|e-?mail|edited by|reviewed by|"
    r"academic editors?|citation|copyright|specialty section|handling editor|funding information|how to cite|"
    r"keywords|key words|article info|running (?:title|head))\b|©|creative commons|all rights reserved|"
    r"^\W*(?:\d\W*)?(?:department|institute|faculty|school|university|centre|center|laboratory)\b|open access article|"
    r"\blicensee\b|orcid\.org|doi\s*:\s*10\.|^https?://doi\.org", re.I)  # fmt: skip
FOOTNOTE = re.compile(r"^(?:\d{1,2}|[*†‡§¶#]{1,2}|[a-d])\s?(?=[A-Z(“h]|https?:)")
NOTE = re.compile(r"^(?:notes?|abbreviations?|sources?|\*+|[a-c])\s*[.:=)]?\s*\S", re.I)


@dataclass(frozen=True, slots=True)
class Body:
    """The type that most of the paper is set in."""

    size: float
    font: str
    width: float
    """Of a full line."""


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
    return Body(size, fonts.most_common(1)[0][0] if fonts else "", width)


def classify(paragraphs: Sequence[Paragraph], body: Body) -> None:
    """Sets the kind of every paragraph, in reading order."""
    before: Paragraph | None = None
    references = False
    opened = False  # past the title page's front matter
    table: Paragraph | None = None
    for index, paragraph in enumerate(paragraphs):
        if paragraph.kind == "title":
            continue
        text = paragraph.text
        after = paragraphs[index + 1] if index + 1 < len(paragraphs) else None
        heading = is_heading(paragraph, text, body, after)
        if heading and REFERENCES.match(text):
            paragraph.kind, references, table = "heading", True, None
        elif references and not (heading and _leaves_references(text, paragraph, body)):
            paragraph.kind = "reference"
        elif is_caption(paragraph, text, body, before):
            paragraph.kind = "caption"
            table = paragraph if text[:3].lower() == "tab" or " table" in text[:24].lower() else None
            references = False
        elif table is not None and _in_table(paragraph, text, body, table):
            paragraph.kind = "table"
        elif _tabular(paragraph):
            paragraph.kind = "table"
        elif heading:
            paragraph.kind, references, table = "heading", False, None
            opened = opened or bool(KNOWN.match(text) or NUMBERED.match(text))
        else:
            table = None
            paragraph.kind = _text_kind(paragraph, text, body, opened)
        if paragraph.kind == "prose" and paragraph.length > 250:
            opened = opened or paragraph.page > 1
        before = paragraph


def _tabular(paragraph: Paragraph) -> bool:
    """A table with no caption right before it: several rows of several cells."""
    rows = [line for line in paragraph.lines if line.cells]
    return len(rows) >= 3 and sum(len(line.cells) for line in rows) >= 2.5 * len(rows)


def _text_kind(paragraph: Paragraph, text: str, body: Body, opened: bool) -> Kind:
    """The kind of what is no heading, caption, table or reference."""
    small = paragraph.size < 0.93 * body.size
    if not opened and paragraph.page <= 2 and (FRONT.search(text) or paragraph.length < 200):
        return "front" if paragraph.page == 1 else "prose"
    if paragraph.page == 1 and small and FRONT.search(text):
        return "front"
    if small and FOOTNOTE.match(text) and paragraph.length > 15:
        return "footnote"
    like_body = abs(paragraph.size - body.size) <= 0.12 * body.size
    letters = sum(letter.isalpha() for letter in text)
    if letters < 0.5 * len(text) and paragraph.length < 200:
        return "prose" if like_body and (ENDS.search(text) or letters > 12) else "figure"
    if like_body:
        return "prose" if paragraph.length > 25 or ENDS.search(text) or BULLET.match(text) or _inline(paragraph, body) else "figure"
    average = paragraph.length / len(paragraph.lines)
    return "prose" if paragraph.length > 60 and average > 30 else "figure"


def _inline(paragraph: Paragraph, body: Body) -> bool:
    """A short line in the body's own type: the last words of a paragraph, or the first of a page."""
    return paragraph.first.font == body.font and not paragraph.first.cells


def is_heading(paragraph: Paragraph, text: str, body: Body, after: Paragraph | None) -> bool:
    if len(paragraph.lines) > 3 or not 3 <= len(text) <= 140 or len(re.findall(r"[^\W\d_]", text)) < 3:
        return False
    if KNOWN.match(text):
        return paragraph.first.bold or text[0].isupper()
    numbered = bool(NUMBERED.match(text))
    if text[-1] in ".,;:" and not (numbered and len(text) < 60 and text[-1] == "."):
        return False
    line = paragraph.first
    if not (text[0].isupper() or numbered) or (line.cells and not numbered) or len(text.split()) > 16:
        return False
    larger = paragraph.size >= 1.08 * body.size
    bold = line.bold and "bold" not in body.font
    capitals = text.isupper() and len(text) > 4
    other = line.font != body.font and abs(line.size - body.size) < 0.12 * body.size
    if numbered:
        return larger or bold or capitals or other
    follows = after is not None and after.page == paragraph.page and after.length > 60 and after.kind == "prose"
    italic = other and ("ital" in line.font or "obli" in line.font) and follows and len(paragraph.lines) == 1
    return larger or ((bold or capitals) and paragraph.size >= 0.9 * body.size) or italic


def is_caption(paragraph: Paragraph, text: str, body: Body, before: Paragraph | None) -> bool:
    """A figure's or table's label at the start, set off from the text around it by its type, its
    punctuation, or a sentence's end before it: "Figure 3." may as well end a sentence."""
    match = CAPTION.match(text)
    if not match:
        return False
    line = paragraph.first
    set_off = abs(paragraph.size - body.size) > 0.05 * body.size or line.font != body.font
    if match["label"].isupper():
        return True
    unfinished = (
        before is not None and before.kind == "prose" and not ENDS.search(before.last.text) and before.length > 60
    )
    if match["mark"].strip():
        return set_off or not unfinished
    return set_off and not unfinished


def _leaves_references(text: str, paragraph: Paragraph, body: Body) -> bool:
    """A heading behind the reference list, rather than a heading-like line of an entry."""
    if KNOWN.match(text):
        return True
    return paragraph.size >= 1.08 * body.size and not re.match(r"^\W*\d", text)


def _in_table(paragraph: Paragraph, text: str, body: Body, table: Paragraph) -> bool:
    """Does the paragraph still belong to the table whose caption came last?"""
    if paragraph.page not in (table.page, table.page + 1):
        return False
    if any(line.cells for line in paragraph.lines):
        return True
    if paragraph.page != table.page:
        return False
    wide = paragraph.x1 - paragraph.x0 > 0.8 * body.width
    like_body = abs(paragraph.size - body.size) <= 0.06 * body.size
    if like_body and wide and (len(paragraph.lines) > 1 or paragraph.length > 60):
        return False
    if NOTE.match(text) and wide:
        return False
    long = paragraph.length / len(paragraph.lines) > 50
    return not (long and wide)
