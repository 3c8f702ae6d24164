"""What tests share: where the sample papers and the optional evaluation data lie."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared"


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
