"""`viva copy`: move a study between a folder and a database."""

import sys
from typing import Annotated

import typer

from vivavoce.cli.output import clean, count


def copy(
    source: Annotated[str, typer.Argument(metavar="SRC", help="The study: its folder, or its database URL.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="DST",
            help="Where to: a folder that holds no study, or the URL of a database that holds none, such as "
            "postgresql://HOST/NAME?schema=my_study.",
        ),
    ],
) -> None:
    """Copy a study, with everything that was ever answered and decided in it, to a folder or a database.

    Nothing is lost either way, and the study that was copied stays as it is. To go on in a database, give its
    URL to `viva run --study NEW_DIR --store URL`: the new folder gets the study's own files.
    """
    from vivavoce.study.copying import copy_study

    copied = copy_study(source, target)
    rows = f"{count(copied.get('papers', 0), 'paper')}, {count(copied.get('answers', 0), 'answer')}"
    decided = count(copied.get("decisions", 0), "decision")
    print(f"{clean(copied_to(target))}: {rows}, {decided}", file=sys.stderr)


def copied_to(target: str) -> str:
    """The target as it may be printed."""
    from vivavoce.store import is_url, without_password

    return without_password(target) if is_url(target) else target
