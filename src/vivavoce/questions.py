"""Loads a question set: by name one that ships with the product, or a YAML file."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from vivavoce.errors import VivaError
from vivavoce.records import Question, QuestionSet

DEFAULT = "dl-methods"


def shipped() -> tuple[str, ...]:
    """The names of the sets that come with the product."""
    folder = files("vivavoce") / "question_sets"
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


def load(name: str = DEFAULT) -> QuestionSet:
    """The set of that name, or in that file."""
    import yaml

    if name in shipped():
        text = (files("vivavoce") / "question_sets" / f"{name}.yaml").read_text(encoding="utf-8")
    elif Path(name).is_file():
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise VivaError(f"{name}: can't be read as UTF-8 text: {error}.") from error
    else:
        raise VivaError(
            f"there is no question set '{name}'; give a YAML file, or one of: {', '.join(shipped())}."
        )
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise VivaError(f"{name}: not YAML: {' '.join(str(error).split())}.") from error
    return _set(name, document)


def _set(name: str, document: Any) -> QuestionSet:
    if not isinstance(document, dict) or not isinstance(document.get("questions"), list):
        raise VivaError(f"{name}: a question set needs a list of `questions`, each with an id and a text.")
    if not document["questions"]:
        raise VivaError(f"{name}: there is no question in it.")
    questions = tuple(_question(name, n, raw) for n, raw in enumerate(document["questions"], 1))
    ids = [q.id for q in questions]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise VivaError(f"{name}: the id {twice[0]} is used twice; ids must differ.")
    about = {key: " ".join(str(document.get(key) or "").split()) for key in ("title", "about", "source")}
    return QuestionSet(str(document.get("name", Path(name).stem)), questions, **about)


def _question(name: str, number: int, raw: Any) -> Question:
    if (
        not isinstance(raw, dict)
        or not str(raw.get("text") or "").strip()
        or not str(raw.get("id") or "").strip()
    ):
        raise VivaError(f"{name}: question {number} needs an id and a text.")
    given = {key: " ".join(str(raw.get(key) or "").split()) for key in ("text", "id", "hints", "topic")}
    return Question(**given)
