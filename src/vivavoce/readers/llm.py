"""Any language model as a reader, through pydantic-ai: structured replies, one library for all providers.

A reply is checked before it counts (`checking`): a quote that is not in the paper is asked for once more, and
dropped if it is still not there. Keys come from the environment alone, and never reach a message or a file.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, Field
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, RunContext
from pydantic_ai.exceptions import ModelHTTPError, UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.settings import ModelSettings

from vivavoce import prompts
from vivavoce.errors import VivaError
from vivavoce.readers.calls import LIMIT, Caller, CallFailed, ReaderStopped
from vivavoce.readers.checking import Said, answer, check
from vivavoce.readers.context import Context, Prompt
from vivavoce.readers.context import prompts as cut
from vivavoce.records import Answer, Paper, Question

LOCAL = ("ollama:", "http://", "https://")
"""Readers that are taken for small models with a short window, unless told otherwise."""
LONGEST_REPLY = 700
"""Tokens of the reply to one question; without an end, small models go on for ever."""
KEY = "VIVAVOCE_API_KEY"
"""Where the key for a server given by its URL is looked for."""


class Reply(BaseModel):
    """One question's reply."""

    reported: bool = Field(description="Does the paper state an answer for its own work?")
    answer: str = Field(
        "", max_length=3000, description="The answer in at most 60 words; empty if not reported."
    )
    sentences: list[int] = Field(default_factory=list, description="Numbers of the sentences that state it.")
    quotes: list[str] = Field(default_factory=list, description="Copied word for word from these sentences.")
    values: list[str] = Field(default_factory=list, description="Short facts: names, numbers, links.")

    def said(self) -> Said:
        return Said(self.reported, self.answer, tuple(self.sentences), tuple(self.quotes), tuple(self.values))


class Replies(BaseModel):
    """The replies to several questions, in their order."""

    replies: list[Reply]


@dataclass(frozen=True, slots=True)
class Deps:
    paper: Paper
    prompt: Prompt


@dataclass(slots=True)
class Usage:
    """What a reader has spent."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0

    def add(self, used: Any) -> None:
        self.calls += used.requests
        self.tokens_in += used.input_tokens
        self.tokens_out += used.output_tokens
        self.tokens_cached += used.cache_read_tokens


@dataclass
class LLM:
    """A language model as a reader."""

    name: str
    context: Context | None = None
    model: Model | None = None
    """Instead of the one that the name stands for."""
    limit: int = LIMIT
    """Calls under way at a time."""
    timeout: float = 120.0
    usage: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        self.shown: Context = self.context or ("evidence" if self.name.startswith(LOCAL) else "paper")
        words = f"{prompts.INSTRUCTIONS}{prompts.AGAIN}{prompts.NO_QUOTE}{prompts.VERSION}"
        self.version = f"{prompts.VERSION}-{self.shown}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"
        self._caller = Caller(self.name, self.limit)
        self._prompted = False

    def ready(self) -> None:
        """Raises when it can't be asked: no key, no library, no such provider."""
        self.model = self.model or model_of(self.name)

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order. Raises when one could not be had."""
        ranked: list[list[int]] = []
        if self.shown != "paper" and not paper.unreadable:
            from vivavoce.readers.builtin import Builtin

            ranked = Builtin().rank(paper, questions)
        found: dict[str, Answer] = {}
        reasons = asyncio.run(
            self.ask(paper, questions, ranked, lambda a: found.update({a.question.text: a}))
        )
        if reasons:
            raise VivaError(reasons[0])
        return [found[question.text] for question in questions]

    async def ask(
        self,
        paper: Paper,
        questions: Sequence[Question],
        ranked: Sequence[Sequence[int]],
        keep: Callable[[Answer], None],
    ) -> list[str]:
        """Asks, and hands each answer to `keep` as it comes; what went wrong, each reason once."""
        if paper.unreadable:
            for question in questions:
                keep(Answer(question, self.name, self.version, "unreadable", reason=paper.unreadable))
            return []
        self.ready()
        asked = [self._ask(paper, prompt, keep) for prompt in cut(paper, questions, self.shown, ranked)]
        failed = [reason for reason in await asyncio.gather(*asked) if reason]
        return list(dict.fromkeys(failed))

    async def _ask(self, paper: Paper, prompt: Prompt, keep: Callable[[Answer], None]) -> str:
        """One prompt; why it failed, if it did."""
        try:
            replies = await self._caller.call(lambda: self._call(paper, prompt))
        except (CallFailed, ReaderStopped) as error:
            return str(error)
        shown = [number for number, _ in prompt.sentences]
        for question, said in zip(prompt.questions, replies, strict=True):
            made = answer(paper, question, self.name, self.version, said, check(paper, said, shown))
            if prompt.left_out:
                doubt = f"{prompt.left_out} sentences did not fit into the prompt and were not read"
                made = replace(made, doubts=(*made.doubts, doubt))
            keep(made)
        return ""

    async def _call(self, paper: Paper, prompt: Prompt) -> list[Said]:
        text = f"{prompts.paper(prompt.sentences)}\n\n{prompts.questions(prompt.questions)}"
        try:
            result = await self._agent(prompt).run(text, deps=Deps(paper, prompt))
        except ModelHTTPError as error:
            if self._prompted or error.status_code != 400 or "response_format" not in str(error.body):
                raise
            self._prompted = True  # the server can't do JSON schema: from now on it is asked in words
            result = await self._agent(prompt).run(text, deps=Deps(paper, prompt))
        self.usage.add(result.usage)
        output = result.output
        replies = output.replies if isinstance(output, Replies) else [output]
        return [reply.said() for reply in replies]

    def _agent(self, prompt: Prompt) -> Agent[Deps, Reply | Replies]:
        kind: type[Reply] | type[Replies] = Reply if len(prompt.questions) == 1 else Replies
        output = PromptedOutput(kind) if self._prompted else NativeOutput(kind)
        agent: Agent[Deps, Any] = Agent(
            self.model,
            output_type=output,
            deps_type=Deps,
            instructions=prompts.INSTRUCTIONS,
            retries=2,
            model_settings=ModelSettings(
                temperature=0.0,
                timeout=self.timeout,
                max_retries=0,  # `calls` does that
                max_tokens=LONGEST_REPLY * len(prompt.questions),
            ),
        )
        agent.output_validator(_validate)
        return agent


def _validate(context: RunContext[Deps], output: Reply | Replies) -> Reply | Replies:
    """Asks once more for quotes that are not in the paper, and for as many replies as there are questions."""
    deps = context.deps
    replies = output.replies if isinstance(output, Replies) else [output]
    if len(replies) != len(deps.prompt.questions):
        raise ModelRetry(
            f"There are {len(deps.prompt.questions)} questions; give a reply to each, in their order."
        )
    if context.retry:
        return output
    shown = [number for number, _ in deps.prompt.sentences]
    for reply in replies:
        if not reply.reported:
            continue
        found = check(deps.paper, reply.said(), shown)
        if found.lost:
            raise ModelRetry(
                prompts.AGAIN.format(quotes="; ".join(f'"{quote[:200]}"' for quote in found.lost))
            )
        if not found.found:
            raise ModelRetry(prompts.NO_QUOTE)
    return output


def model_of(name: str) -> Model:
    """The model that a reader's name stands for: `provider:model`, or `URL#model`."""
    if name.startswith(("http://", "https://")):
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        url, _, model = name.partition("#")
        if not urlsplit(url).hostname or not model:
            raise VivaError(
                f"{name}: a server is given as URL#MODEL, such as http://localhost:8080/v1#my-model."
            )
        key = os.environ.get(KEY, "none")
        return OpenAIChatModel(model, provider=OpenAIProvider(base_url=url, api_key=key))
    try:
        return infer_model(name)
    except UserError as error:
        said = " ".join(str(error).split())
        raise VivaError(f"{name}: {said.split(' or pass')[0].rstrip('.')}.") from None
    except ImportError:
        raise VivaError(f"{name}: its library is not installed: pip install 'vivavoce[llm]'.") from None
