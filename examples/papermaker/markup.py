"""Writes a sample paper as JATS XML, as a journal's web page, or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from papermaker.content import (
    FOOTNOTE_MARK,
    Block,
    Equation,
    Figure,
    Heading,
    Paragraph,
    Reference,
    SamplePaper,
    Table,
)
from papermaker.figures import PLOTS, svg

JATS_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN" \
"JATS-journalpublishing1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" \
dtd-version="1.2" xml:lang="en">
<front>
<journal-meta>
<journal-id journal-id-type="publisher-id">invented</journal-id>
<journal-title-group><journal-title>{journal}</journal-title></journal-title-group>
<publisher><publisher-name>Vivavoce sample collection</publisher-name></publisher>
</journal-meta>
<article-meta>
<article-id pub-id-type="doi">{doi}</article-id>
<title-group><article-title>{title}</article-title></title-group>
<contrib-group><contrib contrib-type="author"><collab>{authors}</collab></contrib></contrib-group>
<author-notes><fn fn-type="other"><p>{notice}</p></fn></author-notes>
<pub-date pub-type="epub" iso-8601-date="{date}">
<day>{day}</day><month>{month}</month><year>{year}</year>
</pub-date>
<volume>8</volume>
<elocation-id>e3</elocation-id>
"""

HTML_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{short} | {journal}</title>
<meta name="citation_title" content="{title}">
<meta name="citation_author" content="{authors}">
<meta name="citation_journal_title" content="{journal}">
<meta name="citation_doi" content="{doi}">
<meta name="citation_publication_date" content="{slashed}">
<style>body {{ font-family: serif; max-width: 42em; margin: auto }} nav a {{ margin-right: 1em }}</style>
<script>window.siteSettings = {{"message": "We trained this menu with no network at all."}};</script>
</head>
<body>
<header><p>{journal}: everything in it is made up.</p></header>
<nav><a href="#">Home</a> <a href="#">Current issue</a> <a href="#">Submit a paper</a></nav>
<aside><p>Readers also looked at: Ten invented reefs you should not visit.</p></aside>
<main>
<article>
<h1>{title}</h1>
<p class="authors">{authors}</p>
<p class="notice">{notice}</p>
"""

HTML_TAIL = """</article>
</main>
<footer><p>Cookie settings. All rights invented. Contact the editorial office.</p></footer>
<script>document.body.dataset.ready = "yes, the model was deployed on this page";</script>
</body>
</html>
"""

HTML_FURNITURE = [
    "We trained this menu with no network at all.",
    "everything in it is made up.",
    "Submit a paper",
    "Ten invented reefs you should not visit.",
    "Cookie settings.",
    "the model was deployed on this page",
    "max-width",
]


def jats(paper: SamplePaper) -> str:
    """The paper as JATS XML."""
    head = JATS_HEAD.format(**_escaped(paper))
    sections = list(_sections(paper.blocks, 1))
    abstract = "\n".join(_jats_block(block, paper.name) for block in sections[0][1])
    body, back = [], []
    for heading, blocks in sections[1:]:
        if heading == "References":
            items = [
                f'<ref id="r{n}"><mixed-citation>{_safe(b.text)}</mixed-citation></ref>'
                for n, b in enumerate(blocks, start=1)
                if isinstance(b, Reference)
            ]
            back.append("<ref-list>\n<title>References</title>\n" + "\n".join(items) + "\n</ref-list>")
        elif heading == "Data availability":
            back.insert(0, _jats_section(heading, blocks, paper.name, ' sec-type="data-availability"'))
        else:
            body.append(_jats_section(heading, blocks, paper.name))
    return (
        f"{head}<abstract>\n{abstract}\n</abstract>\n</article-meta>\n</front>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n<back>\n"
        + "\n".join(back)
        + "\n</back>\n</article>\n"
    )


def _jats_section(heading: str, blocks: list[Block], name: str, attributes: str = "") -> str:
    parts = [f"<sec{attributes}>", f"<title>{_safe(heading)}</title>"]
    for inner, inner_blocks in _sections(tuple(blocks), 2):
        if inner:
            parts.append(_jats_section(inner, inner_blocks, name))
        else:
            parts += [_jats_block(block, name) for block in inner_blocks]
    return "\n".join([*parts, "</sec>"])


def _jats_block(block: Block, name: str) -> str:
    match block:
        case Paragraph(sentences, footnotes):
            text = _inline(" ".join(sentences), "<italic>{}</italic>", lambda mark: f"@{mark}@")
            for note in footnotes:
                inside = f"<label>{note.mark}</label><p>{_safe(note.text)}</p>"
                text = text.replace(f"@{note.mark}@", f'<fn id="fn-{note.mark}">{inside}</fn>')
            text = re.sub(
                r"(https?://[^\s)]*[\w/])",
                r'<ext-link ext-link-type="uri" xlink:href="\1">\1</ext-link>',
                text,
            )
            return f"<p>{text}</p>"
        case Figure(figure, caption):
            label, _, rest = caption.partition(". ")
            return (
                f'<fig id="{figure}"><label>{label}</label><caption><p>{_safe(rest)}</p></caption>'
                f'<graphic xlink:href="{name}-{figure}.tif"/></fig>'
            )
        case Table(caption, rows):
            label, _, rest = caption.partition(". ")
            return (
                f"<table-wrap><label>{label}</label><caption><p>{_safe(rest)}</p></caption>\n"
                f"{_table(rows)}\n</table-wrap>"
            )
        case Equation(text, number):
            return f"<disp-formula><label>{number}</label>{_safe(text)}</disp-formula>"
    raise TypeError(f"JATS has no place here for {block!r}")


def html(paper: SamplePaper) -> str:
    """The paper as a journal's web page, with the menus and scripts such pages have."""
    parts = [HTML_HEAD.format(**_escaped(paper))]
    parts += [_html_block(block) for block in paper.blocks]
    text = "\n".join(parts)
    text = re.sub(r'((?:<li class="reference">.*</li>\n?)+)', r"<ol>\n\1\n</ol>\n", text)
    return text + HTML_TAIL


def _html_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level + 1}>{_safe(text)}</h{level + 1}>"
        case Paragraph(sentences, _):
            text = _inline(" ".join(sentences), "<em>{}</em>", "<sup>{}</sup>".format)
            return "<p>" + re.sub(r"(https?://[^\s)]*[\w/])", r'<a href="\1">\1</a>', text) + "</p>"
        case Figure(name, caption):
            return f"<figure>\n{svg(name)}\n<figcaption>{_safe(caption)}</figcaption>\n</figure>"
        case Table(caption, rows):
            return _table(rows).replace("<table>", f"<table>\n<caption>{_safe(caption)}</caption>")
        case Reference(text):
            return f'<li class="reference">{_safe(text)}</li>'
        case Equation(text, number):
            return f'<p class="equation">{_safe(text)} {number}</p>'


def markdown(paper: SamplePaper) -> str:
    """The paper as a Markdown preprint, its lines wrapped."""
    about = paper.about
    parts = [
        f"# {about['title']}",
        about["authors"],
        f"*{about['notice']}*",
        f"DOI: {about['doi']}, {about['date']}",
    ]
    for block in paper.blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * (level + 1)} {text}")
            case Paragraph(sentences, _):
                parts.append(_wrapped(" ".join(sentences)))
            case Table(caption, rows):
                lines = [f"| {' | '.join(row)} |" for row in rows]
                lines.insert(1, "|" + " --- |" * len(rows[0]))
                parts += [caption, "\n".join(lines)]
            case Figure(name, caption):
                parts.append(f"![{caption}]({name}.png)")
            case Equation(text, number):
                parts.append(f"    {text}  {number}")
            case Reference(text):
                parts.append(f"- {text}")
    return "\n\n".join(parts) + "\n"


def furniture(paper: SamplePaper, ending: str) -> list[str]:
    """What stands in the file and is no part of the text."""
    if ending == ".html":
        return HTML_FURNITURE
    if ending == ".xml":
        return [
            f"{paper.name}-{b.name}.tif"
            for b in paper.blocks
            if isinstance(b, Figure) and b.name not in PLOTS
        ]
    return ["---"]


def _escaped(paper: SamplePaper) -> dict[str, str]:
    values = {key: escape(value) for key, value in paper.about.items()}
    year, month, day = paper.about["date"].split("-")
    return values | {"year": year, "month": month, "day": day, "slashed": f"{year}/{month}/{day}"}


def _sections(blocks: tuple[Block, ...], level: int) -> Iterator[tuple[str, list[Block]]]:
    """Blocks by their headings of one level; the heading is empty for what stands before the first."""
    heading, inside = "", list[Block]()
    for block in blocks:
        if isinstance(block, Heading) and block.level == level:
            if heading or inside:
                yield heading, inside
            heading, inside = block.text, []
        else:
            inside.append(block)
    yield heading, inside


def _safe(text: str) -> str:
    return escape(text, quote=False)


def _inline(text: str, italic: str, mark: Callable[[str], str]) -> str:
    text = _safe(text)
    text = re.sub(r"\*([^*]+)\*", lambda found: italic.format(found[1]), text)
    return FOOTNOTE_MARK.sub(lambda found: mark(found[1]), text)


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    head, *body = rows
    lines = [
        "<table>",
        "<thead><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr></thead>",
    ]
    lines.append("<tbody>")
    lines += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
    return "\n".join([*lines, "</tbody>", "</table>"])


def _wrapped(text: str, width: int = 90) -> str:
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line])
