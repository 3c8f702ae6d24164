"""JATS and NLM XML, the format of PubMed Central and of most open-access publishers -> `Draft`.

Elements are known by their local names, so that namespaces, old DTDs and wrappers (`pmc-articleset`,
OAI-PMH) make no difference. What the page shows is read, in the file's order; what only describes the
file (ids, counts, alternative texts) is not. Figures, tables, boxes and footnotes that stand inside a
paragraph are put behind it, and links show their targets: see `walk`, which walks the tree.
Reviews and replies that travel in the same file (`sub-article`) are other people's words: not read.
"""

import re
from collections.abc import Iterator

from vivavoce.errors import PaperError
from vivavoce.papers.blocks import Block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.draft import NO_TEXT, Draft, find_year
from vivavoce.papers.markup.statements import statements
from vivavoce.papers.markup.walk import Element, Flow, Role, local, math, names, parse_xml, walk
from vivavoce.papers.notices import by_type
from vivavoce.records import Kind, PaperWarning

_SKIP = names(
    "journal-meta article-id article-categories pub-date pub-history history counts custom-meta-group "
    "custom-meta self-uri related-article volume issue fpage lpage elocation-id page-range "
    "alt-text long-desc object-id contrib-id issue-id volume-id isbn supplement product processing-meta "
    "alt-title trans-title-group copyright-year copyright-holder graphic inline-graphic sub-article "
    "response sec-meta col colgroup award-group conference funding-statement institution-id"
)
_FRONT = names(
    "contrib aff corresp kwd-group subtitle license copyright-statement collab-alternatives author-comment"
)
_BLOCKS = names(
    "list list-item def-list def-item disp-quote verse-group verse-line statement speech code preformat "
    "preformatted attrib"
)
_FLOATS = names("fig fig-group table-wrap table-wrap-group supplementary-material media chem-struct-wrap")
_APART = names("label break title caption kwd term def speaker")
_COMPOSED = names(
    "element-citation nlm-citation citation mixed-citation person-group name string-name contrib aff "
    "institution-wrap date related-object"
)
_INSIDE: frozenset[Kind] = frozenset({"caption", "footnote", "reference", "table", "front"})
_DATES = ("epub", "epub-ppub", "pub", "collection", "ppub", "pmc-release", "preprint")
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_HREF = "{http://www.w3.org/1999/xlink}href"


def read(data: bytes) -> Draft:
    """The article in a JATS file; the first when there are several."""
    root = parse_xml(data)
    articles = [element for element in root.iter() if local(element) == "article"]
    if not articles:
        raise PaperError(
            f"is XML with no JATS <article> in it (its root is <{local(root)}>); "
            "save the paper as JATS, PDF, HTML or DOCX."
        )
    article = articles[0]
    flow = Flow()
    walk(article, _role, flow)
    blocks = _with_statements(article, flow.blocks)
    title, doi, year = _about(article)
    return Draft(
        format="jats",
        blocks=tuple(blocks),
        title=title,
        doi=doi,
        year=year,
        unreadable="" if blocks else NO_TEXT,
        warnings=tuple(_warnings(root, article, len(articles))),
        journal=_journal(article),
    )


def _with_statements(article: Element, blocks: list[Block]) -> list[Block]:
    """The blocks with the statements of the article's metadata, before the list of references."""
    extra = statements(article, _text, "\n".join(item.text for item in blocks))
    at = next((n for n, item in enumerate(blocks) if item.kind == "reference"), len(blocks))
    if at and at < len(blocks) and blocks[at - 1].kind == "heading":
        at -= 1
    return [*blocks[:at], *extra, *blocks[at:]]


def _text(element: Element) -> str:
    """An element's text on one line, whatever it would be where it stands."""
    if local(element) in ("name", "string-name"):
        return clean(_name(element))
    flow = Flow()
    flow.open("front")
    for child in [None, *element]:
        if child is None:
            flow.text(element.text)
            continue
        walk(child, _role, flow)
        flow.text(child.tail)
    flow.close()
    return " ".join(item.text for item in flow.blocks)


def _warnings(root: Element, article: Element, articles: int) -> Iterator[PaperWarning]:
    notice = _notice(article)
    if notice is not None:
        yield notice
    if articles > 1:
        yield PaperWarning("other_articles", f"the file holds {articles} articles; only the first was read")
    names = [local(element) for element in article]
    if "body" not in names:
        yield PaperWarning(
            "no_full_text", "the file has no full text: only what stands before and after it was read"
        )
    extra = names.count("sub-article") + names.count("response")
    if extra:
        yield PaperWarning(
            "other_articles",
            f"the file also holds {extra} reviews, replies or translations; they were not read",
        )
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        yield PaperWarning(
            "own_entities", "the file defines entities of its own; for safety they were not read"
        )


def _notice(article: Element) -> PaperWarning | None:
    """What the article's type, or a link to another article, says: a correction, a retraction."""
    found = by_type(article.get("article-type", ""))
    meta = next((e for e in article.iter() if local(e) in ("article-meta", "front-stub")), None)
    for element in meta if meta is not None and found is None else ():
        sort = element.get("related-article-type", "") if local(element) == "related-article" else ""
        if sort in ("retracted-article", "partial-retraction"):
            return by_type("retraction")
        if sort == "corrected-article":
            return by_type("correction")
        if sort in ("retraction-forward", "retracted-by"):
            return PaperWarning("retraction", "this paper was retracted, its file says")
        if sort in ("concern-forward", "expression-of-concern"):
            return PaperWarning(
                "concern", "its file says that there is an expression of concern about this paper"
            )
    return found


def _journal(article: Element) -> str:
    """The journal's name, from its own metadata."""
    meta = next((e for e in article.iter() if local(e) == "journal-meta"), None)
    names = (e for e in meta.iter() if local(e) == "journal-title") if meta is not None else ()
    return next((clean("".join(e.itertext())) for e in names), "")


def _about(article: Element) -> tuple[str, str, int | None]:
    """Title, DOI and year, from the article's own metadata."""
    title = doi = ""
    years: dict[str, int | None] = {}
    meta = next((e for e in article.iter() if local(e) in ("article-meta", "front-stub")), article)
    for element in meta.iter():
        name = local(element)
        if name == "article-title" and not title:
            flow = Flow()
            walk(element, _role, flow)
            title = " ".join(item.text for item in flow.blocks if item.kind == "title")
        elif name == "article-id" and element.get("pub-id-type") == "doi" and not doi:
            doi = clean(element.text or "").lower()
            doi = re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", doi)
        elif name == "pub-date":
            sort = element.get("pub-type") or element.get("date-type") or ""
            years[sort] = next((find_year(e.text or "") for e in element if local(e) == "year"), None)
    known = [years[sort] for sort in (*_DATES, *years) if years.get(sort)]
    return title, doi, known[0] if known else None


def _role(element: Element, flow: Flow) -> Role:
    """What an element means where it stands."""
    name = local(element)
    parent = local(element.getparent())
    if name in _SKIP or (name == "xref" and parent == "contrib"):
        return Role("skip")
    if name == "related-object" and parent in ("article-meta", "front-stub"):
        return Role("skip")  # see `statements`
    if name in _FLOATS:
        return Role("float", "caption")
    if name == "boxed-text":
        return Role("float", "prose")
    if name == "fn":
        kind: Kind = "front" if parent == "author-notes" else "footnote"
        return Role("float" if parent != "fn-group" else "block", kind)
    if name in ("table-wrap-foot", "fn-group") and parent != "fn-group":
        return Role("block", "footnote")
    if name in ("td", "th"):
        return Role("block", "table")
    if name == "table":
        return Role("table")
    if name == "ref":
        return Role("block", "reference")
    if name == "article-title":
        return Role("block", "title") if parent == "title-group" else Role("inline")
    if name in _FRONT or (name == "email" and parent == "article-meta"):
        return Role("block", "front") if flow.kind != "front" else Role("space")
    if name in ("title", "label", "subtitle"):
        return _heading(element, name, parent, flow)
    if name == "p" or name == "license-p":
        return _paragraph(element, parent, flow)
    if name in _BLOCKS and flow.kind != "table":
        return Role("block")
    return _inline(element, name, parent)


def _heading(element: Element, name: str, parent: str, flow: Flow) -> Role:
    """A title or label: part of a caption, a note or an entry; else a heading, the label before the title."""
    if flow.kind in _INSIDE or parent in ("list-item", "disp-formula", "statement", "list", "def-list"):
        return Role("space")
    title = next((e for e in element.getparent() if local(e) == "title"), None)
    if name == "label" and title is not None:
        return Role("skip")
    label = next((e for e in element.getparent() if local(e) == "label"), None) if name == "title" else None
    text = "" if label is None else clean("".join(label.itertext())) + " "
    return Role("block", "heading", text)


def _paragraph(element: Element, parent: str, flow: Flow) -> Role:
    """A paragraph is a block, except where it is a part of one: a caption, a note, a list's entry."""
    first = not any(local(sibling) == "p" for sibling in element.itersiblings(preceding=True))
    if flow.kind in _INSIDE or (first and parent in ("list-item", "def")):
        return Role("space")
    if parent in ("license", "permissions"):
        return Role("block", "front")
    return Role("block", "prose")


def _inline(element: Element, name: str, parent: str) -> Role:
    if name in ("ext-link", "uri"):
        return Role("link", text=element.get(_HREF) or element.get("href") or "")
    if name == "math":
        return Role("text", text=math(element))
    if name == "tex-math":
        return Role("skip") if _has_math(element.getparent()) else Role("text", text=_tex(element))
    if name == "textual-form":
        return Role("skip") if _has_math(element.getparent()) else Role("inline")
    if name in ("name", "string-name") and parent in ("contrib", "collab"):
        return Role("text", text=_name(element))
    if name == "sup" and any(local(e) == "xref" and e.get("ref-type") == "bibr" for e in element):
        return Role("inline", text=" ")
    if name == "xref" and len(element) and local(element[0]) == "sup" and not (element.text or "").strip():
        return Role("inline", text=" ")
    if name in ("disp-formula", "disp-formula-group"):
        return Role("space")
    return Role("space" if name in _APART or _unpunctuated(element.getparent()) else "inline")


def _unpunctuated(parent: Element) -> bool:
    """Whether the element is made of parts with nothing between them, as in `element-citation`."""
    if local(parent) not in _COMPOSED:
        return False
    return not any((text or "").strip() for text in (parent.text, *(part.tail for part in parent)))


def _has_math(parent: Element) -> bool:
    return any(local(element) == "math" for element in parent)


def _tex(element: Element) -> str:
    """TeX without the document that some publishers wrap around every formula."""
    text = "".join(element.itertext())
    inner = _TEX.search(text)
    return " " + (inner[1] if inner else text).replace("$", "").strip() + " "


def _name(element: Element) -> str:
    """A person's name in the order in which it is printed."""
    parts = {local(part): clean("".join(part.itertext())) for part in element}
    if "surname" not in parts:
        return f" {clean(''.join(element.itertext()))} "
    order = ("prefix", "given-names", "surname", "suffix")
    return " " + " ".join(parts[part] for part in order if part in parts) + " "
