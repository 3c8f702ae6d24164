"""What a language model gets to see of a paper: numbered sentences, within a budget.

- `evidence`: of each question the sentences that the built-in reader ranks first, with their neighbours;
- `passages`: the passages around these, as many as the budget holds;
- `paper`: everything but the reference list, once, with many questions behind it.

Tokens are estimated at four characters each, as providers' own rule of thumb has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from vivavoce.papers.injection import addressed
from vivavoce.records import Paper, Question, Sentence

Context = Literal["evidence", "passages", "paper"]
CONTEXTS: tuple[Context, ...] = ("evidence", "passages", "paper")

BEST = 5
"""Sentences of each question that are shown, before their neighbours."""
AROUND = 1
"""Sentences on each side of them."""
WIDE = 4
"""The same, for passages."""
TOKENS = {"evidence": 800, "passages": 3000, "paper": 120_000}
"""The most that one prompt holds of a paper."""
BATCH = 30
"""Questions behind a whole paper: a set of 28 and its screening question go with it once. A model that leaves
some out is asked again."""
CHARACTERS_PER_TOKEN = 4
"""Measured with two models' tokenizers on eight papers (`benchmarks/tokens.py`): 4.0 to 4.3 on average, 3.8
for the worst of the whole papers, 2.4 for the worst of the short prompts, which was rows of numbers."""
UNREAD = ("reference", "figure")

Numbered = tuple[tuple[int, Sentence], ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Questions that are asked together, and the sentences they are asked about."""

    questions: tuple[Question, ...]
    sentences: Numbered
    left_out: int = 0
    """Sentences that should be there, and did not fit."""

    @property
    def tokens(self) -> int:
        """About how many the sentences take."""
        return sum(map(tokens, (sentence for _, sentence in self.sentences)))


def tokens(sentence: Sentence) -> int:
    return len(sentence.reading or sentence.text) // CHARACTERS_PER_TOKEN + 5


def make_prompts(
    paper: Paper, questions: Sequence[Question], context: Context, ranked: Sequence[Sequence[int]] = ()
) -> list[Prompt]:
    """What is sent, one prompt per question, or for a whole paper one per batch of questions. `ranked` are of
    each question the numbers of its best sentences; only `paper` does without."""
    if context == "paper":
        all_of_it = _readable(paper)
        whole = _within(paper, all_of_it, TOKENS["paper"])
        return [
            Prompt(tuple(questions[at : at + BATCH]), whole, len(all_of_it) - len(whole))
            for at in range(0, len(questions), BATCH)
        ]
    around = AROUND if context == "evidence" else WIDE
    most = BEST if context == "evidence" else 4 * BEST
    return [
        Prompt((question,), _shown(paper, best[:most], around, TOKENS[context]))
        for question, best in zip(questions, ranked, strict=True)
    ]


def _readable(paper: Paper) -> list[int]:
    unread = addressed(paper)
    return [n for n, s in enumerate(paper.sentences) if s.kind not in UNREAD and n not in unread]


def _shown(paper: Paper, best: Sequence[int], around: int, budget: int) -> Numbered:
    """The best sentences with their neighbours, as many as the budget holds, in the paper's order."""
    chosen: dict[int, None] = {}
    unread = addressed(paper)
    left = budget
    for number in best:
        near = range(max(0, number - around), min(len(paper.sentences), number + around + 1))
        shown = [n for n in near if n == number or paper.sentences[n].kind not in UNREAD]
        new = [n for n in shown if n not in chosen and n not in unread]
        cost = sum(tokens(paper.sentences[n]) for n in new)
        if cost > left and chosen:
            break
        chosen.update(dict.fromkeys(new))
        left -= cost
    return tuple((n, paper.sentences[n]) for n in sorted(chosen))


def _within(paper: Paper, numbers: Sequence[int], budget: int) -> Numbered:
    """These sentences, up to the budget."""
    kept: list[tuple[int, Sentence]] = []
    for n in numbers:
        budget -= tokens(paper.sentences[n])
        if budget < 0:
            break
        kept.append((n, paper.sentences[n]))
    return tuple(kept)
