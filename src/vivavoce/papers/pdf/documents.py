"""The PDFs that this process has at hand: opened from the very bytes that were hashed.

The last few stay, since looking at a paper means asking for one place after another, and since places are
mostly asked for right after the file was read: then it is neither read nor hashed again.
"""

from collections import OrderedDict
from dataclasses import dataclass

from pypdfium2 import PdfDocument

from vivavoce.errors import PaperError
from vivavoce.papers.archives import unpacked
from vivavoce.papers.files import FileBytes, Stamp, read_bytes, stamp_of
from vivavoce.papers.pdf.contents import open_document

MOST_DOCUMENTS = 4
MOST_BYTES = 200_000_000
"""Of all files that are kept together; a larger one is kept alone."""


@dataclass(slots=True)
class _Kept:
    file: FileBytes
    document: PdfDocument | None = None
    """Opened when it is first asked for."""


_kept: OrderedDict[tuple[str, Stamp], _Kept] = OrderedDict()


def keep(path: str, file: FileBytes) -> None:
    """Remember a file that was just read."""
    before = _kept.pop((path, file.stamp), None)
    if before is not None and before.document is not None:
        before.document.close()
    _kept[path, file.stamp] = _Kept(file)
    while len(_kept) > 1 and (len(_kept) > MOST_DOCUMENTS or _bytes_kept() > MOST_BYTES):
        _, oldest = _kept.popitem(last=False)
        if oldest.document is not None:
            oldest.document.close()


def document_of(path: str, id: str) -> PdfDocument:
    """The PDF at this path, if it is still the paper with this id. It stays open: don't close it."""
    try:
        key = (path, stamp_of(path))
    except OSError as error:
        raise PaperError(f"can't be shown ({error.strerror}); it was moved since it was read.") from None
    if key not in _kept:
        file = read_bytes(path)
        key = (path, file.stamp)
        keep(path, file)
    _kept.move_to_end(key)
    kept = _kept[key]
    if kept.file.id != id:
        raise PaperError("has changed since it was read; read it again to see places on its pages.")
    if kept.document is None:
        kept.document = open_document(unpacked(kept.file.data, path)[0])
    return kept.document


def _bytes_kept() -> int:
    return sum(len(kept.file.data) for kept in _kept.values())
