"""Energy and CO2e of answering: measured where the work is done on this machine (codecarbon), estimated where
a provider does it (ecologits). Both need the extra `energy`, and neither uses the network here.

codecarbon can write files, call addresses, log to the screen and take over signals, and takes settings for
that from the home folder, the working folder and the environment. `Meter` sets all of it itself, and hears
what was measured as one of its output handlers. Of settings from outside, those of power count
(`CODECARBON_FORCE_CPU_POWER`, `CODECARBON_FORCE_RAM_POWER`, in watts): somebody may know better.

Without an energy counter (RAPL), as in most virtual machines, "measured" is rated power times measured load.
An `Energy` says in its `note` how it came about. CO2e is of the electricity alone, not of making hardware.
"""

import logging
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import version
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from vivavoce.errors import InputError, MissingExtra, VivaError
from vivavoce.readers import runs_here
from vivavoce.records import Cost
from vivavoce.results.energy import Energy

if TYPE_CHECKING:
    from codecarbon.output_methods.emissions_data import EmissionsData

INSTALL = "pip install 'vivavoce[energy]'"
READING_SECONDS = 5.0
"""Between two readings: as much as a killed run can lose. (codecarbon looks at the load every second.)"""

PROVIDERS = {
    "anthropic": "anthropic",
    "cohere": "cohere",
    "google": "google_genai",
    "google-cloud": "google_genai",
    "google-gla": "google_genai",
    "google-vertex": "google_genai",
    "huggingface": "huggingface_hub",
    "mistral": "mistralai",
    "openai": "openai",
    "openai-chat": "openai",
    "openai-responses": "openai",
}
"""pydantic-ai's names of providers, which readers' names begin with -> ecologits' names."""


class Meter:
    """Measures while it is entered: `with Meter("FRA") as meter: ...`, then `meter.energy`.

    `country` is an ISO code of three letters; without it there is no CO2e, since the world's mean is eleven
    times Sweden's and two thirds of India's. What counts is this process and those that it started. A model
    server that was started otherwise is not among them: `whole_machine=True` counts all that runs."""

    def __init__(self, country: str | None = None, *, whole_machine: bool = False) -> None:
        with _quiet("codecarbon"):
            try:
                from codecarbon.input import DataSource
            except ImportError:
                raise MissingExtra(f"measuring energy needs an extra: {INSTALL}.") from None
            self._country = country.upper() if country else None
            grids = DataSource().get_global_energy_mix_data()  # type: ignore[no-untyped-call]
            if self._country and self._country not in grids:
                raise InputError(
                    f"there is no country '{country}' whose grid is known: give its ISO code of three "
                    "letters, such as FRA or DEU."
                )
        self._whole_machine = whole_machine
        self._latest = _Latest()
        self._open = ExitStack()
        self._tracker: Any = None
        self._note = ""

    def __enter__(self) -> Self:
        self._open.enter_context(_quiet("codecarbon"))
        try:
            self._latest = _Latest()
            self._tracker = self._start()
            if self._latest.total is None:  # codecarbon's own exceptions never come out
                raise VivaError("energy can't be measured on this machine: run without it.")
            self._note = self._method()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    @property
    def energy(self) -> Energy:
        """What was used; before the end, up to the last reading, at most `READING_SECONDS` ago."""
        total = self._latest.total
        if total is None:
            raise VivaError("nothing was measured: `with Meter() as meter` comes first.")
        co2e = total.emissions if self._country else None
        return Energy(total.energy_consumed, co2e, "measured", self._note)

    def _start(self) -> Any:
        from codecarbon import OfflineEmissionsTracker

        tracker = OfflineEmissionsTracker(
            country_iso_code=self._country,
            country_2letter_iso_code=None,
            region=None,
            cloud_provider=None,
            cloud_region=None,
            # Without a country its figure would be the world's mean, which we don't use.
            force_carbon_intensity_g_co2e_kwh=None if self._country else 0.0,
            tracking_mode="machine" if self._whole_machine else "process",
            measure_power_secs=READING_SECONDS,
            api_call_interval=1,  # every reading comes to our handler
            output_handlers=[self._latest],
            output_methods=[],
            output_dir=tempfile.gettempdir(),  # must exist, and nothing is written there
            emissions_endpoint=None,
            electricitymaps_api_token="",  # None would let an older setting through
            allow_multiple_runs=True,  # else it keeps a lock file, and its own signal handlers
            log_level="critical",
            logger_preamble="",
            pue=1.0,
            wue=0.0,
            force_mode_cpu_load=False,
            rapl_include_dram=False,
            rapl_prefer_psys=False,
        )
        tracker.start()
        return tracker

    def _stop(self) -> None:
        # Threads first: a reading under way in one of them would be counted twice.
        while threads := self._threads():
            for thread in threads:
                thread.cancel()
            threads[0].join(0.01)
        if self._tracker is not None:
            self._tracker.stop()
            self._tracker = None
        self._open.close()

    def _threads(self) -> list[threading.Timer]:
        """codecarbon's threads that work for this meter. Each starts its successor, and one that does so
        while codecarbon stops it would go on for good; hence we stop them, until there is none."""
        found = []
        for thread in threading.enumerate():
            schedule = getattr(getattr(thread, "function", None), "__self__", None)
            tracker = getattr(getattr(schedule, "function", None), "__self__", None)
            if isinstance(thread, threading.Timer) and tracker is not None and tracker is self._tracker:
                found.append(thread)
        return found

    def _method(self) -> str:
        parts = [f"codecarbon {version('codecarbon')}"]
        parts.append("the whole machine" if self._whole_machine else "this process and those it started")
        for part in self._tracker._hardware:  # nothing public says how the processor is measured
            mode, watts = getattr(part, "_mode", ""), getattr(part, "_tdp", None)
            if mode == "intel_rapl":
                parts.append("CPU by its energy counter, with all that runs on it")
            elif mode == "cpu_load":
                parts.append(f"CPU by its rated power ({watts:g} W) at the measured load")
            elif mode:
                parts.append(f"CPU at half of its rated power ({watts:g} W)")
            elif type(part).__name__ == "GPU":
                parts.append("GPUs by their energy counters, with all that runs on them")
            elif type(part).__name__ == "RAM":
                parts.append("memory by its size")
        parts.append(f"grid of {self._country}" if self._country else "no country given, so no CO2e")
        return ", ".join(parts)


class _Latest:
    """An output handler of codecarbon's that keeps the latest reading."""

    def __init__(self) -> None:
        self.total: EmissionsData | None = None

    def out(self, total: "EmissionsData", _delta: "EmissionsData") -> None:
        self.total = total

    live_out = out

    def exit(self) -> None:
        """There is nothing to close."""


def shares(total: Energy, seconds: Mapping[str, float]) -> dict[str, Energy]:
    """The energy split among readers by the seconds that each was busy, so that the shares make up the total.
    Where no reader was busy there are no shares."""
    if any(value < 0 for value in seconds.values()):
        raise ValueError("seconds can't be negative")
    whole = sum(seconds.values())
    if not whole:
        return {}

    def part(value: float | None, share: float) -> float | None:
        return None if value is None else value * share

    return {
        reader: replace(
            total,
            kwh=total.kwh * busy / whole,
            co2e_kg=part(total.co2e_kg, busy / whole),
            low=part(total.low, busy / whole),
            high=part(total.high, busy / whole),
            note=f"{total.note}; {busy / whole:.0%} of it, by busy seconds",
        )
        for reader, busy in seconds.items()
    }


def of_run(meter: "Meter | None", busy: Mapping[str, float], spent: Mapping[str, Cost]) -> dict[str, Energy]:
    """What each reader of a run used: measured for those that computed here, estimated for a provider's."""
    if meter is None:
        return {}
    here = {**busy, **{name: cost.seconds for name, cost in spent.items() if runs_here(name)}}
    guessed = {name: estimated(name, cost.tokens_out, cost.seconds) for name, cost in spent.items()}
    return {**shares(meter.energy, here), **{name: used for name, used in guessed.items() if used}}


def estimated(reader: str, tokens_out: int, seconds: float) -> Energy | None:
    """What a provider's model used to write so many tokens, in so many seconds from request to reply: of one
    call, or the sums over many. None for a model or a provider that ecologits doesn't know, and for what
    computes here. The tokens that a model reads don't count in ecologits' formula."""
    provider, _, model = reader.partition(":")
    if provider not in PROVIDERS:
        return None
    provider = PROVIDERS[provider]
    kind = logging.getLoggerClass()
    try:
        from ecologits.tracers.utils import PROVIDER_CONFIG_MAP, llm_impacts
    except ImportError:
        raise MissingExtra(f"estimating energy needs an extra: {INSTALL}.") from None
    finally:  # it makes every logger that is made later one of its own kind
        logging.setLoggerClass(kind)
    with _quiet("ecologits"):
        impacts = llm_impacts(provider, model, tokens_out, seconds)
    if impacts.energy is None or impacts.usage is None:
        return None
    low, kwh, high = _range(impacts.energy.value)
    _, co2e, _ = _range(impacts.usage.gwp.value)
    span = f"range {low * 1000:.2g} to {high * 1000:.2g} Wh" if low < high else "no range given"
    grid = PROVIDER_CONFIG_MAP[provider].datacenter_location
    note = f"ecologits {version('ecologits')}, {span}, written tokens alone, grid of {grid}"
    return Energy(kwh, co2e, "estimated", note, low, high)


def _range(value: Any) -> tuple[float, float, float]:
    """ecologits gives a number, or a range with `min`, `max` and `mean`: low, middle, high."""
    if isinstance(value, int | float):
        return value, value, value
    return value.min, value.mean, value.max


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """A library's logger says nothing meanwhile."""
    logger = logging.getLogger(name)
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
