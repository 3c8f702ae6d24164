"""Several readers' answers to one question of one paper -> what they come to.

One reader's answer is the verdict as it is.
"""

from collections.abc import Sequence
from dataclasses import replace

from vivavoce.records import Answer

VERDICT = "verdict"
"""The name under which results speak of it."""
SURE = 0.7
"""An answer that its reader is less sure of goes to a person."""

CLEARLY = 0.9
"""A paper fails the screening question when the verdict is that sure of it."""


def verdict(answers: Sequence[Answer]) -> Answer:
    """What the answers come to."""
    return replace(answers[0], reader=VERDICT)


def fails(screening: Answer) -> bool:
    """Does a paper clearly fail the screening question? One that is in doubt is let through."""
    return screening.status == "not_reported" and screening.confidence >= CLEARLY


def needs_review(answer: Answer) -> bool:
    """Is this one for a person? What could not be read or asked is, and what its reader is unsure of."""
    if answer.status in ("reported", "not_reported"):
        return answer.confidence < SURE
    return answer.status != "not_applicable"
