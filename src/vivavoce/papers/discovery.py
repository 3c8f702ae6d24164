"""Which files are meant when somebody names files and folders."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.papers.formats import all_endings, own_endings

ENDINGS = own_endings()
"""What is looked for in a folder, besides the endings of formats that other packages add. A file that is
named outright is taken whatever it is called."""


def find(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """The files among and below `paths`, sorted, each once however often and by whatever link it is named.

    A folder gives the files below it that end as papers do, without hidden ones."""
    found: list[Path] = []
    for given in [paths] if isinstance(paths, str | Path) else paths:
        path = Path(given)
        if path.is_dir():
            found += _below(path)
        elif path.exists():
            found.append(path)
        elif path.is_symlink():
            raise InputError(f"{path}: is a link to a file that does not exist.")
        else:
            raise InputError(f"{path}: there is no such file or folder; check the spelling.")
    once: dict[str, Path] = {}
    for file in sorted(found, key=lambda file: (file.is_symlink(), file)):  # its own name before a link's
        once.setdefault(os.path.realpath(file), file)
    return sorted(once.values())


def _below(folder: Path) -> Iterator[Path]:
    wanted = all_endings()
    seen: set[tuple[int, int]] = set()  # links are followed, and a link to a folder above would never end
    for root, folders, files in os.walk(folder, onerror=_refuse, followlinks=True):
        status = os.stat(root)
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            # "~$draft.docx" is the lock file that Word leaves beside an open document.
            if name.lower().endswith(wanted) and not name.startswith((".", "~$")):
                yield Path(root, name)


def _refuse(error: OSError) -> None:
    """A folder that can't be listed is an error, not skipped: its papers would be missing silently."""
    raise InputError(f"{error.filename}: the folder can't be opened ({error.strerror}).") from error
