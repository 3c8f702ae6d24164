"""From a sentence that cites to the entry of the reference list that has the link.

Many papers give the address of their code or data nowhere but there: "the code has been deposited [17]".
"""

import re
from collections.abc import Iterator

from vivavoce.records import Paper, Sentence

PLACE = re.compile(
    r"\b(?:links?|urls?|dois?|address|repositor\w*|availab\w*|code|where|download\w*|deposit\w*|archived?)\b",
    re.IGNORECASE,
)
"""What a question says that asks for a place on the web."""
REPOSITORY = re.compile(
    r"github|gitlab|bitbucket|zenodo|figshare|dryad|pangaea|osf\.io|kaggle|gbif|dataverse|huggingface"
    r"|mendeley|codeocean|sourceforge|datadryad|10\.5281/|10\.5061/|10\.6084/|10\.17605/|10\.15468/",
    re.IGNORECASE,
)
"""An entry with one of these is a deposit, not an article."""
_NAME = r"[A-ZÀ-Þ][\w'’\-]+"
_AUTHOR_YEAR = re.compile(rf"\b({_NAME})(?:\s+(?:et al\.?|and|&)(?:\s+{_NAME})?)?,?\s*\(?((?:19|20)\d\d)")
_NUMBERS = re.compile(r"\[([\d\s,;–-]+)\]")


def cited(paper: Paper, sentence: Sentence) -> list[Sentence]:
    """The deposits in the reference list that the sentence cites."""
    deposits = [s for s in paper.sentences if s.kind == "reference" and REPOSITORY.search(s.text)]
    if not deposits:
        return []
    names = _AUTHOR_YEAR.findall(sentence.text)
    numbers = set(_numbers(sentence.text))
    return [
        entry
        for entry in deposits
        if any(_opening(entry.text).startswith(name) and year in entry.text for name, year in names)
        or _number(entry.text) in numbers
    ]


def _numbers(text: str) -> Iterator[int]:
    for group in _NUMBERS.findall(text):
        for part in re.split(r"[,;]", group):
            ends = [int(n) for n in re.findall(r"\d{1,4}", part)]
            if len(ends) == 2 and 0 <= ends[1] - ends[0] < 50:
                yield from range(ends[0], ends[1] + 1)
            else:
                yield from ends


def _opening(entry: str) -> str:
    """The entry without its number."""
    return entry.lstrip("[(0123456789.)] ")


def _number(entry: str) -> int | None:
    match = re.match(r"\s*[\[(]?(\d{1,4})[\]).]", entry)
    return int(match[1]) if match else None
