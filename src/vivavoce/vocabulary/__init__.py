"""The vocabulary: things that papers name in many spellings, under one name each (`*.yaml` beside this file).

A file has a `kind` (software, architecture, ...), the words of a question that ask for such things (`asked`),
and `terms`: each name with its other spellings. A spelling matches with or without hyphens and spaces between
its words, and with an s behind it; letters of five characters or fewer match as they are written, longer ones
in any case. A spelling between slashes is a regular expression; a name with such spellings is none itself.
People add files of their own: `extended`.
"""

from vivavoce.vocabulary.loading import (
    Mention,
    Vocabulary,
    accession_pattern,
    check,
    extended,
    read_terms,
    repository_hosts,
    repository_of,
    shipped,
    vocabulary,
)

__all__ = [
    "Mention",
    "Vocabulary",
    "accession_pattern",
    "check",
    "extended",
    "read_terms",
    "repository_hosts",
    "repository_of",
    "shipped",
    "vocabulary",
]
