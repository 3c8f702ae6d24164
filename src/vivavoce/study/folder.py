"""The plain files of a study's folder: `study.toml`, and the lock that keeps two runs apart."""

import fcntl
import os
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from json import dumps
from pathlib import Path
from typing import Any, Literal, get_args

import tomlkit

from vivavoce.errors import StudyError
from vivavoce.readers.llm.context import CONTEXTS
from vivavoce.readers.llm.limits import CALLS, SECONDS, ModelSettings
from vivavoce.readers.llm.templates import check_template
from vivavoce.store import DATABASE_FILE, DEFINITION, url_in

QUESTIONS = "questions.yaml"
LOCK = "viva.lock"

Vote = Literal["hard", "weighted"]

DEFAULTS = ModelSettings()
MORE_SETTINGS = tuple(s.name for s in fields(ModelSettings) if s.name not in ("context", "calls", "timeout"))
"""Settings of models that a study file has only where they were chosen."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What `study.toml` says."""

    readers: tuple[str, ...] = ()
    vote: Vote = "hard"
    weights: Mapping[str, float] = field(default_factory=dict)
    """By the readers' names; they count when the vote is weighted."""
    models: ModelSettings = field(default_factory=ModelSettings)
    """How language models are asked."""
    store: str = ""
    """The URL of the database that keeps the study, without a password; empty: the file in the folder."""


def read_definition(folder: Path) -> Definition:
    path = folder / DEFINITION
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StudyError(f"{path}: the study's definition is missing; restore it from a copy.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: can't be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: not TOML: {error}.") from None
    readers = raw.get("readers")
    if not isinstance(readers, list) or not readers or not all(isinstance(r, str) for r in readers):
        raise StudyError(f'{path}: `readers` must be a list of names, such as ["builtin"].')
    panel, models = _panel(path, raw.get("panel", {})), _models(path, raw.get("models", {}))
    return checked(folder, Definition(tuple(dict.fromkeys(readers)), *panel, models, url_in(folder)))


def _panel(path: Path, raw: Any) -> tuple[Vote, dict[str, float]]:
    if not isinstance(raw, dict) or raw.keys() - {"vote", "weights"}:
        raise StudyError(f"{path}: `[panel]` has `vote` and `weights`, and nothing else.")
    vote, weights = raw.get("vote", "hard"), raw.get("weights", {})
    if vote not in get_args(Vote):
        raise StudyError(f'{path}: `vote` is "hard" or "weighted", not {vote!r}.')
    if not isinstance(weights, dict) or not all(_positive(weight) for weight in weights.values()):
        raise StudyError(f"{path}: `weights` are numbers above 0 by reader, such as {{builtin = 0.9}}.")
    return vote, {name: float(weight) for name, weight in weights.items()}


def _models(path: Path, raw: Any) -> ModelSettings:
    known = {setting.name for setting in fields(ModelSettings)}
    if not isinstance(raw, dict) or raw.keys() - known:
        raise StudyError(
            f"{path}: `[models]` has {', '.join(f'`{name}`' for name in sorted(known))}, and nothing else."
        )
    context, calls, timeout = raw.get("context", ""), raw.get("calls", CALLS), raw.get("timeout", SECONDS)
    if context not in ("", *CONTEXTS):
        raise StudyError(f"{path}: `context` is one of {', '.join(CONTEXTS)}, or empty, not {context!r}.")
    if not isinstance(calls, int) or not _positive(calls):
        raise StudyError(f"{path}: `calls` is a whole number above 0, not {calls!r}.")
    if not _positive(timeout):
        raise StudyError(f"{path}: `timeout` is a number of seconds above 0, not {timeout!r}.")
    more = {name: raw[name] for name in MORE_SETTINGS if name in raw}
    for name, value in more.items():
        if type(value) is not type(getattr(DEFAULTS, name)) or (type(value) is int and value < 0):
            raise StudyError(f"{path}: `{name}` is such as {getattr(DEFAULTS, name)!r}, not {value!r}.")
    if more.get("chunk_overlap", 0) >= more.get("chunk_size", DEFAULTS.chunk_size):
        raise StudyError(f"{path}: `chunk_overlap` must be less than `chunk_size`.")
    if more.get("prompt"):
        check_template(f"{path}: `prompt`", more["prompt"])
    return ModelSettings(context or None, calls, float(timeout), **more)


def _positive(weight: Any) -> bool:
    return isinstance(weight, int | float) and not isinstance(weight, bool) and 0 < weight < float("inf")


def checked(folder: Path, definition: Definition) -> Definition:
    """The definition, unless it can't be followed."""
    without = [name for name in definition.readers if name not in definition.weights]
    if definition.vote == "weighted" and without:
        raise StudyError(
            f"{folder / DEFINITION}: the vote is weighted, and {without[0]} has no weight; give it one in "
            "`weights`."
        )
    return definition


def write_definition(folder: Path, definition: Definition) -> None:
    """Writes `study.toml`. In one that exists only the values that differ are changed, so that people's
    comments and their order of things stay."""
    path = folder / DEFINITION
    write_text(path, _edited(folder, definition) if path.exists() else _new_text(definition))


def _edited(folder: Path, definition: Definition) -> str:
    was = read_definition(folder)
    document = tomlkit.parse((folder / DEFINITION).read_bytes().decode("utf-8"))
    readers: Any = document["readers"]
    for name in definition.readers:
        if name not in was.readers:
            readers.append(name)
    if definition.store != was.store:
        if definition.store:
            document["store"] = definition.store
        else:
            del document["store"]
    for table, key, before, now in (
        ("panel", "vote", was.vote, definition.vote),
        ("panel", "weights", dict(was.weights), dict(definition.weights)),
        ("models", "context", was.models.context or "", definition.models.context or ""),
        ("models", "calls", was.models.calls, definition.models.calls),
        ("models", "timeout", was.models.timeout, definition.models.timeout),
        *(("models", n, getattr(was.models, n), getattr(definition.models, n)) for n in MORE_SETTINGS),
    ):
        if before != now:
            values: Any = document.setdefault(table, tomlkit.table())
            values[key] = now
    return tomlkit.dumps(document)


def _new_text(definition: Definition) -> str:
    return (
        "# A Vivavoce study. You may edit this file; the next `viva run` follows it.\n\n"
        "# Who answers.\n"
        f"readers = {dumps(list(definition.readers), ensure_ascii=False)}\n\n"
        f"{_store_line(definition.store)}"
        "# How several readers vote: hard (each counts the same) or weighted (each by its weight, such as\n"
        "# its measured accuracy).\n"
        "[panel]\n"
        f"vote = {dumps(definition.vote)}\n"
        f"weights = {{{', '.join(f'{_key(n)} = {w}' for n, w in definition.weights.items())}}}\n\n"
        f"# How language models are asked: what they see ({', '.join(CONTEXTS)}; empty: what suits\n"
        "# each), how many calls at a time to each provider, how many seconds a call may take.\n"
        "[models]\n"
        f"context = {dumps(definition.models.context or '')}\n"
        f"calls = {definition.models.calls}\n"
        f"timeout = {definition.models.timeout:g}\n"
        f"{_more_settings(definition.models)}\n"
        f"# The questions are in {QUESTIONS}, the papers and all answers in "
        f"{'the database' if definition.store else DATABASE_FILE}.\n"
    )


def _store_line(url: str) -> str:
    if not url:
        return ""
    return (
        "# The database that keeps papers and answers. Its password is not written here: it is taken from\n"
        f"# PGPASSWORD or ~/.pgpass.\nstore = {dumps(url)}\n\n"
    )


def _more_settings(models: ModelSettings) -> str:
    """Those that are not as they are by default: few studies retrieve chunks and take free text."""
    given = ((name, getattr(models, name)) for name in MORE_SETTINGS)
    return "".join(
        f"{name} = {dumps(value, ensure_ascii=False)}\n"
        for name, value in given
        if value != getattr(DEFAULTS, name)
    )


def _key(name: str) -> str:
    return dumps(name, ensure_ascii=False)


def write_text(path: Path, text: str) -> None:
    """The file whole, or as it was."""
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):  # where it can't be written, it can't be taken away either
            beside.unlink()
        raise StudyError(f"{path}: can't be written ({error.strerror}).") from None


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"{folder}: the study's folder can't be made ({error.strerror}).") from None
    if not os.access(folder, os.W_OK):
        raise StudyError(f"{folder}: can't be written; choose a folder where you may write.")


@contextmanager
def locked(folder: Path, wait: bool = False) -> Iterator[None]:
    """Nobody else runs this study, or sets it up, meanwhile. The system lets go of the lock whenever the
    process ends."""
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StudyError(f"{folder}: can't be written ({error.strerror}); is it read-only?") from None
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not wait:
                    owner = os.pread(handle, 40, 0).decode("utf-8", "replace").strip()
                    raise StudyError(
                        f"{folder}: another run is at work on this study (process {owner or 'unknown'}); let "
                        "it end, or use --wait."
                    ) from None
                time.sleep(0.2)
            except OSError as error:
                raise StudyError(f"{folder}: can't be locked ({error.strerror}); use a local disk.") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)
