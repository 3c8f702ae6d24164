"""CONTRIBUTING.md says where things are. Is it so?"""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GROUPS = {f"vivavoce.{what}" for what in ("formats", "readers", "contexts", "exports", "engines")}
NAMES = sorted(set(re.findall(r"\bvivavoce(?:\.\w+)+", TEXT)) - GROUPS)
FILES = sorted(
    set(re.findall(r"`((?:src|tests|benchmarks|training|examples|docs|\.github)/[\w./*-]+)`", TEXT))
)
ROOMS = re.compile(r"^  (\w+)(?:\.py|/)", re.MULTILINE)


def exists(name: str) -> bool:
    """Is it a module, or something in one?"""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("name", NAMES)
def test_what_it_names_is_there(name: str) -> None:
    assert exists(name)


def test_the_walk_names_a_function_for_each_step() -> None:
    walk = TEXT.split("## One PDF")[1].split("\n## ")[0]
    steps = re.findall(r"^\d+\. .*(?:\n   .*)*", walk, re.MULTILINE)
    assert len(steps) >= 10
    for step in steps:
        names = re.findall(r"\bvivavoce(?:\.\w+)+", step)
        assert any(callable(_object(name)) for name in names), step


def _object(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError:
        outer, _, inner = module.rpartition(".")
        return getattr(getattr(importlib.import_module(outer), inner), attribute)


@pytest.mark.parametrize("name", FILES)
def test_files_that_it_names_are_there(name: str) -> None:
    assert "NAME" in name or list(ROOT.glob(name.rstrip("/")))


def test_the_picture_shows_every_room() -> None:
    picture = TEXT.split("```")[1]
    package = ROOT / "src" / "vivavoce"
    rooms = {
        Path(path.name).stem
        for path in package.iterdir()
        if (path.is_dir() and (path / "__init__.py").exists()) or path.suffix == ".py"
    }
    assert set(ROOMS.findall(picture)) == rooms


def test_the_layers_are_those_that_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = [
        contract["layers"]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract.get("exhaustive")
    ]
    assert TEXT.split("```")[3].split("\n")[1:-1] == layers
