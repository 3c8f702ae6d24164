"""Papers without a file: an entry with its metadata alone.

A study may have answers about papers whose files it does not have: another tool's, or a published study's.
Such a paper has no text and no pages. Readers that read can't say anything about it; a table can.
"""

import hashlib

from vivavoce.records import Paper

ENTRY = "entry"
"""The format of a paper without a file."""
PREFIX = "entry:"
"""What its path in a study begins with."""
NO_FILE = "there is no file of this paper, only its metadata"


def entry(name: str, *, title: str = "", doi: str = "", year: int | None = None) -> Paper:
    """A paper that is known by its name alone."""
    id = hashlib.sha256(f"{PREFIX}{name}".encode("utf-8", "surrogatepass")).hexdigest()
    return Paper(
        id,
        name,
        ENTRY,
        "",
        (),
        (),
        title=title,
        doi=doi,
        year=year,
        unreadable=NO_FILE,
        parsed_by=f"{ENTRY} 1",
    )


def is_entry(paper: Paper) -> bool:
    return paper.format == ENTRY
