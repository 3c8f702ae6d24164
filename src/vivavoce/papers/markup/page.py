"""What a web page is besides its article: menus and such, its list of references, and whether the paper is
there.

Journals' pages differ in everything but a few habits: menus are runs of links within the site, their boxes
are
called "nav" or "sidebar", entries of the reference list stand in boxes that are called "ref" or "citation". A
landing page has the abstract alone, a page of search results a list of titles, and a page that a script fills
has nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from vivavoce.papers.blocks import Block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.draft import REFERENCES
from vivavoce.papers.markup.walk import Element, local
from vivavoce.records import PaperWarning

Words = Callable[[Element], str]
"""The text of an element, without scripts and such."""

_CHROME = frozenset(
    [
        "nav",
        "navbar",
        "navigation",
        "menu",
        "submenu",
        "breadcrumb",
        "breadcrumbs",
        "sidebar",
        "toolbar",
        "toolbox",
        "share",
        "sharing",
        "social",
        "related",
        "recommended",
        "recommendations",
        "cookie",
        "cookies",
        "banner",
        "advert",
        "advertisement",
        "ads",
        "login",
        "signin",
        "skip",
        "jumplink",
        "jumplinks",
        "widget",
        "metrics",
        "altmetric",
        "newsletter",
        "pagination",
        "promo",
        "masthead",
        "sitemap",
        "topbar",
        "megamenu",
        "toc",
        "tableofcontents",
        "modal",
        "tooltip",
        "popup",
        "dropdown",
        "footer",
    ]
)
"""Names of the page's own boxes, as parts of classes and ids."""
_PARTS = re.compile(r"[a-z]+|[A-Z][a-z]*")
_ENTRY = frozenset(
    [
        "ref",
        "reference",
        "refcontainer",
        "citation",
        "cit",
        "bibitem",
        "ltx_bibitem",
        "biblio-entry",
        "ref-content",
        "citationref",
        "csl-entry",
        "bibliography-entry",
        "c-article-references__item",
        "references__item",
        "html-x",
        "refitem",
    ]
)
_LIST = re.compile(
    r"^(?:ref-?list\w*|references?(?:-list|_list|s)?|bibliography|biblio(?:graphy)?-?list|cit-?list|literature|"
    r"ltx_biblist|c-article-references|reflist\w*|doc-bibliography|footnotes-references)$",
    re.IGNORECASE,
)
MENU_LINKS = 4
"""Links within the site, from which a box of hardly anything else is a menu."""
MENU_SHARE = 0.7
"""Share of a box's words that are in links."""
LONG_PARAGRAPH = 60
"""Words in a paragraph that no menu has."""
LANDING_WORDS = 900
"""Fewer words of prose than this, under no heading but the abstract's, are no full text."""
SCRIPT_WORDS = 120
_SECTION = re.compile(
    r"^\W*(?:[\dIVX]+\W+)?(?:introduction|background|materials?\b|methods?\b|methodology|results?\b|discussion|"
    r"conclusions?|experiment|references|bibliography|introdu[cç]|m[eé]tod|resultad|discuss|einleitung|"
    r"acknowledge?ments?|related work)",
    re.IGNORECASE,
)
_RESULTS = re.compile(
    r"\bsearch results?\b|\bresults? (?:for|found|per page)\b|\b\d[\d,.]* results?\b|\bshowing "
    r"\d+|\bsort(?:ed)? by\b|"
    r"\brefine (?:your )?search|\bno results\b|\bitems? per page\b",
    re.IGNORECASE,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|requires?|turn on|need|activate)\W+(?:\w+\W+){0,3}java ?script|javascript (?:is "
    r")?(?:disabled|required)|"
    r"\bloading\b|please wait|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human",
    re.IGNORECASE,
)


def menus(root: Element, words: Words) -> list[Element]:
    """The page's menus and other boxes that are not the article's; none inside of another."""
    site = _site(root)
    found: list[Element] = []
    taken: set[Element] = set()
    for element in root.iter("ul", "ol", "div", "section", "table", "p", "dl", "span"):
        if any(above in taken for above in element.iterancestors()):
            continue
        if _is_menu(element, site, words):
            found.append(element)
            taken.add(element)
    return found


def _site(root: Element) -> str:
    """The host that most of the page's links lead to."""
    hosts = Counter(host for link in root.iter("a") if (host := urlsplit_host(link.get("href", ""))))
    for element in root.iter("link", "meta"):
        if element.get("rel") == "canonical" or element.get("property") == "og:url":
            hosts[urlsplit_host(element.get("href") or element.get("content") or "")] += 1000
    return hosts.most_common(1)[0][0] if hosts else ""


def urlsplit_host(address: str) -> str:
    """The host of an address; empty when it has none."""
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def _is_menu(element: Element, site: str, words: Words) -> bool:
    named = bool(_CHROME & _parts(element))
    links = list(element.iter("a"))
    if not named and len(links) < MENU_LINKS:
        return False
    if _of_references(element):
        return False
    if any(len(words(p).split()) > LONG_PARAGRAPH for p in element.iter("p")):
        return False
    text = words(element)
    if len(text.split()) > 400:
        return False
    if named:
        return True
    local_links = [link for link in links if _stays(link, site)]
    if len(local_links) < max(MENU_LINKS, 0.6 * len(links)):
        return False
    linked = sum(len(words(link)) for link in links)
    citations = sum(len(words(link)) < 5 for link in links)
    return linked >= MENU_SHARE * max(1, len(text)) and citations < 0.5 * len(links)


def _stays(link: Element, site: str) -> bool:
    target = link.get("href", "")
    return not urlsplit_host(target) or urlsplit_host(target) == site


def _parts(element: Element) -> frozenset[str]:
    named = f"{element.get('class', '')} {element.get('id', '')}"
    return frozenset(part.lower() for part in _PARTS.findall(named))


def _names(element: Element) -> list[str]:
    return f"{element.get('class', '')} {element.get('id', '')} {element.get('role', '')}".split()


def _of_references(element: Element) -> bool:
    """Does the element belong to a list of references, or hold one?"""
    around = (element, *element.iterancestors())
    if any(_LIST.match(name) for above in around for name in _names(above)):
        return True
    inside = (e for e in element.iter("ol", "ul", "div", "section", "li") if e is not element)
    return any(_LIST.match(name) or name in _ENTRY for e in inside for name in _names(e))


def entries(article: Element) -> frozenset[Element]:
    """The elements that are one entry of a list of references each."""
    found: set[Element] = set()
    for holder in article.iter("ol", "ul", "div", "section", "dl", "table"):
        if _of_notes(holder):
            continue
        if any(_LIST.match(name) for name in _names(holder)) or _under_heading(holder):
            items = _items(holder)
            if len(items) >= 2:
                found.update(items)
    siblings: dict[Element, list[Element]] = {}
    for element in article.iter("li", "div", "p", "tr", "dd"):
        if _ENTRY & set(_names(element)) and not _of_notes(element):
            siblings.setdefault(element.getparent(), []).append(element)
    for group in siblings.values():
        if len(group) >= 3:
            found.update(group)
    return frozenset(e for e in found if not any(above in found for above in e.iterancestors()))


def _of_notes(element: Element) -> bool:
    """Is this a list of footnotes? Some pages give these the classes of a reference list, too."""
    notes = ("footnote", "footnotes", "fn-group", "endnotes")
    if any(name in notes for above in (element, *element.iterancestors()) for name in _names(above)):
        return True
    heading = _heading_above(element)
    if not heading or REFERENCES.fullmatch(heading):
        return False
    named = any("footnote" in name.lower() for name in _names(element))
    return named or _OTHER_SECTION.search(heading) is not None


def _heading_above(element: Element) -> str:
    """The heading of the smallest part of the page that holds the element and has one."""
    inside = next((e for e in element.iter("h1", "h2", "h3", "h4", "h5", "h6")), None)
    if inside is not None:
        return clean("".join(inside.itertext()))
    for part in (element, *element.iterancestors()):
        for before in part.itersiblings(preceding=True):
            found = [before] if local(before) in _TITLES else list(before.iter(*_TITLES))
            if found:
                return clean("".join(found[-1].itertext()))
    return ""


def _items(holder: Element) -> list[Element]:
    """The entries in the element that holds the list; authors may be a list of their own in each."""
    within = set(holder.iter("li"))
    outer = [e for e in holder.iter("li") if next(e.iterancestors("li"), None) not in within]
    if len(outer) >= 2:
        return outer
    for name in ("tr", "dd", "p"):
        items = list(holder.iter(name))
        if len(items) >= 3:
            return items
    return []


def _under_heading(holder: Element) -> bool:
    """Does a list stand right behind a heading such as "References"?"""
    if local(holder) not in ("ol", "ul"):
        return False
    before = holder.getprevious()
    return before is not None and is_references_heading(before)


def is_references_heading(element: Element) -> bool:
    text = clean("".join(element.itertext())) if local(element) in _HEADING_LIKE else ""
    return bool(text) and len(text) < 40 and REFERENCES.fullmatch(text) is not None


_TITLES = ("h1", "h2", "h3", "h4", "h5", "h6")
_OTHER_SECTION = re.compile(
    r"\b(?:notes?|notas?|fund|financ|conflict|competing|acknowledg|agradec|contribut|availab|disponib|editor)",
    re.I,
)
_HEADING_LIKE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "b", "strong"})


def remarks(root: Element, blocks: Sequence[Block], scripts: int, shown: str) -> Iterator[PaperWarning]:
    """Warnings when the paper itself is not on the page. `shown` is all text of the page, `scripts` how many
    scripts it has."""
    prose = [item.text for item in blocks if item.kind == "prose"]
    count = sum(len(text.split()) for text in prose)
    headings = [item.text for item in blocks if item.kind == "heading"]
    if any(_SECTION.match(text) for text in headings) or any(item.kind == "reference" for item in blocks):
        return
    long = sum(len(text.split()) > LONG_PARAGRAPH for text in prose)
    if _RESULTS.search(shown[:20_000]) and _repeats(root) and long < 3:
        yield PaperWarning(
            "search_results", "this is a page of search results, not a paper; save the papers that it lists"
        )
    elif count < SCRIPT_WORDS and (scripts > 1 or _NEEDS_SCRIPT.search(shown)) and not long:
        yield PaperWarning(
            "script_page",
            "the page is filled by a script, and the paper is not in the file; save it from a browser, or as "
            "PDF",
        )
    elif count < LANDING_WORDS and (_cites(root) or _abstract(headings, prose)) and long < 6:
        yield PaperWarning(
            "landing_page",
            "this is a landing page: the abstract, without the full text; save the full text or the PDF",
        )


def _repeats(root: Element) -> bool:
    """Are there many boxes of one kind, each with a link of several words?"""
    kinds: Counter[tuple[str, str]] = Counter()
    for element in root.iter("li", "div", "tr", "article", "p", "h2", "h3", "h4", "dt"):
        if any(len("".join(link.itertext()).split()) >= 4 for link in element.iterfind(".//a")):
            kinds[local(element), element.get("class", "")] += 1
    return any(count >= 5 for count in kinds.values())


def _cites(root: Element) -> bool:
    """Does the page's head describe an article?"""
    wanted = ("citation_title", "citation_doi", "dc.title", "dc.identifier", "prism.doi", "citation_pdf_url")
    return any((element.get("name") or "").lower() in wanted for element in root.iter("meta"))


def _abstract(headings: Sequence[str], prose: Sequence[str]) -> bool:
    wanted = re.compile(
        r"\W*(?:abstract|summary|resumo|resumen|r[eé]sum[eé]|zusammenfassung)\b", re.IGNORECASE
    )
    return any(wanted.match(text) for text in (*headings, *(text[:40] for text in prose)))
