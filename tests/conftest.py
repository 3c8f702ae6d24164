"""What tests share: where the sample papers and the optional evaluation data lie."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import postgres

# A job that a shell runs in the background ignores Ctrl-C, and so would every program that a test begins.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, and no deadline: chance and clocks are for `--hypothesis-profile explore`.
settings.register_profile(
    "repeatable", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile("repeatable")

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A test is called by its text arguments, never by bytes: those of an archive may hold the time of day,
    and two processes that share the tests must find the same names."""
    return argname if isinstance(val, bytes | bytearray) else None


@pytest.fixture(scope="session")
def planted() -> dict[str, Any]:
    """What the sample papers say, sentence by sentence, as they were typeset."""
    return dict(json.loads((EXAMPLES / "planted.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The evaluation data beside the repository: eight real papers and their labels."""
    if not (SHARED / "gold").is_dir():
        pytest.skip("needs the evaluation data (papers and gold labels) in ../shared")
    return SHARED


@pytest.fixture(scope="session")
def fresh_url() -> Iterator[postgres.FreshURL]:
    """Gives the URL of a new database on a real PostgreSQL server."""
    programs = postgres.programs()
    if programs is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with postgres.server(programs) as fresh:
        yield fresh
