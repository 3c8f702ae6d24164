"""Phrases that speak for a choice, as question sets write them.

A cue is words that stand together, in any case: "upon request". `*` at the end of a word stands for any
ending ("deposit*"), `...` for up to six words between, `a|b` for either of two words, and `<link>`,
`<accession>`, `<number>`, `<version>`, `<catalogue>` for a thing of that form.
"""

import re
from functools import lru_cache

from vivavoce.vocabulary import accession_pattern

GAP = r"\W+(?:[\w'’%-]+\W+){0,6}?"
"""What `...` stands for."""


@lru_cache(maxsize=4096)
def pattern(cue: str) -> re.Pattern[str]:
    forms = {
        "link": r"(?:https?\s?://|www\.|doi:?\s?10\.|\b10\.\d{4,9}/)\S+",
        "accession": f"(?-i:{accession_pattern().pattern})",
        "number": r"\d[\d.,]*",
        "version": (
            r"(?:\bv(?:ersion|er)?\.?\s?\d[\w.]*|\b(?-i:[A-Z])[\w+-]*\s\d+(?:\.\d+)+|\bR20\d\d[ab]\b|"
            r"\b20\d\d[ab]\b"
            r"|\b(?:Prism|SPSS|Stata|Matlab|Excel|Phenix|SAS|STATA|BEAST|MEGA|FlowJo)(?: software)?,?\s?\d+)"
        ),
        "catalogue": (
            r"(?:\bcat(?:alog(?:ue)?)?\.?\s?(?:no\.?|numbers?|nr\.?)?[\s#:]{0,3}[A-Z]*-?\d[\w-]{2,}|"
            r"#\s?[A-Z]*-?\d{3,}[\w-]*"
            r"|\bRRID\b|\bstrains?\s(?-i:[A-Z]{2,}[\w-]*\d)|\bstock\s(?:no\.?|number|#)?\s?\d{3,})"
        ),
    }
    words = []
    for word in cue.split():
        if word == "...":
            words.append("...")
        elif (form := re.fullmatch(r"<(\w+)>", word)) and form[1] in forms:
            words.append(forms[form[1]])
        else:
            words.append("(?:" + "|".join(_word(part) for part in word.split("|")) + ")")
    joined = r"\W{1,3}".join(words).replace(r"\W{1,3}...\W{1,3}", GAP)
    return re.compile(rf"(?<!\w){joined}" if words and words[0][:3] == "(?:" else joined, re.IGNORECASE)


def _word(text: str) -> str:
    stem = re.escape(text.rstrip("*"))
    return f"{stem}\\w*" if text.endswith("*") else f"{stem}(?!\\w)"


@lru_cache(maxsize=512)
def any_of(cues: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for all of them together."""
    return re.compile("|".join(f"(?:{pattern(cue).pattern})" for cue in cues), re.IGNORECASE)


def find(cues: tuple[str, ...], text: str) -> tuple[int, int] | None:
    """Where a cue stands in a text: of several, the one that says most."""
    if not cues or not any_of(cues).search(text):
        return None
    matches = (match for cue in cues if (match := pattern(cue).search(text)))
    best = max(matches, key=lambda match: (match.end() - match.start(), -match.start()))
    return best.start(), best.end()
