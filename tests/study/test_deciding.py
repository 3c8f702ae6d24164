"""Deciding from Python, and what status, evaluation and agreement say of it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.deciding import BEES, CODE, COUNT, HIVES, SCREEN, decide, decision
from tests.deciding import study as small
from vivavoce.cli import main
from vivavoce.errors import VivaError
from vivavoce.papers import pages
from vivavoce.records import Box, Paper
from vivavoce.results.agreement import agreement
from vivavoce.results.cells import Results
from vivavoce.results.evaluation import Label, evaluate
from vivavoce.store import Store
from vivavoce.study.study import Study


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    small(tmp_path).close()
    opened = Study.open(tmp_path)
    yield opened
    opened.close()


def test_a_decision_with_a_quote_that_is_looked_up(study: Study) -> None:
    cell = study.decide(
        BEES,
        "B",
        reviewer=" Ada  Lovelace ",
        status="reported",
        text="40",
        quotes=["counted 40\nbees"],
        reason="p. 1",
    )
    (told,) = cell.decisions
    assert (told.reviewer, told.status, told.text, told.reason) == ("Ada Lovelace", "reported", "40", "p. 1")
    assert [(e.quote, e.start, e.match) for e in told.evidence] == [("counted 40 bees", 3, "exact")]
    assert cell.verdict.version == "decided"
    assert study.results().cell(BEES, "B") == cell
    undone = study.undo(BEES, "B", reviewer="Ada Lovelace")
    assert undone == told
    assert study.undo(BEES, "B", reviewer="Ada Lovelace") is None
    assert study.results().cell(BEES, "B").verdict.version == "hard"


def test_boxes_of_all_quotes_are_asked_for_at_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[tuple[int, int]]] = []

    def boxes(_: Paper, spans: Sequence[tuple[int, int]]) -> list[tuple[Box, ...]]:
        asked.append(list(spans))
        return [(Box(1, start, 0, end, 1),) for start, end in spans]

    monkeypatch.setattr(pages, "boxes", boxes)
    quotes = ["We counted 40 bees.", "Nobody was stung."]
    cell = study.decide(BEES, "B", reviewer="Ada", status="reported", quotes=quotes)
    assert asked == [[(0, 19), (61, 78)]]
    assert [e.boxes for e in cell.decisions[0].evidence] == [(Box(1, 0, 0, 19, 1),), (Box(1, 61, 0, 78, 1),)]


def test_a_quote_that_is_not_in_the_paper_is_refused(study: Study) -> None:
    with pytest.raises(
        VivaError, match=r"bees\.txt: “Wasps were counted by hand, too\.” is not in the paper"
    ) as said:
        study.decide(
            BEES,
            "B",
            reviewer="Ada",
            status="reported",
            quotes=["We counted 40 bees.", "Wasps were counted by hand, too."],
        )
    assert "\n" not in str(said.value)
    assert study.results().cell(BEES, "B").decisions == ()


def test_a_question_that_does_not_apply_is_refused(study: Study) -> None:
    study.decide(BEES, "S", reviewer="Ada", status="not_reported")
    with pytest.raises(VivaError, match="fails the screening question: Is it about bees"):
        study.decide(BEES, "A", reviewer="Ada", status="reported")
    study.decide(BEES, "S", reviewer="Cy", status="reported", kind="adjudication")
    assert study.decide(BEES, "A", reviewer="Ada", status="reported").verdict.status == "reported"


@pytest.mark.parametrize(
    ("paper", "question", "reviewer", "status", "says"),
    [
        (BEES, "X", "Ada", "reported", "no question X"),
        ("ff", "A", "Ada", "reported", "no paper ff"),
        (BEES, "A", " ", "reported", "reviewer's name"),
        (BEES, "A", "Ada", "failed", "a person can decide"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    study: Study, paper: str, question: str, reviewer: str, status: Any, says: str
) -> None:
    with pytest.raises(VivaError, match=says):
        study.decide(paper, question, reviewer=reviewer, status=status)


# What the commands say


def run(capsys: Any, *words: str) -> str:
    with pytest.raises(SystemExit):
        main(list(words))
    return str(capsys.readouterr().out)


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """Ada and Ben decided CODE of both papers, and disagree on the hives'; Cy settled nothing yet."""
    store = small(tmp_path)
    decide(store, CODE, decision("Ada", "not_reported"), decision("Ben", "not_reported"))
    decide(store, CODE, decision("Ada", "reported"), decision("Ben", "not_reported"), paper=HIVES)
    decide(store, COUNT, decision("Cy", "not_reported", kind="adjudication"))
    store.close()
    return tmp_path


def test_status_says_who_decided_how_many(decided: Path, capsys: Any) -> None:
    said = run(capsys, "status", str(decided))
    assert "2 decided by people (Ada 2, Ben 2, Cy 1)." in said
    assert "Reviewers disagree on 1 answer, which needs adjudication." in said
    document = json.loads(run(capsys, "status", str(decided), "--json"))
    assert (document["decided"], document["disagreements"]) == (2, 1)
    assert document["reviewers"] == {"Ada": 2, "Ben": 2, "Cy": 1}
    assert document["needs_review"] == 1


def test_status_of_a_study_without_decisions_is_as_before(tmp_path: Path, capsys: Any) -> None:
    small(tmp_path).close()
    said = run(capsys, "status", str(tmp_path))
    assert "decided" not in said
    assert "disagree" not in said


def test_evaluation_is_of_what_people_decided_and_shows_the_vote(decided: Path) -> None:
    store = Store.open(decided)
    labels = [Label(name, id, False) for name in ("bees.txt", "hives.txt") for id in ("A", "B", "S")]
    found = evaluate(Results.of(store), labels)
    assert found.decided == 2
    scores = {name: (score.fp, score.tn) for name, score in found.overall}
    assert scores == {"first": (6, 0), "second": (4, 2), "panel": (6, 0), "verdict": (4, 2)}
    assert [name for name, _ in found.overall][-2:] == ["panel", "verdict"]
    assert len(found.false_claims("panel")) == 6
    only = evaluate(Results.of(store), [label for label in labels if label.question == "S"])
    assert (only.decided, [name for name, _ in only.overall]) == (0, ["first", "second", "verdict"])
    assert {m.answer.reader for m in only.mistakes} == {"first", "second", "verdict"}
    store.close()


def test_the_evaluation_says_that_people_decided(decided: Path, capsys: Any) -> None:
    labels = decided / "labels.csv"
    labels.write_text("file,question_id,reported\nbees.txt,A,no\nhives.txt,A,yes\n", encoding="utf-8")
    said = run(capsys, "evaluate", str(decided), "--labels", str(labels))
    assert "1 verdict was decided by people; `panel` is the readers' own vote." in said
    document = json.loads(run(capsys, "evaluate", str(decided), "--labels", str(labels), "--json"))
    assert document["decided"] == 1
    assert [score["reader"] for score in document["readers"]] == ["first", "second", "panel", "verdict"]


def test_people_are_readers_when_agreement_is_asked(decided: Path) -> None:
    store = Store.open(decided)
    found = agreement(Results.of(store))
    assert found.readers == ("first", "second", "person:Ada", "person:Ben")  # who adjudicates is none
    pairs = {pair.readers: pair for pair in found.overall.pairs}
    people = pairs["person:Ada", "person:Ben"]
    assert (people.percent.n, people.percent.value) == (2, 0.5)
    assert (pairs["second", "person:Ben"].percent.n, pairs["second", "person:Ben"].percent.value) == (2, 1.0)
    assert pairs["first", "person:Ben"].percent.value == 0.0
    blind = agreement(Results.of(store, seen_by="Ada"))
    assert blind.readers == ("first", "second", "person:Ada")
    store.close()


def test_reviews_of_a_paper_that_was_screened_out_dont_count_for_agreement(decided: Path) -> None:
    store = Store.open(decided)
    decide(store, SCREEN, decision("Cy", "not_reported", kind="adjudication"))
    people = next(p for p in agreement(Results.of(store)).overall.pairs if p.readers[0] == "person:Ada")
    assert people.percent.n == 1
    store.close()


def test_one_reader_and_one_person_can_be_compared(tmp_path: Path) -> None:
    store = small(tmp_path)
    store.set_readers([("first", "1")])
    with pytest.raises(VivaError, match="two readers"):
        agreement(Results.of(store))
    decide(store, CODE, decision("Ada"))
    assert agreement(Results.of(store)).overall.percent.value == 1.0
    store.close()
