"""DOCX, Word's format: a zip of XML parts -> `Draft`.

The main part is walked like other markup (`walk`): a paragraph's style says what it is, by the
style's built-in name, which is the same in every language. Deleted text of tracked changes is not
read, inserted text is. Footnotes stand behind the paragraph that calls them. Text that Word does not
show (hidden, white, of 2 points or less) is kept aside. Nothing is unpacked to disk.
"""

import io
import re
import zipfile
import zlib
from dataclasses import replace

from vivavoce.errors import PaperError
from vivavoce.papers.blocks import Block, block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.draft import NO_TEXT, Draft, find_doi, hidden_warning, mark_front, mark_references
from vivavoce.papers.markup.walk import Element, Flow, Role, local, names, parse_xml, walk
from vivavoce.papers.tables import Repeat, header_rows, rows
from vivavoce.records import Hidden, Kind

MOST_UNPACKED_BYTES = 200_000_000
"""Bytes of unpacked XML that are read; a paper has a few million."""

HEAD_BLOCKS = 10
"""Where the title stands, if it has no style of its own."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MAIN = re.compile(r"word/document\d*\.xml")
_SKIP = names(
    "pPr rPr sectPr tblPr tblGrid trPr tcPr sdtPr sdtEndPr del moveFrom delText delInstrText instrText "
    "Fallback oMathParaPr fPr ctrlPr naryPr dPr sSubPr sSupPr radPr rubyPr rt annotationRef object"
)
_SPACES = names("tab br cr ptab")
_SIGNS = {"noBreakHyphen": "-", "softHyphen": ""}
_HYPERLINK = re.compile(r"\s*HYPERLINK\s+\"([^\"]+)\"")


def read(data: bytes) -> Draft:
    """The paper in a DOCX file."""
    parts = _parts(data)
    main = next((name for name in parts if _MAIN.fullmatch(name)), "")
    if not main:
        raise PaperError("is a zip file but no Word document; save the paper as DOCX or PDF.")
    roles = _Roles(parts, main)
    flow = Flow()
    walk(parse_xml(parts[main]), roles, flow)
    blocks = mark_front(_titled(mark_references(flow.blocks), _property(parts)))
    title = " ".join(item.text for item in blocks if item.kind == "title") or _property(parts)
    return Draft(
        format="docx",
        blocks=tuple(blocks),
        title=title,
        doi=find_doi(" ".join(item.text for item in blocks if item.kind != "reference")[:5000]),
        unreadable="" if blocks else NO_TEXT,
        warnings=hidden_warning(roles.hidden),
        hidden=tuple(roles.hidden),
    )


def _parts(data: bytes) -> dict[str, bytes]:
    """The parts that are read, unpacked."""
    names = ("word/styles.xml", "word/footnotes.xml", "word/endnotes.xml", "docProps/core.xml")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = {
                info.filename: info
                for info in archive.infolist()
                if info.filename in names
                or re.fullmatch(r"word/(?:_rels/)?document\d*\.xml(?:\.rels)?", info.filename)
            }
            if sum(info.file_size for info in wanted.values()) > MOST_UNPACKED_BYTES:
                most = MOST_UNPACKED_BYTES // 1_000_000
                raise PaperError(f"unpacks to more than {most} MB; save it again from Word, or as PDF.")
            return {name: archive.read(info) for name, info in wanted.items()}
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError) as error:
        reason = str(error).split("\n")[0] or type(error).__name__
        raise PaperError(
            f"is a damaged DOCX file ({reason}); download it again, or save it as PDF."
        ) from None


def _titled(blocks: list[Block], stated: str) -> list[Block]:
    """The blocks with a title, where no style says which it is: the line that the file's properties name,
    else the first that looks like one."""
    if any(item.kind == "title" for item in blocks):
        return blocks
    head = [n for n, item in enumerate(blocks[:HEAD_BLOCKS]) if item.kind in ("prose", "heading")]
    same = [n for n in head if stated and _fold(blocks[n].text) == _fold(stated)]
    like = same or ([n for n in head[:3] if _like_title(blocks[n].text)] if not _said(stated) else [])
    if not like:
        return blocks
    return [replace(item, kind="title") if n == like[0] else item for n, item in enumerate(blocks)]


def _said(stated: str) -> bool:
    """Do the file's properties have a title worth the name?"""
    return len(stated.split()) > 3


def _like_title(text: str) -> bool:
    words = text.split()
    return (
        4 <= len(words) <= 40
        and text[:1].isupper()
        and not text.endswith((".", ";", ",", ":"))
        and "@" not in text
        and not re.search(
            r"https?://|\bdoi\b|[.;] [A-Z]|\d{4}[-/]\d\d|^(?:running|short) (?:head|title)|correspond",
            text,
            re.I,
        )
        and sum(word[0].isdigit() or word.endswith(",") for word in words) < 0.3 * len(words)
    )


def _fold(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _property(parts: dict[str, bytes]) -> str:
    """The title in the file's properties."""
    if "docProps/core.xml" not in parts:
        return ""
    found = (e for e in parse_xml(parts["docProps/core.xml"]).iter() if local(e) == "title")
    return clean(next((e.text or "" for e in found), ""))


def _get(element: Element, path: str) -> str | None:
    """The `val` of a property; "" if it has none; None if there is no such property."""
    found = None if element is None else element.find("/".join(_W + step for step in path.split("/")))
    if found is None:
        return None
    return str(found.get(_W + "val") or found.get(_W + "fill") or "")


def _is_on(value: str | None) -> bool:
    return value is not None and value.lower() not in ("0", "false", "off", "none")


class _Styles:
    """The document's styles: what a style is called, and what it says or inherits."""

    def __init__(self, data: bytes | None) -> None:
        root = parse_xml(data) if data else ()
        self._styles: dict[str, Element] = {style.get(_W + "styleId", ""): style for style in root}

    def line(self, name: str | None) -> list[Element]:
        """The style and those it is based on."""
        found: list[Element] = []
        while name and name in self._styles and len(found) < 10:
            found.append(self._styles[name])
            name = _get(self._styles[name], "basedOn")
        return found

    def kind(self, paragraph: Element) -> Kind | None:
        """What a paragraph is by its style."""
        outline = _get(paragraph, "pPr/outlineLvl")
        for style in self.line(_get(paragraph, "pPr/pStyle")):
            name = (_get(style, "name") or "").lower()
            if name == "title":
                return "title"
            if name in ("subtitle", "author", "authors", "affiliation", "affiliations", "date"):
                return "front"
            if name in ("caption", "image caption", "table caption"):
                return "caption"
            if name == "bibliography":
                return "reference"
            if re.match(r"heading [1-9]$", name):
                return "heading"
            outline = outline or _get(style, "pPr/outlineLvl")
        return "heading" if outline and outline in "012345678" else None


class _Roles:
    """What an element means for reading, in one document."""

    def __init__(self, parts: dict[str, bytes], main: str) -> None:
        self.hidden: list[Hidden] = []
        self._styles = _Styles(parts.get("word/styles.xml"))
        self._targets = _targets(parts.get(f"word/_rels/{main.removeprefix('word/')}.rels"))
        self._notes = {
            f"{sort}Reference": _notes(parts.get(f"word/{sort}s.xml")) for sort in ("footnote", "endnote")
        }
        self._fields: list[tuple[int, str]] = []

    def __call__(self, element: Element, flow: Flow) -> Role:
        name = element.tag.rpartition("}")[2]
        if name in _SKIP:
            if name == "instrText" and self._fields:
                found = _HYPERLINK.match(element.text or "")
                self._fields[-1] = (0, found[1] if found else self._fields[-1][1])
            return Role("skip")
        if name == "p":
            return Role(
                "block", self._styles.kind(element) or (flow.kind if flow.kind != "heading" else "prose")
            )
        if name == "r":
            return self._run(element)
        if name == "hyperlink":
            return Role("link", text=self._targets.get(element.get(_R_ID, ""), ""))
        if name in _SPACES:
            return Role("space")
        if name in _SIGNS:
            return Role("text", text=_SIGNS[name])
        if name == "tbl":
            self._table(element, flow)
            return Role("skip")
        if name in self._notes:
            self._aside(self._notes[name].pop(element.get(_W + "id", ""), None), "footnote", flow)
            return Role("skip")
        if name in ("drawing", "pict"):
            for box in element.iter(_W + "txbxContent"):
                self._aside(box, "prose", flow)
            return Role("skip")
        if name == "fldChar":
            self._field(element, flow)
        return Role("inline")

    def _aside(self, element: Element | None, kind: Kind, flow: Flow) -> None:
        """Read a footnote or text box as a float."""
        if element is not None:
            flow.step_aside(kind)
            walk(element, self, flow)
            flow.step_back()

    def _field(self, element: Element, flow: Flow) -> None:
        """A field may be a link: its instruction holds the target, its result the text."""
        sort = element.get(_W + "fldCharType")
        if sort == "begin":
            self._fields.append((0, ""))
        elif self._fields and sort == "separate":
            self._fields[-1] = (flow.mark(), self._fields[-1][1])
        elif self._fields and sort == "end":
            flow.link(*self._fields.pop())

    def _run(self, run: Element) -> Role:
        reason = self._hides(run)
        if not reason:
            return Role("inline")
        text = clean("".join(part.text or "" for part in run.iter(_W + "t")))
        if text:
            self.hidden.append(Hidden(1, text, reason))
        return Role("skip")

    def _hides(self, run: Element) -> str:
        """Why nobody sees a run, or nothing."""
        paragraph = next(run.iterancestors(_W + "p"), None)
        holders = [
            run,
            *self._styles.line(_get(run, "rPr/rStyle")),
            *self._styles.line(_get(paragraph, "pPr/pStyle")),
        ]
        values = {
            name: next(
                (v for v in (_get(holder, f"rPr/{name}") for holder in holders) if v is not None), None
            )
            for name in ("vanish", "sz", "color")
        }
        if _is_on(values["vanish"]):
            return "hidden text"
        size = values["sz"] or ""
        if size.isdecimal() and int(size) <= 4:
            return "tiny text"
        white = (values["color"] or "").upper() == "FFFFFF" and not _is_shaded(run, paragraph)
        return "white text" if white else ""

    def _table(self, table: Element, flow: Flow) -> None:
        flow.flush()
        lines: list[list[str]] = []
        heads = 0
        after = []
        for row in table.iterfind(_W + "tr"):
            head = _is_on(_get(row, "trPr/tblHeader"))
            heads += head and heads == len(lines)
            line: list[str] = []
            for cell in (e for e in row.iter(_W + "tc") if next(e.iterancestors(_W + "tbl")) is table):
                inside = Flow()
                walk(cell, self, inside)
                text = " ".join(item.text for item in inside.blocks if item.kind != "footnote")
                after += [block("footnote", item.text) for item in inside.blocks if item.kind == "footnote"]
                if _get(cell, "tcPr/vMerge") in ("", "continue") and lines and len(lines[-1]) > len(line):
                    text = Repeat(lines[-1][len(line)])
                span = _get(cell, "tcPr/gridSpan") or "1"
                width = min(int(span), 100) if span.isdecimal() else 1
                line += [text, *([Repeat(text) if head else ""] * (width - 1))]
            lines.append(line)
        heads = (heads if heads < len(lines) else 0) or header_rows(lines)
        read = rows(lines[:heads], lines[heads:])
        flow.blocks += [block("table", text, reading=reading) for text, reading in read] + after


def _is_shaded(run: Element, paragraph: Element | None) -> bool:
    """Whether something other than white paper is behind a run; a table's style may always shade."""
    cell = next(run.iterancestors(_W + "tc"), None)
    table = next(run.iterancestors(_W + "tbl"), None)
    fills = [
        _get(run, "rPr/shd"),
        _get(run, "rPr/highlight"),
        _get(paragraph, "pPr/shd"),
        _get(cell, "tcPr/shd"),
    ]
    styled = _get(table, "tblPr/tblStyle")
    return any(fill and fill.lower() not in ("auto", "clear", "ffffff", "white") for fill in fills) or bool(
        styled
    )


def _targets(data: bytes | None) -> dict[str, str]:
    """Where the document's links lead, by their ids."""
    return {e.get("Id", ""): e.get("Target", "") for e in parse_xml(data)} if data else {}


def _notes(data: bytes | None) -> dict[str, Element]:
    """Footnotes or endnotes by their ids, but for the lines that separate them from the text."""
    notes = parse_xml(data) if data else ()
    return {note.get(_W + "id", ""): note for note in notes if note.get(_W + "type", "normal") == "normal"}
