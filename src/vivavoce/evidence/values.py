"""Finds what a program can use in a piece of a paper: links and versions.

A value is recognised by its form alone; whether it answers a question is the reader's business, and what form
an answer has is up to `coding`. What the page broke (a link over two lines has a space in it) is put together
again.
"""

import re
from collections.abc import Iterable, Iterator

from vivavoce.evidence.links import links
from vivavoce.records import Value

_HOSTS = r"(?:github|gitlab|bitbucket|zenodo|figshare|kaggle|osf|dryad|huggingface|codeocean|sourceforge)"
LINK = re.compile(
    r"(?:https?\s?:\s?//\s?|www\.)[^\s<>\"“”{}|\\^`]+"
    rf"|\b{_HOSTS}\.(?:com|org|io|co)/[^\s<>\"“”]+"
    r"|\b(?:doi:\s?)?10\.\d{4,9}/[^\s<>\"“”]+",
    re.IGNORECASE,
)
_NAME = (
    r"(?:[A-Z][\w+#.\-]*|[a-z]+[A-Z\d][\w\-]*|python|keras|numpy|scipy|pandas|caffe|cuda|cudnn|torch|sklearn)"
)
VERSION = re.compile(
    rf"\b(?P<name>{_NAME}(?:\s[A-Z][\w+#\-]*)?)"
    r"(?:\s*[,(\[]?\s*(?:version|ver\.|v\.?|release)\s*|\s*[(\[]?v\.?|\s)"
    r"(?P<number>\d+(?:\.\d+){1,3}(?:[-.]?(?:rc|post|dev|alpha|beta|a|b)\d*)?)\b(?!\s?%)",
)
_WORD_BEFORE = re.compile(
    r"^(?:Table|Fig|Figure|Section|Sect|Eq|Equation|Chapter|Appendix|Ref|Page|Sec|Step|Supplementary)\b", re.I
)


def values(texts: Iterable[str]) -> tuple[Value, ...]:
    """The links and versions in these texts, in order, each once."""
    found: dict[tuple[str, str], Value] = {}
    for text in texts:
        for value in (*_links(text), *_versions(text)):
            found.setdefault((value.kind, value.text.rstrip("/").lower()), value)
    return tuple(found.values())


def _links(text: str) -> Iterator[Value]:
    return (Value("link", link.text) for link in links(text) if link.kind != "accession")


def _versions(text: str) -> Iterator[Value]:
    plain = LINK.sub(lambda m: " " * len(m[0]), text)
    for match in VERSION.finditer(plain):
        if not _WORD_BEFORE.match(match["name"]):
            yield Value("version", f"{match['name']} {match['number']}")
