"""What people decided, in every export: their verdict comes last, the panel's vote stays beside it."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.deciding import BEES, CODE, COUNT, HIVES, SCREEN, decide, decision, study
from vivavoce import export
from vivavoce.results.cells import Results
from vivavoce.results.rows import COLUMNS
from vivavoce.store import Store, question_key

AT = "2026-05-06T07:08:09.000+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Of the bees, CODE was adjudicated after two disagreed, and COUNT was decided with formulas for words;
    of the hives reviewers disagree on CODE."""
    made = study(tmp_path)
    decide(made, CODE, decision("Ada", words="The code is at https://example.org/bees."))
    decide(made, CODE, decision("Ben", "not_reported"))
    decide(made, CODE, replace(decision("Cy", "reported", "seen", "adjudication"), reason="p. 1", at=AT))
    decide(made, COUNT, replace(decision("Ada", "reported", "=40"), reason="=HYPERLINK()", at=AT))
    decide(made, CODE, decision("Ada"), decision("Ben", "not_reported"), paper=HIVES)
    yield made
    made.close()


def exported(store: Store, ending: str) -> bytes:
    to = Path(store.location) / f"out{ending}"
    export.write(Results.of(store), to)
    return to.read_bytes()


def rows(store: Store, id: str, question: str) -> list[dict[str, str]]:
    table = csv.DictReader(io.StringIO(exported(store, ".csv").decode()))
    assert tuple(table.fieldnames or ()) == COLUMNS
    return [row for row in table if row["paper"] == id and row["question_id"] == question]


def test_the_rows_of_a_decided_cell(store: Store) -> None:
    found = rows(store, BEES, "A")
    assert [(r["reader"], r["version"], r["status"], r["quotes"], r["needs_review"]) for r in found] == [
        ("first", "1", "reported", "1", "no"),
        ("second", "1", "not_reported", "0", "no"),
        ("panel", "hard", "reported", "1", "yes"),
        ("person:Ada", "review", "reported", "1", "no"),
        ("person:Ben", "review", "not_reported", "0", "no"),
        ("person:Cy", "adjudication", "reported", "0", "no"),
        ("verdict", "decided", "reported", "0", "no"),
    ]
    assert [r["reason"] for r in found[-2:]] == [
        "without a quote: p. 1",
        "adjudicated by Cy, without a quote: p. 1",
    ]
    assert found[3]["quote"] == "The code is at https://example.org/bees."


def test_the_rows_of_a_disagreement(store: Store) -> None:
    found = rows(store, HIVES, "A")
    assert [r["reader"] for r in found] == ["first", "second", "panel", "person:Ada", "person:Ben", "verdict"]
    assert (found[-1]["version"], found[-1]["needs_review"]) == ("hard", "yes")
    assert found[-1]["reason"].startswith(
        "reviewers disagree: Ada says reported, Ben says not reported; tie: "
    )


def test_a_cell_without_decisions_has_the_rows_that_it_always_had(store: Store) -> None:
    assert [r["reader"] for r in rows(store, BEES, "S")] == ["first", "second", "verdict"]


def test_a_formula_by_a_reviewer_is_defused(store: Store) -> None:
    person, verdict = rows(store, BEES, "B")[-2:]
    assert (person["answer"], verdict["answer"]) == ("'=40", "'=40")


def test_json_lines_have_the_same(store: Store) -> None:
    lines = [json.loads(line) for line in exported(store, ".jsonl").splitlines()]
    table = list(csv.DictReader(io.StringIO(exported(store, ".csv").decode())))
    assert [(line["paper"]["id"], line["reader"]) for line in lines] == [
        (r["paper"], r["reader"]) for r in table
    ]
    (ada,) = (
        x for x in lines if x["reader"] == "person:Ada" and x["question"]["id"] == "A" and x["evidence"]
    )
    assert ada["evidence"][0]["boxes"] == [[1, 1.0, 2.0, 3.0, 4.5]]
    assert ada["values"] == [{"kind": "link", "text": "https://example.org/bees"}]


def book(store: Store) -> Any:
    return load_workbook(io.BytesIO(exported(store, ".xlsx")))


def test_the_workbook_has_a_sheet_of_decisions(store: Store) -> None:
    head, *found = ([c.value for c in row] for row in book(store)["Decisions"].iter_rows())
    assert head[3:] == [
        *(
            "reviewer",
            "kind",
            "status",
            "answer",
            "quote",
            "page",
            "quotes",
            "reason",
            "at",
            "panel",
            "verdict",
            "value",
        )
    ]
    assert [(r[1], r[2], r[3], r[4], r[5]) for r in found] == [
        ("bees.txt", "A", "Ada", "review", "reported"),
        ("bees.txt", "A", "Ben", "review", "not_reported"),
        ("bees.txt", "A", "Cy", "adjudication", "reported"),
        ("bees.txt", "B", "Ada", "review", "reported"),
        ("hives.txt", "A", "Ada", "review", "reported"),
        ("hives.txt", "A", "Ben", "review", "not_reported"),
    ]
    assert found[3][6:] == ["'=40", None, None, 0, "'=HYPERLINK()", AT, "reported", "reported", None]


def test_decided_cells_of_the_matrix_look_so_and_say_by_whom(store: Store) -> None:
    made = book(store)
    cells = {cell.coordinate: cell for row in made["Matrix"].iter_rows() for cell in row}
    decided, open_one = cells["D2"], cells["D3"]
    assert (decided.value, decided.font.b, decided.font.i) == ("seen", True, True)
    assert decided.comment.text == "adjudicated by Cy, without a quote: p. 1"
    assert not open_one.font.b
    colours = [row[0].value for row in made["Summary"].iter_rows(max_row=12)]
    assert "bold and slanted" in colours


def test_a_quote_stands_below_who_decided(store: Store) -> None:
    decide(store, SCREEN, decision("Ada", "reported", "yes", words="40 bees"))
    assert book(store)["Matrix"]["C2"].comment.text == "decided by Ada\n“40 bees” (p. 1)"


def test_a_study_without_decisions_has_no_such_sheet(tmp_path: Path) -> None:
    store = study(tmp_path)
    made = book(store)
    assert "Decisions" not in made.sheetnames
    assert "bold and slanted" not in [row[0].value for row in made["Summary"].iter_rows()]
    store.close()


def test_people_are_readers_in_the_sheet_on_agreement(store: Store) -> None:
    pairs = {row[2].value for row in book(store)["Agreement"].iter_rows(min_row=2)}
    assert "person:Ada / person:Ben" in pairs
    assert "first / person:Ada" in pairs
    assert not any("Cy" in pair for pair in pairs)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx"])
def test_the_same_store_gives_the_same_bytes(store: Store, ending: str) -> None:
    first = exported(store, ending)
    again = Store.open(store.location)
    assert exported(again, ending) == first
    again.close()


def test_a_decision_that_was_undone_leaves_no_trace_in_exports(store: Store, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    before = study(plain)
    for question, names in ((CODE, ("Ada", "Ben", "Cy")), (COUNT, ("Ada",))):
        for name in names:
            store.undo(BEES, question_key(question), name, "adjudication" if name == "Cy" else "review")
            store.undo(HIVES, question_key(question), name)
    assert exported(store, ".jsonl") == exported(before, ".jsonl")
    before.close()
