"""Option groups: Typer sees single options, a command gets one object."""

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from vivavoce.cli.option_groups import expand_groups


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option("--width", help="How wide.")] = 3
    height: Annotated[int | None, typer.Option("--height")] = None


@dataclass(frozen=True)
class Box(Size):
    depth: Annotated[float, typer.Option("--depth")] = 0.5


def call(command: object, *arguments: str) -> str:
    app = typer.Typer(rich_markup_mode=None)
    app.command()(expand_groups(command))  # type: ignore[arg-type]
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def draw(
    file: Annotated[Path, typer.Argument()],
    size: Size = Size(),
    loud: Annotated[bool, typer.Option("--loud")] = False,
) -> None:
    """Draw it."""
    print(file, size, loud)


def test_without_options_a_group_has_its_defaults() -> None:
    assert call(draw, "a.txt") == f"a.txt {Size()} False\n"


def test_what_is_typed_reaches_the_group() -> None:
    printed = call(draw, "a.txt", "--height", "7", "--loud", "--width", "4")
    assert printed == f"a.txt {Size(4, 7)} True\n"


def test_a_group_may_extend_another() -> None:
    def pack(box: Box) -> None:
        print(box)

    assert call(pack, "--depth", "2", "--width", "1") == f"{Box(1, None, 2.0)}\n"


def test_options_stand_where_the_group_stands_and_keep_their_help() -> None:
    expanded = expand_groups(draw)
    assert list(inspect.signature(expanded).parameters) == ["file", "width", "height", "loud"]
    assert expanded.__doc__ == "Draw it."
    assert "How wide." in call(draw, "--help")


def test_an_option_of_two_groups_is_refused() -> None:
    def pack(one: Size, other: Box) -> None:
        raise AssertionError(one, other)

    with pytest.raises(ValueError, match="duplicate parameter name: 'width'"):
        expand_groups(pack)


def test_a_command_without_groups_is_the_same_command() -> None:
    def greet(name: Annotated[str, typer.Argument()] = "you") -> None:
        print(f"hello {name}")

    assert call(greet) == "hello you\n"
    assert call(greet, "Ada") == "hello Ada\n"
