"""Is this text, or letters that only look like it?

A PDF may carry no text at all (a scan), or codes that map to the wrong letters (fonts without a Unicode
table). The test is what every running text has and no garbled one has: the small words of its language,
at the rate at which people use them.
"""

import re
from dataclasses import dataclass

SMALL_WORDS = {
    "English": "the of and in to a is for with that was on as by are from we were this be an at or which it",
    "German": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an",
    "French": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont",
    "Spanish": "de la que el en y a los del se las por un para con no una su al lo como más pero sus le",
    "Portuguese": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao",
    "Italian": "di e il la che in un a per è una sono con non del si da come le dei nel alla più dal gli",
    "Dutch": "de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij of uit",
}
_WORDS = {language: frozenset(words.split()) for language, words in SMALL_WORDS.items()}
_ALL_WORDS = frozenset().union(*_WORDS.values())
_ODD = re.compile(r"[\ufffd\x00-\x08\ue000-\uf8ff]+")
_TOKEN = re.compile(r"[^\W\d_]+")
SAMPLES = 8
"""Stretches of the text that are looked at, spread over all of it,"""
SAMPLE_CHARACTERS = 1_000
"""and how many characters each."""
ENOUGH_WORDS = 60
"""Words needed before the rate says anything."""
SMALL_WORD_RATE = 0.12
"""Share of small words in running text is 0.25 to 0.45 (tables and reference lists less); garbled text has
under 0.03."""
VOWELS = (0.27, 0.6)
"""Share of vowels among letters, in any language written in Latin letters."""


@dataclass(frozen=True, slots=True)
class Legibility:
    language: str
    """The language whose small words were found; empty when none was."""
    reason: str
    """Why the text can't be read; empty when it can."""


def judge(text: str) -> Legibility:
    """Whether the text of a paper, or of a page, can be read."""
    sample = _sample(text)
    if sum(map(len, _ODD.findall(sample))) > 0.2 * max(1, len(sample)):
        return Legibility("", "most of its letters have no Unicode value (the fonts lack a table for it)")
    tokens = _TOKEN.findall(sample.lower())
    latin = [token for token in tokens if token[0] < "\u0250"]
    if len(tokens) >= ENOUGH_WORDS and len(latin) < 0.5 * len(tokens):
        return Legibility("another script", "")
    if len(latin) < ENOUGH_WORDS:
        return Legibility("", "")
    for language, words in _WORDS.items():  # English first: most papers need no other
        if sum(token in words for token in latin) >= SMALL_WORD_RATE * len(latin):
            return Legibility(_language(latin) if language != "English" else language, "")
    return Legibility(
        "", "its text layer is garbled: the letters do not form words (fonts without a Unicode table)"
    )


def garbled(page: str) -> bool:
    """Whether one page of a paper that can be read is garbled: no small words, and no usual share of vowels
    either, as lists of names and tables have."""
    if any(word in page for word in (" the ", " and ", " of ", " in ")):
        return False
    tokens = [token.lower() for token in _TOKEN.findall(page) if token.isascii()]
    letters = "".join(tokens)
    if len(tokens) < ENOUGH_WORDS or any(len(token) > 1 and token in _ALL_WORDS for token in tokens):
        return False
    vowels = sum(map(letters.count, "aeiouy")) / len(letters)
    return not VOWELS[0] <= vowels <= VOWELS[1]


def _sample(text: str) -> str:
    """Stretches from all over the text."""
    if len(text) <= SAMPLES * SAMPLE_CHARACTERS:
        return text
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLES - 1)
    return " ".join(text[start : start + SAMPLE_CHARACTERS] for start in range(0, SAMPLES * step, step))


def _language(tokens: list[str]) -> str:
    """The language that shares most small words with the text."""
    return max(_WORDS, key=lambda language: sum(token in _WORDS[language] for token in tokens))
