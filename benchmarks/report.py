"""How large is a report, and how long does it take to write?

    python benchmarks/report.py [--papers 100] [--folder examples/papers]

The papers of a folder are asked the questions of `dl-methods` once. Then a study is made in which each of
them stands again and again under other names, with the same answers, and its report is written: seconds,
megabytes, and the most memory that the process held, before and after.
"""

import argparse
import hashlib
import itertools
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from vivavoce import export
from vivavoce.results.cells import Results
from vivavoce.store import File, Store
from vivavoce.study.study import Study

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "papers"


def repeated(study: Study, to: Path, many: int) -> Store:
    """A study of so many papers, with the papers and answers of another again and again."""
    to.mkdir()
    store = Store.open(to, create=True)
    store.set_asked(study.store.asked())
    store.set_readers(study.store.readers())
    sources = study.store.sources()
    known = {source.id: (study.store.paper(source.id), study.store.answers(source.id)) for source in sources}
    for n, source in zip(range(many), itertools.cycle(sources), strict=False):
        paper, answers = known[source.id]
        id = hashlib.sha256(f"{source.id} {n}".encode()).hexdigest()
        store.add_paper(replace(paper, id=id, title=f"{paper.title} ({n})", sentences=(), anchors=()))
        store.set_file(File(f"/papers/{n:05}", f"{n:05}-{Path(source.file).name}", id, "", 1, 1))
        for answer in answers.values():
            store.add_answer(id, answer)
    return store


def most_memory() -> float:
    """MB that this process held at most, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--papers", type=int, default=100)
    options.add_argument("--folder", type=Path, default=EXAMPLES)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        first = Study.create(Path(scratch) / "first")
        first.run([given.folder])
        store = repeated(first, Path(scratch) / "study", given.papers)
        first.close()
        to = Path(scratch) / "report.html"
        before, began = most_memory(), time.monotonic()
        export.write(Results.of(store), to)
        took, size = time.monotonic() - began, to.stat().st_size / 1e6
        asked = len(store.asked().questions)
        store.close()
    print(f"{given.papers} papers x {asked} questions: {size:.2f} MB in {took:.1f} s")
    print(f"memory: {before:.0f} MB before, {most_memory():.0f} MB at most")


if __name__ == "__main__":
    main()
