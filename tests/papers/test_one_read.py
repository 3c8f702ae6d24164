"""What is hashed is what is parsed: a file that is replaced meanwhile makes no false proof."""

import hashlib
import io
import os
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from vivavoce.errors import PaperError
from vivavoce.papers import loading, pages
from vivavoce.papers.formats import Format, format_of
from vivavoce.papers.limits import Limits
from vivavoce.papers.pdf import documents, view
from vivavoce.papers.pdf.contents import open_document
from vivavoce.processes import isolation
from vivavoce.records import Box


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the process that reads files, so that a test can reach into it."""
    monkeypatch.setattr(isolation, "inside", True)
    documents._kept.clear()


def pdf(text: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    for line in range(12):
        canvas.drawString(72, 700 - 14 * line, f"{text} This is line {line} of the paper about newts.")
    canvas.save()
    return file.getvalue()


def test_a_file_that_is_replaced_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    first, second = pdf("We trained it on 300 pictures."), pdf("We trained it on 900 pictures.")
    path.write_bytes(first)

    def replaced(data: bytes, name: str) -> Format:
        """What comes after hashing and before parsing."""
        path.write_bytes(second)
        return format_of(data, name)

    monkeypatch.setattr(loading, "format_of", replaced)
    paper = loading.read_file(str(path), Limits())
    assert paper.id == hashlib.sha256(first).hexdigest()
    assert "300 pictures" in paper.text
    with pytest.raises(PaperError, match="has changed since it was read"):
        pages.boxes(paper, [(0, 5)])


def test_a_file_that_is_replaced_between_the_check_and_the_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf("We trained it on 300 pictures."))
    paper = loading.read_file(str(path), Limits())
    documents._kept.clear()
    at = paper.text.index("300")
    right = view.rectangles(str(path), paper.id, [[(1, at, 3)]])
    documents._kept.clear()

    def replaced(data: bytes) -> object:
        path.write_bytes(pdf("Nothing of the sort."))
        return open_document(data)

    monkeypatch.setattr(documents, "open_document", replaced)
    found = view.rectangles(str(path), paper.id, [[(1, at, 3)]])
    assert found == right
    assert isinstance(found[0][0], Box)


def test_a_file_that_was_just_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf("We trained it on 300 pictures."))
    paper = loading.read_file(str(path), Limits())

    def refuse(*_: object) -> object:
        raise AssertionError("it was read and hashed twice")

    monkeypatch.setattr(documents, "read_bytes", refuse)
    assert pages.boxes(paper, [(0, 5), (6, 9)]) != [(), ()]
    assert pages.picture(paper, 1).startswith(b"\x89PNG")


def test_few_files_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(pdf(f"We trained it on {number} pictures."))
        loading.read_file(str(path), Limits())
    kept = [os.path.basename(path) for path, _ in documents._kept]
    assert kept == ["2.pdf", "3.pdf", "4.pdf", "5.pdf"]
    monkeypatch.setattr(documents, "MOST_BYTES", 1)
    loading.read_file(str(tmp_path / "0.pdf"), Limits())
    assert [os.path.basename(path) for path, _ in documents._kept] == ["0.pdf"]
