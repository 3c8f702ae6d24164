"""The study to review, made once and copied for each test; and a browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs vivavoce[web]")

CHROMIUM = os.environ.get("VIVA_CHROMIUM", "/usr/bin/chromium")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.web.served import make

    return make(tmp_path_factory.mktemp("review"))


@pytest.fixture
def study(made: Path, tmp_path: Path) -> Path:
    """A copy of one's own."""
    return Path(shutil.copytree(made, tmp_path / "study"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"needs a Chromium in {CHROMIUM}: apt-get install chromium, or name one in VIVA_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()
