"""Registries that other packages can join: formats, readers, contexts, exports, engines.

A `Registry` maps names to objects. What ships with Vivavoce is given when the registry is made; another
package adds to it with an entry point of the registry's group, in its own `pyproject.toml`:

    [project.entry-points."vivavoce.exports"]
    latex = "their_package.latex:export"

Entry points are looked up when the registry is first asked, and each is loaded when its own name is asked
for. Nothing is imported before it is needed.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from vivavoce.errors import InputError, VivaError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Registry(Generic[T]):
    """Objects by name: our own, and those that entry points of one group add.

    Our own come as "package.module:object", imported when first used, or as the object itself. A name of ours
    can't be taken by another package."""

    def __init__(self, group: str, own: Mapping[str, str | T], noun: str = "") -> None:
        """`group` is the entry points' group ("vivavoce.exports"); `noun` what one of them is called in an
        error message ("export"), unless it is the group's last word."""
        self.group = group
        self.noun = noun or group.rpartition(".")[2].removesuffix("s")
        self._own = dict(own)
        self._loaded: dict[str, T] = {}

    @cached_property
    def _added(self) -> "dict[str, EntryPoint]":
        from importlib.metadata import entry_points  # here, since importing it takes its time

        return {point.name: point for point in entry_points(group=self.group) if point.name not in self._own}

    def names(self) -> tuple[str, ...]:
        """Every name, ours first."""
        return (*self._own, *sorted(self._added))

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._added

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def get(self, name: str) -> T:
        """The object of this name. `VivaError` names what exists when there is none."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self._own:
            own = self._own[name]
            return cast("T", _imported(own)) if isinstance(own, str) else own
        if name not in self._added:
            raise InputError(
                f"{name}: there is no such {self.noun}; choose one of: {', '.join(self.names())}."
            )
        point = self._added[name]
        try:
            return cast("T", point.load())
        except Exception as error:  # whatever another package does while it is imported
            package = point.dist.name if point.dist else point.value
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise VivaError(
                f"{name}: this {self.noun} of the package {package} could not be loaded ({reason}); "
                "update or uninstall that package."
            ) from error


def _imported(reference: str) -> object:
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
