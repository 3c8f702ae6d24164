"""Parses the text of a question set: gives the set, or everything wrong with it, by line.

A set is YAML, or plain text with one question per line, for lists that people have already.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Literal, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from vivavoce.questions.choices import answer_form, flag
from vivavoce.questions.yaml_lines import (
    TAG,
    Notes,
    Problem,
    compose,
    node_kind,
    on_one_line,
    short,
    suggestion,
)
from vivavoce.records import Level, Question, QuestionSet, Variable

SET_FIELDS = ("name", "title", "about", "source", "questions", "variables", "levels")
QUESTION_FIELDS = (
    "id",
    "text",
    "hints",
    "topic",
    "also",
    "kind",
    "choices",
    "several",
    "absent",
    "cues",
    "screen",
)
VARIABLE_FIELDS = ("name", "category", "questions", "need", "values")
LEVEL_FIELDS = ("number", "name", "categories")
MAX_TEXT_LENGTH = 1000
"""In the text of a question. The longest that ships has 68, and the built-in reader reads about 300."""
EXAMPLES_FOUND = "has examples in its text"
LEAK = "they leak into answers"

ParsedSet = tuple[QuestionSet | None, list[Problem]]
"""A set, and warnings; or no set, and why."""
QuestionDraft = tuple[int, str, Question]
"""A question, the line it begins on, and how problems call it."""


def read_yaml(name: str, text: str) -> ParsedSet:
    """The set in a YAML text. `name` is for a set that gives itself none."""
    notes = Notes()
    root = compose(text, notes)
    return _outcome(None if notes.problems else _set(name, root, notes), notes)


def read_lines(name: str, text: str) -> ParsedSet:
    """The set in a plain text: a question on each line, with the ids Q1, Q2, ..."""
    notes = Notes()
    drafts: list[QuestionDraft] = []
    for line, id, asked in _lines(text):
        what = f"question {id}"
        given = Question(notes.printable(line, what, asked), id)
        drafts.append((line, what, _without_examples(given, line, what, notes)))
    if not drafts:
        notes.wrong(1, "there is no question in it; write one on each line")
    _refuse_duplicates(drafts, notes)
    return _outcome(QuestionSet(name, tuple(question for *_, question in drafts)), notes)


def as_yaml(name: str, text: str) -> str:
    """A plain text with a question on each line, as the YAML of the same set."""
    questions = [{"id": id, "text": asked} for _, id, asked in _lines(text)]
    document = {"name": name, "questions": questions}
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110)


def dump(questions: QuestionSet) -> str:
    """The set as YAML that reads as the same set; fields that say nothing are left out."""
    document = {
        "name": questions.name,
        "title": questions.title,
        "about": questions.about,
        "source": questions.source,
        "questions": [_question_fields(q) for q in questions.questions],
        "variables": [_given_fields(v, VARIABLE_FIELDS) for v in questions.variables],
        "levels": [_given_fields(v, LEVEL_FIELDS) for v in questions.levels],
    }
    document = {name: value for name, value in document.items() if value}
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110)


def _question_fields(question: Question) -> dict[str, object]:
    given = _given_fields(question, QUESTION_FIELDS)
    if question.meanings:
        given["choices"] = dict(zip(question.choices, question.meanings, strict=True))
    if question.cues:
        cues = zip(question.choices, question.cues, strict=True)
        given["cues"] = {code: list(some) for code, some in cues if some}
    return given


def _given_fields(record: Question | Variable | Level, names: Sequence[str]) -> dict[str, object]:
    default = {field.name: field.default for field in fields(record)}
    given = {name: getattr(record, name) for name in names}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value != default[name]
    }


def _outcome(found: QuestionSet | None, notes: Notes) -> ParsedSet:
    problems = sorted(notes.problems, key=lambda problem: problem.line)
    return None if any(not problem.warning for problem in problems) else found, problems


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number, id and text of each question; empty lines and comments are passed over."""
    number = 0
    for line, content in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if content.strip() and not content.lstrip().startswith("#"):
            number += 1
            yield line, f"Q{number}", on_one_line(content)


_EXAMPLES = re.compile(r"e\. ?g\.?(?:[,:;]\s*|\s+)(?=\S)|eg\.?(?:[,:;]\s*|\s+)(?=\S)", re.IGNORECASE)
_INSIDE = re.compile(rf"\((?:{_EXAMPLES.pattern})", re.IGNORECASE)


def split_examples(text: str) -> tuple[str, str]:
    """A question without the examples at its end, "(e.g., ...)", and the examples by themselves.

    Published questions often carry examples. A reader would take a sentence that holds one of them for an
    answer, so they are asked without."""
    examples: list[str] = []
    text = text.strip()
    while parts := _last_examples(text):
        text = parts[0]
        examples.insert(0, parts[1])
    return text, ", ".join(examples)


def _last_examples(text: str) -> tuple[str, str] | None:
    body = text.rstrip("?. \t\r\n")
    if not body.endswith(")"):
        return None
    depth, start = 1, len(body) - 1
    while depth and start:
        start -= 1
        depth += (body[start] == ")") - (body[start] == "(")
    inside = body[start + 1 : -1].strip()
    mark = _EXAMPLES.match(inside)
    head = body[:start].rstrip()
    if depth or not mark or not any(c.isalnum() for c in head):
        return None
    tail = text[len(body) :].strip()
    if "?" in tail or head.endswith(("?", ".")):
        tail = "?" if "?" in tail and not head.endswith("?") else ""
    return head + tail, inside[mark.end() :].strip()


def _set(name: str, root: Node | None, notes: Notes) -> QuestionSet | None:
    if not isinstance(root, MappingNode):
        found = "it is empty" if root is None else f"it is {node_kind(root)}"
        notes.wrong(root or 1, f"{found}; a question set needs `questions:` and a list of them")
        return None
    fields = notes.fields(root, "the set", SET_FIELDS) or {}
    own, title, about, source = (
        notes.text(fields.get(key), f"the `{key}` of the set") for key in SET_FIELDS[:4]
    )
    if "questions" not in fields:
        notes.wrong(root, "the set has no `questions`")
    sound = len(notes.problems)
    entries = notes.entries(fields.get("questions"), "`questions`")
    if "questions" in fields and not entries and len(notes.problems) == sound:
        notes.wrong(fields["questions"], "there is no question in it")
    drafts = [_question(node, number, notes) for number, node in enumerate(entries, 1)]
    questions = tuple(question for *_, question in drafts)
    if questions and all(question.screen for question in questions):
        notes.wrong(fields["questions"], "there is no question in it but the screening question")
    _refuse_duplicates(drafts, notes)
    variables = _variables(fields.get("variables"), {q.id for q in questions}, notes)
    levels = _levels(fields.get("levels"), {v.category for v in variables}, notes)
    return QuestionSet(own or name, questions, title, about, source, variables, levels)


def _question(node: Node, number: int, notes: Notes) -> QuestionDraft:
    line = node.start_mark.line + 1
    what = _label(node, "id", f"entry {number} of `questions`", "question")
    fields = notes.fields(node, what, QUESTION_FIELDS)
    if fields is None:
        return line, what, Question("")
    id, text, hints, topic = (notes.text(fields.get(k), f"the `{k}` of {what}") for k in QUESTION_FIELDS[:4])
    for key, given in (("id", id), ("text", text)):
        if not given and not _is_list(fields.get(key)):
            notes.wrong(fields.get(key, node), f"{what} has no {key}")
    form = answer_form(node, fields, what, notes)
    also = tuple(text for _, text in notes.texts(fields.get("also"), f"the `also` of {what}"))
    screens = flag(fields.get("screen"), f"the `screen` of {what}", notes)
    question = Question(text, id, hints, topic, screen=screens, also=also, **form._asdict())
    return line, what, _without_examples(question, fields.get("text", node), what, notes)


def _without_examples(question: Question, at: Node | int, what: str, notes: Notes) -> Question:
    """The question, with the examples at the end of its text as hints."""
    if len(question.text) > MAX_TEXT_LENGTH:
        notes.wrong(at, f"{what} has a text of more than {MAX_TEXT_LENGTH:,} characters; ask for one thing")
        return question
    if question.text and not any(c.isalnum() for c in question.text):
        notes.wrong(at, f"{what} has no letter in its text")
    text, examples = split_examples(question.text)
    if examples and not question.hints:
        notes.wrong(at, f"{what} {EXAMPLES_FOUND}; they were taken for its `hints`: {LEAK}", warning=True)
        return replace(question, text=text, hints=examples)
    if _INSIDE.search(question.text):
        notes.wrong(at, f"{what} {EXAMPLES_FOUND}; move them to `hints`: {LEAK}", warning=True)
    return question


def _refuse_duplicates(drafts: Iterable[QuestionDraft], notes: Notes) -> None:
    """Answers are kept by a question's id, and a question is known by its text: no two may be the same."""
    ids: dict[str, int] = {}
    texts: dict[str, str] = {}
    screening = ""
    for line, what, question in drafts:
        place = f"{what} on line {line}"
        if question.id in ids:
            notes.wrong(line, f"the id {question.id} is used twice; it is on line {ids[question.id]}, too")
        elif question.id:
            ids[question.id] = line
        if question.text in texts:
            notes.wrong(line, f"{what} has the same text as {texts[question.text]}")
        elif question.text:
            texts[question.text] = place
        if question.screen and screening:
            notes.wrong(line, f"{what} is a second screening question, after {screening}; a set has one")
        elif question.screen:
            screening = place


def _variables(node: Node | None, ids: set[str], notes: Notes) -> tuple[Variable, ...]:
    found: dict[str, tuple[Variable, Node]] = {}
    for number, entry in enumerate(notes.entries(node, "`variables`"), 1):
        what = _label(entry, "name", f"entry {number} of `variables`", "variable")
        fields = notes.fields(entry, what, VARIABLE_FIELDS)
        if fields is None:
            continue
        name, category = (
            notes.text(fields.get(key), f"the `{key}` of {what}") for key in VARIABLE_FIELDS[:2]
        )
        for key, given in (("name", name), ("category", category)):
            if not given and not _is_list(fields.get(key)):
                notes.wrong(fields.get(key, entry), f"{what} has no {key}")
        missing = f"{what} names no questions; give a list of their ids"
        questions = notes.texts(fields.get("questions"), f"the `questions` of {what}", 1, entry, missing)
        for at, id in questions:
            if id not in ids:
                notes.wrong(
                    at, f"{what} names the question {short(id)}, which is not there{suggestion(id, ids)}"
                )
        need = notes.text(fields.get("need"), f"the `need` of {what}") or "any"
        if need not in ("any", "all"):
            notes.wrong(fields["need"], f"the `need` of {what} must be any or all, not '{short(need)}'")
        if name in found:
            line = found[name][1].start_mark.line + 1
            notes.wrong(entry, f"there are two variables {name}; the other is on line {line}")
        elif name:
            ordered = tuple(id for _, id in questions)
            values = notes.texts(fields.get("values"), f"the `values` of {what}")
            kept = Variable(
                name, category, ordered, cast(Literal["any", "all"], need), tuple(v for _, v in values)
            )
            found[name] = (kept, entry)
    return tuple(variable for variable, _ in found.values())


def _levels(node: Node | None, categories: set[str], notes: Notes) -> tuple[Level, ...]:
    found: dict[int, tuple[Level, Node]] = {}
    for position, entry in enumerate(notes.entries(node, "`levels`"), 1):
        what = _label(entry, "number", f"entry {position} of `levels`", "level")
        fields = notes.fields(entry, what, LEVEL_FIELDS)
        if fields is None:
            continue
        given = fields.get("number")
        whole = (
            isinstance(given, ScalarNode)
            and given.tag == f"{TAG}int"
            and re.fullmatch("[0-9]{1,4}", given.value)
        )
        number = int(given.value) if given is not None and whole else None
        if number is None:
            notes.wrong(given or entry, f"{what} needs a `number`, a whole one such as 1")
        name = notes.text(fields.get("name"), f"the `name` of {what}")
        if not name and not _is_list(fields.get("name")):
            notes.wrong(fields.get("name", entry), f"{what} has no name")
        missing = f"{what} names no categories; give a list of the variables' categories"
        wanted = notes.texts(fields.get("categories"), f"the `categories` of {what}", 1, entry, missing)
        for at, category in wanted:
            if category not in categories:
                problem = f"names the category {short(category)}, which no variable has"
                notes.wrong(at, f"{what} {problem}{suggestion(category, categories)}")
        if number in found:
            line = found[number][1].start_mark.line + 1
            notes.wrong(entry, f"there are two levels {number}; the other is on line {line}")
        elif number is not None:
            found[number] = (Level(number, name, tuple(text for _, text in wanted)), entry)
    return tuple(level for _, (level, _) in sorted(found.items()))


def _label(node: Node, key: str, place: str, noun: str) -> str:
    """How problems call an entry: by its own id, name or number, else by its place in the list."""
    if isinstance(node, MappingNode):
        for name, value in node.value:
            if name.value == key and isinstance(value, ScalarNode) and value.value.strip():
                return f"{noun} {short(on_one_line(value.value))}"
    return place


def _is_list(node: Node | None) -> bool:
    """Or a mapping. A problem says already that it should be text."""
    return node is not None and not isinstance(node, ScalarNode)
