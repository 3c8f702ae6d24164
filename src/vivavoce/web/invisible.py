"""Words of a paper, made safe to look at: what would reorder or hide letters is shown by its name.

Templates escape markup; this is about characters that no escaping touches. A title with a right-to-left
override can show "exe.fdp" for "pdf.exe", and a quote with zero-width letters is not what it seems to be.
"""

import re
import unicodedata

NAMES = {
    "\u061c": "ALM", "\u200e": "LRM", "\u200f": "RLM", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF",
    "\u202d": "LRO", "\u202e": "RLO", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI",
    "\u200b": "ZWSP", "\u2060": "WJ", "\ufeff": "BOM",
}  # fmt: skip
"""Marks that set the direction of what follows, or take no room."""
_OTHERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_MARKS = re.compile("[" + "".join(NAMES) + "]")


def shown(text: str) -> str:
    """The text with such marks by name: ⟦RLO⟧. Control characters and halves of letters become �."""
    return _OTHERS.sub("\ufffd", _MARKS.sub(lambda m: f"⟦{NAMES[m[0]]}⟧", text))


_BACK = {f"⟦{name}⟧": mark for mark, name in NAMES.items()}
_NAMED = re.compile("|".join(map(re.escape, _BACK)))


def meant(text: str) -> str:
    """The way back, for words that were copied from the page."""
    return _NAMED.sub(lambda m: _BACK[m[0]], text)


def plain(text: str) -> str:
    """For comparing what people type with what papers say: letters alone, whatever their case and form."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
