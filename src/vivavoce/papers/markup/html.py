"""HTML, a journal's page or an export -> `Draft`.

First the page is cut down to the article: what is no text (scripts, forms, menus) and what nobody sees is
taken out, and the smallest element that holds most of the rest is the article. Hidden text is kept
aside with its reason, since a page may carry instructions for machines that no reader sees. Then
`walk` walks the tree; links show their targets by its rule. Style sheets are not applied: only
what an element says of itself (attributes, inline style) can hide it.
"""

import re
from dataclasses import replace
from itertools import islice
from typing import cast

from lxml import etree

from vivavoce.errors import PaperError
from vivavoce.papers.blocks import Block
from vivavoce.papers.cleaning import clean, decode
from vivavoce.papers.draft import (
    NO_TEXT,
    Draft,
    date_year,
    find_doi,
    find_year,
    hidden_warning,
    mark_front,
    mark_references,
)
from vivavoce.papers.markup.page import entries, is_references_heading, menus, remarks
from vivavoce.papers.markup.walk import Element, Flow, Role, local, math, names, walk
from vivavoce.records import Hidden, Kind

FRONT_WORDS = 300
"""Words of a page in front of its abstract, in which its own DOI stands."""
EMPTY_PAGE_WORDS = 60
"""A page with fewer words, and scripts, has no paper in it."""
NAMES = re.compile(
    r"\W*(?:abstract|summary|resumo|resumen|r[eé]sum[eé]|zusammenfassung|introduction|article|research "
    r"article|"
    r"original article|review article|full text|contents|table of contents|menu|references|navigation)\W*",
    re.IGNORECASE,
)
"""Headings that are no titles."""

_NEVER = names(
    "script style head template noscript svg canvas iframe object embed button select textarea input "
    "audio video map datalist progress meter dialog"
)
_FURNITURE = names("nav aside form header footer menu")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCKS = names(
    "html body article main section div p ul ol li dl dt dd blockquote pre address center figure details "
    "summary fieldset hgroup header footer aside form nav tr td th tbody thead tfoot hr menu search"
)
_FRONT = names("authors author-list contributors contrib-group affiliations affiliation author ltx_authors")
_NOTES = names("footnote footnotes endnotes ltx_note_outer doc-footnote doc-endnote doc-endnotes")
_TWICE = frozenset(("MJX_Assistive_MathML", "katex-html", "mjx-assistive-mml"))
"""Classes of formulas that are on the page a second time."""
_SERVICES = re.compile(
    r"\W*(?:google scholar|crossref|pub ?med(?: central)?|cas|web of science|ads)\W*", re.I
)
_LABEL = re.compile(r"(?:table|tab\.|figure|fig\.?|scheme|box)\s+[a-z]?\d+[a-z]?\s*[.:|]", re.IGNORECASE)
"""How a caption begins."""
_TEXTS = etree.XPath(".//text()[not(parent::script or parent::style or parent::title)]")
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_OFF_SCREEN = re.compile(
    r"(?:left|right|top|bottom|text-indent|margin-left):-\d{3,}(?:\.\d+)?(?:px|em|rem|pt)"
)
_INVISIBLE = (
    (re.compile(r"(?:^|;)display:none"), "display:none"),
    (re.compile(r"(?:^|;)visibility:(?:hidden|collapse)"), "visibility:hidden"),
    (re.compile(r"(?:^|;)font-size:0*\.?0*(?:[a-z%]+)?(?:;|!|$)"), "font-size:0"),
    (re.compile(r"(?:^|;)opacity:0*\.?0*%?(?:;|!|$)"), "opacity:0"),
    (re.compile(r"clip:rect\((?:0|1)(?:px)?[, ](?:0|1)|clip-path:inset\((?:50|100)%"), "clipped away"),
)
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_WHITE = frozenset(("white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)", "#ffffffff"))


def read(data: bytes) -> Draft:
    """The article on an HTML page."""
    declared = _CHARSET.search(data[:4096])
    return from_text(decode(data, declared[1].decode("ascii") if declared else ""))


def from_text(text: str, format: str = "html") -> Draft:
    """The article in HTML that is decoded already."""
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False
    )
    try:
        root: Element = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        if not text.strip():
            return Draft(format, (), unreadable=NO_TEXT)
        reason = str(error).split("\n")[0]
        raise PaperError(f"is no HTML that can be read ({reason}); save the page again, or as PDF.") from None
    if root is None:
        return Draft(format, (), unreadable=NO_TEXT)
    meta = _meta(root)
    scripts = len(list(root.iter("script")))
    shown = _words(root)
    hidden = _prune(root)
    if format == "html":
        for box in menus(root, _words):
            if box.getparent() is not None:
                _remove(box)
    article = _article(root)
    titled = _titled(root, article, meta.get("citation_title", ""))
    flow = Flow()
    walk(article, _Roles(article, meta.get("page", ""), titled), flow)
    blocks = mark_front(mark_references(_before_title(flow.blocks)))
    heading = next((item.text for item in blocks if item.kind == "title"), "") or titled_text(titled)
    said = hidden_warning(hidden)
    if format == "html":
        said += tuple(remarks(root, blocks, scripts, shown))
    empty = not blocks or ("script_page" in (w.kind for w in said) and len(shown.split()) < EMPTY_PAGE_WORDS)
    return Draft(
        format=format,
        blocks=tuple(blocks),
        title=meta.get("citation_title") or heading or meta.get("og:title") or meta.get("title", ""),
        doi=find_doi(meta.get("doi", "")) or _linked_doi(root, article),
        year=find_year(meta.get("date", "")) or date_year(_front(blocks)),
        unreadable=NO_TEXT if empty else "",
        warnings=said,
        hidden=tuple(hidden),
        journal=meta.get("citation_journal_title", ""),
    )


def _titled(root: Element, article: Element, stated: str) -> Element | None:
    """The heading that is the title: the one that says what the page's head says, the one that is called so,
    or the first that isn't the name of a section."""
    headings = [e for e in root.iter("h1", "h2") if clean("".join(e.itertext()))]
    if stated:
        for heading in headings:
            if _fold("".join(heading.itertext())) == _fold(stated):
                return heading
    for heading in headings:
        called = any(
            "title" in token.lower() and "section" not in token.lower() for token in _tokens(heading)
        )
        if called and local(heading) == "h1" and not NAMES.fullmatch(clean("".join(heading.itertext()))):
            return heading
    inside = [e for e in article.iter("h1") if clean("".join(e.itertext()))]
    outside = [e for e in headings if e.tag == "h1" and e not in inside]
    return next((e for e in (*inside, *outside) if not NAMES.fullmatch(clean("".join(e.itertext())))), None)


def _before_title(blocks: list[Block]) -> list[Block]:
    """The blocks, with what stands above the title as front matter: it is the page's, or the journal's
    name."""
    at = next((n for n, item in enumerate(blocks) if item.kind == "title"), 0)
    early: list[Block] = [
        replace(item, kind="front")
        if item.kind in ("prose", "heading") and len(item.text.split()) < 30
        else item
        for item in blocks[:at]
    ]
    return early + blocks[at:]


def titled_text(heading: Element | None) -> str:
    """The title's text, of a heading outside of the article."""
    return "" if heading is None else clean("".join(heading.itertext()))


def _fold(text: str) -> str:
    return "".join(letter for letter in clean(text).lower() if letter.isalnum())


def _linked_doi(root: Element, article: Element) -> str:
    """The DOI that stands above the article's text, in the part that has the title and the authors."""
    seen = 0
    for element in root.iter():
        if local(element) == "a" and "doi.org/10." in (target := element.get("href", "")):
            return find_doi(target)
        seen += len((element.text or "").split()) + len((element.tail or "").split())
        if seen > FRONT_WORDS:
            break
    del article
    return ""


def _front(blocks: list[Block]) -> str:
    return "\n".join(item.text for item in blocks if item.kind == "front")


def _meta(root: Element) -> dict[str, str]:
    """What the page's head says of the article."""
    found: dict[str, str] = {}
    fields = {
        "citation_doi": "doi",
        "dc.identifier": "doi",
        "prism.doi": "doi",
        "bepress_citation_doi": "doi",
        "citation_publication_date": "date",
        "citation_online_date": "date",
        "citation_date": "date",
        "citation_year": "date",
        "dc.date": "date",
        "prism.publicationdate": "date",
        "article:published_time": "date",
        "dc.title": "citation_title",
        "og:url": "page",
    }
    for element in root.iter("meta", "title", "link"):
        if element.tag == "title" and local(element.getparent()) == "head":
            found.setdefault("title", clean("".join(element.itertext())))
        elif element.get("rel", "").lower() == "canonical":
            found.setdefault("page", element.get("href", ""))
        name = (element.get("name") or element.get("property") or "").lower()
        value = clean(element.get("content", ""))
        field = fields.get(name, name)
        if value and (field != "doi" or find_doi(value)):
            found.setdefault(field, value)
    return found


def _prune(root: Element) -> list[Hidden]:
    """Take out of the tree what is not text of the page; what is text and hidden is returned."""
    hidden: list[Hidden] = []
    body = root.find("body")
    whole = len(_words(root if body is None else body))
    waiting: list[tuple[Element, str]] = [(root, "white")]
    while waiting:
        parent, background = waiting.pop()
        for element in list(parent):
            reason, behind = _hides(element, background)
            if local(element) in _NEVER or not isinstance(element.tag, str) or _furniture(element, whole):
                _remove(element)
            elif reason:
                text = _words(element)
                if text:
                    hidden.append(Hidden(1, text, reason))
                _remove(element)
            else:
                waiting.append((element, behind))
    return hidden


def _words(element: Element) -> str:
    """All text in the element but scripts and such."""
    return clean("".join(cast(list[str], _TEXTS(element))))


def _remove(element: Element) -> None:
    """Take the element out, and leave the text behind it where it is."""
    parent, before = element.getparent(), element.getprevious()
    tail = element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def _furniture(element: Element, whole: int) -> bool:
    """Whether the element is the page's and not the article's; never what holds half of all text."""
    name = local(element)
    if name not in _FURNITURE and element.get("role") not in ("navigation", "banner", "search"):
        return False
    if _tokens(element) & _NOTES:
        return False
    if name == "header" and (_within(element, "article", "main") or _only_heading(element)):
        return False
    if name == "footer" and _within(element, "article", "blockquote"):
        return False
    return len(_words(element)) * 2 < whole or whole == 0


def _only_heading(header: Element) -> bool:
    """Whether the page's one h1 stands in this header."""
    inside = len(list(header.iter("h1")))
    return inside > 0 and inside == len(list(header.getroottree().iter("h1")))


def _within(element: Element, *names: str) -> bool:
    return any(True for _ in element.iterancestors(*names))


def _hides(element: Element, background: str) -> tuple[str, str]:
    """(why nobody sees the element, or nothing; the colour behind it)"""
    if not isinstance(element.tag, str):
        return "", background
    if element.get("hidden") is not None:
        return "hidden attribute", background
    style = "".join(element.get("style", "").lower().split())
    behind = _BACKGROUND.search(style)
    background = _colour(behind[1] if behind else element.get("bgcolor", background))
    found = _COLOUR.search(style)
    colour = _colour(found[1] if found else element.get("color", "") if element.tag == "font" else "")
    if not style and not colour:
        return "", background
    for pattern, reason in _INVISIBLE:
        if pattern.search(style):
            return reason, background
    if colour and (colour == background or colour == "transparent"):
        return f"{colour} on {background}", background
    if _OFF_SCREEN.search(style) and ("position:" in style or "text-indent" in style):
        return "off the screen", background
    return "", background


def _colour(value: str) -> str:
    """A colour by one name where it has several."""
    value = value.lower().strip()
    if value in _WHITE:
        return "white"
    return "transparent" if re.fullmatch(r"rgba\(.*,0(?:\.0+)?\)", value) else value


def _article(root: Element) -> Element:
    """The smallest of the elements that hold the text."""
    body = root.find("body")
    best = root if body is None else body
    enough = len(_words(best)) // 2
    for candidate in (*root.iter("main"), *root.iterfind(".//*[@role='main']"), *root.iter("article")):
        if len(_words(candidate)) > enough:
            best = candidate
    return best


def _tokens(element: Element) -> frozenset[str]:
    """The classes and roles that an element gives itself."""
    return frozenset(f"{element.get('class', '')} {element.get('role', '')}".split())


class _Roles:
    """What an element means for reading, on one page."""

    def __init__(self, article: Element, page: str, titled: Element | None) -> None:
        self._title = titled
        self._entries = entries(article)
        self._page = page.partition("#")[0].rstrip("/")

    def __call__(self, element: Element, flow: Flow) -> Role:
        name = local(element)
        tokens = _tokens(element)
        if element in self._entries:
            return Role("block", "reference")
        if flow.kind == "reference" and name in _BLOCKS:
            return Role("space")
        kind = self._kind(element, name, tokens, flow)
        if name in _NEVER or tokens & _TWICE:
            return Role("skip")
        if "ltx_note_outer" in tokens:
            return Role("float", "footnote")
        if name == "table":
            return Role("block") if _is_layout(element) else Role("table")
        if name in ("td", "th"):
            return Role(
                "block", "prose" if _is_layout(next(element.iterancestors("table"), element)) else "table"
            )
        if kind or name in _BLOCKS:
            return Role("block", kind)
        if name == "a":
            return Role("link", text=self._target(element))
        if name == "math":
            return Role("text", text=math(element))
        if name == "br":
            return Role("space")
        if name == "sup" and any(link.get("href", "").startswith("#") for link in element.iter("a")):
            return Role("inline", text=" ")
        return Role("inline")

    def _kind(self, element: Element, name: str, tokens: frozenset[str], flow: Flow) -> Kind | None:
        """The kind that the element opens, if it says so."""
        if element is self._title:
            return "title"
        if name in _HEADINGS or (name in ("p", "div") and is_references_heading(element)):
            return "heading" if flow.kind != "caption" else None
        if name in ("figcaption", "caption"):
            return "caption"
        if name in ("div", "section", "p", "ol", "ul", "li", "aside"):
            if tokens & _NOTES:
                return "footnote"
            if tokens & _FRONT:
                return "front"
            if any(token.lower().endswith("caption") for token in tokens):
                return "caption"
        return "caption" if name == "p" and flow.kind == "prose" and _is_caption(element) else None

    def _target(self, link: Element) -> str:
        """Where a link leads, unless that is this page, or a service that every reference links to."""
        target = cast(str, link.get("href", ""))
        text = "".join(link.itertext())
        here = self._page and target.partition("#")[0].rstrip("/") == self._page
        return "" if here or _SERVICES.fullmatch(text) else target


def _is_caption(paragraph: Element) -> bool:
    """Whether a paragraph begins with "Table 1." or the like and stands next to a table or picture, as
    captions do where the markup has none for them."""
    if not _LABEL.match("".join(islice(paragraph.itertext(), 5)).lstrip()):
        return False
    around = (paragraph.getprevious(), paragraph, paragraph.getnext())
    return any(
        element is not None and next(element.iter("table", "img"), None) is not None for element in around
    )


def _is_layout(table: Element) -> bool:
    """Whether a table only places things on the page, as old pages do."""
    return (
        any(True for _ in table.iter("h1", "h2", "h3", "h4", "h5", "h6"))
        or len(list(table.iter("table"))) > 1
    )
