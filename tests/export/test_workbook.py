"""The workbook: what stands where, in which colour, with which comment; the same bytes for the same study."""

import gc
import re
import sys
import tempfile
import time
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from openpyxl import load_workbook

from tests.export.planted import (
    CODE,
    FORMULA,
    ID,
    QUESTIONS,
    QUOTE,
    READERS,
    SCREEN,
    SEED,
    add,
    answer,
    empty_store,
    evidence,
    planted,
)
from vivavoce import export
from vivavoce.errors import VivaError
from vivavoce.export import sheets
from vivavoce.records import QuestionSet, Status
from vivavoce.results.cells import Results
from vivavoce.results.rows import COLUMNS

COLOURS = {
    "reported": "C6EFCE",
    "not_reported": "FFEB9C",
    "unsupported": "F8CBAD",
    "unreadable": "D0CECE",
    "failed": "FF9999",
    "not_applicable": "DDEBF7",
}


def opened(results: Results, to: Path) -> Any:
    export.write(results, to)
    return load_workbook(to)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("book")
    return opened(planted(folder / "study"), folder / "out.xlsx")


def values(sheet: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def colour(cell: Any) -> str:
    return str(cell.fill.start_color.rgb)[-6:]


def test_sheets(book: Any) -> None:
    assert book.sheetnames == ["Matrix", "Answers", "Evidence", "Summary", "Agreement"]


def test_agreement(book: Any) -> None:
    rows = values(book["Agreement"])
    assert rows[0] == ["question", "measure", "readers", "value", "from", "to", "n"]
    assert rows[1] == ["all", "agreement", "all", 0, None, None, 3]
    assert rows[4][:4] == ["all", "agreement", "alpha / beta", 0]
    assert [row[0] for row in rows[1::6]] == ["all", "Q1", "Q2", "'=Q3"]
    assert len(rows) == 1 + 4 * 6


def test_agreement_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    rows = values(opened(planted(tmp_path / "study"), tmp_path / "out.xlsx")["Agreement"])
    assert rows == [["Not computed: krippendorff is not installed: pip install 'vivavoce[stats]'."]]


def test_one_reader_agrees_with_nobody(tmp_path: Path) -> None:
    store = empty_store(tmp_path / "study")
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    assert "Agreement" not in opened(Results.of(store), tmp_path / "out.xlsx").sheetnames


def test_matrix(book: Any) -> None:
    sheet = book["Matrix"]
    rows = values(sheet)
    assert rows[0] == ["file", "title", "Q1", "Q2", "'=Q3"]
    assert rows[1][:4] == ["bees.pdf", "'@Bees, “hives” and noise", "yes", "not reported"]
    assert rows[2] == ["broken.pdf", None, "failed", "failed", "failed"]
    assert len(rows) == 3
    assert sheet.freeze_panes == "C2"
    assert sheet["D1"].comment.text == CODE.text
    assert sheet["D1"].alignment.wrap_text
    assert [sheet.row_dimensions[n].height for n in (2, 3)] == [62, 62]
    assert [colour(cell) for cell in sheet[2][2:]] == [COLOURS["reported"], COLOURS["not_reported"], "C6EFCE"]
    assert [colour(cell) for cell in sheet[3][2:]] == [COLOURS["failed"]] * 3


def test_comments_are_quotes_with_their_pages(book: Any) -> None:
    sheet = book["Matrix"]
    assert sheet["C2"].comment.text == "“+1 model” (p. 1)"
    assert sheet["D2"].comment.text == "Closest: “@close to it” (p. 2, chance 0.25)"
    assert sheet["C3"].comment.text == "is not a whole PDF"
    long = sheet["E2"].comment.text
    assert len(long) <= 1_000
    assert long.endswith("…” (p. 3)")


def test_a_comment_is_as_high_as_its_text(tmp_path: Path) -> None:
    export.write(planted(tmp_path / "study"), tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
        shapes = archive.read("xl/drawings/commentsDrawing1.vml").decode()
    heights = [int(height) for height in re.findall(r"height:(\d+)px", shapes)]
    assert heights == [37, 37, 37, 37, 37, 326, 37, 37, 37]  # three heads, then two papers
    assert set(re.findall(r"width:(\d+)px", shapes)) == {"380"}


def test_text_beyond_a_cell_is_cut(book: Any) -> None:
    text = book["Matrix"]["E2"].value
    assert (len(text), text[-1], set(text[:-1])) == (32_767, "…", {"é"})
    assert book["Answers"]["I8"].value == text


@pytest.mark.parametrize(("text", "most"), [("𝛼" * 9, 10), ("a" + "𝛼" * 9, 10), ("𝛼" * 9, 17), ("a𝛼𝛼", 4)])
def test_what_is_cut_is_counted_as_excel_does(text: str, most: int) -> None:
    cut = sheets.shortened(text, most)
    assert len(cut.encode("utf-16-le")) // 2 in (most, most - 1)
    assert cut[-1] == "…"
    assert text.startswith(cut[:-1])


def test_what_fits_is_not_cut() -> None:
    assert sheets.shortened("𝛼" * 5, 10) == "𝛼" * 5


def test_each_status_has_its_colour(tmp_path: Path) -> None:
    statuses: tuple[Status, ...] = get_args(Status)
    store = empty_store(tmp_path / "study")
    store.set_asked(QuestionSet("one", (CODE,)))
    store.set_readers(READERS[:1])
    for number, status in enumerate(statuses):
        add(store, f"{number}.pdf", (answer(CODE, "alpha", status, reason="so"),), str(number) * 64)
    sheet = opened(Results.of(store), tmp_path / "out.xlsx")["Matrix"]
    assert [sheet.cell(n, 3).value for n in range(2, 8)] == [status.replace("_", " ") for status in statuses]
    assert {s: colour(sheet.cell(n, 3)) for n, s in enumerate(statuses, 2)} == COLOURS
    assert len(set(COLOURS.values())) == len(statuses)


def test_a_claim_without_proof_does_not_look_like_an_answer(tmp_path: Path) -> None:
    store = empty_store(tmp_path / "study")
    store.set_asked(QuestionSet("one", (CODE,)))
    store.set_readers(READERS[:1])
    add(store, "a.pdf", (answer(CODE, "alpha", "unsupported", "on GitHub"),))
    sheet = opened(Results.of(store), tmp_path / "out.xlsx")["Matrix"]
    assert sheet["C2"].value == "unsupported: on GitHub"


def test_answers_are_the_rows_of_the_table(book: Any) -> None:
    sheet = book["Answers"]
    rows = values(sheet)
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 19
    assert rows[1] == [
        *(ID, "bees.pdf", "'@Bees, “hives” and noise", "10.1/x,y", "Q1", SCREEN.text, "alpha"),
        *("reported", "yes", 0.9, "'+1 model", 1, 2, "no", None, "1", 812, 45, 0.0021, None, None, None),
    ]
    assert rows[5][8] == f"'{FORMULA}"
    assert sheet["I6"].data_type == "s"
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:V19"


def test_evidence(book: Any) -> None:
    rows = values(book["Evidence"])
    assert ",".join(rows[0]) == "paper,file,question_id,reader,rank,quote,reading,page,match,start,end"
    assert rows[1] == [ID, "bees.pdf", "Q1", "alpha", 1, "'+1 model", None, 1, "exact", 10, 19]
    assert rows[2] == [ID, "bees.pdf", "Q1", "alpha", 2, QUOTE, None, 3, "exact", 10, 10 + len(QUOTE)]
    assert [row[3] for row in rows[1:]] == [
        "alpha",
        "alpha",
        "verdict",
        "verdict",
        "beta",
        "alpha",
        "verdict",
    ]
    assert rows[6][6] == "Seed: @x"
    assert book["Evidence"].auto_filter.ref == "A1:K8"


def test_no_cell_is_a_formula_or_an_error(tmp_path: Path) -> None:
    store = empty_store(tmp_path / "study")
    store.set_asked(QUESTIONS)
    store.set_readers(READERS[:1])
    texts = ("#N/A", "=1+1", " =1+1")
    add(
        store,
        "=1+1.pdf",
        tuple(
            answer(q, "alpha", "reported", text, evidence=(evidence(text, reading=text),), reason=text)
            for q, text in zip((SCREEN, CODE, SEED), texts, strict=True)
        ),
    )
    book = opened(Results.of(store), tmp_path / "out.xlsx")
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    texts_found = [cell.value for cell in cells if isinstance(cell.value, str)]
    assert [text for text in texts_found if text.lstrip()[0] in "=+-@"] == []
    assert {"#N/A", "'=1+1", "' =1+1", "'=1+1.pdf"} <= set(texts_found)


def test_summary(book: Any) -> None:
    rows = values(book["Summary"])
    assert rows[0][0] == "Planted questions"
    shown = [[value for value in row if value is not None] for row in rows]
    at = next(n for n, row in enumerate(shown) if row[:1] == ["question"])
    assert shown[at + 1][:5] == ["Q1", SCREEN.text, 1, 0, 1]
    assert shown[at + 1][5] == 1
    assert shown[at + 1][6:] == [pytest.approx(0.2065, abs=1e-4), 1]
    assert shown[at + 2][:6] == ["Q2", CODE.text, 0, 1, 1, 0]
    at = next(n for n, row in enumerate(shown) if row[:3] == ["file", "title", "reported"])
    assert shown[at + 1][2:] == [2, 1, 0, 0, 0, 0]
    assert shown[at + 2] == ["broken.pdf", 0, 0, 0, 0, 3, 0]
    at = next(n for n, row in enumerate(shown) if row[:3] == ["file", "title", "level 1"])
    assert shown[at] == ["file", "title", "level 1", "level 2", "code", "all", "any"]
    assert shown[at + 1][2:] == ["no", "no", "no", "no", "yes"]
    assert shown[at + 2] == ["broken.pdf", *["unknown"] * 5]
    legend = {row[0].value: colour(row[0]) for row in book["Summary"].iter_rows() if row[0].value}
    assert {status: legend[status.replace("_", " ")] for status in COLOURS} == COLOURS


def test_an_empty_study(tmp_path: Path) -> None:
    store = empty_store(tmp_path / "study")
    assert values(opened(Results.of(store), tmp_path / "a.xlsx")["Matrix"]) == [["file", "title"]]
    store.set_asked(QUESTIONS)
    store.set_readers(READERS)
    add(store, "a.pdf", ())
    book = opened(Results.of(store), tmp_path / "b.xlsx")
    assert values(book["Matrix"])[1] == ["a.pdf", "'@Bees, “hives” and noise", None, None, None]
    assert len(values(book["Answers"])) == 1
    assert ["Q1", SCREEN.text, 0, 0, 0, None, None, None] in values(book["Summary"])


def test_the_same_study_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export.write(planted(tmp_path / "one"), tmp_path / "1.xlsx")
    later = time.time() + 100_000_000
    moved = time.localtime(later)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Later":
            return cls.fromtimestamp(later, tz)

    monkeypatch.setattr(time, "time", lambda: later)
    monkeypatch.setattr(time, "localtime", lambda *_: moved)
    monkeypatch.setattr("openpyxl.writer.excel.datetime.datetime", Later)
    monkeypatch.setattr("openpyxl.packaging.core.datetime.datetime", Later)
    export.write(planted(tmp_path / "two"), tmp_path / "2.xlsx")
    assert (tmp_path / "1.xlsx").read_bytes() == (tmp_path / "2.xlsx").read_bytes()
    with zipfile.ZipFile(tmp_path / "2.xlsx") as archive:
        assert {part.date_time for part in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2
    assert ">vivavoce<" in core


@pytest.mark.filterwarnings("error")
def test_more_rows_than_excel_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "ROW_LIMIT", 10)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with pytest.raises(VivaError, match=r"the sheet Answers .* \.csv or \.jsonl"):
        export.write(planted(tmp_path / "study"), tmp_path / "out.xlsx")
    gc.collect()
    assert not (tmp_path / "out.xlsx").exists()
    assert list((tmp_path / "temporary").iterdir()) == []
