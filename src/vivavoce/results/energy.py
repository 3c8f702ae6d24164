"""Energy and CO2e of a study's readers, added up from its run log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Energy:
    kwh: float
    """Kilowatt-hours; of an estimate with a range, the middle."""
    co2e_kg: float | None
    """Kilograms; none when the country is not known."""
    how: Literal["measured", "estimated"]
    note: str
    """By which method, for a person to read."""
    low: float | None = None
    high: float | None = None
    """The range in kWh, of an estimate; none when it was measured."""


def total_energy(runs: Iterable[Mapping[str, Any]]) -> dict[str, Energy]:
    """What each reader used in all runs that were measured, from the run log."""
    found: dict[str, Energy] = {}
    for run in runs:
        for reader, raw in run["detail"].get("energy", {}).items():
            now = Energy(**raw)
            found[reader] = _sum(found[reader], now) if reader in found else now
    return found


def _sum(one: Energy, other: Energy) -> Energy:
    def total(a: float | None, b: float | None) -> float | None:
        return None if a is None or b is None else a + b

    return replace(
        other,
        kwh=one.kwh + other.kwh,
        co2e_kg=total(one.co2e_kg, other.co2e_kg),
        low=total(one.low, other.low),
        high=total(one.high, other.high),
    )
