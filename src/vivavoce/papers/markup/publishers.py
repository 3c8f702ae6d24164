"""XML of publishers' own making -> `Draft`: one reader, and a vocabulary for each.

Before JATS every publisher had a DTD, and some still deliver theirs. They say the same things by other names:
a title, sections with headings, paragraphs, figures and tables with captions, a list of references. A
`Vocabulary` gives the names (in small letters, without namespaces); `walk` does the rest, as for JATS.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from vivavoce.papers.blocks import Block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.draft import NO_TEXT, Draft, find_doi, find_year
from vivavoce.papers.markup.walk import Element, Flow, Role, local, math, names, parse_xml, walk
from vivavoce.papers.notices import by_type
from vivavoce.records import Kind, PaperWarning

_INSIDE: frozenset[Kind] = frozenset({"caption", "footnote", "reference", "table", "front", "title"})


@dataclass(frozen=True)
class Vocabulary:
    """What the elements of a publisher's XML mean. Sets of names; "a/b" is b inside of a."""

    format: str
    article: frozenset[str]
    """The article's own element; the first is read."""
    title: frozenset[str]
    body: frozenset[str]
    """Holds the full text; a file without it has none."""
    headings: frozenset[str]
    paragraphs: frozenset[str]
    references: frozenset[str]
    """One entry of the list of references."""
    floats: frozenset[str]
    """Figures and tables: read behind the paragraph that they stand in, as captions."""
    doi: frozenset[str]
    year: frozenset[str]
    skip: frozenset[str] = frozenset()
    front: frozenset[str] = frozenset()
    footnotes: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset({"tgroup"})
    links: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset({"label", "no"})
    """Numbers that stand beside a heading, and belong to it."""
    apart: frozenset[str] = frozenset()
    """Inline, with spaces around."""
    composed: frozenset[str] = frozenset()
    """Made of parts with nothing between them."""
    named: dict[str, str] = field(default_factory=dict)
    """Sections without a heading of their own, and what a page shows above them."""
    kinds: tuple[str, ...] = ("article-type", "docsubtype", "type", "articletype")
    """Attributes that may say that the article is a correction."""


def read_with(data: bytes, vocabulary: Vocabulary) -> Draft:
    """The article in a publisher's XML file."""
    root = parse_xml(data)
    article = next((e for e in root.iter() if local(e) in vocabulary.article), root)
    flow = Flow()
    walk(article, _Roles(vocabulary), flow)
    blocks = tuple(_title_first(flow.blocks))
    title = next((item.text for item in blocks if item.kind == "title"), "")
    return Draft(
        format=vocabulary.format,
        blocks=blocks,
        title=title,
        doi=_doi(root, vocabulary),
        year=_year(root, vocabulary),
        unreadable="" if blocks else NO_TEXT,
        warnings=tuple(_warnings(article, vocabulary)),
    )


def _warnings(article: Element, vocabulary: Vocabulary) -> Iterator[PaperWarning]:
    for attribute in vocabulary.kinds:
        notice = by_type(article.get(attribute, ""))
        if notice is not None:
            yield notice
            break
    body = next((e for e in article.iter() if local(e) in vocabulary.body), None)
    text = "" if body is None else "".join(body.itertext())
    if len(text.split()) < 20:
        yield PaperWarning(
            "no_full_text", "the file has no full text: only what stands before and after it was read"
        )


def _doi(root: Element, vocabulary: Vocabulary) -> str:
    found: dict[str, str] = {}
    for element in root.iter():
        if _is(element, vocabulary.doi) and (doi := find_doi("".join(element.itertext()))):
            above = element.getparent()
            found.setdefault("" if above is None else above.get("level", ""), doi)
    # Wiley's files have a DOI for the journal and the issue, too.
    return found.get("unit") or next(iter(found.values()), "")


def _year(root: Element, vocabulary: Vocabulary) -> int | None:
    for element in root.iter():
        if _is(element, vocabulary.year):
            found = find_year(" ".join([*element.itertext(), *element.values()]))
            if found:
                return found
    return None


def _is(element: Element, wanted: frozenset[str]) -> bool:
    """Is the element one of these, by its name or by its name and its parent's?"""
    name = local(element)
    return name in wanted or f"{local(element.getparent())}/{name}" in wanted


class _Roles:
    """What an element means where it stands."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._known = vocabulary
        self._titled = False

    def __call__(self, element: Element, flow: Flow) -> Role:
        name, known = local(element), self._known
        if _is(element, known.skip):
            return Role("skip")
        if _is(element, known.title) and flow.kind not in _INSIDE:
            if self._titled:
                return Role("skip")  # a short form, for running heads
            self._titled = True
            return Role("block", "title")
        if name in known.tables:
            return Role("table")
        if name in ("entry", "cell", "td", "th"):
            return Role("block", "table")
        if _is(element, known.references) and flow.kind != "reference" and not _holds_entries(element, known):
            return Role("block", "reference")
        if _is(element, known.floats) and flow.kind not in _INSIDE:
            return Role("float", "caption")
        if _is(element, known.footnotes):
            return Role("float", "footnote") if flow.kind != "footnote" else Role("space")
        if _is(element, known.front):
            return Role("block", "front") if flow.kind not in _INSIDE else Role("space")
        if _is(element, known.headings) or name in known.labels:
            return self._heading(element, flow)
        if name in known.named and not any(_is(child, known.headings) for child in element):
            flow.open("heading")
            flow.text(known.named[name])
            flow.close()
        if _is(element, known.paragraphs):
            return Role("space") if flow.kind in _INSIDE or flow.kind == "heading" else Role("block", "prose")
        if name in known.blocks and flow.kind not in _INSIDE:
            return Role("block")
        return self._inline(element, name)

    def _heading(self, element: Element, flow: Flow) -> Role:
        known, parent = self._known, element.getparent()
        if flow.kind in _INSIDE or local(parent) in known.blocks:
            return Role("space")
        beside = [e for e in parent if _is(e, known.headings)]
        if local(element) in known.labels and not _is(element, known.headings):
            return Role("skip") if beside else Role("space")
        number = next((e for e in parent if local(e) in known.labels), None)
        return Role("block", "heading", "" if number is None else clean("".join(number.itertext())) + " ")

    def _inline(self, element: Element, name: str) -> Role:
        if name == "math":
            return Role("text", text=math(element))
        if name in self._known.links:
            target = element.get("href") or next(
                (value for key, value in element.items() if key.endswith(("href", "target"))), ""
            )
            return Role("link", text=target)
        parent = element.getparent()
        apart = name in self._known.apart or (local(parent) in self._known.composed and not _written(parent))
        return Role("space" if apart else "inline")


def _holds_entries(element: Element, known: Vocabulary) -> bool:
    """Is this the whole list, where the same name is also that of an entry?"""
    return any(_is(child, known.references) for child in element)


def _title_first(blocks: list[Block]) -> list[Block]:
    """Elsevier's files have all figures and tables in front: these go behind the text."""
    at = next((n for n, item in enumerate(blocks) if item.kind == "title"), 0)
    early = blocks[:at]
    if any(item.kind not in ("caption", "table", "footnote") for item in early):
        return blocks
    end = next((n for n in range(at, len(blocks)) if blocks[n].kind == "reference"), len(blocks))
    if end < len(blocks) and blocks[end - 1].kind == "heading":
        end -= 1
    return [*blocks[at:end], *early, *blocks[end:]]


def _written(parent: Element) -> bool:
    """Does an element have punctuation of its own between its parts?"""
    return any(re.search(r"\S", text or "") for text in (parent.text, *(part.tail for part in parent)))


__all__ = ["Vocabulary", "names", "read_with"]
