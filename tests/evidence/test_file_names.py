"""Which paper a row is about, by the names of files."""

import pytest

from vivavoce.evidence.file_names import FileNames, fit


def papers(*names: str) -> FileNames[str]:
    return FileNames((name, name) for name in names)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("sub/a.md", {"papers/sub/a.md"}),
        ("sub\\a.md", {"papers/sub/a.md"}),
        ("papers/other/a.md", {"papers/other/a.md"}),
        ("/home/joe/papers/other/a", {"papers/other/a.md"}),
        ("a.md", {"papers/sub/a.md", "papers/other/a.md"}),
        ("elsewhere/a.md", {"papers/sub/a.md", "papers/other/a.md"}),
        ("elsewhere/b.md", {"papers/b.pdf"}),
        ("b", {"papers/b.pdf"}),
        ("c.v2", {"c.v2.pdf"}),
        ("c", {"c.pdf"}),
        ("bb", set()),
    ],
)
def test_the_papers_that_a_row_may_be_about(row: str, found: set[str]) -> None:
    known = papers("papers/sub/a.md", "papers/other/a.md", "papers/b.pdf", "c.pdf", "c.v2.pdf")
    assert known.of_row(row) == found


def test_the_same_path_counts_more_than_the_same_name() -> None:
    assert papers("a.md", "x/a.md").of_row("a.md") == {"a.md"}


def test_letters_with_accents_have_two_spellings() -> None:
    assert fit("Mu\u0308ller.pdf", "M\u00fcller.pdf") == fit("a.pdf", "a.pdf")


def test_the_rows_that_may_be_about_a_paper() -> None:
    rows = papers("a/smith.pdf", "b/smith.pdf", "smith.xml")
    assert rows.of_paper("/x/a/smith.pdf") == {"a/smith.pdf"}
    assert rows.of_paper("smith.xml") == {"smith.xml"}
    assert rows.of_paper("smith.pdf") == {"a/smith.pdf", "b/smith.pdf"}
    assert rows.of_paper("smithson.pdf") == set()
