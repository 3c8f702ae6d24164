"""Which sets there are, and loading one by its name or from a file.

A file is YAML, or plain text with one question per line. `files` parses it and finds its problems.
"""

import os
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.questions.files import as_yaml, read_lines, read_yaml
from vivavoce.questions.yaml_lines import Problem
from vivavoce.records import Question, QuestionSet

DEFAULT_SET = "dl-methods"
MAX_FILE_BYTES = 1_000_000
"""A larger file is refused. The largest set that ships has 6 kB."""


def shipped() -> tuple[str, ...]:
    """The names of the sets that come with the product."""
    folder = files("vivavoce.questions") / "sets"
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


def load(name: str | Path = DEFAULT_SET) -> QuestionSet:
    """The set of that name, or in that file."""
    return _valid_set(str(name), *_read(str(name)))


def parse(name: str, text: str, default_name: str = "") -> QuestionSet:
    """The set in a YAML text. Errors call it `name`. A set that gives itself no name gets the default name,
    or `name` without its folder and ending."""
    return _valid_set(name, *read_yaml(default_name or Path(name).stem, text))


def check(path: str | Path) -> list[Problem]:
    """Everything wrong with a set, and warnings, by line. A set without errors can be loaded."""
    return _read(str(path))[1]


def text_of(name: str | Path) -> str:
    """The set of that name, or in that file, as YAML text. A study keeps a copy of it."""
    text = _text(str(name))
    return as_yaml(Path(name).stem, text) if _plain(str(name)) else text


def asked(some: QuestionSet) -> tuple[Question, ...]:
    """The questions for a paper that passes the screening: all but the screening question."""
    return tuple(question for question in some.questions if not question.screen)


def _plain(name: str) -> bool:
    return name not in shipped() and Path(name).suffix.lower() == ".txt"


def _read(name: str) -> tuple[QuestionSet | None, list[Problem]]:
    return (read_lines if _plain(name) else read_yaml)(Path(name).stem, _text(name))


def _valid_set(name: str, found: QuestionSet | None, problems: list[Problem]) -> QuestionSet:
    errors = [problem for problem in problems if not problem.warning]
    if found is not None and not errors:
        return found
    more = f" (and {len(errors) - 1} more; see `viva questions check {name}`)" if len(errors) > 1 else ""
    raise InputError(f"{name}:{errors[0].line}: {errors[0].text}{more}")


def _text(name: str) -> str:
    if name in shipped():
        return (files("vivavoce.questions") / "sets" / f"{name}.yaml").read_text(encoding="utf-8")
    if not os.path.isfile(name):
        raise InputError(_missing(name))
    try:
        with open(name, "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(f"{name}: can't be opened: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise InputError(f"{name}: is larger than {MAX_FILE_BYTES // 1_000_000} MB; is this a question set?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: can't be read as UTF-8 text; save the file as UTF-8.") from error


def _missing(name: str) -> str:
    if os.path.isdir(name):
        return f"{name}: is a folder; name the file of a question set in it."
    near = get_close_matches(name, shipped(), 1)
    guess = f" did you mean '{near[0]}'?" if near else ""
    kind = "file" if Path(name).suffix.lower() in (".yaml", ".yml", ".txt") or "/" in name else "question set"
    return f"there is no {kind} '{name}';{guess} give a YAML file, or one of: {', '.join(shipped())}."
