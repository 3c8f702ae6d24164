"""Finds what a sentence lists: "resizing, cropping and flipping" is three items."""

import re
from itertools import pairwise

from vivavoce.evidence.wordings import nearness, stems

LONGEST_ITEM = 9
"""Words."""
_CUT = re.compile(r"(?:[,;]\s+(?:and|or|as well as)?\s*|\s+(?:and|or|as well as)\s+)(?![\d\s]*\])")
_LEAD = re.compile(
    r"^.*\b(?:(?:such as|including|namely|include|includes|included|comprising|consist(?:s|ed|ing)? of|"
    r"were|was|are|is|"
    r"by|for|with|using|used|of|as|from|into|on|in|to|at|applied|measured|recorded|via)\s+(?=\S))|^.*[:(]\s*",
)
_TRAIL = re.compile(
    r"\s+(?:was|were|is|are|has|have|had|which|that|to|in order|using|for each|as described|after|before|"
    r"during|"
    r"respectively|obtained|performed|used|been|can|could|may|will|by|at the|on the|in the|from the)\b.*$|"
    r"[.;]\s*$|\s*[(\[].*$"
)
_EDGE = " ,;:.()[]'\"“”"


def listed(question: str, text: str) -> list[tuple[int, int]]:
    """Spans of the items of the list in the text that is nearest to what is asked; none when it has none."""
    asked = stems(question)
    cuts = list(_CUT.finditer(text))
    pieces = [(a.end(), b.start()) for a, b in pairwise(cuts)]
    if not cuts:
        return []
    runs: list[list[int]] = []
    for n, (start, end) in enumerate(pieces):
        if len(text[start:end].split()) <= LONGEST_ITEM and end > start:
            if runs and runs[-1][-1] == n - 1:
                runs[-1].append(n)
            else:
                runs.append([n])
    if not runs:
        return []

    def worth(run: list[int]) -> float:
        start, end = pieces[run[0]][0], pieces[run[-1]][1]
        return min(len(run), 4) * 0.5 + nearness(asked, text, start, end)

    best = max(runs, key=worth)
    first, last = cuts[best[0]], cuts[best[-1] + 1]
    spans = [_first(text, first.start()), *(pieces[n] for n in best), _last(text, last.end())]
    return [kept for span in spans if (kept := _stripped(text, *span))]


def split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The items of a span that is a list as a whole."""
    cuts = [(start, start), *((m.start(), m.end()) for m in _CUT.finditer(text, start, end)), (end, end)]
    spans = [(a[1], b[0]) for a, b in pairwise(cuts)]
    if any(len(text[a:b].split()) > LONGEST_ITEM for a, b in spans) or _opened(text[start:end]):
        spans = [(start, end)]
    return [kept for span in spans if (kept := _stripped(text, *span))]


def _opened(text: str) -> bool:
    """Are there cuts inside parentheses?"""
    return any("," in inner or " and " in inner for inner in re.findall(r"\(([^()]*)\)", text))


def _first(text: str, end: int) -> tuple[int, int]:
    """The first item ends where the list's first cut begins, and begins after the words that lead to it."""
    head = text[:end]
    lead = _LEAD.match(head)
    start = lead.end() if lead else 0
    words = text[start:end].split()
    if len(words) > LONGEST_ITEM:
        start = end - len(" ".join(words[-3:]))
    return start, end


def _last(text: str, start: int) -> tuple[int, int]:
    tail = _TRAIL.search(text, start)
    end = tail.start() if tail else len(text)
    words = text[start:end].split()
    if len(words) > LONGEST_ITEM:
        end = start + len(" ".join(words[:3]))
    return start, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and (text[start] in _EDGE and not _balanced(text[start:end])):
        start += 1
    while end > start and (text[end - 1] in _EDGE and not _balanced(text[start:end])):
        end -= 1
    for article in ("the ", "a ", "an ", "both ", "either "):
        if text[start:end].lower().startswith(article):
            start += len(article)
    return (start, end) if end > start else None


def _balanced(text: str) -> bool:
    """Do its parentheses belong to it?"""
    return (
        text[0] not in " ,;:.'\"“”"
        and text[-1] in ")]"
        and text.count("(") == text.count(")")
        and "(" in text
    )
