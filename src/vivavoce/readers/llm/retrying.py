"""Calls to a provider that are tried again when that may help.

- At most as many calls are under way as the provider's `Limiter` lets through.
- After 429, 5xx, a timeout or a lost connection a call is tried again, after the time that the provider asks
  for (`Retry-After`) or a growing pause.
- After 400, 401, 403 or 404 it is not: the reader stops for this run, and says why in one line. Others go on.
- After many failures in a row the provider is not called for a while, and given up if that does not help.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)

from vivavoce.errors import ReaderError, ReaderStopped
from vivavoce.readers.llm.session import Limiter

T = TypeVar("T")

TRIES = 6
"""Of one call."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the second try; the pause doubles with each try, up to the second number."""
LONGEST_RETRY_AFTER = 120.0
"""Seconds that a provider may ask us to wait."""
FAILURES_IN_A_ROW = 12
"""Of different calls; after these the provider is not called for a while."""
REST = 20.0
"""Seconds without a call."""
RESTS = 3
"""How many rests there are before the reader stops."""


class CallFailed(ReaderError):
    """One call failed for good. Others may succeed."""


@dataclass
class Caller:
    """Makes the calls of one reader."""

    name: str
    limiter: Limiter
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _random: random.Random = field(default_factory=lambda: random.Random(0))
    _failures: int = 0
    _rests: int = 0
    _stopped: str = ""
    _awake: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._awake.set()

    async def call(self, make: Callable[[], Awaitable[T]]) -> T:
        """What the call gives. Raises `CallFailed` or `ReaderStopped`."""
        async with self.limiter:
            for attempt in range(1, TRIES + 1):
                await self._awake.wait()
                if self._stopped:
                    raise ReaderStopped(self._stopped)
                try:
                    result = await make()
                except (ModelAPIError, UnexpectedModelBehavior) as error:
                    reason = self._reason(error)
                    await self._count_failure(reason)
                    if attempt == TRIES:
                        raise CallFailed(f"{self.name}: gave up after {TRIES} tries: {reason}") from error
                    await self.sleep(self._pause(error, attempt))
                else:
                    self._failures = self._rests = 0
                    return result
        raise AssertionError  # the loop returns or raises

    def _reason(self, error: ModelAPIError | UnexpectedModelBehavior) -> str:
        """Why the call failed, if another try may help; raises if it won't."""
        if isinstance(error, UnexpectedModelBehavior):
            return f"what came is no reply: {' '.join(str(error).split())[:200]}"
        status = error.status_code if isinstance(error, ModelHTTPError) else None
        if isinstance(error, ModelContextWindowExceededError):
            raise CallFailed(
                f"{self.name}: the prompt is longer than the model's window; use --context."
            ) from error
        if isinstance(error, ModelAuthenticationError) or status in (401, 403):
            raise self._stop(f"{self.name}: the provider refuses the key; check the key in the environment.")
        if isinstance(error, ModelNotFoundError) or status == 404:
            raise self._stop(f"{self.name}: the provider has no such model; check the name.")
        if isinstance(error, ModelQuotaExceededError):
            raise self._stop(f"{self.name}: the account's quota is used up.")
        if isinstance(error, ModelRequestRejectedError) or (
            status and 400 <= status < 500 and status not in (408, 429)
        ):
            raise self._stop(f"{self.name}: the provider rejects the request (status {status}).")
        if status:
            return f"status {status}"
        return (
            "no reply in time" if isinstance(error, ModelTimeoutError) else "it can't be reached; is it up?"
        )

    def _stop(self, reason: str) -> ReaderStopped:
        self._stopped = reason
        return ReaderStopped(reason)

    def _pause(self, error: ModelAPIError | UnexpectedModelBehavior, attempt: int) -> float:
        wanted: float | None = getattr(error, "retry_after", None)
        if wanted is not None:
            return min(wanted, LONGEST_RETRY_AFTER)
        pause: float = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
        return pause * self._random.uniform(0.75, 1.25)

    async def _count_failure(self, reason: str) -> None:
        """After many failures in a row nobody calls for a while."""
        self._failures += 1
        if self._failures < FAILURES_IN_A_ROW or not self._awake.is_set():
            return
        if self._rests >= RESTS:
            raise self._stop(f"{self.name}: the server keeps failing ({reason}); is it up?")
        self._rests += 1
        self._awake.clear()
        try:
            await self.sleep(REST)
        finally:
            self._failures = 0
            self._awake.set()
