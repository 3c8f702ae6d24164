"""Vivavoce asks every paper the same questions, and shows where each answer stands on the page."""

from vivavoce.papers import load
from vivavoce.records import Box, Evidence, Paper, Passage, Sentence

__version__ = "0.1.0"
__all__ = ["Box", "Evidence", "Paper", "Passage", "Sentence", "__version__", "load"]
