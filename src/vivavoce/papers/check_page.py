"""A web page that shows what was read of each file: its pages with a box around every sentence, coloured by
its kind, so that one sees at a glance whether it was read right. Formats without pages show their text.

The page is one file with no scripts and nothing to load; it is written as the papers come.
"""

import base64
from collections import defaultdict
from collections.abc import Iterator
from html import escape

from vivavoce.errors import PaperError
from vivavoce.papers.about import Description, describe
from vivavoce.papers.pages import boxes, picture
from vivavoce.records import Box, Paper

SCALE = 0.6
"""Pixels to a point in the pictures of pages."""
MOST_PAGES = 40
"""Pages of one paper that are shown; a book would make the file too large to open."""
MOST_SENTENCES = 400
"""Sentences that are listed of a format without pages."""

COLOURS = {
    "title": "#7b1fa2",
    "front": "#9e9e9e",
    "heading": "#d32f2f",
    "prose": "#1976d2",
    "caption": "#f57c00",
    "footnote": "#795548",
    "table": "#388e3c",
    "figure": "#c0ca33",
    "reference": "#00838f",
}
_STYLE = (
    "body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:1100px;padding:0 1em;color:#222}"
    ".pages{display:flex;flex-wrap:wrap;gap:12px}.page{position:relative;border:1px solid #ccc}"
    ".page img{display:block}.page i{position:absolute;border:1px solid;opacity:.75;box-sizing:border-box}"
    ".key span{border-left:1em solid;padding:0 .8em 0 .3em}.note{color:#a15c00}dt{font-weight:600}"
    "p.s{margin:.15em 0;padding-left:.5em;border-left:4px solid}details{margin:0 0 2em}"
)


def page_start() -> str:
    key = "".join(f'<span style="border-color:{colour}">{kind}</span>' for kind, colour in COLOURS.items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>What was read</title>'
        f'<style>{_STYLE}</style></head><body><h1>What was read</h1><p class="key">{key}</p>\n'
    )


def page_end() -> str:
    return "</body></html>\n"


def failed_section(file: str, reason: str) -> str:
    """The section of a file that could not be read."""
    return f'<h2>{escape(file)}</h2><p class="note">{escape(reason)}</p>\n'


def section(paper: Paper) -> str:
    """The section of one paper."""
    about = describe(paper)
    said = "".join(f'<p class="note">{escape(warning)}</p>' for warning in paper.warnings)
    if paper.unreadable:
        said = f'<p class="note"><b>Unreadable:</b> {escape(paper.unreadable)}</p>{said}'
    shown = "".join(_pages(paper)) if paper.page_source is not None else _sentences(paper)
    return (
        f"<h2>{escape(paper.file)}</h2><p><b>{escape(paper.title or 'no title')}</b></p>"
        f"<p>{escape(_facts(about))}</p>{said}<details open><summary>{len(paper.sentences):,} "
        f"sentences</summary>"
        f'<div class="pages">{shown}</div></details>\n'
    )


def _facts(about: Description) -> str:
    found = [about.kind, about.language, f"{about.words:,} words", f"{len(about.sections)} sections"]
    found.append(f"{about.references} references")
    if about.statements:
        found.append("statements: " + ", ".join(about.statements))
    if about.hidden_reasons:
        found.append(f"{about.hidden_share:.1%} hidden ({', '.join(about.hidden_reasons)})")
    return " · ".join(filter(None, found))


def _pages(paper: Paper) -> Iterator[str]:
    marks: dict[int, list[tuple[str, Box]]] = defaultdict(list)
    try:
        found = boxes(paper, [(s.start, s.end) for s in paper.sentences])
    except PaperError as error:
        yield f'<p class="note">{escape(str(error))}</p>'
        return
    for sentence, places in zip(paper.sentences, found, strict=True):
        for place in places:
            marks[place.page].append((sentence.kind, place))
    for page in paper.pages[:MOST_PAGES]:
        try:
            data = base64.b64encode(picture(paper, page.number, scale=SCALE, format="jpeg")).decode()
        except PaperError as error:
            yield f'<p class="note">page {page.number}: {escape(str(error))}</p>'
            continue
        drawn = "".join(_mark(kind, box) for kind, box in marks[page.number])
        image = f'<img alt="page {page.number}" src="data:image/jpeg;base64,{data}">'
        yield f'<div class="page">{image}{drawn}</div>'
    if len(paper.pages) > MOST_PAGES:
        yield f'<p class="note">and {len(paper.pages) - MOST_PAGES} more pages</p>'


def _mark(kind: str, box: Box) -> str:
    left, top = box.x0 * SCALE, box.y0 * SCALE
    width, height = (box.x1 - box.x0) * SCALE, (box.y1 - box.y0) * SCALE
    return (
        f'<i title="{kind}" style="left:{left:.0f}px;top:{top:.0f}px;width:{width:.0f}px;'
        f"height:{height:.0f}px;"
        f'border-color:{COLOURS[kind]}"></i>'
    )


def _sentences(paper: Paper) -> str:
    lines = [
        f'<p class="s" style="border-color:{COLOURS[s.kind]}" title="{s.kind}">{escape(s.text)}</p>'
        for s in paper.sentences[:MOST_SENTENCES]
    ]
    more = len(paper.sentences) - len(lines)
    return f"<div>{''.join(lines)}{f'<p>and {more:,} more</p>' if more > 0 else ''}</div>"
