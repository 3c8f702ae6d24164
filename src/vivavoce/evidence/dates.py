"""Finds dates and spans of time in a piece of a paper, as they are written and in ISO 8601."""

import re
from typing import NamedTuple


class Date(NamedTuple):
    text: str
    """As it is written."""
    iso: str
    """A day, month or year, or two of them with a slash: "2015-03/2015-12"."""
    start: int
    end: int


_MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = rf"(?P<{{0}}month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?P<{0}year>(?:1[6-9]|20)\d\d)(?!\d)"
_DAY = r"(?P<{0}day>[0-3]?\d)(?:st|nd|rd|th)?"
_FORMS = (
    r"(?P<{0}iso>(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?)",
    rf"{_DAY}(?:\s+of)?\s+{_MONTH},?\s+{_YEAR}",
    rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
    rf"{_MONTH}(?:\s+of)?,?\s+{_YEAR}",
    r"(?P<{0}dotted>[0-3]?\d[./][01]?\d[./](?:19|20)\d\d)",
    rf"{_YEAR}",
)
_PARTIAL = (
    rf"{_DAY}(?:\s+of)?\s+{_MONTH}",
    rf"{_MONTH}\s+{_DAY}",
    rf"{_MONTH}",
    r"(?P<{0}dotted>[0-3]?\d[./][01]?\d)\.?",
    r"(?P<{0}day>[0-3]?\d)(?=\s?[-–])",
)
"""The first of two dates, whose year comes with the second."""
_JOIN = r"\s?(?:[-–—]|to|until|till|through|and|,? to)\s?(?:the end of\s)?"


def _numbered(forms: tuple[str, ...], side: str, place: int) -> str:
    return "|".join(
        f"(?:{re.sub('[(][?]P<[{]0[}]', f'(?P<{side}{place}{n}_', form)})" for n, form in enumerate(forms)
    )


_SINGLE = re.compile(rf"(?<![\w./-])(?:{_numbered(_FORMS, 'x', 0)})(?!\w)", re.IGNORECASE)
_SPAN = re.compile(
    rf"(?<![\w./-])(?:{_numbered(_FORMS, 'x', 0)}|{_numbered(_PARTIAL, 'y', 0)}){_JOIN}"
    rf"(?:{_numbered(_FORMS, 'z', 0)})(?!\w)",
    re.IGNORECASE,
)


def dates(text: str) -> list[Date]:
    """The dates in a text, in their order; of two joined by "to" or "and" after "between", one span."""
    found: list[Date] = []
    at = 0
    while at < len(text):
        span = _SPAN.search(text, at)
        single = _SINGLE.search(text, at)
        if span and (not single or span.start() <= single.start()) and _holds(text, span):
            first, last = _parts(span, "xy"), _parts(span, "z")
            until = _iso(last)
            since = _iso({"year": until[:4], "month": last.get("month", ""), **first})
            found.append(Date(span[0].strip(), f"{since}/{until}", span.start(), span.end()))
            at = span.end()
        elif single:
            if not _cited(text, single):
                found.append(Date(single[0], _iso(_parts(single, "x")), single.start(), single.end()))
            at = single.end()
        else:
            break
    return found


def _holds(text: str, span: re.Match[str]) -> bool:
    """ "2011 and 2012" are two years unless they are between."""
    return " and " not in span[0] or re.search(r"between\s$", text[: span.start()], re.IGNORECASE) is not None


def _cited(text: str, single: re.Match[str]) -> bool:
    """Is a bare year that of a reference?"""
    if not re.fullmatch(r"\d{4}", single[0]):
        return False
    before, after = text[: single.start()], text[single.end() :]
    return bool(re.search(r"et al\.?,?\s?\(?$|[A-Z][a-z]+,\s$|&\s\w+,?\s\(?$", before)) or after[:1].isalpha()


def _parts(match: re.Match[str], sides: str) -> dict[str, str]:
    return {
        name.split("_")[1]: value
        for name, value in match.groupdict().items()
        if value is not None and name[0] in sides
    }


def _iso(parts: dict[str, str]) -> str:
    if "iso" in parts:
        return parts["iso"]
    if "dotted" in parts:
        numbers = [int(n) for n in re.findall(r"\d+", parts["dotted"])]
        if len(numbers) == 2:
            numbers.append(int(parts.get("year") or 0))
        day, month, year = numbers
        return f"{year:04d}-{month:02d}-{day:02d}" if year else ""
    pieces = [parts.get("year", "")]
    if month_name := parts.get("month"):
        pieces.append(f"{_MONTHS[month_name.lower().rstrip('.')]:02d}")
        if day_number := parts.get("day"):
            pieces.append(f"{int(day_number):02d}")
    return "-".join(piece for piece in pieces if piece)
