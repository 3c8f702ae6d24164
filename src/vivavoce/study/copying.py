"""Copies a study between folders and databases, with its own files."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.readers.names import TABLE
from vivavoce.store import DEFINITION, Store, is_url
from vivavoce.study.folder import locked, make_folder, read_definition, write_definition
from vivavoce.study.setup import OWN_FILES, write_own_files


def copy_study(source: str | Path, target: str | Path) -> dict[str, int]:
    """Copies a study to where there is none: how many rows, by table."""
    with closing(Store.open(source)) as found:
        if Store.exists(target) or (not is_url(target) and (Path(target) / DEFINITION).exists()):
            raise InputError(f"{target}: there is a study already; name another place.")
        _check_tables(found, source, target)
        if not is_url(target):
            make_folder(Path(target))
        with closing(Store.open(target, create=True)) as made:
            copied = found.copy_to(made)
            if not is_url(source):  # its files may have been edited since its last run
                for name in OWN_FILES:
                    if (Path(source) / name).exists():
                        made.set_own_file(name, (Path(source) / name).read_text(encoding="utf-8"))
            if not is_url(target):
                folder = Path(target)
                with locked(folder):
                    write_own_files(made, folder)
                    write_definition(folder, replace(read_definition(folder), store=""))
    return copied


def _check_tables(found: Store, source: str | Path, target: str | Path) -> None:
    """A reader's file that is named from the study's folder must be found from the new one, too."""
    if is_url(source) or is_url(target):
        return
    for name, _ in found.readers():
        file = name.removeprefix(TABLE)
        if name.startswith(TABLE) and not Path(file).is_absolute():
            there, here = ((Path(folder) / file).resolve() for folder in (target, source))
            if there != here:
                raise InputError(
                    f"{name}: this reader's file is named from {source}; copy to a folder beside that one."
                )
