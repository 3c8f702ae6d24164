"""Do the boxes that are drawn cover the quote, all of it and nothing else, and how soon are they there?

    python benchmarks/boxes.py [--shared FOLDER] [--all]

Locates 100 quotes of the labels (or all of them), spread evenly over the eight papers, asks for their boxes,
and takes the letters whose middle lies under each box from another library (`letters.py`). Their text must be
the quote. What is made the same first: forms of one character (ligatures, raised digits), kinds of dashes and
quotation marks; white space is left out, and a hyphen at a box's end is free, since nobody knows whether the
word has one. A quote that is not located counts as not covered.

Beside it: how high each box is, in letters of its own size; how much of what lies under it is other text;
and the time from the click to the boxes, and to the picture of the page with them (the load of the
machine says how much of that was waiting for others).
"""

import argparse
import difflib
import os
import re
import sys
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import gold
from benchmarks.letters import Letter, on_pages
from vivavoce import Box, Paper
from vivavoce.evidence.locating import locate
from vivavoce.papers import pages

MANY = 100
DASHES = "‐‑‒–—―−﹣－"
MARKS = '"`´‘’‚“”„«»′″'
SAME = str.maketrans(dict.fromkeys(DASHES, "-") | dict.fromkeys(MARKS, "'"))
UNSEEN = re.compile(r"[\s\u00ad\u200b-\u200d\u2060\ufeff]+")


@dataclass(frozen=True)
class Covered:
    """What lies under a quote's boxes, against the quote."""

    quote: str
    under: tuple[str, ...]
    """The text under each box; both as `plain` makes them."""
    heights: tuple[float, ...]
    """Of each box, in letters: those of the middle size under it."""

    @property
    def equal(self) -> bool:
        *lines, last = self.under or ("",)
        pattern = "".join(re.escape(line.removesuffix("-")) + "-?" * line.endswith("-") for line in lines)
        return re.fullmatch(pattern + re.escape(last), self.quote) is not None

    def others(self) -> list[float]:
        """The share of other text under each box."""
        if self.equal:
            return [0.0] * len(self.under)
        text = "".join(self.under)
        matcher = difflib.SequenceMatcher(None, text, self.quote, autojunk=False)
        known = {at for a, _, size in matcher.get_matching_blocks() for at in range(a, a + size)}
        shares, start = [], 0
        for line in self.under:
            places = range(start, start + len(line))
            shares.append(sum(at not in known for at in places) / max(1, len(line)))
            start += len(line)
        return shares

    def differences(self) -> str:
        """What is missing under the boxes, as [-...-], and what is too much, as {+...+}."""
        quote, text = self.quote, "".join(self.under)
        said = []
        for kind, a, b, c, d in difflib.SequenceMatcher(None, quote, text, autojunk=False).get_opcodes():
            if kind == "equal":
                said.append(quote[a:b] if b - a < 30 else f"{quote[a : a + 10]}…{quote[b - 10 : b]}")
            else:
                said.append(f"[-{quote[a:b]}-]" if b > a else "")
                said.append(f"{{+{text[c:d]}+}}" if d > c else "")
        return "".join(said)


def covered(quote: str, boxes: Sequence[Box], letters: Mapping[int, Sequence[Letter]]) -> Covered:
    """`letters` are those of each page that the boxes are on."""
    under, heights = [], []
    for box in boxes:
        found = [letter for letter in letters[box.page] if letter.under(box)]
        sizes = [letter.y1 - letter.y0 for letter in found if not letter.text.isspace()]
        under.append(plain("".join(letter.text for letter in found)))
        heights.append((box.y1 - box.y0) / median(sizes) if sizes else float("inf"))
    return Covered(plain(quote), tuple(under), tuple(heights))


def plain(text: str) -> str:
    return UNSEEN.sub("", unicodedata.normalize("NFKC", text).translate(SAME))


def chosen(shared: Path, many: int | None = MANY) -> Iterator[tuple[Paper, list[str]]]:
    """Each paper with its share of the quotes, evenly over the order of the questions; None: with all."""
    cells_by_paper: dict[str, tuple[Paper, list[str]]] = {}
    for paper, quote, _ in gold.quoted(shared):
        cells_by_paper.setdefault(paper.id, (paper, []))[1].append(quote)
    for n, (paper, quotes) in enumerate(cells_by_paper.values()):
        if many is None:
            yield paper, quotes
        else:
            share = many // len(cells_by_paper) + (n < many % len(cells_by_paper))
            different = list(dict.fromkeys(quotes))
            yield paper, [different[at * len(different) // share] for at in range(share)]


def results(shared: Path, many: int | None = MANY) -> list[tuple[Paper, Covered | None]]:
    """Each quote's paper, and what its boxes cover; None where it was not located."""
    found: list[tuple[Paper, Covered | None]] = []
    for paper, quotes in chosen(shared, many):
        places = [(quote, locate(paper, quote)) for quote in quotes]
        letters = on_pages(paper.file, {box.page for _, place in places if place for box in place.boxes})
        found += [
            (
                paper,
                covered(quote, pages.boxes(paper, [(place.start, place.end)])[0], letters) if place else None,
            )
            for quote, place in places
        ]
    return found


def times(shared: Path, many: int | None = MANY) -> tuple[list[float], list[float]]:
    """Milliseconds to each quote's boxes, and to the picture of its page with them."""
    to_boxes, to_picture = [], []
    for paper, quotes in chosen(shared, many):
        for place in filter(None, (locate(paper, quote) for quote in quotes)):
            start = time.perf_counter()
            boxes = pages.boxes(paper, [(place.start, place.end)])[0]
            there = time.perf_counter()
            pages.picture(paper, place.page, highlight=boxes)
            to_boxes.append(1000 * (there - start))
            to_picture.append(1000 * (time.perf_counter() - there))
    return to_boxes, to_picture


def report(found: Sequence[tuple[Paper, Covered | None]]) -> None:
    located = [c for _, c in found if c]
    others = [share for c in located for share in c.others()]
    heights = [height for c in located for height in c.heights]
    wrong = [c for c in located if not c.equal]
    too_much = [max(c.others(), default=0) > 0 for c in wrong]
    print(f"quotes                          {len(found)} of {len({p.id for p, _ in found})} papers")
    print(f"not located                     {len(found) - len(located)}")
    print(f"text under the boxes is equal   {len(located) - len(wrong)}")
    print(f"other text under them           {sum(too_much)}")
    print(f"letters missing only            {len(wrong) - sum(too_much)}")
    print(f"boxes                           {len(heights)}")
    print(f"highest, in letters             {max(heights):.2f}")
    print(f"most other text under one       {100 * max(others):.0f} %")
    for paper, c in found:
        if c is None or not c.equal:
            print(f"\n{Path(paper.file).name}: {c.differences() if c else 'not located'}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=gold.SHARED)
    parser.add_argument("--all", action="store_true", help="every quote, not 100")
    options = parser.parse_args()
    many = None if options.all else MANY
    report(results(options.shared, many))
    print(f"\nload of the machine {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores")
    print(f"{'milliseconds':24}{'median':>8}{'95 %':>8}{'longest':>9}")
    for name, taken in zip(("boxes", "picture with them"), times(options.shared, many), strict=True):
        middle, most = np.percentile(taken, [50, 95])
        print(f"{name:24}{middle:8.1f}{most:8.1f}{max(taken):9.1f}")


if __name__ == "__main__":
    main()
