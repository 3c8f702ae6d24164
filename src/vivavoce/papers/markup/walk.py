"""One walk over a tree of markup, for JATS and for HTML: elements in, blocks in reading order out.

A format says what each element means by giving its `Role`; the walk does the rest. A *block* inside a
block (a list in a paragraph) cuts it in two. A *float* inside a block (a figure, a footnote) does not:
it is read apart and put behind, and the sentence it interrupts stays whole. The walk keeps its own
stack, so that no depth of nesting can exhaust Python's.

Links: a target is in the file and is what readers of methods look for ("our code"), so where the text of
a link does not show its target, the target follows in parentheses, if it is an http(s) address or a DOI.
Those are the only words in a block that the page may not show.
"""

import html
import html.entities
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from lxml import etree

from vivavoce.errors import PaperError
from vivavoce.papers.blocks import Block, block
from vivavoce.papers.cleaning import clean
from vivavoce.papers.tables import Cell, grid, header_rows, rows
from vivavoce.records import Kind

Element = Any  # lxml's elements: its stubs and its tree disagree on what a child may be

_TARGET = re.compile(r"(?:https?://|doi:|10\.\d{4,9}/)\S+", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://)?(?:(?:dx\.)?doi\.org/|www\.)?|^doi:", re.IGNORECASE)
_CITATION = re.compile(r"[\s\d\[\](),;*†‡–-]*")
_ROWS = ("tr", "row", "table-row")
_CELLS = ("td", "th", "entry", "cell", "table-cell")
_HEADS = ("thead", "table-header-rows")
_COLUMN = re.compile(r"\d{1,3}$")
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
_PREDEFINED = (b"amp", b"lt", b"gt", b"quot", b"apos")
_RELATIONS = frozenset("=<>≤≥≈≠∈→←±×∼~≡∝≪≫")


class Role(NamedTuple):
    """What an element means for reading."""

    action: Literal["inline", "space", "block", "float", "table", "link", "text", "skip"]
    """`space`: inline, but apart from its neighbours; `text`: read `text` in its place; `skip`: not read."""
    kind: Kind | None = None
    """Of a block or float; None takes the kind of what it stands in."""
    text: str = ""
    """Read before the element's own text; for a link, its target."""


class _Frame:
    """A block that is open: its kind, its text so far, and the floats to put behind it."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.parts: list[str] = []
        self.late: list[Block] = []


class Flow:
    """Collects text into blocks."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open: list[_Frame] = []
        self._outside: list[tuple[list[Block], list[_Frame]]] = []

    @property
    def kind(self) -> Kind:
        """The kind of the block that is open."""
        return self._open[-1].kind if self._open else "prose"

    def text(self, text: str | None) -> None:
        if text and self._open:
            self._open[-1].parts.append(text)

    def open(self, kind: Kind) -> None:
        self.flush()
        self._open.append(_Frame(kind))

    def close(self) -> None:
        self.flush()
        self._open.pop()

    def flush(self) -> None:
        """End the open block's text here; what follows is a block of the same kind."""
        if self._open:
            frame = self._open[-1]
            text = clean("".join(frame.parts))
            if text:
                self.blocks.append(block(frame.kind, text))
            self.blocks += frame.late
            frame.parts, frame.late = [], []

    def step_aside(self, kind: Kind) -> None:
        """Begin a float."""
        self._outside.append((self.blocks, self._open))
        self.blocks, self._open = [], []
        self.open(kind)

    def step_back(self) -> None:
        self.close()
        found = self.blocks
        self.blocks, self._open = self._outside.pop()
        if self._open:
            self._open[-1].late += found
        else:
            self.blocks += found

    def mark(self) -> int:
        """Where the open block's text has got to."""
        return len(self._open[-1].parts) if self._open else 0

    def link(self, mark: int, target: str) -> None:
        """End a link that began at `mark`."""
        if self._open:
            self.text(shown_target("".join(self._open[-1].parts[mark:]), target))


RoleOf = Callable[[Element, Flow], Role]


def walk(root: Element, role_of: RoleOf, flow: Flow) -> None:
    """Read the element into the flow (its tail not)."""
    waiting: list[tuple[Element, Role | None, int]] = [(root, None, 0)]
    while waiting:
        element, role, mark = waiting.pop()
        if role is None:
            role = role_of(element, flow) if isinstance(element.tag, str) else _entity(element)
            mark = _enter(element, role, role_of, flow)
            waiting.append((element, role, mark))
            if role.action not in ("skip", "text", "table"):
                flow.text(element.text)
                waiting.extend((child, None, 0) for child in reversed(element))
            continue
        _leave(role, mark, flow)
        if element is not root:
            flow.text(element.tail)


def _enter(element: Element, role: Role, role_of: RoleOf, flow: Flow) -> int:
    if role.action == "block":
        flow.open(role.kind or flow.kind)
    elif role.action == "float":
        flow.step_aside(role.kind or flow.kind)
    elif role.action == "space":
        flow.text(" ")
    elif role.action == "table":
        flow.flush()
        flow.blocks += _table(element, role_of)
    if role.action not in ("link", "skip"):
        flow.text(role.text)
    return flow.mark()


def _leave(role: Role, mark: int, flow: Flow) -> None:
    if role.action == "block":
        flow.close()
    elif role.action == "float":
        flow.step_back()
    elif role.action == "space":
        flow.text(" ")
    elif role.action == "link":
        flow.link(mark, role.text)


def _entity(element: Element) -> Role:
    """An entity that nothing defines, or that the file defines for itself: only the known ones are read."""
    known = html.unescape(element.text or "")
    return Role("text", text=known if known != element.text else "")


def _table(table: Element, role_of: RoleOf) -> list[Block]:
    """A table's caption, rows and footnotes."""
    before, after = Flow(), []
    lines: list[list[Cell]] = []
    heads = 0
    for element in table.iter():
        name = local(element)
        if name == "caption":
            walk(element, role_of, before)
        elif name in _ROWS:
            line = []
            for part in element:
                if local(part) in _CELLS:
                    inside = Flow()
                    walk(part, role_of, inside)
                    after += [item for item in inside.blocks if item.kind == "footnote"]
                    text = " ".join(item.text for item in inside.blocks if item.kind != "footnote")
                    head = local(part) == "th" or local(element.getparent()) in _HEADS
                    line.append(Cell(text, _columns(part), _rows(part), head))
            if line and all(cell.header for cell in line) and heads == len(lines):
                heads += 1
            lines.append(line)
    cells = grid(lines)
    heads = (heads if heads < len(lines) else 0) or header_rows(cells)
    read = rows(cells[:heads], cells[heads:])
    return before.blocks + [block("table", text, reading=reading) for text, reading in read] + after


def _columns(cell: Element) -> int:
    """How many columns a cell spans: as HTML and JATS say it, as TEI does, or by the columns' names
    (CALS)."""
    first, last = (_COLUMN.search(cell.get(end, "")) for end in ("namest", "nameend"))
    if first and last:
        return max(1, min(100, int(last[0]) - int(first[0]) + 1))
    spanned = next((key for key in cell.keys() if key.endswith("number-columns-spanned")), "cols")  # noqa: SIM118
    return _span(cell, "colspan") if cell.get("colspan") else _span(cell, spanned)


def _rows(cell: Element) -> int:
    more = cell.get("morerows", "")
    return int(more) + 1 if more.isdecimal() and len(more) < 4 else _span(cell, "rowspan")


def _span(cell: Element, name: str) -> int:
    value = cell.get(name, "1").strip()
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1


def names(text: str) -> frozenset[str]:
    """A set of names, written as one text."""
    return frozenset(text.split())


def local(element: Element) -> str:
    """An element's name without its namespace; empty for what is not an element."""
    tag = element.tag if element is not None else ""
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def shown_target(text: str, target: str) -> str:
    """What to read behind a link's text: its target in parentheses, or nothing if the text shows it."""
    target = target.strip()
    if not _TARGET.fullmatch(target) or _CITATION.fullmatch(text):
        return ""
    return "" if _bare(target) in _bare(text) else f" ({target})"


def _bare(address: str) -> str:
    """An address without what people leave out when they write it down."""
    return _SCHEME.sub("", "".join(unquote(clean(address)).split()).lower()).rstrip("/.")


def math(element: Element) -> str:
    """MathML as a line of text."""
    parts: list[str] = []
    for part in element.iter():
        name = local(part)
        text = "".join((part.text or "").split())
        if name in ("annotation", "annotation-xml") or not text:
            continue
        if name == "mtext":
            parts.append(part.text)
        else:
            parts.append(f" {text} " if name == "mo" and text in _RELATIONS else text)
    return "".join(parts)


def parse_xml(data: bytes) -> Element:
    """The root of an XML file, read with no network, no external files and no entity of its own."""
    whole = _NAMED.sub(_numbered, data)
    parser = _parser()
    try:
        return etree.fromstring(whole, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        faults = {entry.domain for entry in parser.error_log}
        if faults == {etree.ErrorDomains.NAMESPACE}:  # a name that is no URI, or none: nobody needs it
            return etree.fromstring(whole, _parser(recover=True))
        reason = str(error).split("\n")[0].removesuffix(" (<string>, line 1)")
        raise PaperError(f"is broken or unsafe XML ({reason}); download or export it again.") from None


def _parser(recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def _numbered(match: re.Match[bytes]) -> bytes:
    """An entity that HTML defines, by number: journals use these, and their DTD is not loaded."""
    known = html.entities.html5.get(match[1].decode() + ";", "")
    if not known or match[1] in _PREDEFINED:
        return match[0]
    return "".join(f"&#{ord(character)};" for character in known).encode()
