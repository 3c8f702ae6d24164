"""Paragraphs in the order of the content stream -> paragraphs in reading order, whole again.

A sentence may go on in the next column, on the next page, or behind a figure, a table, a footnote. A
paragraph that does not end waits for the one that continues it: the next one of the same type and
about the same width. Captions, tables and footnotes stay paragraphs of their own, behind the one they
interrupted. The lines of the reference list are cut anew, an entry each.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from vivavoce.papers.pdf.kinds import Body
from vivavoce.papers.pdf.paragraphs import BULLET, EQUATION, Paragraph
from vivavoce.papers.pdf.text import Line

FINISHED = re.compile(r"[.!?:][\"'”’»)\]*†]*(?:\s?[\[(]?\d[\d,–\s-]*[\])]?)?$")
ABBREVIATED = re.compile(
    r"\b(?:et al|figs?|eqs?|refs?|tabs?|sect|cf|e\.g|i\.e|vs|nos?|ca|approx|resp|sp|spp)\.\s?[\d,–-]*$", re.I
)
"""A full stop that ends no sentence."""
ENTRY = re.compile(r"^(?:\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})\s?\.(?!\d)|(\d{1,3})\s+(?=[A-Z]))")
DATED = re.compile(r"[A-Z][\w'’-]+[ ,].{0,90}?\(?(?:19|20)\d\d[a-z]?\)?[.,: ]")
MOST_LETTERING = 400
"""Characters of a figure's lettering that are kept together."""
REACH = 2
"""How many pages further a paragraph may go on (a page in between can be all figure)."""


def in_reading_order(paragraphs: Sequence[Paragraph], body: Body) -> list[Paragraph]:
    """Continuations joined to what they continue; the reference list an entry each."""
    ordered: list[Paragraph] = []
    waiting: list[Paragraph] = []
    references: list[Paragraph] = []
    for paragraph in paragraphs:
        if paragraph.kind == "reference":
            references.append(paragraph)
            continue
        if paragraph.kind == "heading" and references:
            ordered.extend(entries(references))
            references = []
        if paragraph.kind == "heading":
            waiting = [p for p in waiting if not _closes(paragraph, p, body)]
        if paragraph.kind not in ("prose", "caption", "footnote"):
            ordered.append(paragraph)
            continue
        waiting = [p for p in waiting if paragraph.page - p.last.page <= REACH]
        begun = _begun(paragraph, waiting)
        if begun is None:
            ordered.append(paragraph)
        else:
            waiting.remove(begun)
            for line in paragraph.lines:
                begun.add(line)
        whole = begun or paragraph
        if not _finished(whole.last):
            waiting.append(whole)
    ordered.extend(entries(references))
    return ordered


def with_whole_lettering(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The lettering of a figure in a few pieces: one for each tick mark would be thousands, and no reader
    can do anything with it."""
    kept: list[Paragraph] = []
    for paragraph in paragraphs:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.kind == paragraph.kind == "figure"
            and before.page == paragraph.page
            and before.length + paragraph.length < MOST_LETTERING
        ):
            for line in paragraph.lines:
                before.add(line)
        else:
            kept.append(paragraph)
    return kept


def _finished(line: Line) -> bool:
    """Does a paragraph end with this line, as far as its last words tell?"""
    if line.hyphen or ABBREVIATED.search(line.text):
        return False
    return bool(FINISHED.search(line.text) or EQUATION.search(line.text))


def _begun(paragraph: Paragraph, waiting: Sequence[Paragraph]) -> Paragraph | None:
    """The waiting paragraph that this one continues, if there is one."""
    text = paragraph.first.text
    if paragraph.kind != "prose" or BULLET.match(text):
        return None
    fitting = [
        p for p in waiting if _alike(p.size, paragraph.size) and (p.kind == "prose" or _below(p, paragraph))
    ]
    if not fitting:
        return None
    newest = fitting[-1]
    width = paragraph.x1 - paragraph.x0
    same_shape = [
        p for p in fitting
        if abs(p.last.x1 - p.x0 - width) < 0.12 * width or p.first.font == paragraph.first.font
    ]  # fmt: skip
    best = same_shape[-1] if same_shape else newest
    if text[:1].isupper() and best is not newest:
        return None
    return best


def _closes(heading: Paragraph, paragraph: Paragraph, body: Body) -> bool:
    """Does the heading come after the paragraph in its own column, so that it can't go on?"""
    if not _alike(paragraph.size, body.size):
        return False
    if heading.page > paragraph.last.page:
        return True
    return heading.first.base > paragraph.last.base and abs(heading.x0 - paragraph.last.x0) < 6 * body.size


def _alike(a: float, b: float) -> bool:
    return abs(a - b) <= 0.06 * max(a, b)


def _below(caption: Paragraph, paragraph: Paragraph) -> bool:
    """Captions and footnotes go on only right below themselves."""
    down = paragraph.first.base - caption.last.base
    return (
        caption.last.page == paragraph.page
        and 0 < down < 2 * caption.size
        and abs(caption.x0 - paragraph.x0) < 3 * caption.size
    )


def entries(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The reference list's paragraphs, an entry each: by number, else by hanging indent, else as they are."""
    lines = [line for paragraph in paragraphs for line in paragraph.lines]
    if not lines:
        return []
    starts = _numbered(lines) or _hanging(lines) or _dated(lines)
    if not starts:
        return list(paragraphs)
    found: list[Paragraph] = []
    for index, line in enumerate(lines):
        if index in starts or not found:
            found.append(Paragraph.of(line))
            found[-1].kind = "reference"
        else:
            found[-1].add(line)
    return found


def _numbered(lines: Sequence[Line]) -> set[int]:
    """Where entries begin when they are numbered one after the other."""
    starts: set[int] = set()
    number = 0
    for index, line in enumerate(lines):
        match = ENTRY.match(line.text)
        if match and number < int(match[match.lastindex or 1]) <= number + 3:
            number = int(match[match.lastindex or 1])
            starts.add(index)
    return starts if len(starts) >= 3 and len(starts) * 8 >= len(lines) else set()


def _dated(lines: Sequence[Line]) -> set[int]:
    """Where entries begin when nothing sets them off: a name at the start, a year soon after, and a full
    stop before."""
    return {
        index for index, line in enumerate(lines)
        if DATED.match(line.text) and (index == 0 or lines[index - 1].text.endswith((".", "/")) )
    }  # fmt: skip


def _hanging(lines: Sequence[Line]) -> set[int]:
    """Where entries begin when their further lines are indented."""
    columns: dict[tuple[int, int], float] = defaultdict(lambda: 1e9)
    for line in lines:
        for shift in (0, 1):
            key = (line.page, int(line.x0 / 60 + shift / 2) * 2 + shift)
            columns[key] = min(columns[key], line.x0)
    starts = set()
    for index, line in enumerate(lines):
        left = min(columns[(line.page, int(line.x0 / 60 + shift / 2) * 2 + shift)] for shift in (0, 1))
        if line.x0 - left < 0.5 * line.size:
            starts.add(index)
    return starts if 0.15 * len(lines) <= len(starts) <= 0.75 * len(lines) else set()
