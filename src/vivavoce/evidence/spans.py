"""Finds the span of a quote in a paper: exactly, closely, or not at all.

Both the paper and the quote are *folded*: everything that typesetting changes is removed or made the
same, and every folded character remembers where it came from. What folding forgives: ligatures and
other forms of the same character, kinds of dashes and of quotation marks (primes among them), white
space, bullets, invisible characters, and a hyphen between two letters. What it keeps: every letter with
its case, every digit, white space between two digits, and a dash beside a digit, so that "10−4" is not
"104" and "3 32" is not "332".

- `exact`: the folded quote is in the folded paper, and neither of its ends lies inside a word or a
  number ("not 15" of "not 150", "can" of "can't", "linear" of "non-linear", "5" of "−5" don't count).
  The case of the first letter is free, as are quotation marks, an ellipsis and a full stop around it.
- `close`: some characters differ. Short pieces of the quote that occur in the paper vote for where it
  is; there rapidfuzz aligns it, and the ends move to the boundaries of words that fit best.
- A quote that leaves words out ("we trained ... for 50 epochs") is `close` when all its parts are found
  exactly, in order, at most `ELLIPSIS_GAP` characters apart. It spans from the first part to the last;
  words that were left out may have been "not", so it's never `exact`.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from vivavoce.records import Kind, Match, Paper

CLOSE_SCORE = 0.85
"""The lowest score that still counts as close. Measured on eight papers: of 1,400 sentences of another
paper the best reached 0.78 (but for references and licences that both papers have), and of sentences with
one word in seven changed 99% stayed above it."""

SHORTEST_CLOSE_QUOTE = 20
"""Fewer folded characters than this are found exactly or not at all: they resemble too much."""

LONGEST_CLOSE_QUOTE = 4000
"""More folded characters than this are found exactly or not at all: nobody quotes pages, and aligning them
takes long."""

ELLIPSIS_GAP = 600
"""How many folded characters an ellipsis may stand for: a few sentences."""

_MOST_OCCURRENCES = 500
"""No more occurrences of a very short quote than this are compared."""

_DASHES = "-‐‑‒–—―−﹘﹣－⁻₋­\ufffe\x02"
"""The soft hyphen is a dash here: fonts without a minus sign use it as one. The last two are what PDF
libraries put for a hyphen at the end of a line."""
_HYPHENS = "-‐‑­\ufffe\x02"
_MARKS = "\"'`´‘’‚‛“”„‟«»‹›′″‴‵‶＂＇ʹʺʼˈ"
_SPACES = "•·∙⋅▪▫■□●○◦‣►▶◆\u00a0\u2007\u202f\u3000"
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\ufe0e\ufe0f\x00"

_SAME_LETTERS = (
    dict.fromkeys(map(ord, _DASHES), "-")
    | dict.fromkeys(map(ord, _MARKS), "'")
    | dict.fromkeys(map(ord, _SPACES), " ")
    | dict.fromkeys(map(ord, _UNSEEN), "\x00")
    | {ord(a): b for a, b in zip("×✕✖∗∼º˚⁄∕∶", "xxx*~°°//:", strict=True)}
)
"""One character for one character, so that places stay the same."""

_CHANGES = re.compile(r"[\s\-\x00]+|''+|[^\x00-\x7f][̀-ͯ]*|[A-Za-z][̀-ͯ]+")
_PLAIN_CHANGES = re.compile(r"[\s\-\x00]+|''+")

_BEFORE_QUOTE = re.compile(r"(?:'|[\[(]?\.{3,}[\])]?|-(?=[^\W\d_]))+")
_ELLIPSIS = re.compile(r"(?:[\[(]\s*(?:\.\s?\.\s?\.|…)\s*[\])]|\.\s?\.\s?\.[.\s]*|…)")
_POWER = re.compile(r"[eE][-+−–]?\d")

_LAST_KINDS: frozenset[Kind] = frozenset({"heading", "title", "front", "reference"})


@dataclass(frozen=True, slots=True)
class _Folded:
    text: str
    small: str
    """The same in small letters, character for character."""
    begins: list[int]
    """Where each stretch begins in `text` ..."""
    sources: list[int]
    """... and in the source; inside a stretch the two run in step."""

    def source(self, at: int) -> int:
        """Where the folded character at `at` came from."""
        stretch = bisect_right(self.begins, at) - 1
        return self.sources[stretch] + at - self.begins[stretch]

    def at(self, source: int) -> int:
        """The first folded character that came from `source` or after it."""
        stretch = bisect_right(self.sources, source) - 1
        if stretch < 0:
            return 0
        end = self.begins[stretch + 1] if stretch + 1 < len(self.begins) else len(self.text)
        return min(self.begins[stretch] + source - self.sources[stretch], end)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a quote is: `paper.text[start:end]`, and how well it matches."""

    start: int
    end: int
    match: Match = "exact"
    score: float = 1.0
    """The share of characters that agree, from 0 to 1."""


def find_span(paper: Paper, quote: str, page: int | None = None) -> Span | None:
    """Where the quote is in the paper, or None. Of several exact places the one on `page` comes
    first, then prose, then the earliest."""
    core = _fold(quote)
    text = core.text
    before, after = _around(text)
    text = text[before:after]
    if not any(letter.isalnum() for letter in text):
        return None
    folded = _fold_paper(paper.text)
    places = _exact_places(paper.text, folded, text)
    if places:
        start, end = min(places, key=lambda place: _order(paper, folded, place, page))
        start, end = _with_marks(folded, start, end, core.text[:before], core.text[after:])
        return _span(paper, folded, start, end, "exact", 1.0)
    if not SHORTEST_CLOSE_QUOTE <= len(text) <= LONGEST_CLOSE_QUOTE:
        return None
    parts = [part for part in _ELLIPSIS.split(quote.strip()) if part.strip()]
    if len(parts) > 1:
        span = _parts_span(paper.text, folded, parts)
        if span is not None:
            return _span(paper, folded, *span, "close", 0.99)
    found = _close_place(paper, folded, text, page)
    return _span(paper, folded, found[0], found[1], "close", found[2]) if found else None


def _span(paper: Paper, folded: _Folded, first: int, last: int, match: Match, score: float) -> Span:
    return Span(*_source_span(paper.text, folded, first, last), match, score)


def _source_span(text: str, folded: _Folded, start: int, end: int) -> tuple[int, int]:
    first, last = folded.source(start), folded.source(end - 1) + 1
    while last < len(text) and unicodedata.combining(text[last]):
        last += 1
    return first, last


# Folding


def _fold(text: str) -> _Folded:
    plain = text.translate(_SAME_LETTERS)
    changes = _PLAIN_CHANGES if unicodedata.is_normalized("NFKC", plain) else _CHANGES
    parts: list[str] = []
    begins: list[int] = []
    sources: list[int] = []
    length = done = 0
    for change in changes.finditer(plain):
        start, end = change.span()
        if start > done:
            begins.append(length)
            sources.append(done)
            parts.append(plain[done:start])
            length += start - done
        put = _replacement(change.group(), parts[-1][-1] if parts else "", plain[end : end + 1])
        for letter in put:
            begins.append(length)
            sources.append(start)
            parts.append(letter)
            length += 1
        done = end
    if done < len(plain):
        begins.append(length)
        sources.append(done)
        parts.append(plain[done:])
    result = "".join(parts)
    small = result.lower()
    if len(small) != len(result):
        small = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in result)
    return _Folded(result, small, begins, sources)


_fold_paper = lru_cache(maxsize=8)(_fold)
"""A paper is asked many quotes in a row; the last few stay folded."""


def _replacement(found: str, before: str, after: str) -> str:
    """What stands for a run of white space and dashes, or for one character with its accents."""
    first = found[0]
    if first in "- \t\n\r\f\v\x00" or first.isspace():
        if "-" in found:
            return "" if before.isalpha() and after.isalpha() else "-"
        if before.isdecimal() and after.isdecimal() and found.strip("\x00"):
            return " "
        return ""
    if first == "'":
        return "'"
    put = unicodedata.normalize("NFKC", found).translate(_SAME_LETTERS).replace(" ", "").replace("\x00", "")
    if not first.isdecimal() and any(letter.isdecimal() for letter in put):
        # "10²" is not "102", and "1½" is not "11/2".
        put = (" " if before.isdecimal() else "") + put + (" " if after.isdecimal() else "")
    return put


def _around(folded: str) -> tuple[int, int]:
    """The span of the quote without what the quoter may have put around it."""
    lead = _BEFORE_QUOTE.match(folded)
    start, end = lead.end() if lead else 0, len(folded)
    while end > start:
        if folded[end - 1] in "'.":
            end -= 1
        elif folded.endswith(("[...]", "(...)"), start, end):
            end -= 5
        elif folded[end - 1] == "-" and folded[end - 2 : end - 1].isalpha():
            end -= 1
        else:
            break
    return start, end


# Exact


def _exact_places(text: str, folded: _Folded, core: str) -> list[tuple[int, int]]:
    """Every place of the folded text where the core occurs as whole words."""
    places = []
    for start in _occurrences(folded.text, core):
        first, last = _source_span(text, folded, start, start + len(core))
        if not _cuts_start(text, first) and not _cuts_end(text, last):
            places.append((start, start + len(core)))
            if len(places) == _MOST_OCCURRENCES:
                break
    return places


def _occurrences(text: str, core: str) -> Iterator[int]:
    """Where the core occurs, with its first letter in either case."""
    for form in dict.fromkeys((core, core[0].swapcase() + core[1:])):
        at = text.find(form)
        while at >= 0:
            yield at
            at = text.find(form, at + 1)


def _cuts_start(text: str, at: int) -> bool:
    """Is the character before `at` part of the word or number that begins there?"""
    if at == 0:
        return False
    before, first, earlier = text[at - 1], text[at], text[at - 2 : at - 1]
    if first.isdecimal():
        if before in ".,":
            return not earlier.isalpha() and earlier not in ")]"
        return before.isdecimal() or before in _DASHES
    if first in _DASHES:
        return before.isdecimal()
    if first.isalpha():
        joined = before in _HYPHENS or before in _MARKS
        return before.isalpha() or (joined and earlier.isalpha())
    return False


def _cuts_end(text: str, at: int) -> bool:
    """Is the character at `at` part of the word or number that ends before it?"""
    if at == len(text):
        return False
    last, after, later = text[at - 1], text[at], text[at + 1 : at + 2]
    if last.isdecimal():
        if after in ".," or after in _DASHES:
            return later.isdecimal()
        return after.isdigit() or _POWER.match(text, at) is not None
    if last.isalpha():
        joined = after in _HYPHENS or after in _MARKS
        return after.isalpha() or (joined and later.isalpha())
    return False


def _order(paper: Paper, folded: _Folded, place: tuple[int, int], page: int | None) -> tuple[bool, int, int]:
    start, end = folded.source(place[0]), folded.source(place[1] - 1)
    elsewhere = page is not None and page not in (paper.page_at(start), paper.page_at(end))
    touched = paper.sentences_in(start, start + 1)
    kind = touched[0].kind if touched else "front"
    return elsewhere, 0 if kind == "prose" else 2 if kind in _LAST_KINDS else 1, start


def _with_marks(folded: _Folded, start: int, end: int, lead: str, tail: str) -> tuple[int, int]:
    """The span with those marks around it that the quote has and the paper has too."""
    while lead and start > 0 and lead[-1] != "-" and folded.text[start - 1] == lead[-1]:
        start, lead = start - 1, lead[:-1]
    while tail and tail[0] != "-" and folded.text[end : end + 1] == tail[0]:
        end, tail = end + 1, tail[1:]
    return start, end


def _parts_span(text: str, folded: _Folded, parts: list[str]) -> tuple[int, int] | None:
    """From the first part to the last, when all are near each other in this order."""
    cores = []
    for part in parts:
        core = _fold(part).text
        before, after = _around(core)
        cores.append(core[before:after])
    if any(not core for core in cores):
        return None
    places = [sorted(_exact_places(text, folded, core)) for core in cores]
    for start, end in places[0]:
        reached = end
        for later in places[1:]:
            index = bisect_right(later, (reached - 1, len(folded.text)))
            if index == len(later) or later[index][0] - reached > ELLIPSIS_GAP:
                break
            reached = later[index][1]
        else:
            return start, reached
    return None


# Close


def _close_place(paper: Paper, folded: _Folded, core: str, page: int | None) -> tuple[int, int, float] | None:
    """The place that resembles the core most, with its score."""
    from rapidfuzz import fuzz  # here, since importing it takes its time

    small = core.lower()
    best: tuple[float, int, int] | None = None
    for start, end in _windows(folded.small, small):
        window = folded.small[start:end]
        aligned = fuzz.partial_ratio_alignment(small, window, score_cutoff=100 * CLOSE_SCORE - 15)
        if aligned is None:
            continue
        first, last, score = _fit(
            paper.text, folded, small, start + aligned.dest_start, start + aligned.dest_end
        )
        if score < CLOSE_SCORE:
            continue
        on_page = page is not None and paper.page_at(folded.source(first)) == page
        rank = score + (0.02 if on_page else 0)
        if best is None or rank > best[0]:
            best = (rank, first, last)
            result = first, last, min(score, 0.99)
    return result if best else None


def _windows(text: str, core: str) -> list[tuple[int, int]]:
    """The few stretches of the text that share most pieces with the core."""
    length = len(core)
    size = 5 if length < 80 else 8
    step = max(1, length // 60)
    band = max(16, length // 4)
    votes: Counter[int] = Counter()
    for at in range(0, length - size + 1, step):
        piece = core[at : at + size]
        hits = _hits(text, piece)
        for hit in hits:
            # A piece that occurs everywhere says little.
            votes[(hit - at) // band] += 1000 // len(hits)
    ranked = Counter({place: votes[place] + votes[place + 1] for place in votes}).most_common(4)
    slack = band + length // 4
    return [(max(0, p * band - slack), (p + 2) * band + length + slack) for p, _ in ranked]


def _hits(text: str, piece: str) -> list[int]:
    hits: list[int] = []
    at = text.find(piece)
    while at >= 0 and len(hits) < 200:
        hits.append(at)
        at = text.find(piece, at + 1)
    return hits


_WORD = re.compile(r"\w+(?:['’.,-]\w+)*|[^\w\s]")


def _fit(text: str, folded: _Folded, core: str, start: int, end: int) -> tuple[int, int, float]:
    """Moves both ends to the word boundaries nearby that make the best score."""
    from rapidfuzz import fuzz

    slack = 12 + min(len(core) // 8, 60)
    low = folded.source(max(0, start - slack))
    high = folded.source(min(len(folded.text), end + slack) - 1) + 1
    while low > 0 and not text[low - 1].isspace():
        low -= 1
    while high < len(text) and not text[high].isspace():
        high += 1
    starts, ends = [], []
    for word in _WORD.finditer(text, low, high):
        first, last = folded.at(word.start()), folded.at(word.end() - 1) + 1
        if abs(first - start) <= slack:
            starts.append(first)
        if abs(last - end) <= slack:
            ends.append(last)
    score = 0.0
    for _ in range(2):
        if ends:
            score, end = max((fuzz.ratio(core, folded.small[start:last]), last) for last in ends)
        if starts:
            score, start = max((fuzz.ratio(core, folded.small[first:end]), -first) for first in starts)
            start = -start
    return start, end, score / 100
