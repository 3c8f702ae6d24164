"""Vivavoce asks every paper the same questions, and shows where each answer stands on the page."""

from vivavoce.asking import ask
from vivavoce.papers import load
from vivavoce.records import Answer, Box, Evidence, Paper, Passage, Question, Sentence

__version__ = "0.2.0"
__all__ = [
    "Answer",
    "Box",
    "Evidence",
    "Paper",
    "Passage",
    "Question",
    "Sentence",
    "__version__",
    "ask",
    "load",
]
