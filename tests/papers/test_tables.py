from hypothesis import given
from hypothesis import strategies as st

from vivavoce.papers.tables import Cell, Repeat, grid, header_rows, rows


def test_a_label_in_front_when_its_column_has_no_header() -> None:
    assert rows([["", "Segmentation model", "Leaf classifier"]], [["Batch size", "3", "32"]]) == [
        ("Segmentation model Leaf classifier", ""),
        ("Batch size 3 32", "Batch size: Segmentation model 3; Leaf classifier 32"),
    ]


def test_header_by_header() -> None:
    assert rows([["Parameter", "Value"]], [["Learning rate", "0.001"]])[1] == (
        "Learning rate 0.001",
        "Parameter: Learning rate; Value: 0.001",
    )


def test_no_header_and_empty_cells() -> None:
    assert rows([], [["a", "", "b  c"], ["", ""], ["alone"]]) == [("a b c", "a; b c"), ("alone", "")]


def test_headers_of_several_rows_are_merged_by_column() -> None:
    found = rows(
        [["Model", "Accuracy", Repeat("Accuracy")], ["", "Train", "Test"]], [["U-Net", "0.9", "0.8"]]
    )
    assert found == [
        ("Model Accuracy", ""),
        ("Train Test", ""),
        ("U-Net 0.9 0.8", "Model: U-Net; Accuracy Train: 0.9; Accuracy Test: 0.8"),
    ]


def test_a_caption_leads_when_it_is_given() -> None:
    assert rows([["P", "V"]], [["a", "1"]], "Table 2.  Settings") == [
        ("P V", ""),
        ("a 1", "Table 2. Settings | P: a; V: 1"),
    ]


def test_more_cells_than_headers() -> None:
    assert rows([["A", "B"]], [["1", "2", "3"]])[1] == ("1 2 3", "A: 1; B: 2; 3")


def test_spans() -> None:
    lines = grid(
        [
            [Cell("Model", rows=2, header=True), Cell("Score", columns=2, header=True)],
            [Cell("F1", header=True), Cell("AP", header=True)],
            [Cell("U-Net", rows=2), Cell("1"), Cell("2")],
            [Cell("n/a", columns=2)],
        ]
    )
    assert lines == [
        ["Model", "Score", "Score"],
        ["Model", "F1", "AP"],
        ["U-Net", "1", "2"],
        ["U-Net", "n/a", ""],
    ]
    assert rows(lines[:2], lines[2:]) == [
        ("Model Score", ""),
        ("F1 AP", ""),
        ("U-Net 1 2", "Model: U-Net; Score F1: 1; Score AP: 2"),
        ("n/a", "Model: U-Net; Score F1: n/a"),
    ]


def test_absurd_spans_stay_small() -> None:
    lines = grid([[Cell("a", 99999, 99999)] * 50, [Cell("b")]])
    assert max(map(len, lines)) < 1100


def test_header_guess() -> None:
    assert header_rows([["Parameter", "Value"], ["Epochs", "50"]]) == 1
    assert header_rows([["Epochs", "50"], ["Batch size", "8"]]) == 0
    assert header_rows([["Optimiser", "Adam"], ["Loss", "Dice"]]) == 0
    assert header_rows([["", "Model A"], ["Loss", "Dice"]]) == 1
    assert header_rows([["only"]]) == 0


cell = st.text("abc 1.", max_size=6)


@given(st.lists(st.lists(cell, max_size=5), max_size=2), st.lists(st.lists(cell, max_size=5), max_size=5))
def test_no_cell_is_lost(header: list[list[str]], body: list[list[str]]) -> None:
    found = rows(header, body)
    wanted = [" ".join(" ".join(row).split()) for row in [*header, *body]]
    assert [text for text, _ in found] == [text for text in wanted if text]
    for text, reading in found[len([row for row in header if "".join(row).strip()]) :]:
        assert not reading or all(word in reading for word in text.split())
