"""EPUB, a zip of web pages in the order of a book's spine -> `Draft`."""

import io
import posixpath
import zipfile
import zlib
from urllib.parse import unquote

from vivavoce.errors import PaperError
from vivavoce.papers.archives import MOST_UNPACKED_BYTES
from vivavoce.papers.blocks import Block
from vivavoce.papers.cleaning import clean, decode
from vivavoce.papers.draft import NO_TEXT, Draft, find_doi, find_year, hidden_warning, mark_references
from vivavoce.papers.markup.html import from_text
from vivavoce.papers.markup.walk import Element, local, parse_xml
from vivavoce.records import Hidden


def read(data: bytes) -> Draft:
    """The paper in an EPUB file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            package, pages = _pages(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, OSError, RuntimeError) as error:
        reason = str(error).split("\n")[0] or type(error).__name__
        raise PaperError(
            f"is a damaged EPUB file ({reason}); download it again, or save it as PDF."
        ) from None
    blocks: list[Block] = []
    hidden: list[Hidden] = []
    for page in pages:
        draft = from_text(decode(page), "epub")
        blocks += draft.blocks
        hidden += draft.hidden
    stated = {local(e): clean("".join(e.itertext())) for e in reversed(list(package.iter())) if len(e) == 0}
    return Draft(
        format="epub",
        blocks=tuple(mark_references(blocks)),
        title=stated.get("title", "") or next((item.text for item in blocks if item.kind == "title"), ""),
        doi=find_doi(stated.get("identifier", "")) or find_doi(" ".join(item.text for item in blocks[:20])),
        year=find_year(stated.get("date", "")),
        unreadable="" if blocks else NO_TEXT,
        warnings=hidden_warning(hidden),
        hidden=tuple(hidden),
    )


def _pages(archive: zipfile.ZipFile) -> tuple[Element, list[bytes]]:
    """The book's description, and its pages in their order."""
    container = parse_xml(archive.read("META-INF/container.xml"))
    path = next((e.get("full-path", "") for e in container.iter() if local(e) == "rootfile"), "")
    package = parse_xml(archive.read(path))
    items = {e.get("id"): e for e in package.iter() if local(e) == "item"}
    spine = [items.get(e.get("idref")) for e in package.iter() if local(e) == "itemref"]
    names = [
        posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(item.get("href", ""))))
        for item in spine
        if item is not None
        and "html" in item.get("media-type", "")
        and "nav" not in item.get("properties", "")
    ]
    if sum(archive.getinfo(name).file_size for name in names) > MOST_UNPACKED_BYTES:
        raise PaperError(f"unpacks to more than {MOST_UNPACKED_BYTES // 1_000_000} MB; save it as PDF.")
    return package, [archive.read(name) for name in names]
