"""Any language model as a reader, through pydantic-ai: structured replies, one library for all providers.

A reply is checked before it counts (`checking`). A quote that is not in the paper is asked for once more, and
dropped if it is still not there.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, RunContext
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelRequest
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings as RequestSettings

from vivavoce.errors import ReaderError, ReaderStopped
from vivavoce.papers.injection import injection_warnings
from vivavoce.readers.embedding import check_encoder
from vivavoce.readers.llm import free_text, loop, prompts, templates
from vivavoce.readers.llm.checking import Checked, ModelReply, check, make_answer
from vivavoce.readers.llm.chunks import Chunk, Retrieval, nearest_chunks
from vivavoce.readers.llm.context import CHUNKS, CONTEXTS, Prompt, Ranking, make_prompts
from vivavoce.readers.llm.limits import ModelSettings, split
from vivavoce.readers.llm.providers import model_of
from vivavoce.readers.llm.recording import Conversation, NoSchema, ReplayModel
from vivavoce.readers.llm.retrying import Caller, CallFailed
from vivavoce.readers.llm.session import ModelSession
from vivavoce.readers.names import runs_here
from vivavoce.readers.ranking import rank_sentences
from vivavoce.records import Answer, Cost, Doubt, Paper, Question, Seen

LONGEST_REPLY = 700
"""Tokens of the reply to one question. Small models that have nothing to say go on until they are stopped."""
LONGEST_REPLIES = 8000
"""Tokens of the replies to many questions: a provider refuses a limit that is beyond its model's."""


# Models see the words of these two. The bounds are for servers that write by the schema: small models go on
# with a list until they are stopped.
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

    def to_record(self) -> ModelReply:
        return ModelReply(
            self.reported, self.answer, tuple(self.sentences), tuple(self.quotes), tuple(self.values)
        )


class Replies(BaseModel):
    """The replies to several questions, in their order."""

    replies: list[Reply]


@dataclass
class ReplyChecker:
    """Checks the replies to a prompt, each of them once: before it is accepted and when it becomes an
    answer."""

    paper: Paper
    prompt: Prompt
    _checked: dict[ModelReply, Checked] = field(default_factory=dict)

    def check(self, reply: ModelReply) -> Checked:
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


class LLM:
    """A language model as a reader."""

    def __init__(self, name: str, session: ModelSession | None = None) -> None:
        self.name = name
        self.session = session or ModelSession()
        self.context = self.session.limits.models.context or ("evidence" if runs_here(name) else "paper")
        self.settings = self.session.limits.models
        self.template = self.settings.prompt or templates.DEFAULT
        self.version = _version(self.context, self.settings)
        self._caller = Caller(name, self.session.limiter(name))
        self._model: Model | None = None
        self._in_words = False
        """Is the schema of a reply given in words, since the server can't be held to it?"""
        self._agents: dict[tuple[bool, bool], Agent[ReplyChecker, Any]] = {}

    @property
    def needs_ranking(self) -> bool:
        """Must the paper's sentences be ranked before it is asked?"""
        return CONTEXTS.get(self.context).needs_ranking

    @property
    def retrieval(self) -> Retrieval | None:
        """How chunks are found, in the context `chunks`; any other context has its sentences ranked."""
        return self.settings.retrieval if self.context == CHUNKS else None

    def ready(self) -> None:
        """Raises when it can't be asked: no key, no library, no such provider, no price."""
        if self.retrieval is not None:
            check_encoder(self.retrieval.encoder)
        self._ready_model()

    def _ready_model(self) -> Model:
        if self._model is None:
            self._model = ReplayModel() if self.session.limits.replay else model_of(self.name)
            self._in_words = not self._model.profile.get("supports_json_schema_output", False)
        self.session.spending.check_price(self.name)
        return self._model

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order. Raises when one could not be had."""
        ranking: list[list[int]] = []
        if self.needs_ranking and not paper.unreadable:
            ranking = _ranked(paper, questions, self.retrieval)
        found: dict[str, Answer] = {}

        def keep(result: PromptResult) -> None:
            found.update({answer.question.text: answer for answer in result.answers})

        failed = loop.wait_for(self.ask(paper, questions, ranking, keep))
        if failed:
            raise ReaderError(failed[0].reason)
        return [found[question.text] for question in questions]

    async def ask(
        self,
        paper: Paper,
        questions: Sequence[Question],
        ranking: Ranking,
        keep: Callable[[PromptResult], None],
    ) -> list[PromptFailure]:
        """Asks, and hands the result of each prompt to `keep` as it comes; returns what went wrong. One model
        is asked on one event loop."""
        if paper.unreadable:
            unreadable = (
                Answer(question, self.name, self.version, "unreadable", reason=paper.unreadable)
                for question in questions
            )
            keep(PromptResult(tuple(unreadable), {}))
            return []
        model = self._ready_model()
        made = make_prompts(paper, questions, self.context, ranking)
        asked = [self._ask(model, ReplyChecker(paper, prompt), keep) for prompt in made]
        return [failed for failed in await asyncio.gather(*asked) if failed]

    def reach(self) -> None:
        """Calls it once, with a prompt of a few words; raises when no reply comes."""
        model = self._ready_model()
        settings = RequestSettings(
            max_tokens=16, timeout=min(20.0, self.session.limits.models.timeout), max_retries=0
        )
        asked: list[ModelMessage] = [ModelRequest.user_text_prompt("Reply with the word: yes")]
        loop.wait_for(self._caller.call(lambda: model.request(asked, settings, ModelRequestParameters())))

    async def _ask(
        self, model: Model, checker: ReplyChecker, keep: Callable[[PromptResult], None]
    ) -> PromptFailure | None:
        """Asks one prompt; why it failed, if it did."""
        conversation = Conversation(model, self.name, self.version, self._caller, self.session)
        questions = checker.prompt.questions
        if self.settings.free_text:
            return await self._ask_in_words(conversation, checker, keep)
        try:
            try:
                replies = await self._replies(conversation, checker)
            except NoSchema:
                self._in_words = True  # from now on
                replies = await self._replies(conversation, checker)
        except (CallFailed, ReaderStopped) as error:
            return PromptFailure(questions, str(error))
        except UnexpectedModelBehavior as error:
            reason = " ".join(str(error).split())[:200].rstrip(".")
            return PromptFailure(questions, f"{self.name}: the reply can't be used: {reason}.")
        keep(PromptResult(self._answers(checker, replies, conversation.cost), conversation.replies))
        return None

    async def _ask_in_words(
        self, conversation: Conversation, checker: ReplyChecker, keep: Callable[[PromptResult], None]
    ) -> PromptFailure | None:
        """Asks each question of a prompt by itself, and takes the reply as free text."""
        paper, shown = checker.paper, checker.prompt.chunks or _spans(checker.prompt)
        orders = tuple(Doubt("injected_orders", text) for text in injection_warnings(paper))
        answers = []
        for question in checker.prompt.questions:
            sent = templates.prompt_of(self.template, paper, shown, question)
            try:
                reply = await conversation.request(
                    [ModelRequest.user_text_prompt(sent)],
                    RequestSettings(
                        temperature=0.0,
                        max_tokens=LONGEST_REPLY,
                        timeout=self.settings.timeout,
                        max_retries=0,
                    ),
                    ModelRequestParameters(),
                )
            except (CallFailed, ReaderStopped) as error:
                return PromptFailure(checker.prompt.questions, str(error))
            seen = Seen(sent, reply.text or "", tuple((chunk.start, chunk.end) for chunk in shown))
            found = free_text.answer_of(paper, question, self.name, self.version, seen, shown)
            answers.append(replace(found, doubts=(*found.doubts, *orders)))
        shares = split(conversation.cost, len(answers))
        answers = [replace(answer, cost=share) for answer, share in zip(answers, shares, strict=True)]
        keep(PromptResult(tuple(answers), conversation.replies))
        return None

    async def _replies(self, conversation: Conversation, checker: ReplyChecker) -> list[ModelReply]:
        questions = checker.prompt.questions
        result = await self._agent(len(questions) == 1).run(
            prompts.text(checker.prompt.sentences, questions),
            model=conversation,
            deps=checker,
            model_settings=RequestSettings(max_tokens=longest_reply(len(questions))),
        )
        return [reply.to_record() for reply in _each(result.output)]

    def _answers(
        self, checker: ReplyChecker, replies: Sequence[ModelReply], cost: Cost
    ) -> tuple[Answer, ...]:
        orders = [Doubt("injected_orders", text) for text in injection_warnings(checker.paper)]
        left_out = checker.prompt.left_out
        made = []
        for question, reply, share in zip(
            checker.prompt.questions, replies, split(cost, len(replies)), strict=True
        ):
            found = make_answer(checker.paper, question, self.name, self.version, reply, checker.check(reply))
            doubts = (*found.doubts, *orders)
            if left_out:
                unread = f"{left_out} sentences did not fit into the prompt and were not read"
                doubts += (Doubt("sentences_left_out", unread),)
            made.append(replace(found, doubts=doubts, cost=share))
        return tuple(made)

    def _agent(self, one: bool) -> Agent[ReplyChecker, Any]:
        """Made once for one question and once for several: making one takes longer than using it."""
        wanted = (one, self._in_words)
        if wanted not in self._agents:
            kind: type[Reply] | type[Replies] = Reply if one else Replies
            agent: Agent[ReplyChecker, Any] = Agent(
                output_type=PromptedOutput(kind) if self._in_words else NativeOutput(kind),
                deps_type=ReplyChecker,
                instructions=prompts.INSTRUCTIONS,
                retries=2,
                model_settings=RequestSettings(
                    temperature=0.0,
                    timeout=self.session.limits.models.timeout,
                    max_retries=0,  # `retrying` does that
                ),
            )
            agent.output_validator(_validate)
            self._agents[wanted] = agent
        return self._agents[wanted]


def _ranked(paper: Paper, questions: Sequence[Question], retrieval: Retrieval | None) -> list[list[int]]:
    if retrieval is not None:
        return nearest_chunks(paper, questions, retrieval)
    return rank_sentences(paper, questions)


def _spans(prompt: Prompt) -> tuple[Chunk, ...]:
    """What a prompt shows, as spans of text: sentences that follow each other are one."""
    spans: list[Chunk] = []
    before = -2
    for number, sentence in prompt.sentences:
        if number == before + 1:
            spans[-1] = Chunk(spans[-1].start, sentence.end)
        else:
            spans.append(Chunk(sentence.start, sentence.end))
        before = number
    return tuple(spans)


def _version(context: str, settings: ModelSettings) -> str:
    """Changes with every word that a model is given, and with what it is shown."""
    if context == CHUNKS:
        context = f"{context}-{hashlib.sha256(settings.retrieval.version.encode()).hexdigest()[:6]}"
    if settings.free_text:
        template = hashlib.sha256((settings.prompt or templates.DEFAULT).encode()).hexdigest()[:8]
        return (
            f"words{free_text.VERSION}-{context}{CONTEXTS.get(context.partition('-')[0]).version}-{template}"
        )
    schema = json.dumps(Reply.model_json_schema(), sort_keys=True)
    words = f"{prompts.INSTRUCTIONS}{prompts.AGAIN}{prompts.NO_QUOTE}{prompts.VERSION}{schema}"
    shown = f"{context}{CONTEXTS.get(context.partition('-')[0]).version}"
    return f"{prompts.VERSION}-{shown}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


def longest_reply(questions: int) -> int:
    """Tokens that the reply to so many questions may have."""
    return min(LONGEST_REPLY * questions, LONGEST_REPLIES)


def _each(output: Reply | Replies) -> list[Reply]:
    return output.replies if isinstance(output, Replies) else [output]


def _validate(context: RunContext[ReplyChecker], output: Reply | Replies) -> Reply | Replies:
    """Asks once more for quotes that are not in the paper, and for as many replies as there are questions."""
    checker = context.deps
    replies, asked = _each(output), len(checker.prompt.questions)
    if len(replies) != asked:
        raise ModelRetry(f"There are {asked} questions; give a reply to each, in their order.")
    if context.retry:
        return output
    for reply in replies:
        if not reply.reported:
            continue
        found = checker.check(reply.to_record())
        if found.lost:
            raise ModelRetry(
                prompts.AGAIN.format(quotes="; ".join(f'"{quote[:200]}"' for quote in found.lost))
            )
        if not found.found:
            raise ModelRetry(prompts.NO_QUOTE)
    return output
