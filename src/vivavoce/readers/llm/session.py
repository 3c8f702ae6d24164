"""What the language models of one run share while it goes on: the stored replies, what was spent, the
limiters.

A session is made, from `RunLimits`, in the process that calls the models. It is used on one event loop
(`loop`) and is never pickled. A budget holds because each call sets aside the most that it may take before it
is made, and gives back what is left when the reply has come.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from vivavoce.errors import InputError, ReaderStopped
from vivavoce.readers.llm.limits import Budget, RunLimits
from vivavoce.readers.llm.prices import dollars
from vivavoce.readers.names import provider
from vivavoce.records import Cost

StoredReplies = Callable[[str], str | None]
"""The reply that is stored for the hash of what was sent; none when there is none."""


@dataclass
class Spending:
    """What was spent of a budget so far."""

    budget: Budget = field(default_factory=Budget)
    by_reader: dict[str, Cost] = field(default_factory=dict)
    """Calls whose reply could not be used are in it, too."""
    _set_aside: list[Cost] = field(default_factory=list)
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    def check_price(self, reader: str) -> None:
        """Refuses a reader whose price is not known when there is a limit of money."""
        if self.budget.dollars is not None and dollars(reader, 1, 1) is None:
            raise InputError(f"{reader}: its price is not known, so --max-cost can't hold; use --max-tokens.")

    async def wait_for_room(self, reader: str, most: Cost) -> None:
        """Waits until a call that takes that much can't pass a limit; raises when it would by itself."""
        while (limit := self._passed(most)) and self._set_aside:
            self._freed.clear()
            await self._freed.wait()
        if limit:
            spent = sum(self.by_reader.values(), Cost(dollars=0.0))
            used = f"{spent.tokens_in + spent.tokens_out:,} tokens"
            if spent.dollars:
                used += f" and ${spent.dollars:.4f}"
            raise ReaderStopped(f"{reader}: {limit} is reached: the next call could pass it ({used} spent).")

    @contextmanager
    def set_aside(self, most: Cost) -> Iterator[None]:
        """Keeps that much for a call that is under way."""
        self._set_aside.append(most)
        try:
            yield
        finally:
            self._set_aside.remove(most)
            self._freed.set()

    def add(self, reader: str, cost: Cost) -> None:
        self.by_reader[reader] = self.by_reader.get(reader, Cost(dollars=0.0)) + cost

    def _passed(self, most: Cost) -> str:
        """The limit that would be passed, if any."""
        total = sum([*self.by_reader.values(), *self._set_aside], Cost(dollars=0.0)) + most
        limit = self.budget
        if limit.tokens is not None and total.tokens_in + total.tokens_out > limit.tokens:
            return f"--max-tokens {limit.tokens}"
        if limit.dollars is not None and (total.dollars is None or total.dollars > limit.dollars):
            return f"--max-cost {limit.dollars:g}"
        return ""


class Limiter:
    """Lets so many calls through at a time: `async with limiter`. All calls to one provider share one."""

    def __init__(self, calls: int) -> None:
        self._slots = asyncio.Semaphore(calls)

    async def __aenter__(self) -> None:
        await self._slots.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._slots.release()


def _none_stored(_: str) -> None:
    return None


class ModelSession:
    """Made once for each run, and handed to all its language models."""

    def __init__(self, limits: RunLimits | None = None, replies: StoredReplies = _none_stored) -> None:
        self.limits = limits or RunLimits()
        self.replies = replies
        self.spending = Spending(self.limits.budget)
        self._limiters: dict[str, Limiter] = {}

    def limiter(self, reader: str) -> Limiter:
        """The one that this reader shares with the other models of its provider."""
        return self._limiters.setdefault(provider(reader), Limiter(self.limits.models.calls))
