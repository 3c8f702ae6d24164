"""YAML as nodes that know their lines, and what is wrong with them: a list of problems instead of an error.

Nothing becomes a Python object on the way. Anchors and aliases are refused: with them a small file can
stand for a huge one.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_DEPTH = 10
"""Of lists and mappings within each other; a question set has four."""
TAG = "tag:yaml.org,2002:"
YAML_TYPE_NAMES = {"bool": "true or false", "int": "a number", "float": "a number", "timestamp": "a date"}
"""What YAML makes of a word that has no quotation marks."""


@dataclass(frozen=True, slots=True)
class Problem:
    line: int
    """Counts from 1."""
    text: str
    warning: bool = False
    """The set can still be used."""


class Notes:
    """What is wrong with a file. Its methods read nodes, and write down what they find instead."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, at: Node | int, text: str, warning: bool = False) -> None:
        line = at if isinstance(at, int) else at.start_mark.line + 1
        self.problems.append(Problem(line, text, warning))

    def fields(self, node: Node, what: str, known: tuple[str, ...]) -> dict[str, Node] | None:
        """The fields of a mapping; None when it is none."""
        if not isinstance(node, MappingNode):
            self.wrong(node, f"{what} is {node_kind(node)}; it needs fields: {', '.join(known)}")
            return None
        found: dict[str, Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, ScalarNode) else ""
            if name not in known:
                meant = get_close_matches(name.lower(), known, 1, 0.5)
                way_out = f"did you mean `{meant[0]}`?" if meant else f"the fields are {', '.join(known)}"
                self.wrong(key, f"{what} has an unknown field '{short(name)}'; {way_out}")
            elif name in found:
                self.wrong(key, f"{what} has the field `{name}` twice; keep one")
            else:
                found[name] = value
        return found

    def text(self, node: Node | None, what: str) -> str:
        """A text, on one line; empty when there is none."""
        if node is None or node.tag == f"{TAG}null":
            return ""
        if not isinstance(node, ScalarNode):
            self.wrong(node, f"{what} is {node_kind(node)}; it should be text")
            return ""
        if node.tag != f"{TAG}str":
            taken_for = YAML_TYPE_NAMES.get(node.tag.removeprefix(TAG), "something else")
            quoted = f'"{short(node.value)}"'
            self.wrong(node, f"{what} is {taken_for} to YAML, not text; put it in quotation marks: {quoted}")
        return self.printable(node, what, on_one_line(node.value))

    def printable(self, at: Node | int, what: str, text: str) -> str:
        if odd := next((c for c in text if unicodedata.category(c) in ("Cc", "Cs")), ""):
            self.wrong(at, f"{what} has a character that can't be shown, U+{ord(odd):04X}; take it out")
        return text

    def entries(self, node: Node | None, what: str) -> list[Node]:
        """The entries of a list; none when there is no list."""
        if node is None or node.tag == f"{TAG}null":
            return []
        if not isinstance(node, SequenceNode):
            self.wrong(node, f"{what} is {node_kind(node)}; it should be a list")
            return []
        return list(node.value)

    def texts(
        self, node: Node | None, what: str, least: int = 0, at: Node | None = None, missing: str = ""
    ) -> list[tuple[Node, str]]:
        """The texts of a list, each with its place; one that is there twice is left out. When there
        are fewer than `least` of them, `missing` is the problem."""
        found: dict[str, Node] = {}
        sound = len(self.problems)
        for entry in self.entries(node, what):
            before = len(self.problems)
            text = self.text(entry, f"an entry of {what}")
            if not text and len(self.problems) == before:
                self.wrong(entry, f"an entry of {what} is empty")
            elif text in found:
                self.wrong(entry, f"{what} has '{short(text)}' twice")
            elif text:
                found[text] = entry
        if len(found) < least and len(self.problems) == sound:
            self.wrong(node or at or 1, missing)
        return [(entry, text) for text, entry in found.items()]


class _Refused(yaml.MarkedYAMLError):
    """YAML, but of a sort that no question set needs."""


class _Composer(yaml.SafeLoader):
    depth = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "anchor", None) is not None:
            problem = "has a YAML anchor or alias (& or *); write it out, or put a text in quotation marks"
            raise _Refused(problem=problem, problem_mark=event.start_mark)
        if self.depth >= MAX_DEPTH:
            raise _Refused(problem="is nested too deeply", problem_mark=event.start_mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def compose(text: str, notes: Notes) -> Node | None:
    """The root of a YAML text; None when it is empty, or when it is wrong, which is noted."""
    line = 1
    try:
        loader = _Composer(text)
        try:
            return loader.get_single_node()
        finally:
            line = loader.get_mark().line + 1
            loader.dispose()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        notes.wrong(line, "not YAML: it has a character that can't be shown; take it out")
    except _Refused as error:
        notes.wrong(_line_of(error), str(error.problem))
    except yaml.MarkedYAMLError as error:
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        if error.problem == "mapping values are not allowed here":
            problem += "; put a text with a colon in it in quotation marks"
        notes.wrong(_line_of(error), f"not YAML: {on_one_line(problem)}")
    except (ValueError, OverflowError):  # an escape such as "\UFFFFFFFF", which PyYAML doesn't look at
        notes.wrong(line, "not YAML: it has an escape for a character that does not exist")
    return None


def _line_of(error: yaml.MarkedYAMLError) -> int:
    """A quotation mark that is never closed is wrong where it was opened, not at the end of the file."""
    endless = "end of stream" in (error.problem or "")
    mark = (error.context_mark if endless else None) or error.problem_mark or error.context_mark
    return mark.line + 1 if mark else 1


def suggestion(word: str, known: Iterable[str]) -> str:
    """What may have been meant, as the end of a problem."""
    meant = get_close_matches(word, sorted(known), 1)
    return f"; did you mean {meant[0]}?" if meant else ""


def node_kind(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "a mapping"
    if isinstance(node, SequenceNode):
        return "a list"
    return "empty" if node.tag == f"{TAG}null" else "a single value"


def on_one_line(text: str) -> str:
    """Without line breaks and double spaces."""
    return " ".join(text.split())


def short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
