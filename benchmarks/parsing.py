"""How fast and how small is reading a PDF, against other extractors, on the same files in one run?

    python benchmarks/parsing.py [FOLDER]

Each tool has a process of its own, so that none pays for another's caches and garbage; every round times
each tool on each file once, in turn, so that a noisy machine disturbs all alike. The table has the
medians. Vivavoce's time is the whole way from the file to sentences with sections, tables and places; the
others' is their plain text alone. Memory is the peak of a fresh process that reads one file. Needs
`pip install -e '.[bench]'`.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from timing import measure, peak_memory, serve

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


def bare_pdfium(path: str) -> int:
    """The library underneath, with nothing done to its text: as fast as anything on top of it can get."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return sum(len(page.get_textpage().get_text_range()) for page in document)


TOOLS: dict[str, Callable[[str], int]] = {
    "vivavoce": vivavoce,
    "pdfminer.six": pdfminer,
    "pypdf": pypdf,
    "bare pdfium": bare_pdfium,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", choices=TOOLS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(TOOLS, options.serve)
        return
    files = sorted(options.folder.glob("*.pdf"))
    if not files:
        sys.exit(f"no PDFs in {options.folder}")
    seconds, _ = measure(__file__, TOOLS, files, options.rounds)
    print(
        f"{'file':24}"
        + "".join(f"{tool:>14}" for tool in TOOLS)
        + f"{'x pdfminer':>12}{'x pypdf':>10}{'peak MB':>9}"
    )
    for file in files:
        print(
            row(
                file.name,
                {tool: seconds[tool, file] for tool in TOOLS},
                f"{peak_memory(__file__, 'vivavoce', file):9.0f}",
            )
        )
    print(row("all", {tool: sum(seconds[tool, file] for file in files) for tool in TOOLS}))


def row(name: str, seconds: dict[str, float], memory: str = "") -> str:
    ours = seconds["vivavoce"]
    return (
        f"{name:24}"
        + "".join(f"{seconds[tool]:13.3f}s" for tool in TOOLS)
        + f"{seconds['pdfminer.six'] / ours:11.1f}x{seconds['pypdf'] / ours:9.1f}x"
        + memory
    )


if __name__ == "__main__":
    main()
