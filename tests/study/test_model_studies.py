"""Studies with language models: what is kept, what it cost, what happens without a network."""

import json
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="needs the extra llm")

from benchmarks.servers.faulty import Server, serving
from benchmarks.servers.storm import storm
from vivavoce.cli import main
from vivavoce.readers.llm.limits import Budget
from vivavoce.study.study import Study

TEXT = """# Counting bees

## Methods
We trained the network number {n} on a graphics card of the type GTX 1080. It was written in PyTorch 1.12.

## Results
The F1 score was 0.9{n}.
"""
QUESTIONS = """\
name: bees
title: Bees
questions:
  - {id: Q1, text: "Which graphics card was the network trained on?"}
  - {id: Q2, text: "Who measured rainfall yesterday?"}
  - {id: Q3, text: "Which score was reached?"}
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for n in range(3):
        (folder / f"{n}.md").write_text(TEXT.format(n=n), encoding="utf-8")
    (tmp_path / "bees.yaml").write_text(QUESTIONS, encoding="utf-8")
    return folder


def study(papers: Path, server: Server, **models: object) -> Study:
    place = papers.parent
    return Study.create(place / "study", str(place / "bees.yaml"), [f"{server.url}#m"], models=models)


def viva(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def calls(server: Server) -> int:
    return sum(server.calls.values())


def test_costs_are_kept_by_cell_and_added_up(papers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        opened = study(papers, server, context="paper")
        summary = opened.run([papers])
        assert calls(server) == 3  # a call for each paper
    name = f"{server.url}#m"
    assert summary.spent[name].tokens_in == 300
    answers = opened.answers()
    opened.close()
    assert len(answers) == 9
    assert [sum(a.cost.tokens_in for a in answers[n : n + 3] if a.cost) for n in (0, 3, 6)] == [100] * 3
    assert viva("status", papers.parent / "study", "--json") == 0
    told = json.loads(capsys.readouterr().out)["costs"][name]
    assert (told["tokens_in"], told["tokens_out"], told["dollars"]) == (300, 60, 0.0)
    assert told["calls"] == pytest.approx(3)


def test_a_replay_calls_nobody_and_comes_to_the_same(
    papers: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("invented", "ok", "ok") as server:  # some replies are asked for once more
        opened = study(papers, server)
        opened.run([papers])
        before = [(a.paper, a.question.id, a.status, a.text, a.evidence) for a in opened.answers()]
        opened.close()
        assert calls(server) > 9
        made = calls(server)
    monkeypatch.setattr("vivavoce.readers.llm.reader.model_of", None)  # it would fail if it were used
    folder = papers.parent / "study"
    assert viva("run", "--study", folder, "--replay") == 0
    assert "9 answers recomputed, all the same as before." in capsys.readouterr().out
    assert calls(server) == made

    with sqlite3.connect(folder / "viva.db") as database:  # answers that are lost come back from the replies
        database.execute("DELETE FROM evidence")
        database.execute("DELETE FROM answers")
    opened = Study.open(folder)
    summary = opened.run(replay=True)
    assert (summary.cells, summary.failed, summary.differ) == (9, (), ())
    after = [(a.paper, a.question.id, a.status, a.text, a.evidence) for a in opened.answers()]
    opened.close()
    assert after == before


def test_a_replay_tells_what_comes_out_otherwise(papers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        opened = study(papers, server)
        opened.run([papers])
        opened.close()
    folder = papers.parent / "study"
    with sqlite3.connect(folder / "viva.db") as database:
        first = "(SELECT min(number) FROM answers WHERE status = 'reported')"
        database.execute(f"UPDATE answers SET status = 'not_reported' WHERE number = {first}")
    assert viva("run", "--study", folder, "--replay", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert [d["reader"] for d in told["differ"]] == [f"{server.url}#m"]
    with sqlite3.connect(folder / "viva.db") as database:
        database.execute("DELETE FROM replies WHERE number = 9")
    assert viva("run", "--study", folder, "--replay") == 1
    assert "there is no stored reply" in capsys.readouterr().out


def test_a_kept_reply_is_not_asked_for_again(papers: Path) -> None:
    with serving() as server:
        opened = study(papers, server)
        opened.run([papers])
        made = calls(server)
        with sqlite3.connect(papers.parent / "study" / "viva.db") as database:
            database.execute("DELETE FROM evidence")
            database.execute("DELETE FROM answers")  # as if killed between the two
        assert opened.run().cells == 9
        assert calls(server) == made
        opened.close()


def test_a_limit_stops_the_model_and_the_next_run_goes_on(
    papers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving() as server:
        opened = study(papers, server, calls=1)
        summary = opened.run([papers], budget=Budget(tokens=1600))
        opened.close()
        spent = summary.spent[f"{server.url}#m"]
        assert 0 < spent.tokens_in + spent.tokens_out <= 1600
        assert 0 < summary.cells < 9
        assert all("--max-tokens 1600 is reached" in reason for _, reason in summary.failed)
        folder = papers.parent / "study"
        assert viva("run", "--study", folder, "--max-tokens", 1) == 1
        assert "--max-tokens 1 is reached" in capsys.readouterr().out
        assert viva("run", "--study", folder) == 0
        assert calls(server) == 9


def test_a_cell_that_fails_leaves_its_neighbours(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vivavoce.readers.llm.retrying.FIRST_PAUSE", 0.001)
    with serving() as server:
        server.spoilt = "Question: Who measured rainfall yesterday?"
        opened = study(papers, server)
        opened.run([papers / "0.md"])
        statuses = [answer.status for answer in opened.answers()]
        assert statuses.count("failed") == 1
        (failed,) = (answer for answer in opened.answers() if answer.status == "failed")
        assert "can't be used" in failed.reason
        server.spoilt = ""
        assert opened.run().cells == 1  # that one, and no other
        assert "failed" not in [answer.status for answer in opened.answers()]
        opened.close()


def test_a_server_that_can_do_no_schema_is_asked_in_words(papers: Path) -> None:
    with serving("no schema") as server:
        opened = study(papers, server)
        assert opened.run([papers]).failed == ()
        assert {answer.status for answer in opened.answers()} == {"reported", "not_reported"}
        opened.close()
        words = [json.loads(body) for body in server.prompts]
    assert any("response_format" in body for body in words)
    in_words = [body for body in words if body.get("response_format", {}).get("type") != "json_schema"]
    assert len(in_words) == 9


def test_what_is_planned_is_what_is_sent(papers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        name = f"{server.url}#m"
        for context, many in (("paper", 3), ("evidence", 9)):
            asked = ("--questions", papers.parent / "bees.yaml", "--reader", name, "--context", context)
            assert viva("plan", papers, *asked, "--json") == 0
            (planned,) = json.loads(capsys.readouterr().out)["readers"]
            assert planned["cost"]["calls"] == many
            server.prompts.clear()
            study = papers.parent / f"study-{context}"
            assert viva("run", papers, "--study", study, *asked) == 0
            capsys.readouterr()
            bodies = [json.loads(body)["messages"] for body in server.prompts]
            assert len(bodies) == many
            characters = sum(len(message["content"]) for body in bodies for message in body)
            assert planned["cost"]["tokens_in"] == pytest.approx(characters / 4, rel=0.02)


def test_a_plan_has_prices(papers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert viva("plan", papers, "--reader", "openai:gpt-5-mini", "--reader", "builtin") == 0
    told = capsys.readouterr().out
    assert "3 papers × 29 questions = 87 cells" in told
    assert "$0.0" in told
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4 no")
    assert viva("plan", papers, "--reader", "openai:there-is-no-such-model") == 1
    shown = capsys.readouterr()
    assert "price unknown" in shown.out
    assert "broken.pdf: not counted" in shown.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--context", "all"], "--context takes one of evidence, passages, chunks, paper, not 'all'"),
        (["--max-cost", "much"], "--max-cost takes a number of US dollars"),
        (["--max-tokens", "0"], "--max-tokens takes a number of tokens"),
        (["--calls", "none"], "--calls takes a number of calls"),
        (["--country", "Atlantis"], "no country 'Atlantis'"),
    ],
)
def test_wrong_calls(
    papers: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert viva("run", papers, "--study", papers.parent / "study", *arguments) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_storm(tmp_path: Path) -> None:
    """A fifth of the calls fails in ten ways; killed half-way and resumed. (The same with 10,000 cells:
    benchmarks/storm.py.)"""
    quiet = storm(tmp_path / "quiet", 30, kill=False, calls=8, patience=5.0)
    killed = storm(tmp_path / "killed", 30, kill=True, calls=8, patience=5.0)
    for ended in (quiet, killed):
        assert ended.cells == 30 * 29
        assert (ended.twice, ended.lost) == (0, 0)
        assert ended.faults / ended.calls == pytest.approx(0.2, abs=0.01)
    # What was under way when it was killed, and no more, is asked again.
    assert killed.calls - quiet.calls <= 8 + 0.02 * quiet.calls
