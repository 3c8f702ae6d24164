"""The formats that papers come in: a registry of readers that turn bytes into a `Draft`.

Ours are recognised by content (`recognition`). Another package adds a format with an entry point of the group
`vivavoce.formats` that names a `Format`; it is asked first whether it recognises a file.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from vivavoce.papers.limits import Limits
from vivavoce.papers.recognition import format_name
from vivavoce.plugins import Registry

if TYPE_CHECKING:
    from vivavoce.papers.draft import Draft


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    version: str
    """Raise it when the same file is read differently: then `viva status` names the papers that were read
    before, and `viva run --reread` reads them again."""
    reader: "str | Callable[..., Draft]"
    """A function of the file's bytes; or where it is found, as "package.module:function"."""
    endings: tuple[str, ...] = ()
    """Files with these are looked for in folders."""
    recognises: Callable[[bytes, str], bool] | None = None
    """Is a file with these bytes and this name of this format? Needed for formats that are not ours."""
    paged: bool = False
    """Is its reader given the limits, too, and whether to use OCR?"""

    @property
    def parsed_by(self) -> str:
        """What a paper says of who read it."""
        return f"{self.name} {self.version}"

    def read(self, data: bytes, limits: Limits, by_ocr: bool = False) -> "Draft":
        """The file's blocks in reading order."""
        reader = self.reader
        if isinstance(reader, str):
            module, _, function = reader.partition(":")
            reader = getattr(import_module(module), function)
        draft: Draft = reader(data, limits, by_ocr) if self.paged else reader(data)
        return draft


OURS = (
    Format("pdf", "2", "vivavoce.papers.pdf.reading:read", (".pdf",), paged=True),
    Format("jats", "2", "vivavoce.papers.markup.jats:read", (".xml", ".nxml")),
    Format("tei", "1", "vivavoce.papers.markup.tei:read", (".tei",)),
    Format("elsevier", "1", "vivavoce.papers.markup.elsevier:read"),
    Format("wiley", "1", "vivavoce.papers.markup.wiley:read"),
    Format("bmc", "1", "vivavoce.papers.markup.bmc:read"),
    Format("springer", "1", "vivavoce.papers.markup.springer:read"),
    Format("nature", "1", "vivavoce.papers.markup.nature:read"),
    Format("rsc", "1", "vivavoce.papers.markup.rsc:read"),
    Format("html", "2", "vivavoce.papers.markup.html:read", (".html", ".htm", ".xhtml")),
    Format("docx", "2", "vivavoce.papers.markup.docx:read", (".docx",)),
    Format("odt", "1", "vivavoce.papers.markup.odt:read", (".odt",)),
    Format("epub", "1", "vivavoce.papers.markup.epub:read", (".epub",)),
    Format("rtf", "1", "vivavoce.papers.rtf:read", (".rtf",)),
    Format("markdown", "1", "vivavoce.papers.markup.markdown:read", (".md", ".markdown")),
    Format("text", "1", "vivavoce.papers.text:read", (".txt",)),
)
FORMATS: Registry[Format] = Registry("vivavoce.formats", {format.name: format for format in OURS})


def format_of(data: bytes, name: str) -> Format:
    """The format of a file with these bytes and this name; `PaperError` says what it is when it's none."""
    for format in _added():
        if format.recognises is not None and format.recognises(data, name):
            return format
    return FORMATS.get(format_name(data, name))


def is_current(format: str, parsed_by: str) -> bool:
    """Was a paper of this format read by the reader that we have now?"""
    return format in FORMATS and FORMATS.get(format).parsed_by == parsed_by


ARCHIVE_ENDINGS = (".xml.gz", ".nxml.gz", ".pdf.gz", ".zip")
"""Archives that are looked into for a paper."""


def own_endings() -> tuple[str, ...]:
    return (*(ending for format in OURS for ending in format.endings), *ARCHIVE_ENDINGS)


def all_endings() -> tuple[str, ...]:
    """With those of other packages' formats."""
    return (*own_endings(), *(ending for format in _added() for ending in format.endings))


def _added() -> list[Format]:
    return [FORMATS.get(name) for name in FORMATS.names()[len(OURS) :]]
