"""What a language model gets to see of a paper: numbered sentences, within a budget.

- `evidence`: for each question the sentences that the built-in reader ranks first, with their neighbours;
- `passages`: the passages (`papers.passages`) that hold these sentences, as many as the budget holds;
- `chunks`: the chunks of text (`chunks`) nearest to the question;
- `paper`: everything but the reference list, once, with many questions behind it.

Other packages add a `Context` to `CONTEXTS` with an entry point of the group `vivavoce.contexts`. Tokens are
estimated from characters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vivavoce.papers.injection import addressed
from vivavoce.papers.passages import passages
from vivavoce.plugins import Registry
from vivavoce.readers.llm.chunks import Chunk, as_chunks
from vivavoce.records import Paper, Question, Sentence

EVIDENCE_SENTENCES, EVIDENCE_TOKENS = 5, 800
"""How many of a question's best sentences are shown with their neighbours, and the most that a prompt
holds."""
NEIGHBOURS = 1
"""Sentences on each side of them."""
PASSAGE_SENTENCES, PASSAGE_TOKENS = 20, 3000
"""The same, for passages."""
PAPER_TOKENS = 120_000
"""The most of a whole paper that a prompt holds."""
BATCH = 30
"""Questions behind a whole paper: a set of 28 and its screening question go with it once. A model that leaves
some out is asked again."""
CHARACTERS_PER_TOKEN = 4
"""Measured with two models' tokenizers on eight papers (`benchmarks/tokens.py`): 4.0 to 4.3 on average, 3.8
for the worst of the whole papers, 2.4 for the worst of the short prompts, which was rows of numbers."""
CHUNKS = "chunks"
"""The context that has its own ranking: chunks, not sentences."""
UNREAD = ("reference", "figure")
"""Kinds of sentences that are not shown unless they are ranked themselves."""

Numbered = tuple[tuple[int, Sentence], ...]
"""Sentences with their numbers in the paper."""
Ranking = Sequence[Sequence[int]]
"""For each question the numbers of its best sentences, best first."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Questions that are asked together, and the sentences they are asked about."""

    questions: tuple[Question, ...]
    sentences: Numbered
    left_out: int = 0
    """Sentences that should be there, and did not fit."""
    chunks: tuple[Chunk, ...] = ()
    """In the context `chunks`, the spans that the sentences are from, nearest first."""

    @property
    def tokens(self) -> int:
        """About how many the sentences take."""
        return sum(map(tokens, (sentence for _, sentence in self.sentences)))


@dataclass(frozen=True, slots=True)
class Context:
    """A way of choosing what a model sees."""

    make_prompts: Callable[[Paper, Sequence[Question], Ranking], list[Prompt]]
    """The prompts that ask these questions, each in exactly one of them."""
    needs_ranking: bool = True
    """Without it, the ranking is empty."""
    version: str = ""
    """Change it when the same paper gives other prompts: answers to the old ones are then asked for again."""


def make_prompts(
    paper: Paper, questions: Sequence[Question], context: str, ranking: Ranking = ()
) -> list[Prompt]:
    """What is sent, in the context of that name."""
    return CONTEXTS.get(context).make_prompts(paper, questions, ranking)


def _evidence(paper: Paper, questions: Sequence[Question], ranking: Ranking) -> list[Prompt]:
    def around(number: int) -> range:
        return range(max(0, number - NEIGHBOURS), min(len(paper.sentences), number + NEIGHBOURS + 1))

    return [
        Prompt((question,), _shown(paper, best[:EVIDENCE_SENTENCES], around, EVIDENCE_TOKENS))
        for question, best in zip(questions, ranking, strict=True)
    ]


def _passages(paper: Paper, questions: Sequence[Question], ranking: Ranking) -> list[Prompt]:
    holding: dict[int, range] = {}
    for passage in passages(paper):
        for number in range(passage.first, passage.last + 1):
            holding.setdefault(number, range(passage.first, passage.last + 1))

    def around(number: int) -> range:
        return holding.get(number, range(number, number + 1))  # references are in no passage

    return [
        Prompt((question,), _shown(paper, best[:PASSAGE_SENTENCES], around, PASSAGE_TOKENS))
        for question, best in zip(questions, ranking, strict=True)
    ]


def _paper(paper: Paper, questions: Sequence[Question], _: Ranking) -> list[Prompt]:
    orders = addressed(paper)
    readable = [n for n, s in enumerate(paper.sentences) if s.kind not in UNREAD and n not in orders]
    shown = _within(paper, readable, PAPER_TOKENS)
    return [
        Prompt(tuple(questions[at : at + BATCH]), shown, len(readable) - len(shown))
        for at in range(0, len(questions), BATCH)
    ]


def _chunks(paper: Paper, questions: Sequence[Question], ranking: Ranking) -> list[Prompt]:
    """The ranking has starts and ends of chunks in turn (`chunks.nearest_chunks`)."""
    orders = addressed(paper)
    made = []
    for question, places in zip(questions, ranking, strict=True):
        shown = as_chunks(places)
        inside = {s.start for chunk in shown for s in paper.sentences_in(chunk.start, chunk.end)}
        sentences = tuple(
            (n, s) for n, s in enumerate(paper.sentences) if s.start in inside and n not in orders
        )
        made.append(Prompt((question,), sentences, chunks=shown))
    return made


CONTEXTS: Registry[Context] = Registry(
    "vivavoce.contexts",
    {
        "evidence": Context(_evidence),
        "passages": Context(_passages, version="2"),
        CHUNKS: Context(_chunks),
        "paper": Context(_paper, needs_ranking=False),
    },
)
"""By the names that `--context` takes."""


def tokens(sentence: Sentence) -> int:
    """About how many a sentence takes, with its number."""
    return len(sentence.reading or sentence.text) // CHARACTERS_PER_TOKEN + 5


def _shown(paper: Paper, best: Sequence[int], around: Callable[[int], range], budget: int) -> Numbered:
    """The best sentences with those around them, as many as the budget holds, in the paper's order."""
    chosen: dict[int, None] = {}
    orders = addressed(paper)
    left = budget
    for number in best:
        near = [n for n in around(number) if n == number or paper.sentences[n].kind not in UNREAD]
        new = [n for n in near if n not in chosen and n not in orders]
        cost = sum(tokens(paper.sentences[n]) for n in new)
        if cost > left and chosen:
            break
        chosen.update(dict.fromkeys(new))
        left -= cost
    return tuple((n, paper.sentences[n]) for n in sorted(chosen))


def _within(paper: Paper, numbers: Sequence[int], budget: int) -> Numbered:
    """These sentences, up to the budget."""
    shown: list[tuple[int, Sentence]] = []
    for n in numbers:
        budget -= tokens(paper.sentences[n])
        if budget < 0:
            break
        shown.append((n, paper.sentences[n]))
    return tuple(shown)
