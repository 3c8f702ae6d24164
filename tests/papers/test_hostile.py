"""Hostile files: each gives a paper or one clear line, within its limits, and the caller stays as it was."""

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.papers import hostile_files as files
from vivavoce.errors import PaperError
from vivavoce.papers import Limits, load, load_all, pages
from vivavoce.records import Paper

LIMITS = Limits(seconds=30, memory_mb=700)


def resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    raise AssertionError("no VmRSS")


def attempt(
    folder: Path, data: bytes, name: str = "paper.pdf", limits: Limits = LIMITS
) -> Paper | PaperError:
    """Load the file, and check what must hold for every file whatever."""
    path = folder / name
    path.write_bytes(data)
    del data
    memory = resident_mb()
    outcome: Paper | PaperError
    try:
        outcome = load(path, limits=limits)
    except PaperError as error:
        outcome = error
    assert resident_mb() - memory < 150
    if isinstance(outcome, PaperError):
        assert str(outcome).startswith(f"{path}: ")
        assert "\n" not in str(outcome)
        assert "please report it" not in str(outcome)
    return outcome


def refused(outcome: Paper | PaperError, *says: str) -> None:
    assert isinstance(outcome, PaperError)
    assert any(part in str(outcome).lower() for part in says), str(outcome)


def read(outcome: Paper | PaperError) -> Paper:
    assert isinstance(outcome, Paper), str(outcome)
    return outcome


def test_the_harmless_one_is_read(tmp_path: Path) -> None:
    paper = read(attempt(tmp_path, files.plain()))
    assert len(paper.pages) == 2
    assert not paper.unreadable
    assert files.SENTENCE in " ".join(paper.text.split())


def test_empty(tmp_path: Path) -> None:
    refused(attempt(tmp_path, b""), "is empty (0 bytes); download it again")


def test_random_bytes(tmp_path: Path) -> None:
    data = random.Random(1).randbytes(100_000)
    refused(attempt(tmp_path, data), "of no known format")


def test_random_bytes_after_a_pdf_header(tmp_path: Path) -> None:
    data = b"%PDF-1.7\n" + random.Random(1).randbytes(100_000)
    refused(attempt(tmp_path, data), "damaged")


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_truncated(tmp_path: Path, share: float) -> None:
    """PDFium mends some; what it can't mend is called damaged. None may pass for a paper without text."""
    whole = files.plain(20)
    outcome = attempt(tmp_path, whole[: int(len(whole) * share)])
    if isinstance(outcome, PaperError):
        refused(outcome, "damaged")
    else:
        assert outcome.unreadable or files.SENTENCE in " ".join(outcome.text.split())


def test_encrypted(tmp_path: Path) -> None:
    refused(attempt(tmp_path, files.encrypted()), "password")


def test_more_pages_than_the_limit(tmp_path: Path) -> None:
    refused(attempt(tmp_path, files.many_pages(5000)), "has 5,000 pages, and the limit is 2,000")


def test_as_many_pages_as_the_limit(tmp_path: Path) -> None:
    paper = read(attempt(tmp_path, files.many_pages(2000), limits=Limits()))
    assert len(paper.pages) == 2000
    assert paper.sentences[-1].page == 2000


def test_a_false_count_of_pages(tmp_path: Path) -> None:
    attempt(tmp_path, files.false_count())


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        files.text_bomb,
        files.path_bomb,
        files.stream_bomb,
        files.self_reference,
        files.form_tree,
        files.form_chain,
        files.deep_arrays,
    ],
    ids=lambda make: make.__name__,
)
def test_bombs(tmp_path: Path, make: Callable[[], bytes]) -> None:
    data = make()
    assert len(data) < 8_000_000
    attempt(tmp_path, data)


def test_a_loop_of_pages(tmp_path: Path) -> None:
    refused(attempt(tmp_path, files.page_loop()), "damaged")


@pytest.mark.parametrize("make", [files.huge_image, files.huge_page], ids=lambda make: make.__name__)
def test_huge(tmp_path: Path, make: Callable[[], bytes]) -> None:
    """The text can be read all the same; and a picture of the page is a picture or one line."""
    outcome = attempt(tmp_path, make())
    if isinstance(outcome, Paper) and not outcome.unreadable:
        assert files.SENTENCE in outcome.text
        memory = resident_mb()
        try:
            shown = repr(pages.picture(outcome, 1, scale=1.5)[:4])
        except PaperError as error:
            shown = str(error)
        assert shown == r"b'\x89PNG'" or (shown.startswith(outcome.file) and "\n" not in shown)
        assert "please report it" not in shown
        assert resident_mb() - memory < 150


@pytest.mark.slow
def test_a_zip_bomb_called_docx(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as entry,
    ):
        entry.write(b'<?xml version="1.0"?><w:document xmlns:w="w">')
        for _ in range(1000):
            entry.write(b" " * 1_000_000)
    assert path.stat().st_size < 8_000_000
    attempt(tmp_path, path.read_bytes(), "bomb.docx")


LAUGHS = (
    "<!DOCTYPE article [<!ENTITY a0 'ha'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
    + "]><article><body><p>&a11;</p></body></article>"
)


def test_a_billion_laughs(tmp_path: Path) -> None:
    attempt(tmp_path, LAUGHS.encode(), "paper.xml")


def test_an_entity_that_names_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    data = (
        f'<!DOCTYPE article [<!ENTITY s SYSTEM "{secret.as_uri()}">]>'
        "<article><body><p>It says: &s; and no more.</p></body></article>"
    )
    outcome = attempt(tmp_path, data.encode(), "paper.xml")
    if isinstance(outcome, Paper):
        assert "the secret" not in outcome.text


@pytest.mark.parametrize("name", ["paper.xml", "paper.html"])
def test_tags_nested_beyond_any_stack(tmp_path: Path, name: str) -> None:
    tag = "sec" if name.endswith("xml") else "div"
    root = "article" if name.endswith("xml") else "html"
    data = f"<{root}><body>" + f"<{tag}>" * 200_000 + "deep" + f"</{tag}>" * 200_000 + f"</body></{root}>"
    attempt(tmp_path, data.encode(), name)


def test_a_text_of_one_endless_line(tmp_path: Path) -> None:
    attempt(tmp_path, b"a." * 1_000_000, "paper.txt")


@pytest.mark.slow
def test_two_hundred_mutants(tmp_path: Path) -> None:
    paths = []
    for number, data in enumerate(files.mutants(200, seed=20240229)):
        path = tmp_path / f"{number:03}.pdf"
        path.write_bytes(data)
        paths.append(path)
    memory = resident_mb()
    outcomes = list(load_all(paths, limits=LIMITS))
    assert resident_mb() - memory < 150
    assert [path for path, _ in outcomes] == paths
    unforeseen = [str(outcome) for _, outcome in outcomes if "please report it" in str(outcome)]
    assert not unforeseen
    assert sum(isinstance(outcome, Paper) for _, outcome in outcomes) > 50
