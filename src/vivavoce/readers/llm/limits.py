"""How language models are asked, and what they may spend: plain values that can be stored, compared and
pickled.

`ModelSettings` is what a study stores. `RunLimits` are those of one run. What is shared while a run goes on
(what was spent, who waits for whom) is in `session`.
"""

from dataclasses import dataclass, field

from vivavoce.readers.llm.chunks import NEAREST, OVERLAP, SIZE, Retrieval
from vivavoce.records import Cost

CALLS = 8
"""Calls under way at a time to each provider, by default."""
SECONDS = 180.0
"""How long a call may take, by default."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a study's language models are asked."""

    context: str | None = None
    """What they see, by its name in `context.CONTEXTS`; none: the whole paper, or, for models that run on
    this machine, the sentences that matter."""
    calls: int = CALLS
    """Calls under way at a time, to each provider."""
    timeout: float = SECONDS
    """Seconds that a call may take."""
    free_text: bool = False
    """Do they reply in words, to a filled-in prompt?"""
    prompt: str = ""
    """The prompt's template, for replies in words; empty: ours."""
    chunk_size: int = SIZE
    """For the context `chunks`: characters of a chunk, characters that two share, and how many are sent."""
    chunk_overlap: int = OVERLAP
    chunks: int = NEAREST
    encoder: str = "builtin"
    """What chooses the chunks; see `chunks.Retrieval`."""

    @property
    def retrieval(self) -> Retrieval:
        return Retrieval(self.chunk_size, self.chunk_overlap, self.chunks, self.encoder)


RECIPES: dict[str, dict[str, str | bool]] = {"rag": {"context": "chunks", "free_text": True}}
"""Settings that go together, by the names that `--recipe` takes. `rag`: retrieve chunks, fill in a prompt,
take the reply as free text, as in the published pipeline."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may spend."""

    tokens: int | None = None
    """Sent and received; none: as many as it takes."""
    dollars: float | None = None
    """None: as many as it takes."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What the language models of one run may do."""

    models: ModelSettings = field(default_factory=ModelSettings)
    budget: Budget = field(default_factory=Budget)
    replay: bool = False
    """No model is called. What no stored reply answers fails."""


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
