"""What an answer to a question looks like: its kind, and for a choice the codes and what each means."""

import re
from typing import NamedTuple, cast, get_args

from yaml.nodes import MappingNode, Node, ScalarNode

from vivavoce.questions.yaml_lines import TAG, Notes, node_kind, short, suggestion
from vivavoce.records import QuestionKind

CUE_FORMS = ("link", "accession", "number", "version", "catalogue")
"""What `<...>` in a cue may stand for."""


class AnswerForm(NamedTuple):
    kind: QuestionKind
    choices: tuple[str, ...]
    meanings: tuple[str, ...]
    several: bool
    absent: str
    cues: tuple[tuple[str, ...], ...]


def answer_form(node: Node, fields: dict[str, Node], what: str, notes: Notes) -> AnswerForm:
    """The fields of a question that say what can be answered."""
    kind = _kind(fields, what, notes)
    absent = notes.text(fields.get("absent"), f"the `absent` of {what}")
    several = flag(fields.get("several"), f"the `several` of {what}", notes)
    choices, meanings = _choices(node, fields.get("choices"), what, notes, kind, 1 if absent else 2)
    if kind != "choice":
        for field in ("choices", "several", "absent", "cues"):
            if field in fields:
                said = f"{what} has `{field}`; then its kind must be choice, not {short(kind)}"
                notes.wrong(fields[field], said)
    if absent and absent in choices:
        notes.wrong(
            fields["absent"], f"the `absent` of {what} is one of its choices; it stands for saying nothing"
        )
    cues = _cues(fields.get("cues"), choices, what, notes)
    return AnswerForm(cast(QuestionKind, kind), choices, meanings, several, absent, cues)


def flag(node: Node | None, what: str, notes: Notes) -> bool:
    if node is None:
        return False
    if node.tag != f"{TAG}bool":
        notes.wrong(node, f"{what} must be true or false")
        return False
    return str(node.value).lower() in ("true", "yes", "on")


def _kind(fields: dict[str, Node], what: str, notes: Notes) -> str:
    kinds = get_args(QuestionKind)
    kind = notes.text(fields.get("kind"), f"the `kind` of {what}") or "text"
    if kind not in kinds:
        said = f"{what} has the unknown kind '{short(kind)}'; the kinds are {', '.join(kinds)}"
        notes.wrong(fields["kind"], said)
    return kind


def _choices(
    node: Node, given: Node | None, what: str, notes: Notes, kind: str, least: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The codes and their meanings: from a mapping of the two, or a list of choices that say what they
    mean."""
    number = {1: "one choice", 2: "two `choices`"}[least]
    missing = f"{what} has the kind choice, and needs {number} or more"
    if not isinstance(given, MappingNode):
        texts = notes.texts(
            given, f"the `choices` of {what}", least if kind == "choice" else 0, node, missing
        )
        return tuple(text for _, text in texts), ()
    found: dict[str, str] = {}
    for key, value in given.value:
        code = notes.text(key, f"a choice of {what}")
        if not code and isinstance(key, ScalarNode):
            notes.wrong(key, f"a choice of {what} is empty")
        elif code in found:
            notes.wrong(key, f"the `choices` of {what} have '{short(code)}' twice")
        elif code:
            found[code] = notes.text(value, f"the meaning of {short(code)} in {what}")
    if kind == "choice" and len(found) < least:
        notes.wrong(given, missing)
    unclear = [code for code, meaning in found.items() if not meaning]
    if len(unclear) > 1:
        said = f"{what} has several choices without a meaning: {', '.join(map(short, unclear))}; one may have"
        notes.wrong(given, f"{said} none, for what remains")
    return tuple(found), tuple(found.values())


def _cues(
    node: Node | None, choices: tuple[str, ...], what: str, notes: Notes
) -> tuple[tuple[str, ...], ...]:
    """Phrases that speak for each choice, in the order of the choices."""
    if node is None:
        return ()
    if not isinstance(node, MappingNode):
        notes.wrong(node, f"the `cues` of {what} are {node_kind(node)}; they need choices, each with a list")
        return ()
    found: dict[str, tuple[str, ...]] = {}
    for key, value in node.value:
        code = notes.text(key, f"a choice in the `cues` of {what}")
        if code not in choices:
            said = f"the `cues` of {what} name {short(code)}, which is none of its choices"
            notes.wrong(key, f"{said}{suggestion(code, choices)}")
        given = notes.texts(value, f"the cues of {short(code)} in {what}")
        for at, cue in given:
            unknown = [form for form in re.findall(r"<(.*?)>", cue) if form not in CUE_FORMS]
            if unknown:
                notes.wrong(at, f"'{short(cue)}' has <{unknown[0]}>; there is <{'>, <'.join(CUE_FORMS)}>")
            if cue.startswith("...") or cue.endswith("...") or not re.search(r"\w", cue):
                notes.wrong(at, f"'{short(cue)}' needs words, and `...` stands between them")
        found[code] = tuple(cue for _, cue in given)
    return tuple(found.get(code, ()) for code in choices)
