"""An export passes over the study's database once, whatever it writes; and others can add exports."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.deciding import BEES, CODE, HIVES, decide, decision, study
from vivavoce import export
from vivavoce.errors import VivaError
from vivavoce.results.cells import Results
from vivavoce.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two papers, two readers, two reviewers who disagree: all that makes an export look again."""
    made = study(tmp_path)
    decide(made, CODE, decision("Ada"), decision("Ben", "not_reported"))
    decide(made, CODE, decision("Ada"), decision("Ben"), paper=HIVES)
    yield made
    made.close()


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx", ".html"])
def test_each_paper_is_read_from_the_database_once(ending: str, store: Store, tmp_path: Path) -> None:
    results = Results.of(store)
    read: Counter[tuple[str, str]] = Counter()

    def count(_c: object, _k: object, statement: str, values: object, _x: object, _m: object) -> None:
        for table in ("answers", "decisions"):
            if f"FROM {table}" in statement:
                read.update((table, paper) for paper in (BEES, HIVES) if paper in str(values))

    sa.event.listen(store._engine, "before_cursor_execute", count)
    export.write(results, tmp_path / f"out{ending}")
    assert read == {(table, paper): 1 for table in ("answers", "decisions") for paper in (BEES, HIVES)}


@pytest.mark.parametrize("ending", [".csv", ".html"])
def test_what_was_written_is_counted_on_the_way(ending: str, store: Store, tmp_path: Path) -> None:
    results = Results.of(store)
    wanted = Counter(cell.verdict.status for cell in results.cells())
    assert export.write(results, tmp_path / f"out{ending}") == wanted


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that adds an export, as an installer lays it out."""
    site = tmp_path / "site"
    information = site / "counting-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[vivavoce.exports]\n.count = counting_cells:write\n")
    (site / "counting_cells.py").write_text(
        "def write(results, file):\n    file.write(str(sum(1 for _ in results.cells())).encode())\n"
    )
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(export.EXPORTS.__dict__, "_added", raising=False)  # looked up before
    yield
    export.EXPORTS.__dict__.pop("_added", None)
    export.EXPORTS._loaded.pop(".count", None)
    sys.modules.pop("counting_cells", None)


@pytest.mark.usefixtures("installed")
def test_another_package_adds_an_export(store: Store, tmp_path: Path) -> None:
    results = Results.of(store)
    export.write(results, tmp_path / "out.count")
    assert (tmp_path / "out.count").read_text() == str(sum(1 for _ in results.cells()))
    with pytest.raises(VivaError, match=r"there is \.csv \.jsonl \.xlsx \.html \.count\."):
        export.check(tmp_path / "out.odt")
