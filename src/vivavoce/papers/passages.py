"""Cuts a paper into passages: windows of consecutive sentences, to search in and to show to a reader.

A passage is a slice of the paper's text, `paper.text[start:end]`, so that whatever is found in it has its
place in the paper. Captions, table rows and footnotes that stand between two sentences are therefore part
of the passage, as sentences of their own. The reference list is left out.

A passage stays within one section: a heading begins a new one and belongs to the text under it, several
headings in a row together. Within a section passages overlap, so that an answer that spans two sentences
is whole in at least one of them.
"""

from vivavoce.errors import InputError
from vivavoce.records import Paper, Passage


def passages(paper: Paper, size: int = 1000, overlap: int = 1) -> tuple[Passage, ...]:
    """Windows of up to `size` characters; neighbours in a section share `overlap` sentences.

    A sentence longer than `size` stands alone, but for the headings right above it. Where sentences are so
    long that sharing them would leave no room for anything new, neighbours share fewer."""
    if size < 1 or overlap < 0:
        raise InputError(
            f"size={size}, overlap={overlap}: give a size of at least 1 and an overlap of at least 0."
        )
    windows: list[tuple[int, int]] = []
    for first, last in _stretches(paper):
        windows.extend(_cut(paper, first, last, size, overlap))
    return tuple(_passage(paper, first, last) for first, last in windows)


def _stretches(paper: Paper) -> list[tuple[int, int]]:
    """The index ranges (last included) of sentences that may share a passage."""
    stretches: list[tuple[int, int]] = []
    first: int | None = None
    above = ""  # the kind of the sentence before
    for index, sentence in enumerate(paper.sentences):
        if sentence.kind == "reference":
            # Headings right above the list ("References") belong to it.
            if first is not None and above != "heading":
                stretches.append((first, index - 1))
            first = None
        elif first is None:
            first = index
        elif sentence.kind == "heading" and above != "heading":
            stretches.append((first, index - 1))
            first = index
        above = sentence.kind
    if first is not None:
        stretches.append((first, len(paper.sentences) - 1))
    return stretches


def _cut(paper: Paper, first: int, last: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Windows over the sentences `first` to `last`."""
    sentences = paper.sentences
    windows: list[tuple[int, int]] = []
    body = first
    while body < last and sentences[body].kind == "heading":
        body += 1
    begin, new = first, body  # `new` is the first sentence that no window holds yet
    while new <= last:
        end = new
        # Shared sentences give way to the new one that must fit; headings stay whatever its length.
        while body < new and begin < new and sentences[end].end - sentences[begin].start > size:
            begin += 1
        while end < last and sentences[end + 1].end - sentences[begin].start <= size:
            end += 1
        windows.append((begin, end))
        new = end + 1
        begin = max(begin + 1, new - overlap, body)
    return windows


def _passage(paper: Paper, first: int, last: int) -> Passage:
    start, end = paper.sentences[first].start, paper.sentences[last].end
    # A heading's own section is the one above it; the passage is about what follows.
    section = paper.sentences[last].section
    if paper.sentences[last].kind == "heading":
        section = " ".join(paper.sentences[last].text.split())
    page = paper.sentences[first].page
    return Passage(paper.text[start:end], start, end, page, section, first, last)
