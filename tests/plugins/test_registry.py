"""Registries that other packages join through entry points."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.plugins import Registry


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with entry points, as an installer lays it out; nothing of it is imported yet."""
    information = tmp_path / "shades-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: shades\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[vivavoce.colours]\nteal = shades_of_blue:teal\nred = shades_of_blue:teal\n"
        "broken = shades_of_blue:none\n"
    )
    (tmp_path / "shades_of_blue.py").write_text("teal = ('a', 'shade')\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("shades_of_blue", None)


def colours() -> Registry[object]:
    return Registry("vivavoce.colours", {"red": "string:digits", "green": ("our", "own")})


def test_our_own_are_found_by_name() -> None:
    assert colours().get("red") == "0123456789"
    assert colours().get("green") == ("our", "own")
    assert colours().names() == ("red", "green")


@pytest.mark.usefixtures("installed")
def test_another_package_joins() -> None:
    registry = colours()
    assert registry.names() == ("red", "green", "broken", "teal")
    assert "shades_of_blue" not in sys.modules, "listing the names imports nothing"
    assert "teal" in registry
    assert registry.get("teal") == ("a", "shade")


@pytest.mark.usefixtures("installed")
def test_another_package_can_not_replace_our_own() -> None:
    assert colours().get("red") == "0123456789"


@pytest.mark.usefixtures("installed")
def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(VivaError) as caught:
        colours().get("blue")
    assert str(caught.value) == "blue: there is no such colour; choose one of: red, green, broken, teal."


@pytest.mark.usefixtures("installed")
def test_a_broken_package_is_named() -> None:
    with pytest.raises(VivaError, match=r"package shades could not be loaded .*; update or uninstall"):
        colours().get("broken")
    assert colours().get("teal") == ("a", "shade"), "the others still work"
