"""Which paper a row of a table, or a label, is about: the one rule for the names of files.

A row names a paper by its path, by its file's name, by that name without its ending, or with another ending
(`a.pdf` for `a.md`); an earlier way in this list counts more. Among papers that fit equally well, the one
with which it has more folders in common counts, from the file upwards: `sub/a.md` is `papers/sub/a.md` rather
than `papers/other/a.md`. Where that does not decide, nothing is guessed. Folders alone rule nothing out:
files are moved.
"""

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Fit(NamedTuple):
    """How well two names fit. A greater one is better."""

    name: int
    """4: the same path; 3: the same file name; 2: the same, but the row's has no ending; 1: another
    ending."""
    folders: int
    """How many folders above the file are the same."""


def fit(row: str, paper: str) -> Fit | None:
    """How well the name in a row fits a paper's; none when it doesn't."""
    one, other = _path(row), _path(paper)
    if one.name == other.name:
        name = 4 if one == other else 3
    elif one.name == other.stem:
        name = 2
    elif one.stem == other.stem:
        name = 1
    else:
        return None
    folders = 0
    for above, other_above in zip(reversed(one.parts[:-1]), reversed(other.parts[:-1]), strict=False):
        if above != other_above:
            break
        folders += 1
    return Fit(name, folders)


class FileNames(Generic[T]):
    """Things that are known by names of files, and found by names that fit."""

    def __init__(self, known: Iterable[tuple[str, T]] = ()) -> None:
        self._known: dict[str, list[tuple[str, T]]] = {}
        """By the last parts of their names, with the ending and without."""
        for name, thing in known:
            path = _path(name)
            for key in {path.name, path.stem}:
                self._known.setdefault(key, []).append((name, thing))

    def of_row(self, row: str) -> set[T]:
        """Where papers are known: what the row's name fits best. Several, when it fits them equally well."""
        return _best((fit(row, known), thing) for known, thing in self._similar(row))

    def of_paper(self, paper: str) -> set[T]:
        """Where rows are known: what fits the paper's name best."""
        return _best((fit(known, paper), thing) for known, thing in self._similar(paper))

    def _similar(self, name: str) -> list[tuple[str, T]]:
        path = _path(name)
        return [*self._known.get(path.name, ()), *self._known.get(path.stem, ())]


def _best(candidates: Iterable[tuple[Fit | None, T]]) -> set[T]:
    fits = [(how, thing) for how, thing in candidates if how is not None]
    best = max((how for how, _ in fits), default=None)
    return {thing for how, thing in fits if how == best}


def _path(name: str) -> PurePosixPath:
    """Letters with accents come in two spellings, and paths with two kinds of slashes."""
    return PurePosixPath(unicodedata.normalize("NFC", name.replace("\\", "/")))
