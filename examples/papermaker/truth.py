"""What was planted: every sentence, caption, footnote and table row, its page, and the traps it is in.

For a PDF the page setter fills these in while it draws, so that they can't disagree with the pages;
for the other formats they follow from the content alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from papermaker.content import FOOTNOTE_MARK, Figure, Paragraph, Reference, SamplePaper, Table, plain
from papermaker.figures import PLOTS

ABBREVIATION = re.compile(r"\b(et al|i\.e|e\.g|cf|Fig|Eq|[A-Z])\. ?(?=[\w(,])|\bet al\.|\be\.g\.")


@dataclass
class Planted:
    kind: str
    """prose, caption, footnote, table_row or reference."""
    text: str
    """As a reader would write it: hyphens at line ends resolved, no footnote marks."""
    page: int = 1
    """The page on which it begins, counted from 1."""
    traps: set[str] = field(default_factory=set)
    broken_words: list[str] = field(default_factory=list)
    """Words that a line end goes through, whole, in order."""

    def as_json(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"kind": self.kind, "text": self.text, "page": self.page}
        entry["traps"] = sorted(self.traps)
        if self.broken_words:
            entry["broken_words"] = self.broken_words
        return entry


def plant_sentence(marked_up: str, kind: str = "prose") -> Planted:
    """A sentence with the traps that lie in its own words."""
    sentence = Planted(kind, plain(marked_up))
    if ABBREVIATION.search(sentence.text):
        sentence.traps.add("abbreviation")
    if re.search(r"\d\.\d", sentence.text):
        sentence.traps.add("decimal")
    if re.search(r"\[\d\]", sentence.text):
        sentence.traps.add("citation")
    if "*" in marked_up:
        sentence.traps.add("italics")
    if FOOTNOTE_MARK.search(marked_up):
        sentence.traps.add("footnote_mark")
    if "://" in sentence.text:
        sentence.traps.add("url")
    return sentence


def plant_row(cells: tuple[str, ...]) -> Planted:
    """A table row, its cells joined by single spaces."""
    return Planted("table_row", " ".join(cells), traps={"table_row"})


def planted_by_content(paper: SamplePaper) -> list[Planted]:
    """The truth for a format without pages: everything is on page 1."""
    planted = []
    for block in paper.blocks:
        match block:
            case Paragraph(sentences, footnotes):
                planted += [plant_sentence(sentence) for sentence in sentences]
                planted += [Planted("footnote", note.text, traps={"footnote"}) for note in footnotes]
            case Figure(_, caption):
                planted.append(Planted("caption", caption))
            case Table(caption, rows):
                planted.append(Planted("caption", caption))
                planted += [plant_row(row) for row in rows[1:]]
            case Reference(text):
                planted.append(Planted("reference", text))
    return planted


def truth(paper: SamplePaper, planted: list[Planted], furniture: list[str]) -> dict[str, Any]:
    """One paper's part of planted.json. `furniture` stands on the page but is no part of the text.

    `not_in_prose` keeps only what can be told by its letters: a page number 2 can't, 212 can.
    """
    plots = [PLOTS[b.name] for b in paper.blocks if isinstance(b, Figure) and b.name in PLOTS]
    lettering = [text for plot in plots for text in (*plot.lettering, " ".join(plot.x_ticks))]
    prose = [item.text for item in planted if item.kind == "prose"]
    strange = [text for text in [*furniture, *lettering] if not any(text in sentence for sentence in prose)]
    return {
        "title": paper.about["title"],
        "doi": paper.about["doi"],
        "items": [item.as_json() for item in planted],
        "not_in_prose": list(dict.fromkeys(strange)),
    }
