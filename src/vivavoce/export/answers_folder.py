"""The answers as text files, one for each, in a folder for each reader and one for the verdict.

A file is named `Publication_<paper>_<question>.txt`, as pipelines that store replies name them, so
`table:FOLDER` reads each of these folders again. What a model replied in words is written as it replied;
what was not answered has no file.
"""

import os
import re
import secrets
import shutil
from pathlib import Path

from vivavoce.records import Answer, Status
from vivavoce.results.cells import Results

_UNSAFE = re.compile(r"[^\w.()+-]+")
SAID: dict[Status, str] = {"not_reported": "Not reported.", "not_applicable": "Not applicable."}


def write_folder(results: Results, to: Path) -> None:
    """Writes beside the folder first, and renames when it is complete."""
    place = to.resolve()
    part = place.with_name(f".viva-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        part.mkdir()
        for cell in results.cells():
            for answer in (*cell.answers, cell.verdict):
                if text := _text(answer):
                    folder = part / _safe(answer.reader)
                    folder.mkdir(exist_ok=True)
                    name = (
                        f"Publication_{_safe(Path(cell.paper.file).name)}_{_safe(cell.question.id, '-')}.txt"
                    )
                    (folder / name).write_text(text, encoding="utf-8")
        if place.is_dir():  # it is empty
            place.rmdir()
        part.replace(place)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _text(answer: Answer) -> str:
    """In words; empty when nothing was said."""
    if answer.seen is not None:
        return answer.seen.reply
    if answer.status == "reported":
        return answer.text or "Reported."
    return answer.text if answer.status == "unsupported" else SAID.get(answer.status, "")


def _safe(name: str, joint: str = "_") -> str:
    """As a file's name, with no path in it."""
    safe = _UNSAFE.sub(joint, name.replace("_", joint)).strip(".") or "unnamed"
    return safe.encode("utf-8", "replace")[:150].decode("utf-8", "ignore")
