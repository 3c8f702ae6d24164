"""Letters that a PDF's text layer has in pieces, or has lost: TeX's accents, the ligature Th.

TeX's old fonts have no accented letters: an accent is drawn, and then the letter below it, and both are
characters
of their own ("R´esum´e"). They are put together here. Some fonts have a glyph for "Th" and no Unicode value
for it: it is read as "+", or not at all ("e objective"). Where a file has no "The" and many of these, the
letters are put back, and a warning says so. Places on the page stay right: each piece knows its character.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from vivavoce.papers.pdf.margins import PageLines
from vivavoce.papers.pdf.text import Line

_MARKS = {
    "\u00b4": "\u0301",
    "\u02ca": "\u0301",
    "`": "\u0300",
    "\u02cb": "\u0300",
    "\u00a8": "\u0308",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u02c7": "\u030c",
    "\u02da": "\u030a",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u02dd": "\u030b",
    "\u00af": "\u0304",
}
_BEFORE = re.compile(
    r"(?P<mark>[\u00b4\u02ca`\u02cb\u00a8\u02c6\u02dc\u02c7\u02da\u02d8\u02d9\u02dd\u00af]) "
    r"?(?P<letter>[A-Za-z\u0131\u0237])"
)
_TEXT_MARK = re.compile(
    r"(?<=[^\W\d_]) ?(?P<mark>[\u0300-\u0302\u0308\u030a-\u030c])(?P<letter>[A-Za-z\u0131\u0237])"
)
"""A combining mark in front of its letter, as TeX sets accents in text: "R \u0301esume","""
_MATH_MARK = re.compile(r"(?P<letter>[^\W\d_]) ?(?P<mark>(?<= )[\u0300-\u036f]|\u00af)")
"""and behind it, a space between, as formulas have them."""
_BELOW = re.compile(r"(?P<letter>[cCsStTgGkKlLnNrR])(?P<mark>\u00b8)")
_SOME = re.compile(
    r"[\u00b4\u02ca\u02cb\u00a8\u02c6\u02dc\u02c7\u02da\u02d8\u02d9\u02dd\u00af\u00b8\u0300-\u036f]"
)
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_PLUS = re.compile(
    r"(?<![\w.+\d])\+(?=(?:e|is|ese|ey|us|ere|erefore|ose|at|en|an|rough|roughout|ough|eir|ree|ird|ymus|yme|ymol)\b)"
)
_LOST = re.compile(
    r"(?<![\w'’.-])(?:(?:e|ese|ey|eir|erefore|ereby)(?= [a-z])|(?<=[.!?] )(?:is|us|ere|ose|rough|ough)(?= "
    r"[a-z]|,))"
)
_THE = re.compile(r"\bThe(?:se|re|y|ir)?\b")
ENOUGH = 5
"""So many words that begin in the middle are no accident."""

TH_PUT_BACK = "the font has no letters behind its ligature for “Th”, which was put back where it must stand"


def put_letters_together(pages: Iterable[PageLines]) -> bool:
    """Mends the lines of the pages; says whether lost letters were put back."""
    some = list(pages)
    text = "\n".join(line.text for page in some for line in page.lines)
    accents = len(_SOME.findall(text)) if not text.isascii() else 0
    lost = _lost(text)
    if not accents and lost is None:
        return False
    for page in some:
        for line in page.lines:
            if accents:
                compose(line, accents >= ENOUGH)
            if lost is not None:
                _put_back(line, lost)
    return lost is not None


def _lost(text: str) -> re.Pattern[str] | None:
    """What stands for the ligature Th in this file, if it is lost."""
    if text.count("The ") + text.count("This ") > ENOUGH:
        return None  # nearly every file
    for pattern in (_PLUS, _LOST):
        found = len(pattern.findall(text))
        if found >= ENOUGH and found > 2 * len(_THE.findall(text)):
            return pattern
    return None


def compose(line: Line, many: bool = False) -> None:
    """Puts accents on their letters; with `many` of them in the file, a backtick is one, too."""
    if line.text.isascii() and not (many and "`" in line.text):
        return
    changes: list[tuple[int, int, str]] = []
    for match in (*_BELOW.finditer(line.text), *_BEFORE.finditer(line.text)):
        mark, letter = match["mark"], _DOTLESS.get(match["letter"], match["letter"])
        if mark == "`" and not (many or _inside_word(line.text, match.start())):
            continue
        if mark == "\u00af" and _MATH_MARK.search(line.text[max(0, match.start() - 2) : match.start() + 1]):
            continue  # a bar over the letter before it
        whole = unicodedata.normalize("NFC", letter + ("\u0327" if mark == "\u00b8" else _MARKS[mark]))
        if len(whole) == 1:
            changes.append((match.start(), match.end(), whole))
    for match in _TEXT_MARK.finditer(line.text):
        letter = _DOTLESS.get(match["letter"], match["letter"])
        whole = unicodedata.normalize("NFC", letter + match["mark"])
        if len(whole) == 1:
            changes.append((match.start(), match.end(), whole))
    for match in _MATH_MARK.finditer(line.text):
        whole = unicodedata.normalize("NFC", match["letter"] + match["mark"].replace("\u00af", "\u0304"))
        changes.append((match.start(), match.end(), whole))
    _change(line, changes)


def _inside_word(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isalpha()


def _put_back(line: Line, pattern: re.Pattern[str]) -> None:
    width = 1 if pattern is _PLUS else 0
    _change(line, [(match.start(), match.start() + width, "Th") for match in pattern.finditer(line.text)])


def _change(line: Line, changes: Sequence[tuple[int, int, str]]) -> None:
    """Replaces stretches of the line's text; what is replaced keeps the place of its first character."""
    if not changes:
        return
    chars = [
        (char + offset if char >= 0 else -1, letter)
        for char, text in (line.pieces or ((line.char, line.text),))
        for offset, letter in enumerate(text)
    ]
    done = 0
    kept: list[tuple[int, str]] = []
    moved: list[tuple[int, int]] = [(0, 0)]  # from which offset on, by how much
    for start, end, instead in sorted(changes):
        if start < done:
            continue
        moved.append((end, moved[-1][1] + len(instead) - (end - start)))
        kept += chars[done:start]
        first = chars[start][0] if end > start else -1
        kept += [(first, instead[0]), *((-1, letter) for letter in instead[1:])]
        done = end
    kept += chars[done:]
    pieces: list[tuple[int, str]] = []
    for char, letter in kept:
        last = pieces[-1] if pieces else None
        follows = last is not None and (
            (char < 0 and last[0] < 0) or (char >= 0 and last[0] >= 0 and char == last[0] + len(last[1]))
        )
        if last is not None and follows:
            pieces[-1] = (last[0], last[1] + letter)
        else:
            pieces.append((char, letter))
    line.pieces = tuple(pieces)
    line.text = "".join(letter for _, letter in kept)
    line.cells = tuple(
        cell._replace(start=_after(cell.start, moved), end=_after(cell.end, moved)) for cell in line.cells
    )


def _after(offset: int, moved: Sequence[tuple[int, int]]) -> int:
    """Where an offset in a line's text is, once stretches before it were replaced."""
    return offset + next(by for at, by in reversed(moved) if at <= offset)
