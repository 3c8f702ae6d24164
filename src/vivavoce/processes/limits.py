"""What one call in a process of its own may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """A call beyond a limit is ended."""

    seconds: float = 60.0
    """Wall time for one call."""
    memory_mb: int = 2048
    """Address space of the process, its own code included (about 200 MB)."""
