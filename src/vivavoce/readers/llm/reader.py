"""Any language model as a reader, through pydantic-ai: structured replies, one library for all providers.

A reply is checked before it counts (`checking`): a quote that is not in the paper is asked for once more, and
dropped if it is still not there. Keys come from the environment alone, and never reach a message or a file.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, Field
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, RunContext
from pydantic_ai.exceptions import UnexpectedModelBehavior, UserError
from pydantic_ai.messages import ModelMessage, ModelRequest
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.settings import ModelSettings as RequestSettings

from vivavoce.errors import ReaderStopped, VivaError
from vivavoce.papers.injection import injection_warnings
from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.checking import Checked, ModelReply, answer, check
from vivavoce.readers.llm.context import Context, Prompt, make_prompts
from vivavoce.readers.llm.limits import CallFailed, RunLimits, split
from vivavoce.readers.llm.recording import Conversation, NoSchema, ReplayModel
from vivavoce.readers.llm.retrying import Caller, Limiter
from vivavoce.records import Answer, Cost, Doubt, Paper, Question

T = TypeVar("T")

LOCAL = ("ollama:", "http://", "https://")
"""Readers that are taken for small models with a short window, unless told otherwise."""
LONGEST_REPLY = 700
"""Tokens of the reply to one question; without an end, small models go on for ever."""
LONGEST_REPLIES = 8000
"""Tokens of the replies to many questions: a provider refuses a limit that is beyond its model's."""
EXTRAS = ("anthropic", "google", "groq", "mistral")
"""Providers whose library is an extra of ours."""
OLLAMA = "http://localhost:11434/v1"
"""Where Ollama listens, unless `OLLAMA_BASE_URL` says otherwise."""
KEY = "VIVAVOCE_API_KEY"
"""Where the key for a server given by its URL is looked for."""


# Models see the words of these two. The bounds are for servers that write by the schema: small models go on
# with a list for ever.
class Reply(BaseModel):
    """One question's reply."""

    reported: bool = Field(description="Does the paper state an answer for its own work?")
    answer: str = Field(
        "", max_length=1200, description="The answer in one to three short sentences; empty if not reported."
    )
    sentences: list[int] = Field(
        default_factory=list, max_length=5, description="Numbers of the sentences that state it."
    )
    quotes: list[Annotated[str, Field(max_length=600)]] = Field(
        default_factory=list, max_length=4, description="Copied word for word from these sentences."
    )
    values: list[Annotated[str, Field(max_length=120)]] = Field(
        default_factory=list, max_length=8, description="Short facts: names, numbers, links."
    )

    def said(self) -> ModelReply:
        return ModelReply(
            self.reported, self.answer, tuple(self.sentences), tuple(self.quotes), tuple(self.values)
        )


class Replies(BaseModel):
    """The replies to several questions, in their order."""

    replies: list[Reply]


@dataclass(frozen=True, slots=True)
class Deps:
    """What a reply is checked against."""

    paper: Paper
    prompt: Prompt
    _checked: dict[ModelReply, Checked] = field(default_factory=dict)

    def check(self, reply: ModelReply) -> Checked:
        """What of the reply stands. Looked up once: the same reply is validated, and then made an answer."""
        if reply not in self._checked:
            shown = [number for number, _ in self.prompt.sentences]
            self._checked[reply] = check(self.paper, reply, shown)
        return self._checked[reply]


class PromptResult(NamedTuple):
    """What a prompt came to: an answer to each of its questions, and the model's words behind them."""

    answers: tuple[Answer, ...]
    replies: dict[str, str]
    """By the hash of what was sent."""


class PromptFailure(NamedTuple):
    """Questions that could not be asked, and why."""

    questions: tuple[Question, ...]
    reason: str


@dataclass
class LLM:
    """A language model as a reader."""

    name: str
    limits: RunLimits = field(default_factory=RunLimits)
    model: Model | None = None
    """Instead of the one that the name stands for."""
    limiter: Limiter | None = None
    """Shared by the models of one provider; without it, one of its own."""

    def __post_init__(self) -> None:
        models = self.limits.models
        self.shown: Context = models.context or ("evidence" if self.name.startswith(LOCAL) else "paper")
        schema = json.dumps(Reply.model_json_schema(), sort_keys=True)
        words = f"{prompts.INSTRUCTIONS}{prompts.AGAIN}{prompts.NO_QUOTE}{prompts.VERSION}{schema}"
        self.version = f"{prompts.VERSION}-{self.shown}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"
        self._caller = Caller(self.name, self.limiter or Limiter(models.calls))
        self._prompted = False
        self._agents: dict[tuple[bool, bool], Agent[Deps, Any]] = {}

    def ready(self) -> None:
        """Raises when it can't be asked: no key, no library, no such provider, no price."""
        if self.model is None:
            self.model = ReplayModel() if self.limits.replay else model_of(self.name)
            self._prompted = not self.model.profile.get("supports_json_schema_output", False)
        self.limits.budget.check(self.name)

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order. Raises when one could not be had."""
        ranked: list[list[int]] = []
        if self.shown != "paper" and not paper.unreadable:
            from vivavoce.readers.builtin.reader import Builtin

            ranked = Builtin().rank(paper, questions)
        found: dict[str, Answer] = {}

        def keep(result: PromptResult) -> None:
            found.update({answer.question.text: answer for answer in result.answers})

        failed = _finished(self.ask(paper, questions, ranked, keep))
        if failed:
            raise VivaError(failed[0].reason)
        return [found[question.text] for question in questions]

    async def ask(
        self,
        paper: Paper,
        questions: Sequence[Question],
        ranked: Sequence[Sequence[int]],
        keep: Callable[[PromptResult], None],
    ) -> list[PromptFailure]:
        """Asks, and hands what each prompt came to to `keep` as it comes; what went wrong."""
        if paper.unreadable:
            unreadable = (
                Answer(question, self.name, self.version, "unreadable", reason=paper.unreadable)
                for question in questions
            )
            keep(PromptResult(tuple(unreadable), {}))
            return []
        self.ready()
        asked = [
            self._ask(paper, prompt, keep) for prompt in make_prompts(paper, questions, self.shown, ranked)
        ]
        return [failed for failed in await asyncio.gather(*asked) if failed]

    def reach(self) -> None:
        """Calls it once, with a prompt of a few words; raises when no reply comes."""
        self.ready()
        model = self.model
        assert model is not None
        settings = RequestSettings(
            max_tokens=16, timeout=min(20.0, self.limits.models.timeout), max_retries=0
        )
        asked: list[ModelMessage] = [ModelRequest.user_text_prompt("Reply with the word: yes")]
        _finished(self._caller.call(lambda: model.request(asked, settings, ModelRequestParameters())))

    async def _ask(
        self, paper: Paper, prompt: Prompt, keep: Callable[[PromptResult], None]
    ) -> PromptFailure | None:
        """One prompt; why it failed, if it did."""
        assert self.model is not None
        text = prompts.text(prompt.sentences, prompt.questions)
        said = Conversation(self.model, self.name, self.version, self._caller, self.limits)
        deps = Deps(paper, prompt)
        try:
            try:
                replies = await self._talk(said, text, deps)
            except NoSchema:
                self._prompted = True  # from now on it is asked in words
                replies = await self._talk(said, text, deps)
        except (CallFailed, ReaderStopped) as error:
            return PromptFailure(prompt.questions, str(error))
        except UnexpectedModelBehavior as error:
            reason = " ".join(str(error).split())[:200].rstrip(".")
            return PromptFailure(prompt.questions, f"{self.name}: the reply can't be used: {reason}.")
        keep(PromptResult(self._answers(deps, replies, said.cost), said.replies))
        return None

    async def _talk(self, said: Conversation, text: str, deps: Deps) -> list[ModelReply]:
        many = len(deps.prompt.questions)
        result = await self._agent(many == 1).run(
            text,
            model=said,
            deps=deps,
            model_settings=RequestSettings(max_tokens=longest(many)),
        )
        output = result.output
        return [reply.said() for reply in (output.replies if isinstance(output, Replies) else [output])]

    def _answers(self, deps: Deps, replies: Sequence[ModelReply], cost: Cost) -> tuple[Answer, ...]:
        paper, prompt = deps.paper, deps.prompt
        costs = split(cost, len(replies))
        orders = [Doubt("injected_orders", text) for text in injection_warnings(paper)]
        made = []
        for question, said, share in zip(prompt.questions, replies, costs, strict=True):
            found = answer(paper, question, self.name, self.version, said, deps.check(said))
            doubts = (*found.doubts, *orders)
            if prompt.left_out:
                unread = f"{prompt.left_out} sentences did not fit into the prompt and were not read"
                doubts += (Doubt("sentences_left_out", unread),)
            made.append(replace(found, doubts=doubts, cost=share))
        return tuple(made)

    def _agent(self, one: bool) -> Agent[Deps, Any]:
        """Made once for one question and once for several: making one takes longer than using it."""
        wanted = (one, self._prompted)
        if wanted not in self._agents:
            kind: type[Reply] | type[Replies] = Reply if one else Replies
            agent: Agent[Deps, Any] = Agent(
                output_type=PromptedOutput(kind) if self._prompted else NativeOutput(kind),
                deps_type=Deps,
                instructions=prompts.INSTRUCTIONS,
                retries=2,
                model_settings=RequestSettings(
                    temperature=0.0,
                    timeout=self.limits.models.timeout,
                    max_retries=0,  # `calls` does that
                ),
            )
            agent.output_validator(_validate)
            self._agents[wanted] = agent
        return self._agents[wanted]


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """What the work comes to. In a notebook a loop is running already: then on a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


def longest(questions: int) -> int:
    """Tokens that the reply to so many questions may have."""
    return min(LONGEST_REPLY * questions, LONGEST_REPLIES)


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
    for reply in replies:
        if not reply.reported:
            continue
        found = deps.check(reply.said())
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
    if name.startswith("ollama:"):
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.ollama import OllamaProvider

        url = os.environ.get("OLLAMA_BASE_URL", OLLAMA)
        return OpenAIChatModel(name.partition(":")[2], provider=OllamaProvider(base_url=url))
    try:
        infer_provider_class(name.partition(":")[0])
    except ValueError:
        known = ", ".join(f"{provider}:..." for provider in ("openai", *EXTRAS, "ollama"))
        raise VivaError(f"{name}: there is no such provider; there are {known} and URL#MODEL.") from None
    except ImportError:
        pass  # said below, with what to install
    try:
        return infer_model(name)
    except UserError as error:
        said = " ".join(str(error).split())
        raise VivaError(f"{name}: {said.split(' or pass')[0].rstrip('.')}.") from None
    except ImportError:
        provider = name.partition(":")[0]
        package = "vivavoce" if provider in EXTRAS else "pydantic-ai-slim"
        raise VivaError(
            f"{name}: the provider's library is not installed: pip install '{package}[{provider}]'."
        ) from None
