"""Markdown -> `Draft`: rendered as HTML (CommonMark and tables), and read by the HTML reader.

What Pandoc adds to Markdown and CommonMark would show as it is (attributes in braces, fenced divs, raw
TeX commands) is taken out, footnotes become `footnote` blocks. A YAML header gives title, DOI and
date; only its simple `key: value` lines are understood, which is what those three are.
"""

import re
from dataclasses import replace

from markdown_it import MarkdownIt

from vivavoce.papers.blocks import block
from vivavoce.papers.cleaning import clean, decode
from vivavoce.papers.draft import Draft, find_doi, find_year
from vivavoce.papers.markup.html import from_text

_HEADER = re.compile(r"\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|doi|date|year)[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE)
_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)", re.MULTILINE | re.DOTALL)
_LEFTOVERS = (
    (re.compile(r"^:{3,}.*$", re.MULTILINE), ""),  # fenced divs
    (re.compile(r"\[([^\[\]\n]+)\]\{[.#][^}\n]*\}"), r"\1"),  # spans
    (re.compile(r"(?<=\S)[ \t]*\{(?:[#.][\w:.-]+|[\w-]+=)[^{}\n]*\}"), ""),  # attributes
    (re.compile(r"^\\(?:newpage|pagebreak|clearpage|maketitle|tableofcontents)\b.*$", re.MULTILINE), ""),
    (re.compile(r"^\[\^([^\]\n]+)\]:[ \t]*", re.MULTILINE), "\n" + r"FOOTNOTE\\^\1\\^ "),
    (re.compile(r"\[\^[^\]\n]+\]"), ""),  # the marks of footnotes
)
_FOOTNOTE = re.compile(r"FOOTNOTE\\?\^.*?\\?\^ ")


def read(data: bytes) -> Draft:
    """The paper in a Markdown file."""
    text = decode(data).replace("\r\n", "\n")
    header = _HEADER.match(text)
    fields = _fields(header[1]) if header else {}
    body = _plain(text[header.end() :] if header else text)
    draft = from_text(MarkdownIt("commonmark").enable("table").render(body), "markdown")
    blocks = tuple(
        block("footnote", _FOOTNOTE.sub("", item.text)) if _FOOTNOTE.match(item.text) else item
        for item in draft.blocks
    )
    return replace(
        draft,
        blocks=blocks,
        title=fields.get("title") or draft.title,
        doi=find_doi(fields.get("doi", "")) or find_doi(" ".join(item.text for item in blocks[:10])),
        year=find_year(fields.get("date") or fields.get("year", "")) or draft.year,
    )


def _fields(header: str) -> dict[str, str]:
    return {name.lower(): clean(value.lstrip("|>+-")).strip("\"'") for name, value in _FIELD.findall(header)}


def _plain(text: str) -> str:
    """The text without what only Pandoc understands, outside of code."""
    parts: list[str] = []
    at = 0
    for fence in _FENCE.finditer(text):
        parts += [_without_leftovers(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, _without_leftovers(text[at:])])


def _without_leftovers(text: str) -> str:
    for pattern, instead in _LEFTOVERS:
        text = pattern.sub(instead, text)
    return text
