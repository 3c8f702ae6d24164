"""Which sentences of a paper may answer a question: what a language model is shown first.

The built-in reader ranks them. This is the one place that says so.
"""

from collections.abc import Sequence

from vivavoce.records import Paper, Question


def rank_sentences(
    paper: Paper, questions: Sequence[Question], threads: int | None = None
) -> list[list[int]]:
    """For each question the numbers of the paper's best sentences, best first. `threads`: one for each core,
    unless given."""
    from vivavoce.readers.builtin.reader import Builtin  # here, since numpy takes its time to import

    return Builtin(threads).rank(paper, questions)
