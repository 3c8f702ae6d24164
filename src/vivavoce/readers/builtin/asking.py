"""What is asked of a paper's sentences besides the questions' own texts: their other wordings, what their
choices mean, and the cues of their choices.

A question in several wordings is asked in all of them, and its scores are the mean; a sentence with a cue
gains. Both are for questions that a set words with care: a question asked by itself has neither.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from vivavoce.evidence import cues
from vivavoce.evidence.signals import Signals
from vivavoce.records import Evidence, Question, Sentence

if TYPE_CHECKING:
    from vivavoce.readers.builtin.network import Floats
    from vivavoce.readers.builtin.scoring import PaperScores

MEAN_SHIFT = 0.5
"""Added to the mean of several wordings: the best sentence by a mean scores lower than by one wording. Chosen
by kappa of stated or not, on papers labelled with the set `open-science`."""
CUE_WEIGHT = 4.0
"""What a sentence gains that has a cue, as a logit; chosen likewise."""
LATER = 0.5
"""What a choice loses, as a logit, with each quote that comes before the one that speaks for it."""
WITHOUT_CUES = ("heading", "title", "figure", "reference")
"""Kinds of sentences in which a cue says nothing."""


def meanings_of(question: Question) -> tuple[str, ...]:
    """What each choice means, in words that can be asked; none for other kinds."""
    return (question.meanings or question.choices) if question.kind == "choice" else ()


def wordings_of(question: Question) -> list[str]:
    """The question's text and its other wordings."""
    return [" ".join(text.split()) for text in (question.text, *question.also)]


def asked_texts(questions: Sequence[Question]) -> list[str]:
    """All that is asked: first the questions' texts in their order, then other wordings, each once."""
    texts = [wordings_of(question)[0] for question in questions]
    more = dict.fromkeys(text for q in questions for text in wordings_of(q)[1:] if text)
    return [*texts, *(text for text in more if text not in texts)]


def cue_gains(
    questions: Sequence[Question], texts: Sequence[str]
) -> "Callable[[Sequence[Sentence]], Floats]":
    """What sentences gain by the cues of the questions' choices, in every wording: texts x sentences."""
    by_text = {text: q for q in reversed(questions) if any(q.cues) for text in wordings_of(q)}

    def gains(sentences: Sequence[Sentence]) -> "Floats":
        found: dict[str, Floats] = {}
        rows = []
        for text in texts:
            question = by_text.get(text)
            if question is not None and question.text not in found:
                found[question.text] = CUE_WEIGHT * _cued(question, sentences)
            rows.append(found[question.text] if question else np.zeros(len(sentences), np.float32))
        return np.stack(rows) if rows else np.zeros((0, len(sentences)), np.float32)

    return gains


def take_means(scores: "PaperScores", questions: Sequence[Question]) -> None:
    """Scores each question that has other wordings by the mean of all."""
    for n, question in enumerate(questions):
        wordings = wordings_of(question)
        if len(wordings) > 1:
            scores.take_mean(n, wordings, MEAN_SHIFT)


def _cued(question: Question, sentences: Sequence[Sentence]) -> "Floats":
    """1 for each sentence with a cue of any of the choices."""
    pattern = cues.any_of(tuple(cue for some in question.cues for cue in some))
    found = [s.kind not in WITHOUT_CUES and pattern.search(s.text) is not None for s in sentences]
    return np.array(found, np.float32)


def choice_signals(scores: "PaperScores", question: Question, quotes: Sequence[Evidence]) -> Signals:
    """Each choice weighed by asking what it means of the quotes."""
    meanings = meanings_of(question)
    known = [(code, meaning) for code, meaning in zip(question.choices, meanings, strict=False) if meaning]
    if not known or not quotes:
        return Signals()
    weights = scores.weigh([meaning for _, meaning in known], [(e.start, e.end) for e in quotes])
    weights = weights - LATER * np.arange(len(quotes), dtype=np.float32)
    best = weights.argmax(axis=1)
    found = {code: float(weights[n, best[n]]) for n, (code, _) in enumerate(known)}
    if not all(np.isfinite(list(found.values()))):  # nothing of the quotes is left to ask
        return Signals()
    return Signals(choices=found, choice_quotes={code: int(best[n]) for n, (code, _) in enumerate(known)})
