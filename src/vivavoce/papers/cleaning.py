"""From what a file holds to the characters that a person sees: decoding, and one way of cleaning text.

`clean` is what every block of every format goes through: invisible and meaningless characters are
removed, compatibility forms become plain (NFKC: ligatures, full-width letters), the hyphens that look
the same become one, and white space is folded. Raised and lowered digits and fractions stay as they
are: 10² is not 102. It is idempotent. `plain` and `REMOVED` are for the PDF reader too, which does the
same while it keeps count of characters.
"""

import re
import unicodedata

from vivavoce.errors import PaperError

REMOVED = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters that are not white space
    "\u00ad"  # soft hyphen
    "\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff"  # zero-width
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidi controls
    "\ufe00-\ufe0f\U000e0000-\U000e01ef"  # variation selectors and tags
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use: glyphs that only the file's own font knows
    "\ud800-\udfff\ufffc\ufffe\uffff"  # lone surrogates, object marks, non-characters
    "]"
)
"""One character that never belongs to the text that people see."""

HYPHENS = {0x2010: "-", 0x2011: "-"}
"""A table for `str.translate`: hyphens that print as the one on the keyboard."""

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_FOREIGN = re.compile(r"[^\x00-\x7f]{2,}")


_KEPT = re.compile(
    "[™℠©®"  # which NFKC would make part of the name before them
    "²³¹⁰-ₜ"  # raised and lowered
    "¼-¾⅐-⅟↉]+"  # fractions
)
"""What NFKC would make into other words or numbers."""


def plain(text: str) -> str:
    """Compatibility forms as plain letters, but for those that mean something else then."""
    if _KEPT.search(text) is None:
        return unicodedata.normalize("NFKC", text)
    parts = []
    done = 0
    for kept in _KEPT.finditer(text):
        parts += [unicodedata.normalize("NFKC", text[done : kept.start()]), kept[0]]
        done = kept.end()
    return "".join(parts) + unicodedata.normalize("NFKC", text[done:])


def clean(text: str) -> str:
    """The text as people see it, on one line, with single spaces."""
    if not text.isascii():
        text = plain(REMOVED.sub("", text)).translate(HYPHENS)
    return " ".join(REMOVED.sub("", text).split())


def decode(data: bytes, declared: str = "") -> str:
    """The file's characters: by its byte order mark, the encoding it declares, UTF-8, or Windows-1252."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    if data.count(0) > len(data) // 4:  # UTF-16 with no mark: every other byte of plain English is 0
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", errors="replace")
    if len(_CONTROL.findall(data)) > len(data) // 100:
        raise PaperError(
            "holds binary data and not text; save the paper as PDF, JATS, HTML, DOCX or plain text."
        )
    for encoding in ("utf-8", declared):
        try:
            return data.decode(encoding or "cp1252")
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", errors="replace")


def unscramble(text: str) -> str:
    """Undo UTF-8 that an earlier program took for Mac Roman or Windows-1252 ("√ó" or "Ã—" for "×")."""
    return _FOREIGN.sub(_unscrambled, text)


def _unscrambled(match: re.Match[str]) -> str:
    for encoding in ("mac_roman", "cp1252"):
        try:
            return match[0].encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return match[0]
