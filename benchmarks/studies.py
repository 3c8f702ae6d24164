"""Does a study of many papers stay as cheap at its end as at its beginning?

    python benchmarks/studies.py [--papers 1000]

The sample papers in `examples/papers` are copied with changed words, so that each copy is a paper of its own,
and asked the 29 questions of `dl-methods` in one run. Every 100 papers: the memory of the run's own process,
that of its workers, seconds per paper.
"""

import argparse
import itertools
import os
import re
import tempfile
import time
from pathlib import Path

from vivavoce.papers import load
from vivavoce.study.progress import Progress
from vivavoce.study.study import Study

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "papers"
STEP = 100


def copies(folder: Path, many: int) -> None:
    """Papers as Markdown, with the words of the samples and a number of their own in every paragraph."""
    texts = [load(path).text for path in sorted(EXAMPLES.iterdir())]
    for n, text in zip(range(many), itertools.cycle(texts), strict=False):
        changed = re.sub(r"\n+", f"\n\nCopy {n} says: ", text)
        (folder / f"{n:05}.md").write_text(f"# Copy {n}\n\n{changed}\n", encoding="utf-8")


def memory(process: int) -> float:
    """MB that a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def workers() -> float:
    """MB that all our child processes hold."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    found = 0.0
    for task in Path("/proc/self/task").iterdir():
        children += (task / "children").read_text().split()
    for child in set(children):
        try:
            found += memory(int(child))
        except (OSError, IndexError):  # it has just ended
            continue
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--papers", type=int, default=1000)
    many = options.parse_args().papers
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "papers"
        folder.mkdir()
        copies(folder, many)
        study = Study.create(Path(scratch) / "study")
        done, last = 0, time.monotonic()
        print(f"{'papers':>7}{'run MB':>9}{'workers MB':>12}{'s/paper':>9}", flush=True)

        def watch(step: Progress) -> None:
            nonlocal done, last
            done += step.event != "begun"
            if step.event != "begun" and done % STEP == 0:
                now = time.monotonic()
                row = f"{memory(os.getpid()):9.1f}{workers():12.1f}{(now - last) / STEP:9.3f}"
                print(f"{done:7}{row}", flush=True)
                last = now

        began = time.monotonic()
        summary = study.run([folder], progress=watch)
        took = time.monotonic() - began
        size = sum(f.stat().st_size for f in (Path(scratch) / "study").iterdir()) / 1e6
        done = f"{summary.cells:,} cells in {took:.0f} s, {len(summary.failed)} failed"
        print(f"{done}; the study takes {size:.0f} MB")
        began = time.monotonic()
        study.run()
        print(f"run again with nothing to do: {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
