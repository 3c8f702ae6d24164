"""Prompts of the user's own: a text with places for the context, the question and its hints.

`{context}`, `{question}` and `{hints}` are replaced, and nothing else: other braces stay as they are.
"""

import re
from collections.abc import Sequence

from vivavoce.errors import InputError
from vivavoce.readers.llm.chunks import Chunk
from vivavoce.records import Paper, Question

DEFAULT = r"""\ Below are excerpts from one scientific paper. Answer the question from these excerpts alone,
in at most 150 words. \ Say plainly that the excerpts do not tell if they don't; do not guess, and do not
answer from your own knowledge.

{context}

Question: {question}
{hints}
Answer:"""
"""Ours."""
BETWEEN_CHUNKS = "\n\n"

_PLACE = re.compile(r"\{(context|question|hints)\}")


def check_template(name: str, text: str) -> str:
    """The template, unless it lacks a place that it must have."""
    for place in ("{context}", "{question}"):
        if place not in text:
            raise InputError(f"{name}: there is no {place} in this prompt; write it where that is to stand.")
    return text


def render(template: str, context: str, question: str, hints: str = "") -> str:
    """The prompt. What is filled in is not looked at again."""
    given = {"context": context, "question": question, "hints": hints}
    return _PLACE.sub(lambda place: given[place[1]], template)


def prompt_of(template: str, paper: Paper, shown: Sequence[Chunk], question: Question) -> str:
    """The prompt that asks this question of these chunks. Our own template marks hints as such."""
    context = BETWEEN_CHUNKS.join(paper.text[chunk.start : chunk.end] for chunk in shown)
    hints = question.hints
    if template == DEFAULT and hints:
        hints = f"(Hints, not from the paper: {hints}.)"
    return render(template, context, " ".join(question.text.split()), hints)
