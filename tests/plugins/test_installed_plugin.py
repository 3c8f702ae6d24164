"""A small package, really installed, adds a reader, a context and an export; commands use them."""

import csv
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PYPROJECT = """\
[build-system]
requires = []
build-backend = "build_wheels"
backend-path = ["."]

[project]
name = "viva-keyword"
version = "1.2"

[project.entry-points."vivavoce.readers"]
keyword = "viva_keyword:make_reader"

[project.entry-points."vivavoce.contexts"]
first = "viva_keyword:FIRST"

[project.entry-points."vivavoce.exports"]
".lst" = "viva_keyword:write_list"
"""
MODULE = '''\
"""Answers with the first sentence that has the keyword."""

from vivavoce.evidence.locating import evidence_at
from vivavoce.evidence.spans import Span
from vivavoce.readers.llm.context import Context, Prompt
from vivavoce.records import Answer, Receipt


class Keyword:
    def __init__(self, name):
        self.name = name
        self.version = "1"
        self._word = name.partition(":")[2] or "code"

    def ready(self):
        pass

    def read(self, paper, questions):
        holding = next((s for s in paper.sentences if self._word in s.text), None)
        if holding is None:
            receipt = Receipt(len(paper.pages), len(paper.sentences))
            return [Answer(q, self.name, self.version, "not_reported", receipt=receipt) for q in questions]
        found = (evidence_at(paper, Span(holding.start, holding.end)),)
        return [Answer(q, self.name, self.version, "reported", holding.text, 0.9, found) for q in questions]


def make_reader(name, options):
    return Keyword(name)


FIRST = Context(
    lambda paper, questions, ranking: [
        Prompt((question,), tuple(enumerate(paper.sentences))[:1]) for question in questions
    ],
    needs_ranking=False,
)


def write_list(results, file):
    for cell in results.cells():
        file.write(f"{cell.question.id}: {cell.verdict.status}\\n".encode())
'''
BACKEND = '''\
"""The least that builds a wheel, so that no build tool has to be installed."""

import tomllib
from zipfile import ZipFile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    with open("pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    name = "viva_keyword-1.2-py3-none-any.whl"
    info = "viva_keyword-1.2.dist-info"
    groups = (
        "\\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in points.items())])
        for group, points in project["entry-points"].items()
    )
    with ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.write("viva_keyword.py")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: viva-keyword\\nVersion: 1.2\\n")
        tags = "Root-Is-Purelib: true\\nTag: py3-none-any\\n"
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\\nGenerator: test\\n{tags}")
        wheel.writestr(f"{info}/entry_points.txt", "\\n\\n".join(groups) + "\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return name
'''
PAPER = "# Bees\n\nWe counted 40 bees in the garden. The code is at https://example.org/bees.\n"
SET = "questions:\n  - {id: Q1, text: 'Where is the code?'}\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package is installed into."""
    if find_spec("pip") is None:
        pytest.skip("needs pip, which installs packages")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    (source / "pyproject.toml").write_text(PYPROJECT)
    (source / "viva_keyword.py").write_text(MODULE)
    (source / "build_wheels.py").write_text(BACKEND)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    done = subprocess.run(
        [*pip, "--target", str(target), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "bees.md").write_text(PAPER)
    (tmp_path / "set.yaml").write_text(SET)
    return tmp_path


def viva(site: Path | None, place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, where the package is installed."""
    folders = [str(site), *sys.path] if site else sys.path
    return subprocess.run(
        [sys.executable, "-c", "from vivavoce.cli import main; main()", *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reader", "quote"), [("keyword", "The code is at"), ("keyword:40", "We counted 40")]
)
def test_its_reader_is_asked(site: Path, place: Path, reader: str, quote: str) -> None:
    done = viva(site, place, "ask", "bees.md", "Where is the code?", "--reader", reader, "--json")
    assert done.returncode == 0, done.stderr
    (answer,) = json.loads(done.stdout)["answers"]
    assert (answer["reader"], answer["status"]) == (reader, "reported")
    assert answer["evidence"][0]["quote"].startswith(quote)


@pytest.mark.slow
def test_a_study_runs_its_reader_and_is_written_by_its_export(site: Path, place: Path) -> None:
    run = ["run", "bees.md", "--study", "study", "--questions", "set.yaml", "--reader", "keyword:code"]
    done = viva(site, place, *run)
    assert done.returncode == 0, done.stderr
    done = viva(site, place, "export", "study", "--to", "out.lst", "--to", "out.csv")
    assert done.returncode == 0, done.stderr
    assert (place / "out.lst").read_text() == "Q1: reported\n"
    rows = list(csv.DictReader((place / "out.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [row["reader"] for row in rows] == ["keyword:code", "verdict"]


@pytest.mark.slow
def test_its_context_can_be_chosen(site: Path, place: Path) -> None:
    pytest.importorskip("pydantic_ai", reason="needs the extra llm")
    plan = ["plan", "bees.md", "--reader", "openai:gpt-5-mini", "--questions", "set.yaml", "--json"]
    done = viva(site, place, *plan, "--context", "first")
    assert done.returncode == 0, done.stderr
    (planned,) = json.loads(done.stdout)["readers"]
    assert (planned["context"], planned["cost"]["calls"]) == ("first", 1)


@pytest.mark.slow
def test_without_the_package_there_is_no_such_reader_or_export(place: Path) -> None:
    done = viva(None, place, "ask", "bees.md", "Where is the code?", "--reader", "keyword")
    assert done.returncode == 2
    assert "there is no reader 'keyword'" in done.stderr
    done = viva(None, place, "export", "study", "--to", "out.lst")
    assert done.returncode == 2
    assert "out.lst" in done.stderr
