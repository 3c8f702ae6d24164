"""What asking will cost, before anything is spent: calls, tokens and money, by reader.

The prompts are made as a run would make them, and counted. Tokens are estimated by characters, as measured on
the tokenizers of two models (docs/benchmarks.md); the tokens of replies by what such replies have. Questions
that are asked once more, because a quote was not found, come on top.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vivavoce.readers import is_language_model
from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.context import CHARACTERS_PER_TOKEN, CHUNKS, CONTEXTS, Prompt, make_prompts
from vivavoce.readers.llm.limits import RunLimits
from vivavoce.readers.llm.prices import dollars
from vivavoce.records import Cost, Paper, Question
from vivavoce.study.engines.worker_tasks import rank

REPLY_TOKENS = 90
"""About how many tokens a reply to one question has."""
RANKED_PAPERS = 10
"""Papers whose sentences are ranked to see what a model would be shown; others are taken to be like them."""


@dataclass(frozen=True, slots=True)
class ReaderPlan:
    """What one reader will cost."""

    reader: str
    context: str
    """What it is shown; empty for a reader that calls nobody."""
    cost: Cost
    most: Cost
    """When every reply is as long as it may be."""
    papers: int
    """For how many papers the prompts were made; the others are taken to be like these."""


@dataclass(frozen=True, slots=True)
class Plan:
    papers: int
    questions: int
    readers: tuple[ReaderPlan, ...]


def plan(
    papers: Iterable[Paper], questions: Sequence[Question], readers: Sequence[str], limits: RunLimits
) -> Plan:
    """What it costs to ask these papers. Papers without usable text cost nothing."""
    models = {name: _context(name, limits) for name in readers if is_language_model(name)}
    sums: dict[str, list[Cost]] = {name: [] for name in models}
    most: dict[str, list[Cost]] = {name: [] for name in models}
    many = 0
    for paper in papers:
        if paper.unreadable:
            continue
        many += 1
        ranked: dict[str, list[list[int]]] = {}
        for name, context in models.items():
            if CONTEXTS.get(context).needs_ranking:
                if len(sums[name]) >= RANKED_PAPERS:
                    continue
                if context not in ranked:
                    how = limits.models.retrieval if context == CHUNKS else None
                    ranked[context] = rank(paper, questions, how)
            asked = make_prompts(paper, questions, context, ranked.get(context, []))
            sums[name].append(_cost(name, asked, lambda questions: REPLY_TOKENS * questions))
            most[name].append(_cost(name, asked, _longest))
    planned = []
    for name in dict.fromkeys(readers):
        if name not in models:
            planned.append(ReaderPlan(name, "", Cost(dollars=0.0), Cost(dollars=0.0), many))
            continue
        counted = len(sums[name])
        scale = many / counted if counted else 0.0
        planned.append(
            ReaderPlan(name, models[name], _times(sums[name], scale), _times(most[name], scale), counted)
        )
    return Plan(many, len(questions), tuple(planned))


def _context(name: str, limits: RunLimits) -> str:
    from vivavoce.readers.llm.reader import LLM  # here, since it is an extra
    from vivavoce.readers.llm.session import ModelSession

    return LLM(name, ModelSession(limits)).context


def _longest(questions: int) -> int:
    from vivavoce.readers.llm.reader import longest_reply

    return longest_reply(questions)


def _cost(reader: str, asked: Sequence[Prompt], reply: Callable[[int], int]) -> Cost:
    words = sum(len(prompts.text(prompt.sentences, prompt.questions)) for prompt in asked)
    tokens_in = (words + len(asked) * len(prompts.INSTRUCTIONS)) // CHARACTERS_PER_TOKEN
    tokens_out = sum(reply(len(prompt.questions)) for prompt in asked)
    return Cost(len(asked), tokens_in, tokens_out, dollars=dollars(reader, tokens_in, tokens_out))


def _times(costs: Sequence[Cost], scale: float) -> Cost:
    total = sum(costs, Cost(dollars=0.0))
    return Cost(
        round(total.calls * scale),
        round(total.tokens_in * scale),
        round(total.tokens_out * scale),
        dollars=None if total.dollars is None else total.dollars * scale,
    )
