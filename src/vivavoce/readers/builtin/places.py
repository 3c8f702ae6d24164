"""What is known of a sentence besides its words: its kind, and the part of the paper that it stands in.

Papers say things again in their abstract, speak of others' work in their introduction and of plans in their
discussion. The network weighs that; training uses the same function.
"""

import re

import numpy as np
from numpy.typing import NDArray

KINDS = ("caption", "table", "footnote", "front", "title")
SECTIONS = {
    "abstract": re.compile(r"\b(?:abstract|summary|highlights)\b", re.IGNORECASE),
    "introduction": re.compile(
        r"\b(?:introduction|related works?|background|state of the art|literature)\b", re.IGNORECASE
    ),
    "methods": re.compile(
        r"\b(?:methods?|methodology|materials?|experimental|procedures?|participants|design|setup|settings?"
        r"|implementation)\b",
        re.IGNORECASE,
    ),
    "discussion": re.compile(
        r"\b(?:discussions?|conclusions?|limitations?|outlook|recommendations?|future)\b", re.IGNORECASE
    ),
    "statements": re.compile(
        r"\b(?:funding|acknowledge?ments?|availability|accessibility|ethics|ethical|consent|conflicts?"
        r"|competing|interests?|contributions?|declarations?|disclosures?|supplementary|data access)\b",
        re.IGNORECASE,
    ),
}
PLACES = (*KINDS, *SECTIONS, "sectioned")
"""What each number of a place stands for."""


def place(kind: str, section: str | None) -> NDArray[np.float32]:
    """Of a sentence of this kind under this heading. An empty heading: it stands before the first one, where
    the abstract is. None: the paper has no headings at all."""
    known = [kind == name for name in KINDS]
    if section is None:
        return np.array([*known, *[False] * len(SECTIONS), False], np.float32)
    part = "abstract" if not section else _part(section)
    return np.array([*known, *[part == name for name in SECTIONS], True], np.float32)


def _part(section: str) -> str:
    return next((name for name, pattern in SECTIONS.items() if pattern.search(section)), "")
