"""Vivavoce asks every paper the same questions, and shows where the answer is on the page."""

from typing import TYPE_CHECKING, Any

from vivavoce.errors import InputError, MissingExtra, PaperError, ReaderError, StudyError, VivaError
from vivavoce.papers import load, picture
from vivavoce.records import Answer, Box, Evidence, Paper, Passage, Question, Sentence
from vivavoce.study.ask import ask

if TYPE_CHECKING:
    from vivavoce.evidence.locating import locate
    from vivavoce.study.study import Study

__version__ = "0.5.0"
__all__ = [
    "Answer",
    "Box",
    "Evidence",
    "InputError",
    "MissingExtra",
    "Paper",
    "PaperError",
    "Passage",
    "Question",
    "ReaderError",
    "Sentence",
    "Study",
    "StudyError",
    "VivaError",
    "__version__",
    "ask",
    "load",
    "locate",
    "picture",
]


def __getattr__(name: str) -> Any:
    """`Study` and `locate` need libraries that take a while to import; they are imported when first used."""
    if name == "Study":
        from vivavoce.study.study import Study

        return Study
    if name == "locate":
        from vivavoce.evidence.locating import locate

        return locate
    raise AttributeError(f"module 'vivavoce' has no attribute '{name}'")
