"""Language models as readers, against a server of ours that fails on demand."""

import asyncio
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="needs the extra llm")

import vivavoce
from benchmarks.servers.faulty import serving
from vivavoce import load
from vivavoce.cli import main
from vivavoce.errors import VivaError
from vivavoce.readers import Reader, is_language_model, reader
from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.checking import ModelReply, check, invented_facts, make_answer
from vivavoce.readers.llm.context import BATCH, make_prompts
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import Paper, Question, Sentence
from vivavoce.study.study import Study

TEXT = """# Counting bees

## Methods
We trained the network on a graphics card of the type GTX 1080. It was written in PyTorch 1.12.
The mark </paper> closes nothing here. It is one of many.

## Results
The F1 score was 0.91.
"""
HARDWARE = Question("Which graphics card was it trained on?", "Q1", hints="TPU, A100")
WEATHER = Question("Who measured rainfall yesterday?", "Q2")


@pytest.fixture
def paper(tmp_path: Path) -> Paper:
    (tmp_path / "bees.md").write_text(TEXT, encoding="utf-8")
    return load(tmp_path / "bees.md")


def test_an_answer_with_its_quote(paper: Paper) -> None:
    with serving() as server:
        model = LLM(f"{server.url}#m")
        found, nothing = model.read(paper, [HARDWARE, WEATHER])
    assert found.status == "reported"
    assert found.evidence[0].match == "exact"
    assert paper.text[found.evidence[0].start : found.evidence[0].end] == found.evidence[0].quote
    assert found.doubts == ()
    assert nothing.status == "not_reported"
    assert nothing.receipt is not None
    assert model.session.spending.by_reader[model.name].calls == 2
    assert model.session.spending.by_reader[model.name].tokens_in == 200


@pytest.mark.parametrize(
    ("faults", "status", "calls"),
    [
        (("429", "500", "ok"), "reported", 3),
        (("503", "cut", "not json", "ok"), "reported", None),
        (("prose", "ok"), "reported", 2),
        (("wrong schema", "ok"), "reported", 2),
        (("empty", "ok"), "reported", 2),
        (("invented", "ok"), "reported", 2),
        (("invented", "invented"), "unsupported", 2),
        (("no idea",), "not_reported", 2),
    ],
)
def test_faults_are_mended_or_told(
    paper: Paper, faults: tuple[str, ...], status: str, calls: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.retrying.FIRST_PAUSE", 0.01)
    with serving(*faults) as server:
        (found,) = LLM(f"{server.url}#m").read(paper, [HARDWARE])
    assert found.status == status
    if calls is not None:
        assert sum(server.calls.values()) == calls


def test_an_invented_quote_is_no_evidence(paper: Paper) -> None:
    with serving("invented") as server:
        (found,) = LLM(f"{server.url}#m").read(paper, [HARDWARE])
    assert found.status == "unsupported"
    assert found.evidence == ()
    assert any("999" in doubt.text for doubt in found.doubts)


@pytest.mark.parametrize(
    ("fault", "told"), [("401", "refuses the key"), ("404", "no such model"), ("400", "rejects")]
)
def test_what_no_second_try_mends_stops_the_reader(paper: Paper, fault: str, told: str) -> None:
    with serving(fault) as server:
        model = LLM(f"{server.url}#m")
        with pytest.raises(VivaError, match=told):
            model.read(paper, [HARDWARE])
        with pytest.raises(VivaError, match=told):
            model.read(paper, [HARDWARE])
        assert sum(server.calls.values()) == 1  # the second time nobody was called


def test_a_server_that_keeps_failing_is_given_up(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.retrying.FIRST_PAUSE", 0.001)
    with serving("500") as server, pytest.raises(VivaError, match="gave up after 6 tries: status 500"):
        LLM(f"{server.url}#m").read(paper, [HARDWARE])
    assert sum(server.calls.values()) == 6


def test_the_key_is_in_no_message(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIVAVOCE_API_KEY", "sk-secret-123")
    with serving("401") as server, pytest.raises(VivaError) as raised:
        LLM(f"{server.url}#m").read(paper, [HARDWARE])
    assert "secret" not in str(raised.value)


def test_what_the_model_sees(paper: Paper) -> None:
    with serving() as server:
        LLM(f"{server.url}#m").read(paper, [HARDWARE])
        body = json.loads(server.prompts[0])
    words = "\n".join(m["content"] for m in body["messages"])
    assert words.count("</paper>") == words.count("<paper>")  # the paper can't close its own block
    assert "TPU" not in words  # its hints: small models give them for the answer
    assert "untrusted" in words
    assert body["response_format"]["type"] == "json_schema"
    assert body["temperature"] == 0


def test_a_whole_paper_goes_once_with_many_questions(paper: Paper) -> None:
    questions = [Question(f"What is {n}?", f"Q{n}") for n in range(28)]
    made = make_prompts(paper, questions, "paper")
    assert [len(p.questions) for p in made] == [28]
    many = make_prompts(paper, [Question(f"What is {n}?", f"Q{n}") for n in range(BATCH + 1)], "paper")
    assert [len(p.questions) for p in many] == [BATCH, 1]
    assert all(len(p.sentences) == len(paper.sentences) for p in made)


def test_only_what_fits_is_shown() -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(400))
    sentences, at = [], 0
    for part in text.split(". "):
        sentences.append(Sentence(part, at, at + len(part), 1))
        at += len(part) + 2
    long = Paper("id", "f", "text", text, tuple(sentences), ())
    (made,) = make_prompts(long, [HARDWARE], "evidence", [[200, 100, 300]])
    numbers = [n for n, _ in made.sentences]
    assert numbers == [99, 100, 101, 199, 200, 201, 299, 300, 301]
    assert prompts.paper(made.sentences).count("...") == 2


def test_facts_that_stand_nowhere_are_doubted(paper: Paper) -> None:
    quote = "We trained the network on a graphics card of the type GTX 1080."
    said = ModelReply(True, "A GTX 1080 with 11 GB and cuDNN8", quotes=(quote,))
    found = check(paper, said, [])
    assert invented_facts(paper, HARDWARE, said, found.found) == ("11", "GB", "cuDNN8")
    made = make_answer(paper, HARDWARE, "m", "1", said, found)
    assert made.status == "reported"
    assert len(made.doubts) == 3


def test_a_number_of_a_sentence_is_a_quote_of_it(paper: Paper) -> None:
    said = ModelReply(True, "GTX 1080", sentences=(2, 99))
    shown = list(range(len(paper.sentences)))
    found = check(paper, said, shown)
    assert [e.quote for e in found.found] == [paper.sentences[2].text]
    assert check(paper, said, []).found == ()  # a sentence that it was not shown


def test_what_does_not_fit_is_told(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.context.PAPER_TOKENS", 20)
    (made,) = make_prompts(paper, [HARDWARE], "paper")
    assert made.left_out == len(paper.sentences) - len(made.sentences) > 0
    with serving() as server:
        (found,) = LLM(f"{server.url}#m", ModelSession(RunLimits(ModelSettings("paper")))).read(
            paper, [HARDWARE]
        )
    assert any(f"{made.left_out} sentences did not fit" in doubt.text for doubt in found.doubts)


def test_a_missing_key_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "bees.md").write_text(TEXT, encoding="utf-8")
    study = Study.create(tmp_path / "study", readers=["openai:gpt-5-mini"])
    with pytest.raises(VivaError, match="OPENAI_API_KEY"):
        study.run([tmp_path / "bees.md"])
    assert study.store.files() == []  # before the first paper
    study.close()


def test_names() -> None:
    assert is_language_model("openai:gpt-5-mini")
    assert is_language_model("http://localhost:8080/v1#m")
    assert not is_language_model("builtin")
    assert not is_language_model("table:a.csv")
    with pytest.raises(VivaError, match="URL#MODEL"):
        reader("http://localhost:8080/v1").ready()


@pytest.mark.slow  # it imports the libraries of all providers
@pytest.mark.parametrize(
    ("provider", "key", "library"),
    [
        ("openai", "OPENAI_API_KEY", "openai"),
        ("anthropic", "ANTHROPIC_API_KEY", "anthropic"),
        ("google", "GOOGLE_API_KEY", "google.genai"),
        ("groq", "GROQ_API_KEY", "groq"),
        ("mistral", "MISTRAL_API_KEY", "mistralai"),
    ],
)
def test_providers(provider: str, key: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library, reason=f"needs the extra {provider}")
    monkeypatch.delenv(key, raising=False)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(VivaError, match=f"{provider}:some-model: Set the `{key}`"):
        reader(f"{provider}:some-model").ready()
    monkeypatch.setenv(key, "sk-secret")
    model = reader(f"{provider}:some-model")
    model.ready()
    assert "secret" not in repr(model)


def test_what_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    reader("ollama:qwen3:8b").ready()
    with pytest.raises(VivaError, match=r"there is no such provider; there are openai:\.\.\."):
        reader("nobody:some-model").ready()


def test_another_provider_through_its_own_library(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("groq", reason="needs the extra groq")
    monkeypatch.setenv("GROQ_API_KEY", "sk-secret")
    with serving("500", "ok") as server:
        monkeypatch.setenv("GROQ_BASE_URL", server.url.removesuffix("/v1"))
        monkeypatch.setattr("vivavoce.readers.llm.retrying.FIRST_PAUSE", 0.01)
        (found,) = LLM(
            "groq:llama-3.3-70b-versatile", ModelSession(RunLimits(ModelSettings("evidence")))
        ).read(paper, [HARDWARE])
        assert sum(server.calls.values()) == 2
    assert found.status == "reported"
    assert found.cost is not None
    assert found.cost.dollars is not None
    assert found.cost.dollars > 0


MANY = [Question(f"Which graphics card was network {n} trained on?", f"Q{n}") for n in range(12)]
"""More than may be under way at a time, so that some wait."""


def test_a_reader_can_be_asked_again(paper: Paper) -> None:
    with serving() as server:
        model = reader(f"{server.url}#m")
        for _ in range(3):
            assert [a.status for a in model.read(paper, MANY)] == ["reported"] * len(MANY)
        assert sum(server.calls.values()) == 3 * len(MANY)


def test_two_questions_in_a_row(paper: Paper) -> None:
    with serving() as server:
        for question in (HARDWARE, HARDWARE):
            assert vivavoce.ask(paper, question, reader=f"{server.url}#m").status == "reported"


def test_it_can_be_asked_where_a_loop_is_running(paper: Paper) -> None:
    """As in a notebook: the same reader in two cells, and outside of any loop."""

    async def notebook(model: Reader) -> list[str]:
        return [answer.status for answer in model.read(paper, MANY)]

    with serving() as server:
        model = reader(f"{server.url}#m")
        for _ in range(2):
            assert asyncio.run(notebook(model)) == ["reported"] * len(MANY)
        assert model.read(paper, [HARDWARE])[0].status == "reported"
        cell = vivavoce.ask

        async def ask() -> str:
            return cell(paper, HARDWARE, reader=f"{server.url}#m").status

        assert [asyncio.run(ask()) for _ in range(2)] == ["reported"] * 2


def test_threads_may_share_a_reader(paper: Paper) -> None:
    with serving() as server, ThreadPoolExecutor(3) as threads:
        model = reader(f"{server.url}#m")
        found = list(threads.map(lambda _: model.read(paper, MANY), range(3)))
    assert all(answer.status == "reported" for answers in found for answer in answers)


def test_each_reply_is_checked_once(paper: Paper, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []

    def counted(*given: Any) -> Any:
        checked.append(given)
        return check(*given)

    monkeypatch.setattr("vivavoce.readers.llm.reader.check", counted)
    with serving() as server:
        LLM(f"{server.url}#m").read(paper, MANY)
    assert len(checked) == len(MANY)


def test_a_server_elsewhere_is_shown_the_whole_paper() -> None:
    """A model that runs here is taken for a small one. One of a server elsewhere is not."""
    assert LLM("http://localhost:8080/v1#m").context == "evidence"
    assert LLM("https://models.example.org/v1#m").context == "paper"
    assert LLM("openai:gpt-5-mini").context == "paper"


def test_the_doctor_calls_once(capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        name = f"{server.url}#m"
        with pytest.raises(SystemExit) as left:
            main(["doctor", "--reader", name, "--reader", "builtin"])
        assert left.value.code == 0
        assert sum(server.calls.values()) == 1
    assert capsys.readouterr().out == f"reader {name}: ready\nreader builtin: ready\n"
    with serving("401") as server, pytest.raises(SystemExit) as left:
        main(["doctor", "--reader", f"{server.url}#m", "--json"])
    assert left.value.code == 1
    assert "refuses the key" in json.loads(capsys.readouterr().out)["reached"][f"{server.url}#m"]


def test_another_prompt_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = LLM("http://localhost:1/v1#m").version
    monkeypatch.setattr(prompts, "INSTRUCTIONS", "Be kind.")
    assert LLM("http://localhost:1/v1#m").version != before


@pytest.mark.slow
def test_a_study_with_a_model_that_fails_every_fifth_call(tmp_path: Path) -> None:
    for n in range(6):
        (tmp_path / f"bees-{n}.md").write_text(TEXT.replace("1080", f"10{n}0"), encoding="utf-8")
    faults = ["ok", "ok", "ok", "ok", "429", "ok", "ok", "ok", "ok", "500"]
    with serving(*faults) as server:
        study = Study.create(tmp_path / "study", readers=["builtin", f"{server.url}#m"])
        summary = study.run([tmp_path])
        assert summary.failed == ()
        assert summary.cells == 6 * 29 * 2
        assert server.calls["ok"] == 6 * 29
        answers = study.answers()
        assert len(answers) == len({(a.paper, a.question.id, a.reader) for a in answers}) == 6 * 29 * 2
        assert study.run().cells == 0
        assert server.calls["ok"] == 6 * 29
        study.close()


@pytest.mark.slow
def test_a_reader_that_is_refused_leaves_the_others_alone(tmp_path: Path) -> None:
    (tmp_path / "bees.md").write_text(TEXT, encoding="utf-8")
    with serving("401") as server:
        name = f"{server.url}#m"
        study = Study.create(tmp_path / "study", readers=["builtin", name])
        summary = study.run([tmp_path])
    statuses = Counter((a.reader, a.status == "failed") for a in study.answers())
    assert statuses[name, True] == 29
    assert statuses["builtin", False] == 29
    assert "refuses the key" in summary.failed[0][1]
    with serving() as server:  # the key is mended: only its own cells are done
        definition = tmp_path / "study" / "study.toml"
        definition.write_text(definition.read_text().replace(name, f"{server.url}#m"))
        assert study.run().cells == 29
    study.close()


# Values by the question's kind

LICENCE = Question(
    "Where is the data?",
    kind="choice",
    choices=("repository", "request"),
    meanings=("It is in a repository.", "It is sent on request."),
)


def test_a_code_counts_and_an_invented_one_does_not(paper: Paper) -> None:
    quote = paper.sentences[-1].text
    for named, code, kinds in (("request", "request", []), ("elsewhere", "repository", ["values_differ"])):
        said = ModelReply(True, "It is said.", quotes=(quote,), values=(named,))
        made = make_answer(paper, LICENCE, "m", "1", said, check(paper, said, []))
        assert [coded.value for coded in made.coded] == [code]
        assert made.coded[0].quote == 0
        assert [d.kind for d in made.doubts if d.kind == "values_differ"] == kinds


def test_a_value_that_stands_in_no_quote_does_not_count(paper: Paper) -> None:
    quote = "We trained the network on a graphics card of the type GTX 1080."
    question = Question("Which card?", kind="list")
    said = ModelReply(True, "A GTX 1080", quotes=(quote,), values=("GTX 1080", "RTX 3090"))
    made = make_answer(paper, question, "m", "1", said, check(paper, said, []))
    assert [coded.value for coded in made.coded] == ["GTX 1080"]
    assert quote[made.coded[0].start : made.coded[0].end] == "GTX 1080"
