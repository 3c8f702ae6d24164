"""Lines of a PDF -> runs of clean text that still know their characters.

Joining lines is where words are lost: a hyphen at a line's end may or may not belong to the word, an
address may go on without a space, a superscript makes a line of its own. Everything else in a line is
copied as it is, except what `SPECIAL` finds: ligatures and compatibility forms, stray glyphs, control
characters, doubled spaces.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from vivavoce.papers.blocks import Run
from vivavoce.papers.cleaning import plain
from vivavoce.papers.hyphens import join as hyphen_between
from vivavoce.papers.pdf.text import FILLER, Line

PLAIN_SPACES = str.maketrans(dict.fromkeys("\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
                                           "\u2008\u2009\u200a\u202f\u205f\u3000", " "))  # fmt: skip
SPECIAL = re.compile(r" {2,}|[\x00-\x1f\x7f-\x9f\u00a8-\u00be\u0132-\u0149\u017f\u01c4-\u01cc\u02b0-\u02e1"
                     r"\u0300-\u036f\u1d2c-\u1d6a\u2010\u2011\u2017\u2024-\u2026\u200b-\u200f\u202a-\u202e"
                     r"\u2033-\u2037\u2060-\u206f\u2070-\u209c\u20a8\u2100-\u214f\u2150-\u217f\u2460-\u24ff"
                     r"\u3000-\u33ff\ue000-\uf8ff\ufb00-\ufdff\ufe00-\ufeff\uff00-\uffff]+")  # fmt: skip
PLAIN_END = re.compile(r"^[^\W\d_]+[,;]?$")
"""A word that can't be part of an address nor end with a hyphen."""
ADDRESS = re.compile(
    r"(?:https?:|ftp:|www\.|doi\.org|doi:\s?10|\b10\.\d{4,9}/|github\.com|zenodo\.org)", re.I
)
GOES_ON = re.compile(r"[/_=?&:#~%-]$")
MARKS = re.compile(
    r"^[/_=?&#~%.-]\S|^[\w.~%-]*[a-z0-9][\w.~%-]*/|^10\.\d{4,9}/|^[\w-]+\.(?:html?|php|pdf|org|com)\b"
)
LETTERS_END = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*-?$")
LETTERS_START = re.compile(r"^[^\W_]+(?:-[^\W_]+)*")


@cache
def _instead(text: str) -> str:
    """What stands for a special stretch: its compatibility form, or nothing for what is no character."""
    if text.isspace():
        return " "
    kept = []
    for letter in text:
        if letter in "\u2010\u2011":
            kept.append("-")
        elif letter == FILLER or unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cn"):
            continue
        else:
            kept.append(plain(letter))
    return "".join(kept)


def runs_of(page: int, char: int, text: str) -> list[Run]:
    """A stretch of the text layer as runs; most stretches are one run."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return [Run(text, page, char, len(text))]
    text = text.translate(PLAIN_SPACES)
    runs: list[Run] = []
    done = 0
    for match in SPECIAL.finditer(text):
        special, instead = match[0], _instead(match[0])
        if instead == special:
            continue
        if match.start() > done:
            runs.append(Run(text[done : match.start()], page, char + done, match.start() - done))
        runs.append(Run(instead, page, char + match.start(), len(special)))
        done = match.end()
    if done < len(text):
        runs.append(Run(text[done:], page, char + done, len(text) - done))
    return runs


def line_runs(line: Line) -> list[Run]:
    """A line's runs: its own text, or the pieces it was put together from."""
    if not line.pieces:
        return runs_of(line.page, line.char, line.text)
    runs: list[Run] = []
    for char, text in line.pieces:
        runs.extend(runs_of(line.page, char, text) if char >= 0 else [Run(text, line.page)])
    return runs


def join_lines(lines: Iterable[Line], words: Mapping[str, int]) -> tuple[Run, ...]:
    """Lines of one paragraph -> its runs, words and addresses whole again."""
    runs: list[Run] = []
    above: Line | None = None
    word = ""  # the last word so far, however many lines it stretches over
    for line in lines:
        if above is not None:
            if PLAIN_END.search(word) and not above.hyphen and not line.raised:
                runs.append(Run(" ", above.page))  # nearly every line
                word = ""
            else:
                seam = _seam(runs, above, word, line, words)
                runs.extend(seam)
                word = "" if seam and seam[-1].text == " " else word + "".join(run.text for run in seam)
        runs.extend(line_runs(line))
        before, _, last = line.text.rpartition(" ")
        word = last if before else word + last
        above = line
    if above is not None and above.hyphen:
        runs.append(_swallowed(above, "-"))
    return tuple(run for run in runs if run.text)


def _seam(runs: list[Run], before: Line, last: str, line: Line, words: Mapping[str, int]) -> list[Run]:
    """What stands between two lines: a space, nothing, or a hyphen."""
    first = line.text.partition(" ")[0]
    if before.hyphen:
        return [_swallowed(before, _hyphen(last, first, words))]
    if ("/" in last or "." in last) and ADDRESS.search(last) and _address_goes_on(last, first):
        return []
    if line.raised and (last[-1:].isalpha() or last[-1:] in ".,;)"):
        return []
    if len(last) > 1 and last[-1] in "-\u2010\u00ad" and last[-2].isalpha() and first[:1].isalpha():
        kept = _hyphen(last[:-1], first, words)
        if not kept:
            _drop_hyphen(runs)
        return [Run(" ", before.page)] if kept == "- " else []
    if last[-1:] in ("-", "\u2013", "\u2014", "/") and last[:-1]:
        return []
    return [Run(" ", before.page)]


def _drop_hyphen(runs: list[Run]) -> None:
    """Takes the hyphen off the end of what was joined so far."""
    if runs and runs[-1].text and runs[-1].width == len(runs[-1].text):
        whole = runs.pop()
        runs.append(Run(whole.text[:-1], whole.page, whole.char, whole.width - 1))


def _hyphen(last: str, first: str, words: Mapping[str, int]) -> str:
    """What stands between the halves of a word: the hyphen when it belongs there, nothing when it was
    the line's."""
    if ADDRESS.search(last):
        return "-"
    if first in ("and", "or", "to"):
        return "- "  # pre- and post-
    left, right = LETTERS_END.search(last), LETTERS_START.search(first)
    if not left or not right:
        return "-"
    return hyphen_between(left[0], right[0], words)


def _swallowed(line: Line, text: str) -> Run:
    """The hyphen at a line's end: one character of the text layer, whatever becomes of it."""
    char, last = line.pieces[-1] if line.pieces else (line.char, line.text)
    return Run(text, line.page, char + len(last), 1)


def _address_goes_on(last: str, first: str) -> bool:
    """Does an address that ends a line go on in the next?"""
    if not first or last[-1] in ',;)]>"”':
        return False
    if GOES_ON.search(last):
        return True
    if last[-1] == ".":
        return (first[:1].islower() and bool(MARKS.match(first))) or (first[:3].isdigit() and "10." in last)
    return bool(MARKS.match(first))
