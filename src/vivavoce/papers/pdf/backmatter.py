"""What stands around the text of a paper and looks like it: a list of contents, the list of references, other
people's reports behind the paper.

Where the list of references begins is told by its heading, in many languages and however it is set, if what
follows looks like entries. A list of contents has such a line, too, and what follows there doesn't.
"""

import re
from collections import Counter
from collections.abc import Sequence

from vivavoce.papers.draft import REFERENCES
from vivavoce.papers.pdf.paragraphs import Paragraph

CONTENTS_LINE = re.compile(
    r"^(?=.*[^\W\d_]{2}).{0,120}?(?:[.·…_]\s?){4,}\s*(?:\d{1,4}|[ivxl]{1,6})?$"
    r"|^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.)\s+[^\W\d_]{3}.{0,100}\s\d{1,4}$"
)
"""A line of a list of contents: dots that lead to a page number, or a section with its page."""
ENDLESS = ("...", ". .", "…", "___", "···", "· ·")
FEW_CONTENTS = 4
"""So many of them on a page make a list."""
ENTRY = re.compile(
    r"^\W{0,2}(?:\[\d{1,3}\]|\[[A-Z][\w+.&’' "
    r"-]{1,24}\d{2,4}[a-z]?\]|\(?\d{1,3}[.)]\s?|\d{1,3}\s+(?=[A-Z])|[•▪–-]\s)?\s*"
    r"(?=\S*[^\W\d_])[^\n]{0,400}?(?<!\d)(?:1[89]|20)\d\d[a-z]?(?!\d)",
    re.DOTALL,
)
"""How an entry begins: a number or a label, and soon a year."""
NAMED_ENTRY = re.compile(
    r"^(?:[A-ZÀ-Þ][\w'’-]+|[A-ZÀ-Þ]{2,})(?:[ "
    r"-][A-ZÀ-Þ][\w'’-]+)*,?\s+(?:[A-ZÀ-Þ]\.?[\s,-]?){1,3}|^(?:\[\d|\(?\d{1,3}[.)\]])"
)
"""A family name and initials, or a number."""
RUN_IN = re.compile(
    r"^\W*(?:[\dIVX]+\.?\s*)?(?:references?(?: cited)?|bibliography|literature cited)\s*[:.]?\s+"
    r"(?=\[1\]|\(1\)|1[.)]\s|\[[A-Z][\w+]*\d\d\])",
    re.IGNORECASE,
)
"""A heading that runs into the first entry."""
APPENDIX = re.compile(
    r"^(?:appendi(?:x|ces)|annex(?:e|es)?|anhang|supplement(?:ary|al)?\b|supporting "
    r"information)\b[^.!?]{0,90}$",
    re.IGNORECASE,
)
REPORTS = re.compile(
    r"^\W*(?:open peer review|current (?:referee|peer review(?:er)?) status|referee reports?|reviewer "
    r"reports?|"
    r"peer review(?:er)? (?:reports?|file|history)|decision letter|author response|reviewers?['’]? "
    r"comments)\b",
    re.IGNORECASE,
)
"""What other people's reports begin with."""


def contents_pages(paragraphs: Sequence[Paragraph]) -> set[int]:
    """The pages that have a list of contents."""
    lines: Counter[int] = Counter()
    for paragraph in paragraphs:
        for line in paragraph.lines:
            end = line.text[-1:]
            if (end.isdigit() or line.text[-3:] in ENDLESS) and CONTENTS_LINE.match(line.text):
                lines[paragraph.page] += 1
    return {page for page, count in lines.items() if count >= FEW_CONTENTS}


def is_contents(paragraph: Paragraph) -> bool:
    """Is the paragraph a part of a list of contents?"""
    return 2 * sum(CONTENTS_LINE.match(line.text) is not None for line in paragraph.lines) > len(
        paragraph.lines
    )


def opens_references(paragraph: Paragraph, text: str, following: Sequence[Paragraph]) -> bool:
    """Is this the heading of the list of references, however it is set?"""
    if len(paragraph.lines) > 2 or len(text) > 60 or REFERENCES.fullmatch(text) is None:
        return False
    looks = [_like_entry(after.text) for after in following[:3]]
    return bool(looks) and (looks[0] or sum(looks) > 1)


def _like_entry(text: str) -> bool:
    return ENTRY.match(text[:600]) is not None and NAMED_ENTRY.match(text) is not None


def leaves_references(paragraph: Paragraph, text: str, after: Paragraph | None) -> bool:
    """Is this the heading of an appendix behind the list, in whatever type?"""
    if len(paragraph.lines) > 2 or APPENDIX.match(text) is None:
        return False
    return after is None or not _like_entry(after.text)


def without_reports(paragraphs: list[Paragraph]) -> tuple[list[Paragraph], list[int]]:
    """The paragraphs up to the reviewers' reports that some journals put behind a paper, and the pages of
    these. They begin on a page of their own, behind the list of references."""
    last = max((n for n, paragraph in enumerate(paragraphs) if paragraph.kind == "reference"), default=-1)
    if last < 0:
        return paragraphs, []
    for number in range(len(paragraphs)):
        paragraph = paragraphs[number]
        if paragraph.page <= paragraphs[0].page or not REPORTS.match(paragraph.text[:80]):
            continue
        earlier = sum(p.kind == "reference" for p in paragraphs[:number])
        later = sum(p.kind == "reference" for p in paragraphs[number:])
        first = next(n for n in range(number + 1) if paragraphs[n].page == paragraph.page)
        if earlier > later and number - first < 6 and paragraphs[first - 1].page < paragraph.page:
            return paragraphs[:first], sorted({p.page for p in paragraphs[first:]})
    return paragraphs, []
