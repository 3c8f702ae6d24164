"""RTF -> `Draft`: its text by striprtf, read as plain text is."""

from dataclasses import replace
from typing import Any, cast

from vivavoce.errors import PaperError
from vivavoce.papers import text
from vivavoce.papers.draft import Draft


def read(data: bytes) -> Draft:
    """The paper in an RTF file."""
    from striprtf.striprtf import rtf_to_text

    try:
        plain: str = cast(Any, rtf_to_text)(data.decode("cp1252", "replace"), errors="ignore")
    except (ValueError, IndexError, LookupError, RecursionError) as error:
        raise PaperError(f"is a damaged RTF file ({error}); save it again, or as DOCX.") from None
    # Paragraphs end with the line there; plain text has blank lines between them.
    paragraphs = "\n\n".join(line for line in plain.replace("\r\n", "\n").split("\n") if line.strip())
    return replace(text.read(paragraphs.encode("utf-8", "replace")), format="rtf")
