"""One conversation with a language model, recorded word for word.

A `Conversation` sits between pydantic-ai and the provider's model. What is sent is known by a hash of its
words; a reply that is stored for that hash is used again, without a call. A call goes through the reader's
`Caller`, which tries again, and is counted in the session's `Spending`. In the end `replies` has the model's
replies, to be stored.
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

from vivavoce.readers.llm.prices import dollars
from vivavoce.readers.llm.retrying import Caller, CallFailed
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import Cost

FEWEST_CHARACTERS_PER_TOKEN = 2.4
"""In the worst of 456 prompts that were measured, which was rows of numbers. English has 4."""


class NoSchema(Exception):
    """The server can't hold a reply to a JSON schema."""


class Conversation(WrapperModel):
    def __init__(
        self, model: Model, reader: str, version: str, caller: Caller, session: ModelSession
    ) -> None:
        super().__init__(model)
        self._reader, self._version, self._caller, self._session = reader, version, caller, session
        self.replies: dict[str, str] = {}
        """The model's replies, by the hash of what was sent."""
        self.cost = Cost(dollars=0.0)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: RequestSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        prompt = prompt_hash(self._reader, self._version, words(messages))
        stored = self._session.replies(prompt)
        seconds = 0.0
        if stored is not None:
            response = _response(stored)
        elif self._session.limits.replay:
            raise CallFailed(
                f"{self._reader}: there is no stored reply to what is asked now; run it without --replay."
            )
        else:
            response, seconds = await self._call(messages, model_settings, model_request_parameters)
            stored = ModelMessagesTypeAdapter.dump_json([response]).decode()
        self.replies[prompt] = stored
        self.cost += self._cost(response, seconds)
        return response

    async def _call(
        self,
        messages: list[ModelMessage],
        settings: RequestSettings | None,
        parameters: ModelRequestParameters,
    ) -> tuple[ModelResponse, float]:
        """The model's response within the budget, and the seconds that it took."""
        spending = self._session.spending
        most = self._priced(_most_tokens(messages), int((settings or {}).get("max_tokens") or 0), 0, 0.0)

        async def call() -> tuple[ModelResponse, float]:
            await spending.wait_for_room(self._reader, most)
            with spending.set_aside(most):
                began = time.monotonic()
                response = await self._request(messages, settings, parameters)
                seconds = time.monotonic() - began
                spending.add(self._reader, self._cost(response, seconds))
                return response, seconds

        return await self._caller.call(call)

    async def _request(
        self,
        messages: list[ModelMessage],
        settings: RequestSettings | None,
        parameters: ModelRequestParameters,
    ) -> ModelResponse:
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
    """The model of a replay. It has no key and no network, and is never called."""

    def __init__(self) -> None:
        super().__init__(profile={"supports_json_schema_output": True})

    @property
    def model_name(self) -> str:
        return "replay"

    @property
    def system(self) -> str:
        return "replay"

    async def request(self, *_: Any) -> Any:
        raise AssertionError("a replay calls no model")


def words(messages: Sequence[ModelMessage]) -> list[str]:
    """What was asked, and what was replied so far. The library's own requests between the replies are left
    out: they follow from the replies, and are worded differently for each provider."""
    asked = [str(part.content) for part in messages[0].parts if isinstance(part, UserPromptPart)]
    return [*asked, *(message.text or "" for message in messages if isinstance(message, ModelResponse))]


def prompt_hash(reader: str, version: str, words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join([reader, version, *words]).encode("utf-8", "surrogatepass")).hexdigest()


def _most_tokens(messages: Sequence[ModelMessage]) -> int:
    """The most that the messages may have."""
    instructions = sum(len(getattr(message, "instructions", None) or "") for message in messages)
    contents = sum(len(str(getattr(part, "content", ""))) for message in messages for part in message.parts)
    return int((contents + instructions) / FEWEST_CHARACTERS_PER_TOKEN)


def _response(body: str) -> ModelResponse:
    (message,) = ModelMessagesTypeAdapter.validate_json(body)
    assert isinstance(message, ModelResponse)
    return message
