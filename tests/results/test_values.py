"""Values through the store, the vote, decisions, exports and what they come to."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.coded import COUNT, DATA, DEPOSITED, PAPERS, study
from vivavoce import export
from vivavoce.records import Coded, Decision, PaperInfo, Question
from vivavoce.results.cells import Results
from vivavoce.results.summary import summary_of
from vivavoce.results.values import Distribution, ValueCounts, value_words
from vivavoce.store import Store, question_key

A, B, C, D = PAPERS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = study(tmp_path)
    yield found
    found.close()


def decide(store: Store, paper: str, *decisions: Decision) -> None:
    for one in decisions:
        store.decide(paper, question_key(DATA), one)


def test_values_survive_the_store(store: Store) -> None:
    found = store.answers(A)[question_key(DATA), "first"]
    assert found.coded == (Coded("repository", quote=0, start=13, end=22),)
    assert found.evidence[0].quote[13:22] == "deposited"
    assert store.asked().questions == (DATA, COUNT)
    assert [source.journal for source in store.sources()] == ["Bee World", "Bee World", "Hives", "Hives"]


def test_readers_vote_on_codes(store: Store) -> None:
    results = Results.of(store)
    assert results.cell(A, "data").verdict.value == "repository"
    assert results.cell(A, "data").verdict.doubts == ()
    torn = results.cell(B, "data").verdict
    assert torn.value == "repository"  # the first in the order of the set
    assert [doubt.kind for doubt in torn.doubts] == ["values_differ"]
    assert torn.doubts[0].text == "readers give different codes: first says repository, second says request"
    assert results.cell(D, "data").verdict.value == "not_stated"


def test_a_person_corrects_a_code(store: Store) -> None:
    decide(store, A, Decision("Ada", "reported", "said", (DEPOSITED,), values=("request",)))
    assert store.decisions(A)[question_key(DATA)][0].values == ("request",)
    cell = Results.of(store).cell(A, "data")
    assert (cell.vote.value, cell.verdict.value, cell.verdict.by) == ("repository", "request", "person")
    assert cell.verdict.coded[0].quote == 0


def test_reviewers_who_choose_different_codes_disagree(store: Store) -> None:
    for name, code in (("Ada", "repository"), ("Ben", "request")):
        decide(store, A, Decision(name, "reported", "", (DEPOSITED,), values=(code,)))
    verdict = Results.of(store).cell(A, "data").verdict
    assert verdict.doubts[0].text == (
        "reviewers disagree: Ada says reported (repository), Ben says reported (request)"
    )
    decide(store, A, Decision("Cy", "reported", "", (DEPOSITED,), kind="adjudication", values=("request",)))
    assert Results.of(store).cell(A, "data").verdict.value == "request"


def test_a_decision_without_a_code_takes_what_its_quotes_say(store: Store) -> None:
    decide(store, C, Decision("Ada", "reported", "", (DEPOSITED,)))
    assert Results.of(store).cell(C, "data").verdict.value == "repository"


def test_the_last_columns_of_the_table(store: Store, tmp_path: Path) -> None:
    to = tmp_path / "out.csv"
    export.write(Results.of(store), to)
    rows = list(csv.DictReader(to.open(encoding="utf-8")))
    assert list(rows[0])[-2:] == ["value", "unit"]
    said = {(r["file"], r["question_id"]): r["value"] for r in rows if r["reader"] == "verdict"}
    assert [said[f"{id[:2]}.txt", "data"] for id in PAPERS] == [
        "repository",
        "repository",
        "request",
        "not_stated",
    ]
    assert said["aa.txt", "count"] == "40"


def test_json_lines_have_the_proof(store: Store, tmp_path: Path) -> None:
    to = tmp_path / "out.jsonl"
    export.write(Results.of(store), to)
    lines = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    first = next(line for line in lines if line["question"]["id"] == "count")
    assert (first["value"], first["unit"]) == (40, "")
    proof = first["coded"][0]
    assert first["evidence"][proof["quote"]]["quote"][proof["start"] : proof["end"]] == "40"
    silent = [
        line for line in lines if line["paper"]["file"] == "dd.txt" and line["question"]["id"] == "data"
    ]
    assert {line["value"] for line in silent} == {"not_stated"}


def test_a_variable_counts_some_values_alone(store: Store) -> None:
    summary = summary_of(Results.of(store))
    assert [paper.variables for paper in summary.papers] == [(True,), (True,), (False,), (False,)]


# What they come to


def distributions(store: Store) -> dict[str, Distribution]:
    counts, results = ValueCounts(), Results.of(store)
    for cell in results.cells():
        counts.add(cell)
    return {one.question.id: one for one in counts.distributions(results.questions.questions)}


def test_values_are_counted_in_the_order_of_the_choices(store: Store) -> None:
    found = distributions(store)["data"]
    assert [(bar.value, bar.papers) for bar in found.bars] == [
        ("repository", 2),
        ("request", 1),
        ("not_stated", 1),
    ]
    assert [paper.id for paper in found.bars[0].sources] == [A, B]
    assert [(g.name, g.papers, g.counts) for g in found.years] == [
        ("2019", 1, (1, 0, 0)),
        ("2020", 1, (1, 0, 0)),
        ("2021", 2, (0, 1, 1)),
    ]
    assert [(g.name, g.counts) for g in found.journals] == [("Bee World", (2, 0, 0)), ("Hives", (0, 1, 1))]


def test_many_different_numbers_are_counted_in_ranges(store: Store) -> None:
    counts = ValueCounts()
    cell = Results.of(store).cell(A, "count")
    for n in range(40):
        paper = PaperInfo(f"{n:02d}" * 32, f"{n}.txt")
        answer = cell.verdict.__class__(
            COUNT, "verdict", "1", "reported", coded=(Coded(10 * n, "mg", quote=0),)
        )
        counts.add(cell.__class__(paper, COUNT, (), answer, answer))
    (found,) = counts.distributions([COUNT])
    assert len(found.bars) <= 12
    assert sum(bar.papers for bar in found.bars) == 40
    assert "0 to 50 mg" in [bar.value for bar in found.bars]


def test_nothing_is_shown_of_a_question_without_values() -> None:
    assert ValueCounts().distributions([Question("Why?")]) == []


def test_values_in_words(store: Store) -> None:
    answer = Results.of(store).cell(A, "count").verdict
    assert value_words(answer) == "40"
    several = answer.__class__(COUNT, "r", "1", "reported", coded=(Coded(12345, "mg"), Coded(5, "%")))
    assert value_words(several) == "12,345 mg; 5%"
    assert several.value == [12345, 5]
    assert several.unit == ""


def test_the_workbook_and_the_report_show_them(store: Store, tmp_path: Path) -> None:
    import openpyxl

    results = Results.of(store)
    export.write(results, tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert [cell.value for cell in book["Matrix"][2]][2:] == ["repository", "40"]
    assert [cell.value for cell in book["Values"][2]] == ["data", DATA.text, "repository", 2, 4, None, None]
    export.write(results, tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert 'id="values"' in page
    assert '<a href="#p1-1" title="aa.txt">1</a>' in page
    assert "Bee World" in page
    assert "year0" in page  # three years are enough for a figure
