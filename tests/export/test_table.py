"""CSV and JSON lines: exact rows, nothing that a spreadsheet would run, and never half a file."""

import csv
import errno
import io
import json
import os
import time
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.export.planted import FORMULA, ID, QUOTE, empty_store, planted
from vivavoce import export
from vivavoce.errors import VivaError
from vivavoce.export.table import safe
from vivavoce.results.cells import Results
from vivavoce.results.rows import COLUMNS, rows

CONTRACT = (
    "paper,file,title,doi,question_id,question,reader,status,answer,confidence,quote,page,quotes,needs_review"
)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return planted(tmp_path / "study")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_the_columns_are_the_contract() -> None:
    assert ",".join(COLUMNS) == CONTRACT + ",reason,version,tokens_in,tokens_out,dollars,warnings,value,unit"


def test_the_columns_are_described() -> None:
    text = (ROOT / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    described = text.split("\n### CSV\n")[1].split("\n### ")[0]
    assert [name for name in COLUMNS if f"`{name}`" not in described] == []


def test_every_row_in_its_place(results: Results, tmp_path: Path) -> None:
    to = tmp_path / "out.csv"
    export.write(results, to)
    found = table(to)
    cells = [
        (file, id, reader)
        for file in ("bees.pdf", "broken.pdf")
        for id in ("Q1", "Q2", "'=Q3")
        for reader in ("alpha", "beta", "verdict")
    ]
    assert [(row["file"], row["question_id"], row["reader"]) for row in found] == cells
    assert list(found[0].values()) == [
        ID,
        "bees.pdf",
        "'@Bees, “hives” and noise",
        "10.1/x,y",
        "Q1",
        "Is a model trained?",
        "alpha",
        "reported",
        "yes",
        "0.9",
        "'+1 model",
        "1",
        "2",
        "no",
        "",
        "1",
        "812",
        "45",
        "0.0021",
        "",
        "",
        "",
    ]
    assert [row["status"] for row in found[:3]] == ["reported", "unsupported", "reported"]
    assert (found[1]["answer"], found[1]["needs_review"], found[1]["page"]) == ("'-x", "yes", "")
    assert (found[3]["confidence"], found[3]["quotes"], found[3]["needs_review"]) == ("0.6", "0", "yes")
    assert (found[4]["answer"], found[4]["quote"], found[4]["page"]) == (f"'{FORMULA}", QUOTE, "3")
    assert found[4]["question"] == 'Where is the "code", and how is it run?'
    assert found[6]["answer"] == "é" * 40_000
    for row in found[9:]:
        assert (row["paper"], row["status"], row["reason"]) == ("", "failed", "is not a whole PDF")
        assert (row["answer"], row["quote"], row["needs_review"]) == ("", "", "yes")


def test_plain_utf8_with_short_line_ends(results: Results, tmp_path: Path) -> None:
    to = tmp_path / "out.CSV"
    export.write(results, to)
    content = to.read_bytes()
    assert content.startswith(CONTRACT.encode())
    assert b"\r" not in content
    assert b"\0" not in content
    assert "ünï-𝛼" in content.decode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"{lead}{sign}1"
            for sign in "=+-@＝"
            for lead in ("", " ", "'", '"', " \" '", "\ufeff", "\xa0", "\x00")
        ),
        "\tx",
        "\rx",
        "\nx",
        " \t x",
        "\x07\t=1",
    ],
)
def test_a_formula_is_neutralised(text: str) -> None:
    told = safe(text)
    assert told[0] == "'"
    assert "\x00" not in told
    assert "\x07" not in told


@pytest.mark.parametrize("text", ["", "x", "a=b", "1-2", "'quoted'", "“yes”", "−1 °C", "— a dash", "a\tb"])
def test_other_text_is_left_alone(text: str) -> None:
    assert safe(text) == text


@given(st.text())
def test_whatever_the_text_a_spreadsheet_sees_no_formula(text: str) -> None:
    told = safe(text)
    assert told.lstrip(' "\xa0')[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n") or told[:1] == "'"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([told, "end"])
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""), strict=True)
    assert row == [told, "end"]


def test_rows_for_programs_are_as_they_are(results: Results) -> None:
    found = list(rows(results))
    assert len(found) == 18
    assert found[4][COLUMNS.index("answer")] == FORMULA
    assert found[3][COLUMNS.index("page")] is None


def test_json_lines(results: Results, tmp_path: Path) -> None:
    to = tmp_path / "out.jsonl"
    export.write(results, to)
    lines = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert [(line["paper"]["file"], line["question"]["id"], line["reader"]) for line in lines[:4]] == [
        ("bees.pdf", "Q1", "alpha"),
        ("bees.pdf", "Q1", "beta"),
        ("bees.pdf", "Q1", "verdict"),
        ("bees.pdf", "Q2", "alpha"),
    ]
    assert len(lines) == 18
    assert lines[0]["paper"]["title"] == "@Bees, “hives” and\x07 noise"
    assert lines[0]["evidence"][0]["quote"] == "+1 model\x00"
    assert lines[4]["answer"] == FORMULA
    assert lines[4]["evidence"][0]["boxes"] == [[3, 1.0, 2.0, 3.5, 4.0]]
    assert lines[3]["receipt"]["closest"][0]["text"] == "@close to it"
    assert (lines[0]["needs_review"], lines[1]["needs_review"]) == (False, True)


def test_the_same_study_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = planted(tmp_path / "one"), planted(tmp_path / "two")
    later = time.time() + 100_000
    for ending in ("csv", "jsonl"):
        export.write(first, tmp_path / f"1.{ending}")
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: later)
            export.write(second, tmp_path / f"2.{ending}")
        assert (tmp_path / f"1.{ending}").read_bytes() == (tmp_path / f"2.{ending}").read_bytes()


def test_an_empty_study(tmp_path: Path) -> None:
    results = Results.of(empty_store(tmp_path / "study"))
    export.write(results, tmp_path / "out.csv")
    assert (
        tmp_path / "out.csv"
    ).read_text() == CONTRACT + ",reason,version,tokens_in,tokens_out,dollars,warnings,value,unit\n"
    export.write(results, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == b""


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "you may not write there"),
        (errno.EIO, "Input/output"),
    ],
)
def test_the_old_file_stays_when_writing_fails(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    to = tmp_path / "out.csv"
    to.write_text("old")

    def broken(_: Any, file: BinaryIO) -> None:
        file.write(b"half of it")
        raise OSError(number, os.strerror(number))

    monkeypatch.setitem(export.EXPORTS._loaded, ".csv", broken)
    with pytest.raises(VivaError, match=says) as caught:
        export.write(results, to)
    assert str(caught.value).startswith(f"{to}: it can't be written")
    assert len(str(caught.value).splitlines()) == 1
    assert to.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "study"]


def test_an_interruption_leaves_nothing_behind(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Any, file: BinaryIO) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setitem(export.EXPORTS._loaded, ".csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export.write(results, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


def test_where_it_can_not_go(results: Results, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.csv").mkdir()
    for name, says in [
        ("out.pdf", r"there is \.csv \.jsonl \.xlsx"),
        ("out", r"there is \.csv \.jsonl \.xlsx"),
        ("nowhere/out.csv", "make it first"),
        ("file/out.csv", "is a file, not a folder"),
        ("folder.csv", "is a folder"),
    ]:
        with pytest.raises(VivaError, match=says):
            export.write(results, tmp_path / name)


def test_through_a_link(results: Results, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "out.csv").symlink_to(tmp_path / "there" / "real.csv")
    export.write(results, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").is_symlink()
    assert (tmp_path / "there" / "real.csv").read_text(encoding="utf-8").startswith("paper,")
