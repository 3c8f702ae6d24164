"""The documentation says what the program does: fields, kinds, links and commands are checked against it."""

import importlib.util
import inspect
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from tests import calibrating
from tests.conftest import EXAMPLES, ROOT
from tests.export.planted import planted
from vivavoce import errors, readers, records
from vivavoce.cli import main
from vivavoce.cli.app import app
from vivavoce.papers import ENDINGS, Limits
from vivavoce.questions import check
from vivavoce.records import (
    Answer,
    Box,
    Closest,
    Evidence,
    Level,
    Paper,
    Question,
    QuestionSet,
    Receipt,
    Value,
    Variable,
)
from vivavoce.results.cells import Results
from vivavoce.study.progress import Progress, Summary
from vivavoce.study.study import Study

DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / "training").glob("*.md")),
]
FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no heading '{heading}'"
    return found[1]


def described(name: str, text: str) -> bool:
    """Is the name there as code: alone, or as the last part of a path such as `papers[].name`?"""
    return re.search(rf"`(?:\w+(?:\[\])?\.)?{re.escape(name)}`", text) is not None


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("make_cli_reference", DOCS / "make_cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_line_reference_is_current() -> None:
    assert generator().main(["--check"]) == 0, "run `make docs`"


def test_the_pages_of_the_sets_are_current() -> None:
    spec = importlib.util.spec_from_file_location("make_set_pages", DOCS / "make_set_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.main(["--check"]) == 0, "run `make docs`"


def test_the_generator_notices_a_page_that_is_not_current(tmp_path: Path, capsys: Any) -> None:
    module = generator()
    module.FILE = tmp_path / "cli.md"
    assert module.main(["--check"]) == 1
    assert "make docs" in capsys.readouterr().err
    assert not module.FILE.exists()
    assert module.main([]) == 0
    assert module.main(["--check"]) == 0
    module.FILE.write_text(module.FILE.read_text(encoding="utf-8") + "x", encoding="utf-8")
    assert module.main(["--check"]) == 1


RECORDS = {
    name: kind
    for name, kind in vars(records).items()
    if inspect.isclass(kind) and kind.__module__ == records.__name__
} | {
    "QuestionSet": QuestionSet,
    "Reader": readers.Reader,
    **{kind.__name__: kind for kind in (Study, Summary, Progress, Results)},
}


def names_of(kind: type) -> list[str]:
    """The fields of a record or a protocol, and its public methods."""
    own = inspect.get_annotations(kind)
    methods = [name for name, value in vars(kind).items() if inspect.isfunction(value) and name[0] != "_"]
    return [*own, *methods]


@pytest.mark.parametrize("record", RECORDS)
def test_every_field_of_a_record_is_described(record: str) -> None:
    text = section(page("reference/python.md"), f"`{record}`")
    wanted = names_of(RECORDS[record])
    assert wanted
    # Methods are described with their arguments: `page_at(offset)`.
    assert [name for name in wanted if not re.search(rf"`{name}[`(]", text)] == []


def test_every_limit_is_described_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", section(page("reference/python.md"), "Limits"), re.M))
    assert rows == {field.name: str(field.default) for field in fields(Limits)}


def test_every_error_is_described() -> None:
    text = section(page("reference/python.md"), "Errors")
    public = [name for name, kind in vars(errors).items() if inspect.isclass(kind)]
    assert [name for name in public if not described(name, text)] == []


def test_every_ending_is_named() -> None:
    assert f"`{' '.join(ENDINGS)}`" in page("reference/python.md")


def test_every_kind_is_described() -> None:
    text = section(page("reference/formats.md"), "Kinds of sentences")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(get_args(records.Kind))


def test_every_status_is_described() -> None:
    text = section(page("reference/formats.md"), "Statuses")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(get_args(records.Status))


NOT_WRITTEN = {"meanings", "vocabulary"}
"""Fields of a question that no set has under that name: meanings are written with the choices, and a study
adds its vocabulary."""


def test_every_field_of_a_question_set_is_described() -> None:
    text = section(page("reference/formats.md"), "Question sets")
    kinds = {"": QuestionSet, "questions[].": Question, "variables[].": Variable, "levels[].": Level}
    every = [(start, field.name) for start, kind in kinds.items() for field in fields(kind)]
    wanted = [f"`{start}{name}`" for start, name in every if name not in NOT_WRITTEN]
    assert [name for name in wanted if name not in text] == []


def test_the_example_of_a_question_set_is_sound(tmp_path: Path) -> None:
    """It is whole: every field is in it."""
    example, plain = FENCE.findall(section(page("reference/formats.md"), "Question sets"))
    for name, content in (("bees.yaml", example), ("bees.txt", plain)):
        (tmp_path / name).write_text(content, encoding="utf-8")
        assert check(tmp_path / name) == []
    kinds = (QuestionSet, Question, Variable, Level)
    names = {f.name for kind in kinds for f in fields(kind)} - NOT_WRITTEN
    assert sorted(name for name in names if f"{name}:" not in example) == []


@pytest.mark.parametrize("words", ["list", "check {set}"])
def test_every_field_of_the_json_of_a_question_set_is_described(
    words: str, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "x.txt").write_text("Who (e.g., me)?\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["questions", *words.format(set=tmp_path / "x.txt").split(), "--json"])
    found = keys(json.loads(capsys.readouterr().out))
    assert len(found) > 4
    text = section(page("reference/formats.md"), "`viva questions --json`")
    assert sorted(name for name in found if not described(name, text)) == []


def keys(document: Any) -> set[str]:
    """The names of all fields in a JSON document, however deep."""
    if isinstance(document, dict):
        return set(document) | {key for value in document.values() for key in keys(value)}
    return {key for value in document for key in keys(value)} if isinstance(document, list) else set()


@pytest.mark.parametrize("command", ["check", "read"])
def test_every_field_of_the_json_is_described(command: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main([command, str(EXAMPLES / "papers" / "pollinator-notes.md"), "--json"])
    found = keys(json.loads(capsys.readouterr().out))
    assert len(found) > 10
    text = section(page("reference/formats.md"), f"`viva {command} --json`")
    assert sorted(name for name in found if not described(name, text)) == []


class Talkative:
    """A reader whose answer has something in every field: what is described is the form, not a network."""

    name, version = "talkative", "1"

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        del paper
        found = Evidence("a quote", 1, "exact", 0, 7, (Box(1, 0, 0, 9, 9),))
        receipt = Receipt(1, 40, (Closest("a passage", 1, 0.2, 0, 9),))
        said = Value("link", "https://example.org")
        return [
            Answer(q, self.name, self.version, "reported", "an answer", 0.9, (found,), (said,), receipt)
            for q in questions
        ]


def test_every_field_of_the_json_of_an_answer_is_described(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(readers, "reader", lambda *_, **__: Talkative())
    with pytest.raises(SystemExit):
        main(["ask", str(EXAMPLES / "papers" / "pollinator-notes.md"), "Where is the code?", "--json"])
    found = keys(json.loads(capsys.readouterr().out))
    assert {"verdict", "boxes", "closest", "kind"} <= found
    text = section(page("reference/formats.md"), "`viva ask --json`")
    assert sorted(name for name in found if not described(name, text)) == []


def test_every_field_of_the_json_of_an_agreement_is_described(tmp_path: Path, capsys: Any) -> None:
    planted(tmp_path)
    with pytest.raises(SystemExit):
        main(["agreement", str(tmp_path), "--json"])
    found = keys(json.loads(capsys.readouterr().out))
    assert {"overall", "fleiss", "cosine", "low"} <= found
    text = section(page("reference/formats.md"), "`viva agreement --json`")
    assert sorted(name for name in found if not described(name, text)) == []


def test_every_field_of_the_json_of_a_calibration_is_described(tmp_path: Path, capsys: Any) -> None:
    calibrating.study(tmp_path).close()
    text = section(page("reference/formats.md"), "`viva calibrate --json`")
    for more in ([], ["--undo"]):
        with pytest.raises(SystemExit):
            main(["calibrate", str(tmp_path), *more, "--json"])
        found = keys(json.loads(capsys.readouterr().out))
        assert "at" in found
        assert sorted(name for name in found if not described(name, text)) == []


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE):
        kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(kept.replace(" ", "-"))
    return found


def links(text: str) -> Iterator[str]:
    for target in LINK.findall(FENCE.sub("", text)):
        if "://" not in target and not target.startswith("mailto:"):
            yield target


def broken(file: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    place = (file.parent / path).resolve() if path else file
    if not place.exists():
        return True
    return bool(anchor) and anchor not in anchors(place.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert [target for target in links(text) if broken(file, target)] == []


def test_a_broken_link_would_be_noticed() -> None:
    assert list(links("[a](b.md) [c](https://d.e)\n```\n[f](g.md)\n```\n")) == ["b.md"]
    assert broken(ROOT / "README.md", "docs/nowhere.md")
    assert broken(ROOT / "README.md", "docs/how-to.md#nowhere")
    assert not broken(ROOT / "README.md", "docs/how-to.md#read-scans")


def commands(text: str) -> Iterator[list[str]]:
    """The words of every `viva ...` command in the fenced blocks of a page, up to a pipe or a comment.
    In a block with a prompt ("$ "), the other lines are output."""
    for fence in FENCE.findall(text):
        prompt = r"\$ " if re.search(r"^\$ ", fence, re.MULTILINE) else ""
        for line in fence.splitlines():
            words = re.match(rf"{prompt}viva\s(.*)", line)
            if words:
                yield _words(words[1])


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>;&")
    lexer.whitespace_split = True
    found = []
    for word in lexer:
        if word[0] in "|<>;&":
            break
        found.append(word)
    return found


def wrong(words: list[str]) -> str:
    """What is wrong with a command, if anything is."""
    group: Any = get_command(app)
    command, rest = group, words
    while rest and hasattr(command, "commands") and not rest[0].startswith("-") and rest[0] != "[OPTIONS]":
        if rest[0] not in command.commands:
            return f"there is no command {rest[0]}"
        command, rest = command.commands[rest[0]], rest[1:]
    known = {"-h", "--help", *(name for parameter in command.params for name in parameter.opts)}
    unknown = [word for word in rest if word.startswith("-") and word.split("=")[0] not in known]
    return f"there is no option {unknown[0]}" if unknown else ""


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert [(words, said) for words in commands(text) if (said := wrong(words))] == []


def test_a_wrong_command_would_be_noticed() -> None:
    text = (
        "```\n$ viva raed a.pdf\nviva: no such command\n```\n"
        "```\nviva read a.pdf --pages 3 | head -n 1\nviva check 'a b' --json  # --x\n```\n"
        "```\nviva questions shwo a\nviva questions show a --jsn\nviva questions\n```\n"
    )
    assert [wrong(words) for words in commands(text)] == [
        "there is no command raed",
        "there is no option --pages",
        "",
        "there is no command shwo",
        "there is no option --jsn",
        "",
    ]
    assert sum(len(list(commands(file.read_text(encoding="utf-8")))) for file in PAGES) > 15
