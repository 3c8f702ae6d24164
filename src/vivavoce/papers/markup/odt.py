"""ODT, the format of LibreOffice: a zip of XML -> `Draft`.

A paragraph's style says what it is, by its name or its parent's. Deleted text of tracked changes and
comments are not read; footnotes stand behind the paragraph that calls them.
"""

import io
import zipfile
import zlib

from vivavoce.errors import PaperError
from vivavoce.papers.archives import MOST_UNPACKED_BYTES
from vivavoce.papers.cleaning import clean
from vivavoce.papers.draft import NO_TEXT, Draft, find_doi, mark_front, mark_references
from vivavoce.papers.markup.walk import Element, Flow, Role, local, names, parse_xml, walk
from vivavoce.records import Kind

_SKIP = names(
    "tracked-changes annotation annotation-end note-citation sequence-decls forms table-of-content object "
    "automatic-styles font-face-decls scripts desc title-frame"
)
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("title", "title"),
    ("subtitle", "front"),
    ("author", "front"),
    ("caption", "caption"),
    ("figure", "caption"),
    ("illustration", "caption"),
    ("bibliography", "reference"),
)


def read(data: bytes) -> Draft:
    """The paper in an ODT file."""
    parts: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if info.filename in ("content.xml", "meta.xml"):
                    if info.file_size > MOST_UNPACKED_BYTES:
                        most = MOST_UNPACKED_BYTES // 1_000_000
                        raise PaperError(f"unpacks to more than {most} MB; save it as PDF.")
                    parts[info.filename] = archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError) as error:
        reason = str(error).split("\n")[0] or type(error).__name__
        raise PaperError(f"is a damaged ODT file ({reason}); download it again, or save it as PDF.") from None
    root = parse_xml(parts["content.xml"])
    body = next((e for e in root.iter() if local(e) == "text" and local(e.getparent()) == "body"), None)
    if body is None:
        raise PaperError("is an OpenDocument file, but no text (a sheet or slides); save it as PDF.")
    flow = Flow()
    walk(body, _Roles(root), flow)
    blocks = mark_front(mark_references(flow.blocks))
    return Draft(
        format="odt",
        blocks=tuple(blocks),
        title=next((item.text for item in blocks if item.kind == "title"), "")
        or _stated(parts.get("meta.xml")),
        doi=find_doi(" ".join(item.text for item in blocks if item.kind != "reference")[:5000]),
        unreadable="" if blocks else NO_TEXT,
    )


def _stated(meta: bytes | None) -> str:
    """The title in the file's properties."""
    found = (e.text or "" for e in parse_xml(meta).iter() if local(e) == "title") if meta else iter(())
    return clean(next(found, ""))


class _Roles:
    """What an element means for reading."""

    def __init__(self, root: Element) -> None:
        self._parents = {
            _attribute(e, "name"): _attribute(e, "parent-style-name")
            for e in root.iter()
            if local(e) == "style"
        }

    def __call__(self, element: Element, flow: Flow) -> Role:
        name = local(element)
        if name in _SKIP:
            return Role("skip")
        if name == "h":
            return Role("block", "heading") if flow.kind == "prose" else Role("space")
        if name == "p":
            kind = self._kind(element)
            return Role("block", kind or (flow.kind if flow.kind != "heading" else "prose"))
        if name == "note":
            return Role("float", "footnote")
        if name == "table":
            return Role("table")
        if name == "table-cell":
            return Role("block", "table")
        if name in ("s", "tab", "line-break"):
            return Role("space")
        if name == "a":
            return Role("link", text=_attribute(element, "href"))
        return Role("inline")

    def _kind(self, paragraph: Element) -> Kind | None:
        style = _attribute(paragraph, "style-name")
        for named in (style, self._parents.get(style, "")):
            folded = named.lower().replace("_20_", " ")
            for word, kind in _KINDS:
                if folded.startswith(word) or folded.endswith(f" {word}"):
                    return kind
        return None


def _attribute(element: Element, name: str) -> str:
    return next((str(value) for key, value in element.items() if key.rpartition("}")[2] == name), "")
