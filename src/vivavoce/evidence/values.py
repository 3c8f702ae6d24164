"""Finds what a program can use in a piece of a paper: links and versions.

A value is recognised by its form alone; whether it answers a question is the reader's business. What
the page broke (a link over two lines has a space in it) is put together again.
"""

import re
from collections.abc import Iterable, Iterator

from vivavoce.records import Value

_HOSTS = r"(?:github|gitlab|bitbucket|zenodo|figshare|kaggle|osf|dryad|huggingface|codeocean|sourceforge)"
LINK = re.compile(
    r"(?:https?\s?:\s?//\s?|www\.)[^\s<>\"“”{}|\\^`]+"
    rf"|\b{_HOSTS}\.(?:com|org|io|co)/[^\s<>\"“”]+"
    r"|\b(?:doi:\s?)?10\.\d{4,9}/[^\s<>\"“”]+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s(?=[\w\-./#?=&%~+]+)([\w\-./#?=&%~+]*[/._\-\d][\w\-./#?=&%~+]*)")
"""What may go on after a line break inside a link."""
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
    at = 0
    while match := LINK.search(text, at):
        end = match.end()
        # A link that a line's end broke: it stops at a character no link ends with.
        while (text[end - 1] in "/-_.?=&" or text[end : end + 2] == " /") and (
            tail := _TAIL.match(text, end)
        ):
            if text[end - 1] == "." and not re.match(r"[a-z\d]", tail[1]):
                break
            end = tail.end()
        yield Value("link", tidy(re.sub(r"\s", "", text[match.start() : end])))
        at = end


def tidy(link: str) -> str:
    """Without the punctuation of the sentence around it."""
    while True:
        shorter = link.rstrip(".,;:!?'’”\"*†‡")
        for opening, closing in ("()", "[]"):
            if shorter.endswith(closing) and shorter.count(closing) > shorter.count(opening):
                shorter = shorter[:-1]
        if shorter == link:
            return link
        link = shorter


def _versions(text: str) -> Iterator[Value]:
    plain = LINK.sub(lambda m: " " * len(m[0]), text)
    for match in VERSION.finditer(plain):
        if not _WORD_BEFORE.match(match["name"]):
            yield Value("version", f"{match['name']} {match['number']}")
