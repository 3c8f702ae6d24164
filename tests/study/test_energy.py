"""The figures are the real libraries'; that these stay silent, offline and tidy is seen from outside."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.timing import burn
from vivavoce.errors import VivaError
from vivavoce.records import Cost
from vivavoce.results.energy import Energy
from vivavoce.study.energy import Meter, estimated, of_run, shares

pytestmark = pytest.mark.skipif(
    find_spec("codecarbon") is None or find_spec("ecologits") is None, reason="needs the extra 'energy'"
)
PIPED: dict[str, Any] = {"capture_output": True, "text": True, "check": False}
KWH = 3.6e6
"""Joules."""
WATTS = 100.0
HOSTILE = """[codecarbon]
save_to_file = true
save_to_api = true
output_methods = csv,api,boamps
output_dir = .
emissions_endpoint = http://127.0.0.1:9/
electricitymaps_api_token = token
co2_signal_api_token = token
allow_multiple_runs = false
country_iso_code = POL
tracking_mode = machine
cloud_provider = gcp
cloud_region = europe-west1
pue = 7
log_level = debug
"""
"""Settings of somebody who uses codecarbon for other things."""

WATCHED = """
import json, logging, os, signal, sys, threading
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        seen.append([event, repr(arguments)])
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & writes:
        # A number is a pipe. Python itself tries whether it can write to the folder of temporary files.
        if not isinstance(arguments[0], int):
            if not str(arguments[0]).startswith((os.devnull, os.environ["TMPDIR"])):
                seen.append([event, repr(arguments[0])])
sys.addaudithook(watch)
before = [signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)]
from vivavoce.study.energy import Meter, estimated
import time
with Meter("FRA") as meter:
    time.sleep(1.2)
    during = [signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)]
model = estimated("openai:gpt-5-mini", 100, 2.0)
threads = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
print(json.dumps({"seen": seen, "kwh": meter.energy.kwh, "co2e": meter.energy.co2e_kg, "low": model.low,
                  "note": meter.energy.note, "threads": threads, "signals": before == during,
                  "logging": logging.getLoggerClass() is logging.Logger}))
"""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, Any]:
    """An environment whose folders are all ours: what is written shows."""
    for name in ("home", "work", "temporary"):
        (tmp_path / name).mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("CODECARBON")}
    return {
        "cwd": tmp_path / "work",
        "env": kept
        | {
            "HOME": str(tmp_path / "home"),
            "TMPDIR": str(tmp_path / "temporary"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
    }


@pytest.fixture
def watts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor of known power and memory that takes none, on any machine."""
    monkeypatch.setenv("CODECARBON_FORCE_CPU_POWER", str(WATTS))
    monkeypatch.setenv("CODECARBON_FORCE_RAM_POWER", "0")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def timers() -> Iterator[threading.Thread]:
    return (thread for thread in threading.enumerate() if isinstance(thread, threading.Timer))


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["", HOSTILE])
def test_no_network_no_files_no_words_no_threads(home: dict[str, Any], tmp_path: Path, settings: str) -> None:
    if settings:
        (tmp_path / "home" / ".codecarbon.config").write_text(settings)
        (tmp_path / "work" / ".codecarbon.config").write_text(settings)
        home["env"]["CODECARBON_LOG_LEVEL"] = "debug"
    before = files(tmp_path)
    done = subprocess.run([sys.executable, "-c", WATCHED], **PIPED, **home)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1, done.stdout
    found = json.loads(done.stdout)
    assert found["seen"] == []
    assert found["threads"] == []
    assert found["signals"]
    assert found["logging"]
    assert files(tmp_path) == before
    assert found["kwh"] > 0
    assert found["co2e"] / found["kwh"] == pytest.approx(0.056, rel=0.2), "France's grid, whatever is set"
    assert "this process" in found["note"]
    assert found["low"] > 0


def test_the_watch_sees_what_it_watches_for(home: dict[str, Any]) -> None:
    """Else the test above could not fail."""
    faults = "open('left', 'w').close()\nimport socket\nsocket.socket().connect_ex(('127.0.0.1', 9))\n"
    script = WATCHED.replace("    time.sleep(1.2)\n", "").replace("model =", faults + "model =")
    done = subprocess.run([sys.executable, "-c", script], **PIPED, **home)
    events = {event for event, _ in json.loads(done.stdout)["seen"]}
    assert events >= {"open", "socket.connect"}


@pytest.mark.slow
@pytest.mark.usefixtures("watts")
def test_the_energy_is_power_times_load() -> None:
    """In a process of its own: what other tests have started counts, too, in this one."""
    script = (
        "import json, time\nfrom dataclasses import asdict\nfrom vivavoce.study.energy import Meter\n"
        "with Meter('FRA') as meter:\n    end = time.process_time() + 2\n"
        "    while time.process_time() < end: pass\n"
        "print(json.dumps(asdict(meter.energy)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    expected = WATTS * 2.0 / (os.cpu_count() or 1) / KWH
    assert 0.7 * expected < found["kwh"] < 1.3 * expected
    assert found["how"] == "measured"
    assert f"({WATTS:g} W) at the measured load" in found["note"]
    assert "grid of FRA" in found["note"]


@pytest.mark.slow
@pytest.mark.usefixtures("watts")
def test_what_the_process_started_counts_and_others_do_not() -> None:
    """A child's first second may be missed: until it was seen once, there is nothing to compare with. In a
    process of its own, since what other tests have started would count, too."""
    busy = "import time\nwhile time.process_time() < 3: pass\nprint()\ninput()"
    script = (
        "import json, subprocess, sys, time\nfrom vivavoce.study.energy import Meter\n"
        f"command = [sys.executable, '-c', {busy!r}]\n"
        "with Meter() as meter:\n"
        "    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "    child.stdout.readline()\n    time.sleep(1.2)\n    child.communicate('\\n')\n"
        "with Meter() as idle:\n    time.sleep(1.0)\n"
        "print(json.dumps([meter.energy.kwh, idle.energy.kwh]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    working, idle = json.loads(done.stdout)
    expected = WATTS * 3.0 / (os.cpu_count() or 1) / KWH
    assert 0.5 * expected < working < 1.6 * expected
    assert idle < 0.5 * expected


def test_without_a_country_there_is_no_co2e() -> None:
    with Meter() as meter:
        burn(0.1)
    assert meter.energy.kwh > 0
    assert meter.energy.co2e_kg is None
    assert "no country given" in meter.energy.note


def test_co2e_is_that_of_the_country() -> None:
    rates = {}
    for country in ("fra", "POL"):
        with Meter(country) as meter:
            burn(0.1)
        assert meter.energy.co2e_kg is not None
        rates[country] = meter.energy.co2e_kg / meter.energy.kwh
    assert 5 < rates["POL"] / rates["fra"] < 30


@pytest.mark.parametrize("country", ["XXX", "FR", "France", "../x"])
def test_an_unknown_country_is_said_before_the_run(country: str) -> None:
    with pytest.raises(VivaError, match=f"no country '{country}'.*such as FRA"):
        Meter(country)


def test_the_whole_machine_can_be_measured() -> None:
    with Meter(whole_machine=True) as meter:
        burn(0.1)
    assert meter.energy.kwh > 0
    assert "the whole machine" in meter.energy.note


@pytest.mark.slow
@pytest.mark.usefixtures("watts")
def test_it_can_be_read_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.study.energy.READING_SECONDS", 0.3)
    with Meter() as meter:
        first = meter.energy.kwh
        burn(1.0)
        second = meter.energy.kwh
        burn(1.0)
    assert first < second < meter.energy.kwh


def test_it_measures_nothing_before_it_is_entered() -> None:
    with pytest.raises(VivaError, match="nothing was measured"):
        _ = Meter().energy


def test_an_error_in_the_run_comes_out_and_threads_end() -> None:
    meter = Meter()
    with pytest.raises(ZeroDivisionError), meter:
        _ = 1 / (len(list(timers())) - 2)
    assert list(timers()) == []
    assert meter.energy.kwh >= 0
    assert not logging.getLogger("codecarbon").disabled


def test_threads_end_while_they_start_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """codecarbon's threads start their successors; stopped at that moment, they would go on for good."""
    from codecarbon.external.scheduler import PeriodicScheduler

    true = PeriodicScheduler.start

    def slow(self: PeriodicScheduler, from_run: bool = False) -> None:
        self.interval = 0.02
        time.sleep(0.01 if from_run else 0)
        true(self, from_run)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(PeriodicScheduler, "start", slow)
    for _ in range(15):
        with Meter():
            time.sleep(0.05)
        time.sleep(0.03)
        assert list(timers()) == []


def test_a_machine_that_cannot_be_measured_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from codecarbon.core.resource_tracker import ResourceTracker

    def fail(_: object) -> None:
        raise OSError("no such hardware")

    monkeypatch.setattr(ResourceTracker, "set_CPU_GPU_ram_tracking", fail)
    with pytest.raises(VivaError, match="can't be measured"), Meter():
        pytest.fail("it was entered")
    assert list(timers()) == []


@pytest.mark.slow
def test_a_killed_run_leaves_nothing_that_hinders_the_next(home: dict[str, Any], tmp_path: Path) -> None:
    script = (
        "from vivavoce.study.energy import Meter\nimport time\n"
        "with Meter('FRA') as meter:\n    print('started', flush=True)\n    time.sleep(60)\n"
    )
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, **home)
    assert run.stdout is not None
    assert run.stdout.readline() == "started\n"
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert files(tmp_path) == []
    again = script.replace("60", "0.1") + "print(meter.energy.kwh > 0)\n"
    done = subprocess.run([sys.executable, "-c", again], **PIPED, **home)
    assert (done.stdout, done.stderr) == ("started\nTrue\n", "")


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("codecarbon.input", lambda: Meter()),
        ("ecologits.tracers.utils", lambda: estimated("openai:gpt-5", 1, 1.0)),
    ],
)
def test_a_missing_library_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, library: str, call: Any
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(VivaError, match=r"pip install 'vivavoce\[energy\]'"):
        call()


def test_shares_make_up_the_total() -> None:
    total = Energy(0.9, 0.06, "measured", "by hand")
    parts = shares(total, {"builtin": 30.0, "http://localhost:8080/v1#m": 60.0, "table:a.csv": 0.0})
    assert [part.kwh for part in parts.values()] == pytest.approx([0.3, 0.6, 0.0])
    assert sum(part.co2e_kg or 0 for part in parts.values()) == pytest.approx(0.06)
    assert {part.how for part in parts.values()} == {"measured"}
    assert parts["builtin"].note == "by hand; 33% of it, by busy seconds"
    assert parts["builtin"].low is None

    spans = shares(replace(total, low=0.6, high=1.2, co2e_kg=None), {"a": 1.0, "b": 3.0})
    assert spans["a"].low == pytest.approx(0.15)
    assert spans["b"].high == pytest.approx(0.9)
    assert spans["a"].co2e_kg is None


def test_a_server_elsewhere_uses_no_energy_here() -> None:
    """The whole of what was measured belongs to what computed on this machine."""
    meter = SimpleNamespace(energy=Energy(2.0, None, "measured", "by a counter"))
    spent = {
        "http://localhost:8080/v1#m": Cost(seconds=30.0),
        "https://models.example.org/v1#m": Cost(seconds=1000.0),
        "http://192.168.1.7:8080/v1#m": Cost(seconds=1000.0),
    }
    used = of_run(cast(Meter, meter), {"builtin": 10.0}, spent)
    assert {name: energy.kwh for name, energy in used.items()} == {
        "builtin": pytest.approx(0.5),
        "http://localhost:8080/v1#m": pytest.approx(1.5),
    }


def test_nobody_has_a_share_when_nobody_was_busy() -> None:
    total = Energy(0.9, None, "measured", "by hand")
    assert shares(total, {}) == {}
    assert shares(total, {"builtin": 0.0}) == {}
    with pytest.raises(ValueError, match="negative"):
        shares(total, {"a": -1.0, "b": 2.0})


@pytest.mark.parametrize(
    "reader",
    [
        "openai:gpt-5-mini",
        "openai-responses:gpt-5-mini",
        "anthropic:claude-sonnet-4-5",
        "google:gemini-2.5-flash",
        "mistral:mistral-large-latest",
        "cohere:command-a-03-2025",
    ],
)
def test_a_providers_model_is_estimated(reader: str, capfd: Any) -> None:
    found = estimated(reader, 1000, 20.0)
    assert found is not None
    assert found.how == "estimated"
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.kwh <= found.high
    assert 1e-6 < found.kwh < 0.1, "some Wh a thousand tokens, not J and not MWh"
    assert found.co2e_kg is not None
    assert 0.01 < found.co2e_kg / found.kwh < 1.0, "kilograms a kWh"
    assert "ecologits" in found.note
    assert capfd.readouterr() == ("", "")


def test_sums_over_many_calls_can_be_given() -> None:
    """All but the wait for the first token is in proportion."""
    one, many = estimated("openai:gpt-5-mini", 200, 4.0), estimated("openai:gpt-5-mini", 20_000, 400.0)
    assert one is not None
    assert many is not None
    assert many.kwh == pytest.approx(100 * one.kwh, rel=0.1)


@pytest.mark.parametrize(
    "reader",
    [
        "openai:no-such-model",
        "no-such-provider:gpt-5",
        "ollama:qwen3:8b",
        "http://localhost:8080/v1#gpt-5-mini",
        "https://example.org/v1#gpt-5-mini",
        "builtin",
        "table:labels.csv",
        "",
    ],
)
def test_what_is_not_known_or_computes_here_is_none(reader: str, capfd: Any) -> None:
    assert estimated(reader, 100, 1.0) is None
    assert capfd.readouterr() == ("", "")
