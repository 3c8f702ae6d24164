"""Writes the sample papers and the truth that was planted in them.

    python examples/make_papers.py            # writes examples/papers/ and examples/planted.json
    python examples/make_papers.py --to DIR   # the same below DIR

All content is invented and lies in `content/`; `papermaker/` sets it. The same content gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from papermaker import markup
from papermaker.content import read_paper
from papermaker.lines import read_hyphenation
from papermaker.pages import ONE_COLUMN, TWO_COLUMNS, PageSetter
from papermaker.truth import planted_by_content, truth

HERE = Path(__file__).parent
PDF_PAPERS = {"camera-traps.pdf": TWO_COLUMNS, "bird-songs.pdf": ONE_COLUMN}
MARKUP_PAPERS = {
    "leaf-traits.xml": markup.jats,
    "coral-survey.html": markup.html,
    "pollinator-notes.md": markup.markdown,
}


def make_papers(to: Path) -> None:
    """Writes `papers/` and `planted.json` below a folder."""
    papers = to / "papers"
    papers.mkdir(parents=True, exist_ok=True)
    hyphenation = read_hyphenation(HERE / "content" / "hyphenation.txt")
    planted: dict[str, Any] = {}
    for file, layout in PDF_PAPERS.items():
        paper = read_paper(HERE / "content" / f"{Path(file).stem}.txt")
        setter = PageSetter(papers / file, paper, layout, hyphenation)
        setter.set()
        planted[file] = truth(paper, setter.planted, setter.furniture)
    for file, write in MARKUP_PAPERS.items():
        paper = read_paper(HERE / "content" / f"{Path(file).stem}.txt")
        (papers / file).write_text(write(paper), encoding="utf-8", newline="\n")
        furniture = markup.furniture(paper, Path(file).suffix)
        planted[file] = truth(paper, planted_by_content(paper), furniture)
    text = json.dumps(planted, indent=1, ensure_ascii=False) + "\n"
    (to / "planted.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--to", type=Path, default=HERE, help="the folder to write to (default: examples/)")
    make_papers(parser.parse_args().to)
