"""Calls to a provider: as many at a time as it bears, again when that helps, not for ever when it doesn't.

- at most as many calls are under way as its `Limiter` lets through, whoever makes them;
- 429, 5xx, timeouts and lost connections are tried again, after the time that the provider asks for
  (`Retry-After`) or a growing pause;
- 400, 401, 403 and 404 are not: the reader stops for this run, with one clear line, while others go on;
- after many failures in a row the provider is left alone for a while, and given up if that does not help.
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

from vivavoce.errors import ReaderStopped
from vivavoce.readers.llm.limits import CallFailed

T = TypeVar("T")

TRIES = 6
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the second try, doubled before each other one; and the most."""
PATIENCE = 120.0
"""The longest `Retry-After` that is waited for."""
FAILURES = 12
"""In a row, of different calls, after which the provider is left alone for a while."""
REST = 20.0
RESTS = 3
"""How often that is tried before the reader stops."""


@dataclass
class Limiter:
    """Lets so many through at a time: all calls to one provider go through the same one."""

    many: int
    _slots: asyncio.Semaphore | None = None

    def __call__(self) -> asyncio.Semaphore:
        if self._slots is None:  # made on the loop that it is used on
            self._slots = asyncio.Semaphore(self.many)
        return self._slots


@dataclass
class Caller:
    """Makes the calls of one reader."""

    name: str
    limiter: Limiter
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _chance: random.Random = field(default_factory=lambda: random.Random(0))
    _failures: int = 0
    _rests: int = 0
    _stopped: str = ""
    _open: asyncio.Event | None = None

    async def call(self, make: Callable[[], Awaitable[T]]) -> T:
        """What the call gives. Raises `CallFailed` or `ReaderStopped`."""
        if self._open is None:
            self._open = asyncio.Event()
            self._open.set()
        async with self.limiter():
            for attempt in range(1, TRIES + 1):
                await self._open.wait()
                if self._stopped:
                    raise ReaderStopped(self._stopped)
                try:
                    result = await make()
                except (ModelAPIError, UnexpectedModelBehavior) as error:
                    reason = self._judged(error)
                    if attempt == TRIES:
                        await self._note_failure(reason)
                        raise CallFailed(f"{self.name}: gave up after {TRIES} tries: {reason}") from error
                    await self._note_failure(reason)
                    await self.sleep(self._pause(error, attempt))
                else:
                    self._failures = self._rests = 0
                    return result
        raise AssertionError  # the loop returns or raises

    def _judged(self, error: ModelAPIError | UnexpectedModelBehavior) -> str:
        """Why, for an error that another try may mend; raises for one that it won't."""
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
            return min(wanted, PATIENCE)
        pause: float = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
        return pause * self._chance.uniform(0.75, 1.25)

    async def _note_failure(self, reason: str) -> None:
        """Counts it; after many in a row nobody calls for a while."""
        assert self._open is not None
        self._failures += 1
        if self._failures < FAILURES or not self._open.is_set():
            return
        if self._rests >= RESTS:
            raise self._stop(f"{self.name}: the server keeps failing ({reason}); is it up?")
        self._rests += 1
        self._open.clear()
        try:
            await self.sleep(REST)
        finally:
            self._failures = 0
            self._open.set()
