"""Language models as readers, against a real llama.cpp server with a real model of 135 million parameters.

Such a model is often wrong. What is asserted is what the package promises whatever the model says: a status
that exists, an answer whose facts stand in located quotes, a reason where there is no answer.
"""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="needs the extra llm")

from benchmarks.servers import llama
from vivavoce import load
from vivavoce.cli import main
from vivavoce.errors import VivaError
from vivavoce.readers.llm.facts import unproven_facts
from vivavoce.readers.llm.reader import LLM
from vivavoce.records import Answer, Paper, Question
from vivavoce.study.study import Study

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(llama.missing()), reason=llama.missing()),
]

TEXT = """# Counting bees

## Methods
We filmed 40 hives in Jena. The network was trained on one NVIDIA GTX 1080 graphics card for 12 hours.
It was written in PyTorch 1.12.

## Results
The F1 score was 0.91.
"""
HARDWARE = Question("Which graphics card was the network trained on?", "Q1")
WEATHER = Question("Who measured the rainfall?", "Q2")
SET = f"""\
questions:
  - {{id: Q1, text: "{HARDWARE.text}"}}
  - {{id: Q2, text: "{WEATHER.text}"}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[llama.Llama]:
    with llama.serving() as running:
        yield running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bees.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def short_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small model that has nothing to say goes on for as long as it may."""
    monkeypatch.setattr("vivavoce.readers.llm.reader.LONGEST_REPLY", 200)


def keeps_its_promise(paper: Paper, answer: Answer) -> None:
    assert answer.status in ("reported", "not_reported", "unsupported")
    if answer.status == "reported":
        assert answer.evidence
        assert answer.text.strip()
        assert unproven_facts(answer.text, answer.evidence) == ()
    for quote in answer.evidence:
        assert paper.text[quote.start : quote.end] == quote.quote
        assert quote.match in ("exact", "close")
    if answer.status == "not_reported":
        assert answer.receipt is not None
    if answer.status == "unsupported":
        assert answer.doubts


def test_replies_follow_the_schema(server: llama.Llama, file: Path) -> None:
    paper = load(file)
    model = LLM(f"{server.url}#smollm2")
    answers, failures = [], []
    for question in (HARDWARE, WEATHER):
        try:
            answers += model.read(paper, [question])
        except VivaError as error:  # it may write on until it is cut off: then it has not answered
            failures.append(str(error))
    assert answers
    assert all("the reply can't be used" in failure for failure in failures)
    for answer in answers:
        keeps_its_promise(paper, answer)
    assert not model._in_words  # the server itself held the model to the schema
    spent = model.session.spending.by_reader[model.name]
    assert 2 <= spent.calls <= 6
    assert spent.tokens_in > 400
    assert 0 < spent.tokens_out <= spent.calls * 200


def test_the_command_ends_well(server: llama.Llama, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ask", str(file), HARDWARE.text, "--reader", f"{server.url}#smollm2", "--json"])
    assert ended.value.code == 0
    (told,) = json.loads(capsys.readouterr().out)["answers"]
    assert told["reader"] == f"{server.url}#smollm2"
    text = load(file).text
    assert all(text[e["start"] : e["end"]] == e["quote"] for e in told["evidence"])
    assert told["status"] != "reported" or told["evidence"]


def test_a_panel_with_the_built_in_reader(server: llama.Llama, file: Path, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(SET, encoding="utf-8")
    name = f"{server.url}#smollm2"
    study = Study.create(tmp_path / "study", questions=str(tmp_path / "set.yaml"), readers=["builtin", name])
    study.run([file])
    paper = load(file)
    answers = [a for a in study.answers() if a.reader == name]
    assert {a.question.id for a in answers} == {"Q1", "Q2"}
    answered = [a for a in answers if a.status != "failed"]
    assert answered
    for answer in answered:
        keeps_its_promise(paper, answer)
    assert all("the reply can't be used" in a.reason for a in answers if a not in answered)
    for cell in study.results().cells():
        said = {a.status == "reported" for a in cell.answers if a.status != "failed"}
        assert len(said) == 1 or cell.verdict.doubts  # who disagrees is looked at
    assert study.run().cells == len(answers) - len(answered)
    study.close()


def test_a_server_that_dies(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.retrying.FIRST_PAUSE", 0.01)
    (tmp_path / "set.yaml").write_text(SET, encoding="utf-8")
    with llama.serving() as server:
        name = f"{server.url}#smollm2"
        study = Study.create(
            tmp_path / "study", questions=str(tmp_path / "set.yaml"), readers=["builtin", name]
        )

        def die() -> None:
            while not server.busy():
                time.sleep(0.01)
            server.kill()

        killer = threading.Thread(target=die)
        killer.start()
        summary = study.run([file])
        killer.join()
    failed = [a for a in study.answers() if a.reader == name and a.status == "failed"]
    assert failed
    assert all("it can't be reached; is it up?" in a.reason for a in failed)
    assert summary.failed
    assert {a.question.id for a in study.answers() if a.reader == "builtin" and a.status != "failed"} == {
        "Q1",
        "Q2",
    }
    study.close()
