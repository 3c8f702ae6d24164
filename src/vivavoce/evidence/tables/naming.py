"""How tables name papers and questions, and which of ours they mean.

A paper is named by its file, its DOI or its title; a question by its id or its words. A DOI may come as a
link, or as a file's name with `_` for `/`. The examples that a question ends in, "(e.g., ...)", don't
count. Nothing is guessed: words that differ otherwise are another question.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from vivavoce.records import Question

_DOI = re.compile(r"10\.\d{4,9}[/_]\S+", re.IGNORECASE)
_FILE_ENDING = re.compile(r"\.(?:pdf|xml|html?|txt|md|docx)$", re.IGNORECASE)
_EXAMPLES = re.compile(r"\s*\((?:e\.?\s?g\.?|for example|such as)[^()]*\)")
_NOT_WORDS = re.compile(r"[\W_]+")

PUBLISHED_WORDINGS = {
    "9b7fcca1d933a035": "CQ1",
    "16070f8c2db307c8": "CQ2",
    "19cb4d04990a5e1c": "CQ3",
    "a755e640c2a1c85c": "CQ4",
    "8285c4363fdc4104": "CQ5",
    "81f8a117bacd7039": "CQ6",
    "93e4f70c9213f6ef": "CQ7",
    "fa4576263efe2adb": "CQ8",
    "7648ab670e2dc936": "CQ9",
    "fcdbf7bac02cbefb": "CQ10",
    "3e7de8505836c5ce": "CQ11",
    "11dd3fe6dacc534e": "CQ12",
    "91b93530ba4e7314": "CQ13",
    "ffa2ce73871fee62": "CQ14",
    "e3a7089760201f12": "CQ15",
    "2cbb44b9472e2946": "CQ16",
    "0e930d7d34c8bdc6": "CQ17",
    "996b4771a88fd5bb": "CQ18",
    "94492fd2a7141e19": "CQ19",
    "f4614cea9dfcc6cd": "CQ20",
    "be2ebadca17e2153": "CQ21",
    "b13a93b7e28ef7e5": "CQ22",
    "b47e77f5f643be5e": "CQ23",
    "8084314aac51f8db": "CQ24",
    "768aa538aa9d97e0": "CQ25",
    "8fe2d909c9d04362": "CQ26",
    "8806f72ec04ba15b": "CQ27",
    "78d4a0a7812182df": "CQ28",
}
"""The ids of the set `dl-methods` by the hash of the words that these questions have in the published study
(Kommineni et al. 2025); ours are worded differently."""


def doi_key(text: str) -> str:
    """The DOI in a text, in one spelling; empty when there is none."""
    found = _DOI.search(text)
    return _FILE_ENDING.sub("", found[0].rstrip(".,;)]")).replace("_", "/").lower() if found else ""


def title_key(text: str) -> str:
    """A title by its letters and digits alone; empty when it is too short to tell papers apart."""
    words = _NOT_WORDS.sub(" ", unicodedata.normalize("NFKD", text)).casefold().split()
    return " ".join(words) if len(words) > 2 else ""


def question_words(text: str) -> str:
    """A question without its examples, in small letters."""
    return " ".join(_EXAMPLES.sub("", text).split()).casefold().rstrip("?. ")


def published_id(text: str) -> str:
    """The id of a question in the words of the published study; empty for any other."""
    return PUBLISHED_WORDINGS.get(hashlib.sha256(question_words(text).encode()).hexdigest()[:16], "")


class QuestionNames:
    """Finds which of the questions asked a table means."""

    def __init__(self, asked: Sequence[Question]) -> None:
        self._ids = {question.id.casefold(): question for question in asked if question.id}
        self._words = {question_words(question.text): question for question in asked}

    def find(self, id: str, text: str = "") -> Question | None:
        """By its id, which may also be its words; else by its words."""
        for name in (id, text):
            if not name:
                continue
            found = self._ids.get(name.strip().casefold()) or self._words.get(question_words(name))
            if found is None and (known := published_id(name)):
                found = self._ids.get(known.casefold())
            if found is not None:
                return found
        return None


def unmatched(names: Iterable[str], asked: Sequence[Question]) -> list[str]:
    """Those that are none of the questions asked."""
    known = QuestionNames(asked)
    return [name for name in names if known.find(name) is None]
