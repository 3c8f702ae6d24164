"""How fast and how small is reading a PDF, against other extractors, on the same files in one run?

    python benchmarks/parsing.py [FOLDER]

Every round times each tool on each file once, in turn, so that a noisy machine disturbs all alike; the
table has the medians. Vivavoce's time is the whole way from the file to sentences with sections, tables
and places; the others' is their plain text alone. Memory is the peak of a fresh process that reads
one file. Needs `pip install -e '.[bench]'`.
"""

import argparse
import logging
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared" / "papers"


def vivavoce(path: str) -> int:
    from vivavoce.papers.limits import Limits
    from vivavoce.papers.loading import read_file

    return len(read_file(path, Limits()).text)


def pdfminer(path: str) -> int:
    from pdfminer.high_level import extract_text

    return len(extract_text(path))


def pypdf(path: str) -> int:
    from pypdf import PdfReader

    return sum(len(page.extract_text()) for page in PdfReader(path).pages)


TOOLS: dict[str, Callable[[str], int]] = {"vivavoce": vivavoce, "pdfminer.six": pdfminer, "pypdf": pypdf}


def peak_memory(tool: str, path: Path) -> float:
    """MB at the peak of a new process that reads one file."""
    command = [sys.executable, __file__, "--report", tool, str(path)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def report(tool: str, path: str) -> None:
    TOOLS[tool](path)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--report", choices=TOOLS, help="print one file's peak memory and stop")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # pypdf complains about fonts at length
    if options.report:
        report(options.report, str(options.folder))
        return
    files = sorted(options.folder.glob("*.pdf"))
    if not files:
        sys.exit(f"no PDFs in {options.folder}")
    times: dict[tuple[str, Path], list[float]] = {}
    for read in TOOLS.values():
        read(str(files[0]))  # imports and caches
    for _ in range(options.rounds):
        for file in files:
            for tool, read in TOOLS.items():
                start = time.perf_counter()
                read(str(file))
                times.setdefault((tool, file), []).append(time.perf_counter() - start)
    seconds = {key: statistics.median(values) for key, values in times.items()}
    print(
        f"{'file':24}"
        + "".join(f"{tool:>14}" for tool in TOOLS)
        + f"{'x pdfminer':>12}{'x pypdf':>10}{'peak MB':>9}"
    )
    for file in files:
        ours = seconds["vivavoce", file]
        print(
            f"{file.name:24}"
            + "".join(f"{seconds[tool, file]:13.3f}s" for tool in TOOLS)
            + f"{seconds['pdfminer.six', file] / ours:11.1f}x{seconds['pypdf', file] / ours:9.1f}x"
            + f"{peak_memory('vivavoce', file):9.0f}"
        )
    total = {tool: sum(seconds[tool, file] for file in files) for tool in TOOLS}
    print(
        f"{'all':24}"
        + "".join(f"{total[tool]:13.3f}s" for tool in TOOLS)
        + f"{total['pdfminer.six'] / total['vivavoce']:11.1f}x{total['pypdf'] / total['vivavoce']:9.1f}x"
    )


if __name__ == "__main__":
    main()
