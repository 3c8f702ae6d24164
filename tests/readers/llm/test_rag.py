"""Retrieve, then ask: chunks, templates, replies in words; with a real model on a real server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pydantic_ai", reason="needs the extra llm")

from benchmarks import published
from benchmarks.servers import llama
from tests.commands import viva
from vivavoce import load
from vivavoce.errors import VivaError
from vivavoce.readers.embedding import check_encoder, embed
from vivavoce.readers.llm.chunks import Chunk, Retrieval, chunks, nearest_chunks
from vivavoce.readers.llm.free_text import answer_of
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM
from vivavoce.readers.llm.session import ModelSession
from vivavoce.readers.llm.templates import DEFAULT, check_template, prompt_of, render
from vivavoce.records import Paper, Question, Seen
from vivavoce.study.study import Study

HARDWARE = Question("Which graphics card was the network trained on?", "Q1", hints="a make, a type")
FILLER = "Bees were counted at dawn beside the river, and the weather was written down by hand. " * 8
TEXT = f"""# Counting bees

## Field work
{FILLER}

## Training
The network was trained on one NVIDIA GTX 1080 graphics card for 12 hours.

## More field work
{FILLER}
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    path = tmp_path_factory.mktemp("papers") / "bees.md"
    path.write_text(TEXT, encoding="utf-8")
    return load(path)


@given(
    st.text(alphabet=st.sampled_from("ab .\n"), max_size=400),
    st.integers(5, 60),
    st.integers(0, 4),
)
def test_every_letter_is_in_a_chunk(text: str, size: int, overlap: int) -> None:
    found = chunks(text, size, overlap)
    covered = {at for chunk in found for at in range(chunk.start, chunk.end)}
    assert all(at in covered for at, letter in enumerate(text) if not letter.isspace())
    assert all(0 < chunk.end - chunk.start <= size for chunk in found)
    assert [chunk.start for chunk in found] == sorted({chunk.start for chunk in found})


def test_chunks_end_where_a_reader_would_stop() -> None:
    text = "First things first. " + "x" * 5 + "\n\nThen the others, one by one, and so on."
    assert next(text[c.start : c.end] for c in chunks(text, 30, 0)) == "First things first. xxxxx"


def test_the_nearest_chunk_has_the_answer(paper: Paper) -> None:
    (places,) = nearest_chunks(paper, [HARDWARE], Retrieval(200, 20, 2))
    assert len(places) == 4
    assert "GTX 1080" in paper.text[places[0] : places[1]] + paper.text[places[2] : places[3]]


def test_an_encoder_in_a_folder(tmp_path: Path) -> None:
    """Any ONNX model with its tokenizer: here the built-in one, by its files."""
    from importlib.resources import files

    weights = Path(str(files("vivavoce.readers.builtin") / "weights"))
    own, other = embed(["a graphics card"], str(weights)), embed(["a graphics card"])
    assert own.shape == other.shape
    assert float((own @ other.T)[0, 0]) > 0.99
    with pytest.raises(VivaError, match="there is no such encoder"):
        check_encoder("no-such-package")
    with pytest.raises(VivaError, match=r"there is no \*\.onnx in it"):
        check_encoder(str(tmp_path))


def test_a_template_is_filled_in_once() -> None:
    assert render("{context}|{question}|{x}", "a {question}", "b {context}") == "a {question}|b {context}|{x}"
    with pytest.raises(VivaError, match=r"p\.txt: there is no \{context\}"):
        check_template("p.txt", "{question}")
    check_template("ours", DEFAULT)


def test_ours_marks_hints(paper: Paper) -> None:
    sent = prompt_of(DEFAULT, paper, [Chunk(0, 5), Chunk(6, 10)], HARDWARE)
    assert f"{paper.text[0:5]}\n\n{paper.text[6:10]}" in sent
    assert "(Hints, not from the paper: a make, a type.)" in sent


def test_templates_from_the_seeds_render_the_seeds(shared: Path) -> None:
    for seed in published.seeds(shared):
        template = f"{seed.before}{{context}}{seed.between}{{question}}{seed.after}"
        check_template(seed.name, template)
        file = next((shared / "seeds").glob(f"{seed.name}_*")).read_text(encoding="utf-8")
        assert file == render(template, seed.context, seed.question) + seed.reply


def said(paper: Paper, reply: str, shown: list[Chunk] | None = None) -> tuple[str, list[str], list[str]]:
    shown = shown or [Chunk(0, len(paper.text))]
    seen = Seen("the prompt", reply, tuple((c.start, c.end) for c in shown))
    found = answer_of(paper, HARDWARE, "m", "1", seen, shown)
    assert found.seen == seen
    assert all(paper.text[e.start : e.end] == e.quote for e in found.evidence)
    return found.status, [e.quote for e in found.evidence], [d.kind for d in found.doubts]


def test_what_a_reply_in_words_comes_to(paper: Paper) -> None:
    sentence = "The network was trained on one NVIDIA GTX 1080 graphics card for 12 hours."
    assert said(paper, "It was trained on an NVIDIA GTX 1080 graphics card.") == ("reported", [sentence], [])
    assert said(paper, "I don't know.") == ("not_reported", [], [])
    status, quotes, doubts = said(paper, "The network ran on an NVIDIA GTX 1080 card with 64 cores.")
    assert (status, quotes, doubts) == ("reported", [sentence], ["fact_not_in_paper"])
    assert said(paper, "Quantum annealers were leased in Toronto.") == ("unsupported", [], ["no_quote"])


def test_only_chunks_that_were_sent_bear_it_out(paper: Paper) -> None:
    before = [Chunk(0, paper.text.index("Training"))]
    assert said(paper, "It was trained on an NVIDIA GTX 1080 graphics card.", before)[0] == "unsupported"


def test_a_version_for_each_way_of_asking() -> None:
    ways = (
        ModelSettings("evidence"),
        ModelSettings("chunks"),
        ModelSettings("chunks", free_text=True),
        ModelSettings("chunks", free_text=True, prompt="{context} {question}"),
        ModelSettings("chunks", free_text=True, chunks=5),
    )
    versions = [LLM("ollama:m", ModelSession(RunLimits(way))).version for way in ways]
    assert len(set(versions)) == len(ways)


@pytest.fixture(scope="module")
def server() -> Iterator[llama.Llama]:
    if llama.missing():
        pytest.skip(llama.missing())
    with llama.serving() as running:
        yield running


@pytest.mark.slow
def test_the_recipe_with_a_real_model(
    server: llama.Llama, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.reader.LONGEST_REPLY", 60)
    (tmp_path / "bees.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "set.yaml").write_text(
        f'questions:\n  - {{id: Q1, text: "{HARDWARE.text}"}}\n', encoding="utf-8"
    )
    (tmp_path / "prompt.txt").write_text("Text: {context}\nQ: {question}\nA:", encoding="utf-8")
    name = f"{server.url}#smollm2"
    done = viva(
        "run",
        "bees.md",
        "--study",
        "study",
        "--questions",
        "set.yaml",
        "--reader",
        name,
        "--recipe",
        "rag",
        "--prompt",
        "prompt.txt",
        "--chunk-size",
        300,
        "--chunks",
        2,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    study = Study.open(tmp_path / "study")
    (answer,) = study.answers()
    assert answer.seen is not None
    paper = study.paper(answer.paper)
    sent = [paper.text[start:end] for start, end in answer.seen.chunks]
    assert answer.seen.prompt == f"Text: {sent[0]}\n\n{sent[1]}\nQ: {HARDWARE.text}\nA:"
    assert answer.seen.reply.strip()
    assert re.match(r"words1-chunks-", answer.version)
    assert answer.cost is not None
    assert answer.cost.calls == 1
    assert all(any(s <= e.start < t for s, t in answer.seen.chunks) for e in answer.evidence)
    study.close()
    # Again, without a call: from the stored reply.
    again = viva("run", "--study", "study", "--replay", cwd=tmp_path)
    assert "1 answer recomputed, all the same as before." in again.stdout, again.stderr
