"""Papers in an archive: a gzipped file, or a zip with one paper in it.

A paper is known by the hash of the file that people have, which is the archive; what is read is what it
holds.
A zip of several papers is refused with a line that says how to unpack it: each of them is a paper of its own.
"""

import gzip
import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath

from vivavoce.errors import PaperError

MOST_UNPACKED_BYTES = 200_000_000
"""Bytes that are unpacked; a paper has a few million."""
MOST_LAYERS = 2
"""How deep archives in archives are opened: a gzipped zip."""

_PAPERS = (
    ".pdf",
    ".xml",
    ".nxml",
    ".tei",
    ".html",
    ".htm",
    ".xhtml",
    ".docx",
    ".odt",
    ".rtf",
    ".epub",
    ".md",
    ".txt",
)
_DOCUMENTS = re.compile(r"word/document\d*\.xml|META-INF/container\.xml|content\.xml|(?:xl|ppt|visio)/.*")
"""Names in zip files that are documents themselves."""


def unpacked(data: bytes, name: str) -> tuple[bytes, str]:
    """The paper's own bytes and name, if the file is an archive with one paper in it; else the file's."""
    for _ in range(MOST_LAYERS):
        if data.startswith(b"\x1f\x8b"):
            data, name = _gunzipped(data), re.sub(r"\.gz$", "", name, flags=re.IGNORECASE)
        elif data.startswith(b"PK\x03\x04"):
            inner = _only_paper(data)
            if inner is None:
                return data, name
            data, name = inner
        else:
            return data, name
    return data, name


def _gunzipped(data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            found = file.read(MOST_UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise PaperError(f"is a damaged gzip archive ({error}); download it again.") from None
    if len(found) > MOST_UNPACKED_BYTES:
        raise PaperError(
            f"unpacks to more than {MOST_UNPACKED_BYTES // 1_000_000} MB; unpack it and take the paper."
        )
    if not found:
        raise PaperError("is a gzip archive with nothing in it; download it again.")
    if found[257:262] == b"ustar":
        raise PaperError("is an archive of several files (tar.gz); unpack it first: tar xzf FILE.")
    return found


def _only_paper(data: bytes) -> tuple[bytes, str] | None:
    """The one paper in a zip; None when the zip is a document itself."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [info for info in archive.infolist() if not info.is_dir()]
            if any(_DOCUMENTS.fullmatch(info.filename) for info in entries):
                return None
            papers = [info for info in entries if _is_paper(info.filename)]
            if not papers:
                return None
            if len(papers) > 1:
                raise PaperError(
                    f"is a zip archive of {len(papers)} papers; unpack it first (unzip FILE -d FOLDER) and "
                    f"name the folder."
                )
            if papers[0].file_size > MOST_UNPACKED_BYTES:
                most = MOST_UNPACKED_BYTES // 1_000_000
                raise PaperError(f"unpacks to more than {most} MB; unpack it and take the paper.")
            return archive.read(papers[0]), papers[0].filename
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError, NotImplementedError):
        return None  # whoever recognises formats says what is wrong


def _is_paper(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not hidden and path.name.lower().endswith(_PAPERS)
