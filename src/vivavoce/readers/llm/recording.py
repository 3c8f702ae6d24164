"""One conversation with a language model, word for word: its replies are kept, and kept ones are given again.

A `Conversation` stands between pydantic-ai and the provider's model. What is sent is known by a hash of its
words; a reply that is kept for it is given back without a call. A call goes through the reader's `Caller`
(tries again, waits) and its run's `Budget`. When the conversation has come to something, `replies` has what
was said in it, to be kept.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import Any

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings as RequestSettings

from vivavoce.readers.llm.limits import CallFailed, RunLimits
from vivavoce.readers.llm.prices import dollars
from vivavoce.readers.llm.retrying import Caller
from vivavoce.records import Cost

FEWEST_CHARACTERS = 2.4
"""Of a token, in the worst of 456 prompts that were measured: rows of numbers. English has 4."""


class NoSchema(Exception):
    """The server can't hold a reply to a JSON schema."""


class Conversation(WrapperModel):
    def __init__(self, model: Model, reader: str, version: str, caller: Caller, limits: RunLimits) -> None:
        super().__init__(model)
        self._reader, self._version, self._caller, self._limits = reader, version, caller, limits
        self.replies: dict[str, str] = {}
        """What was said, by the hash of what it was said to."""
        self.cost = Cost(dollars=0.0)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: RequestSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        sent = words(messages)
        prompt = fingerprint(self._reader, self._version, sent)
        body = self._limits.kept(prompt)
        seconds = 0.0
        if body is not None:
            response = _response(body)
        elif self._limits.replay:
            raise CallFailed(
                f"{self._reader}: no reply is kept for what is asked now; run it without --replay."
            )
        else:
            most_out = int((model_settings or {}).get("max_tokens") or 0)
            instructions = sum(len(getattr(message, "instructions", None) or "") for message in messages)
            said = sum(
                len(str(getattr(part, "content", ""))) for message in messages for part in message.parts
            )
            most_in = int((said + instructions) / FEWEST_CHARACTERS)
            most = self._priced(most_in, most_out, 0, 0.0)

            async def call() -> tuple[ModelResponse, float]:
                await self._limits.budget.room(self._reader, most)
                with self._limits.budget.held(most):
                    began = time.monotonic()
                    made = await self._make(messages, model_settings, model_request_parameters)
                    took = time.monotonic() - began
                    self._limits.budget.add(self._reader, self._cost(made, took))
                    return made, took

            response, seconds = await self._caller.call(call)
            body = ModelMessagesTypeAdapter.dump_json([response]).decode()
        self.replies[prompt] = body
        self.cost += self._cost(response, seconds)
        return response

    async def _make(self, messages: Any, settings: Any, parameters: Any) -> ModelResponse:
        try:
            return await self.wrapped.request(messages, settings, parameters)
        except ModelHTTPError as error:
            native = parameters.output_mode == "native"
            if native and error.status_code == 400 and "response_format" in str(error.body):
                raise NoSchema from error
            raise

    def _cost(self, response: ModelResponse, seconds: float) -> Cost:
        used = response.usage
        return self._priced(used.input_tokens, used.output_tokens, used.cache_read_tokens, seconds)

    def _priced(self, tokens_in: int, tokens_out: int, cached: int, seconds: float) -> Cost:
        price = dollars(self._reader, tokens_in, tokens_out, cached)
        return Cost(1.0, tokens_in, tokens_out, cached, seconds, price)


class ReplayModel(Model):
    """The model of a replay: it has no key, no network, and is never called."""

    def __init__(self) -> None:
        super().__init__(profile={"supports_json_schema_output": True})

    @property
    def model_name(self) -> str:
        return "replay"

    @property
    def system(self) -> str:
        return "replay"

    async def request(self, *_: Any) -> Any:
        raise AssertionError("a replay calls nobody")


def words(messages: Sequence[ModelMessage]) -> list[str]:
    """What was asked, and what was replied so far. What was said to that follows from it; the library puts it
    in other words for other providers, and adds to the instructions, so neither is looked at."""
    asked = [str(part.content) for part in messages[0].parts if isinstance(part, UserPromptPart)]
    return [*asked, *(message.text or "" for message in messages if isinstance(message, ModelResponse))]


def fingerprint(reader: str, version: str, said: Sequence[str]) -> str:
    return hashlib.sha256("\0".join([reader, version, *said]).encode("utf-8", "surrogatepass")).hexdigest()


def _response(body: str) -> ModelResponse:
    (message,) = ModelMessagesTypeAdapter.validate_json(body)
    assert isinstance(message, ModelResponse)
    return message
