"""Finds links in a piece of a paper: web addresses, DOIs, accession numbers; each with its span.

A page breaks a link over lines, runs it into the next sentence ("https://example.org/The") or into another
link, and puts punctuation behind it. What stands in the text from `start` to `end` may have such breaks in
it; `text` is the link as it opens. Nothing is added: a DOI without a resolver stays a DOI.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from vivavoce.vocabulary import accession_pattern, repository_hosts


class Link(NamedTuple):
    text: str
    start: int
    end: int
    kind: Literal["url", "doi", "accession"]


_SCHEME = r"(?:https?|ftp)\s?:\s?/\s?/\s?"
_DOMAIN = r"[A-Za-z0-9](?:[\w-]*\.)+[A-Za-z]{2,}"
_PATH = r"[^\s<>\"“”«»{}|\\^`]"
_DOI = r"10\.\d{4,9}/"
_START = re.compile(
    rf"{_SCHEME}|\bwww\.(?=\w)|\b(?:[\w-]+\.)*(?:{{hosts}})/(?=\w)|\b(?:doi:\s?)?{_DOI}",
    re.IGNORECASE,
)
_JOINT = re.compile(rf"(?<=.)(?={_SCHEME}|www\.\w|https?$)", re.IGNORECASE)
"""Where another link begins inside what looks like one."""
_TAIL = re.compile(r"\s(?=[\w\-./#?=&%~+]+)([\w\-./#?=&%~+]*[/._\-\d][\w\-./#?=&%~+]*)")
"""What may go on after a line break inside a link."""
_OPENER = re.compile(
    r"(?<=[./)])(?:The|This|These|Those|That|There|They|Their|We|Our|It|Its|In|On|At|As|An|And|All|Both|Each|"
    r"For|From|If|To|Then|Thus|Here|However|Moreover|Furthermore|Although|After|Before|When|While|With|"
    r"Finally|First|Second|Therefore|Figure|Table)$"
)
"""A word that opens the next sentence, run into the link. No file or folder has such a name."""
_SENTENCE = re.compile(r"\.(?=[A-Z][a-z]+$)")
"""A full stop and the next sentence's first word."""
_ENDINGS = re.compile(r"\.(?:[A-Z]{2,}|[A-Z][a-z]{1,3})$")
"""What may follow a full stop in a file's name: `.PDF`, `.Rmd`."""


def links(text: str) -> list[Link]:
    """The links in a text, in their order; each once."""
    found: dict[str, Link] = {}
    spans: list[tuple[int, int]] = []
    for link in _addresses(text):
        spans.append((link.start, link.end))
        found.setdefault(link.text.rstrip("/").lower(), link)
    for match in accession_pattern().finditer(text):
        if not any(start <= match.start() < end for start, end in spans):
            found.setdefault(match[0].lower(), Link(match[0], match.start(), match.end(), "accession"))
    return sorted(found.values(), key=lambda link: link.start)


def _addresses(text: str) -> Iterator[Link]:
    pattern = re.compile(_START.pattern.replace("{hosts}", repository_hosts()), re.IGNORECASE)
    at = 0
    while match := pattern.search(text, at):
        end = _end(text, match.end())
        raw = text[match.start() : end]
        if joint := next((j for j in _JOINT.finditer(raw) if j.start() > match.end() - match.start()), None):
            end = match.start() + joint.start()
            raw = text[match.start() : end]
        at = max(end, match.end())
        kept = tidy(_before_next_sentence(raw.rstrip()))
        link = re.sub(r"\s", "", kept)
        kind: Literal["url", "doi"] = "url"
        if doi := re.match(rf"(?:doi:)?({_DOI}.+)", link, re.IGNORECASE):
            kind, link = "doi", doi[1]
        if _whole(link, kind):
            yield Link(link, match.start(), match.start() + len(kept), kind)


def _whole(link: str, kind: str) -> bool:
    if kind == "doi":
        return len(link) > 9 and not link.endswith("/")
    bare = re.sub(r"^(?:https?|ftp)://", "", link, flags=re.IGNORECASE)
    return re.match(rf"{_DOMAIN}(?:[:/?#]|$)", bare) is not None


def _end(text: str, at: int) -> int:
    """Where the link ends, over the breaks that the page put into it."""
    end = at
    while end < len(text) and re.match(_PATH, text[end]):
        end += 1
    # A link that a line's end broke: it stops at a character no link ends with.
    while (text[end - 1] in "/-_.?=&" or text[end : end + 2] == " /") and (tail := _TAIL.match(text, end)):
        if _new_word(text, end, tail[1]):
            break
        end = tail.end()
    return end


def _new_word(text: str, end: int, tail: str) -> bool:
    """Does what follows the space begin something else?"""
    if re.match(r"(?:https?:|www\.|doi:|10\.\d{4})", tail, re.IGNORECASE):
        return True
    if text[end - 1] == "." and not re.match(r"[a-z\d]", tail):
        return True
    # A word of the sentence that only ends in a full stop: "at https://example.org/ today."
    return re.fullmatch(r"[A-Za-z]+(?:-[A-Za-z]+)*\.?", tail) is not None and not tail.startswith("/")


def _before_next_sentence(link: str) -> str:
    if opener := _OPENER.search(link):
        return link[: opener.start()]
    stop = _SENTENCE.search(link)
    return link[: stop.start()] if stop and not _ENDINGS.search(link) else link


def tidy(link: str) -> str:
    """Without the punctuation of the sentence around it."""
    while True:
        shorter = link.rstrip(".,;:!?'’‘”\"*†‡")
        for opening, closing in ("()", "[]"):
            if shorter.endswith(closing) and shorter.count(closing) > shorter.count(opening):
                shorter = shorter[:-1]
            # Something in parentheses right behind the link, and no space between: "x.org(accessed"
            at = shorter.find(opening)
            if at > 0 and shorter.count(opening) > shorter.count(closing):
                shorter = shorter[: shorter.rfind(opening)]
        if shorter == link:
            return link
        link = shorter
