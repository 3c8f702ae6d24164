"""What is asked of a paper's sentences besides the questions' own texts: their other wordings, what their
choices mean, and the cues of their choices.

A question in several wordings is asked in all of them, and its scores are the mean; a sentence with a cue
gains. Both are for questions that a set words with care: a question asked by itself has neither.
"""

from collections.abc import Sequence

from vivavoce.evidence import cues
from vivavoce.records import Paper, Question

CUE_WEIGHT = 4.0
"""What a sentence gains that has a cue, as a logit."""
WITHOUT_CUES = ("heading", "title", "figure", "reference")
"""Kinds of sentences in which a cue says nothing."""


def wordings(question: Question) -> list[str]:
    """The ways in which a question is put to the network, the main one first."""
    return [" ".join(text.split()) for text in (question.text, *question.also)]


def meanings(question: Question) -> tuple[str, ...]:
    """What each choice means, in words that can be asked; none for other kinds."""
    return (question.meanings or question.choices) if question.kind == "choice" else ()


def cue_gains(paper: Paper, question: Question) -> list[float]:
    """What each of the paper's sentences gains by a cue of any of the choices; empty without cues."""
    if not any(question.cues):
        return []
    pattern = cues.any_of(tuple(cue for some in question.cues for cue in some))
    return [
        CUE_WEIGHT if s.kind not in WITHOUT_CUES and pattern.search(s.text) else 0.0 for s in paper.sentences
    ]


def further_texts(questions: Sequence[Question]) -> list[str]:
    """The meanings of all choices."""
    return [text for question in questions for text in meanings(question) if text]
