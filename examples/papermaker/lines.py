"""Breaks text into justified lines, as a typesetter does: at spaces, inside words, at hyphens, inside URLs.

Every break is remembered with its kind, because the breaks are what the sample papers plant:
`hyphen_soft` (con-/volutional: the hyphen is not part of the word), `hyphen_real` (two-/dimensional: it
is), and `wrapped_url` (nothing is added).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth

from papermaker.content import FOOTNOTE_MARK

LOOSEST = 1.7
"""A space may grow to this many times its width before a word is hyphenated instead."""
TIGHTEST = 0.88
SUPERSCRIPT = 0.65


@dataclass(frozen=True)
class Fonts:
    """The names of a paper's fonts, and whether fi and fl are set as ligatures."""

    roman: str
    italic: str
    bold: str
    ligatures: bool = False

    def shape(self, text: str) -> str:
        """The text with the characters that are drawn."""
        return text.replace("fi", "\ufb01").replace("fl", "\ufb02") if self.ligatures else text


@dataclass(frozen=True)
class Run:
    text: str
    font: str
    raised: bool = False


@dataclass(frozen=True)
class Word:
    runs: tuple[Run, ...]
    sentence: int
    """Which sentence of the paragraph it belongs to."""
    url: bool = False

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True)
class Line:
    words: tuple[Word, ...]
    space: float
    """The width of each space."""
    break_kind: str = ""
    """How the last word was broken, if it was."""


@dataclass(frozen=True)
class Measure:
    """What lines are broken to: a width, a size, and where words may be hyphenated."""

    width: float
    size: float
    fonts: Fonts
    hyphenation: dict[str, tuple[str, ...]]
    justified: bool = True

    def of(self, words: Sequence[Word]) -> float:
        """The width of words without spaces."""
        width = 0.0
        for run in (run for word in words for run in word.runs):
            size = self.size * (SUPERSCRIPT if run.raised else 1)
            width += stringWidth(self.fonts.shape(run.text), run.font, size)
        return width

    @property
    def space(self) -> float:
        return float(stringWidth(" ", self.fonts.roman, self.size))


def read_hyphenation(path: Path) -> dict[str, tuple[str, ...]]:
    """Words with their permitted breaks, from a list such as `con-vo-lu-tion-al`."""
    words = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return {word.replace("-", ""): tuple(word.split("-")) for word in words if word}


def to_words(sentences: Sequence[str], fonts: Fonts, font: str = "") -> list[Word]:
    """The words of marked-up sentences, each with its fonts."""
    words, italic = [], False
    for number, sentence in enumerate(sentences):
        for token in sentence.split():
            runs = []
            for part in re.split(r"(\*|\{\^\w+\})", token):
                if part == "*":
                    italic = not italic
                elif mark := FOOTNOTE_MARK.fullmatch(part):
                    runs.append(Run(mark[1], fonts.roman, raised=True))
                elif part:
                    runs.append(Run(part, fonts.italic if italic else font or fonts.roman))
            words.append(Word(tuple(runs), number, "://" in token))
    return words


def break_lines(words: Sequence[Word], measure: Measure) -> list[Line]:
    """Fills line after line, hyphenating where a line would become too loose."""
    lines: list[Line] = []
    waiting = list(words)
    while waiting:
        count = _how_many_fit(waiting, measure)
        line, rest, kind = waiting[:count], waiting[count:], ""
        if rest and (not line or measure.justified):
            broken = _break_word(line, rest[0], measure)
            if broken:
                head, tail, kind = broken
                line, rest = [*line, head], [tail, *rest[1:]]
        if not line:
            raise ValueError(f"{waiting[0].text!r} is wider than the column: give it a place to break")
        last = not rest
        space = measure.space if last or not measure.justified else _spread(line, measure)
        lines.append(Line(tuple(line), space, kind))
        waiting = rest
    return lines


def _how_many_fit(words: Sequence[Word], measure: Measure) -> int:
    width = 0.0
    for count, word in enumerate(words):
        width += measure.of([word])
        if width + count * measure.space * TIGHTEST > measure.width:
            return count
    return len(words)


def _spread(line: Sequence[Word], measure: Measure) -> float:
    return (measure.width - measure.of(line)) / max(len(line) - 1, 1)


def _break_word(line: Sequence[Word], word: Word, measure: Measure) -> tuple[Word, Word, str] | None:
    """The longest part of the next word that still fits, and what is left of it."""
    loose = len(line) < 2 or _spread(line, measure) > LOOSEST * measure.space
    for head, tail, kind in _places_to_break(word, measure.hyphenation):
        if kind == "hyphen_soft" and not loose:
            continue
        if measure.of([*line, head]) + len(line) * measure.space * TIGHTEST <= measure.width:
            return head, tail, kind
    return None


def _places_to_break(word: Word, hyphenation: dict[str, tuple[str, ...]]) -> list[tuple[Word, Word, str]]:
    """(head, tail, kind), the longest head first. Words of several fonts are broken in their first run."""
    first, rest = word.runs[0], word.runs[1:]
    places: list[tuple[int, str]] = []
    if word.url:
        start = first.text.find("://") + 3
        places = [(m.end(), "wrapped_url") for m in re.finditer("[/-]", first.text) if m.end() > start]
    elif "-" in first.text.strip("-"):
        places = [(m.end(), "hyphen_real") for m in re.finditer(r"(?<=[A-Za-z])-(?=[A-Za-z])", first.text)]
    elif found := re.fullmatch(r"(\W*)([A-Za-z]+)(\W*)", first.text):
        at = len(found[1])
        for part in hyphenation.get(found[2].lower(), ())[:-1]:
            at += len(part)
            places.append((at, "hyphen_soft"))
    broken = []
    for at, kind in reversed(places):
        if at >= len(first.text):
            continue
        hyphen = "-" if kind == "hyphen_soft" else ""
        head = Word((Run(first.text[:at] + hyphen, first.font),), word.sentence, word.url)
        tail = Word((Run(first.text[at:], first.font), *rest), word.sentence, word.url)
        broken.append((head, tail, kind))
    return broken
