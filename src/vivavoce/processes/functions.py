"""Functions by name, as they are asked for across the pipe: "package.module:function"."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def resolve(name: str) -> Callable[..., Any]:
    """The function behind "package.module:function"."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
