"""How language models are asked: what they see, how many calls at a time, what they may spend.

`ModelSettings` is what a study keeps of it. `RunLimits` are those of one run: its budget, which all readers
share, and the replies that are kept from before. A budget stops a call before a limit is passed: it sets
aside the most that the call may take, and takes back what was left when the reply has come.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from vivavoce.errors import ReaderError, ReaderStopped, VivaError
from vivavoce.readers.llm.context import Context
from vivavoce.readers.llm.prices import dollars
from vivavoce.records import Cost

CALLS = 8
"""Calls under way at a time to each provider, unless told otherwise."""
SECONDS = 180.0
"""That a call may take, unless told otherwise."""


class CallFailed(ReaderError):
    """One call failed for good; others may do better."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a study's language models are asked."""

    context: Context | None = None
    """What they see; none: a whole paper, or, for models that run here, the sentences that matter."""
    calls: int = CALLS
    """Under way at a time, to each provider."""
    timeout: float = SECONDS
    """Seconds that a call may take."""


@dataclass
class Budget:
    """What a run may spend, and what it has spent so far."""

    tokens: int | None = None
    """Sent and received; none: as many as it takes."""
    dollars: float | None = None
    spent: dict[str, Cost] = field(default_factory=dict)
    """By reader; calls that came to nothing are in it, too."""
    _held: list[Cost] = field(default_factory=list)
    _freed: asyncio.Event | None = None

    def check(self, reader: str) -> None:
        """Refuses a reader whose price nobody knows when there is a limit of money."""
        if self.dollars is not None and dollars(reader, 1, 1) is None:
            raise VivaError(f"{reader}: its price is not known, so --max-cost can't hold; use --max-tokens.")

    async def room(self, reader: str, most: Cost) -> None:
        """Waits until a call that takes that much can't pass a limit; raises when it would by itself."""
        while (limit := self._passed(most)) and self._held:
            if self._freed is None:
                self._freed = asyncio.Event()
            self._freed.clear()
            await self._freed.wait()
        if limit:
            spent = sum(self.spent.values(), Cost(dollars=0.0))
            used = f"{spent.tokens_in + spent.tokens_out:,} tokens"
            if spent.dollars:
                used += f" and ${spent.dollars:.4f}"
            raise ReaderStopped(f"{reader}: {limit} is reached: the next call could pass it ({used} spent).")

    @contextmanager
    def held(self, most: Cost) -> Iterator[None]:
        """Sets that much aside for a call."""
        self._held.append(most)
        try:
            yield
        finally:
            self._held.remove(most)
            if self._freed is not None:
                self._freed.set()

    def add(self, reader: str, cost: Cost) -> None:
        self.spent[reader] = self.spent.get(reader, Cost(dollars=0.0)) + cost

    def _passed(self, most: Cost) -> str:
        """The limit that would be passed, if any."""
        total = sum([*self.spent.values(), *self._held], Cost(dollars=0.0)) + most
        if self.tokens is not None and total.tokens_in + total.tokens_out > self.tokens:
            return f"--max-tokens {self.tokens}"
        if self.dollars is not None and (total.dollars is None or total.dollars > self.dollars):
            return f"--max-cost {self.dollars:g}"
        return ""


@dataclass
class RunLimits:
    """Those of one run, for all its language models."""

    models: ModelSettings = field(default_factory=ModelSettings)
    budget: Budget = field(default_factory=Budget)
    kept: Callable[[str], str | None] = lambda _: None
    """The reply that is kept for what has this hash."""
    replay: bool = False
    """Is nobody called? Then what no kept reply answers fails."""


def split(cost: Cost, parts: int) -> list[Cost]:
    """The cost of questions that were asked together, in shares that add up to it."""

    def share(whole: int, part: int) -> int:
        return whole * (part + 1) // parts - whole * part // parts

    return [
        Cost(
            cost.calls / parts,
            share(cost.tokens_in, part),
            share(cost.tokens_out, part),
            share(cost.tokens_cached, part),
            cost.seconds / parts,
            None if cost.dollars is None else cost.dollars / parts,
        )
        for part in range(parts)
    ]
