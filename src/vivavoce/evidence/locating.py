"""From a quote to its place in the paper, one way for all: a span, then `Evidence`, then boxes on the page.

`spans.find_span` looks a quote up in the text. `evidence_at` makes `Evidence` of a span: the paper's own
words, their page, and how a table row is read; `closest_to_evidence` does so with a passage of a receipt,
whose page and reading are known. Nobody else makes it. Boxes come last, from the file behind the paper:
readers leave them out, and whoever asked a reader adds them to all of its answers at once (`with_boxes`; for
quotes that a person gave, `boxed`), in the process that reads files. `locate` does all three for one quote.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vivavoce.evidence.spans import Span, find_span
from vivavoce.papers import pages
from vivavoce.processes.isolation import Worker
from vivavoce.records import Answer, Box, Closest, Evidence, Paper

Boxes = dict[tuple[int, int], tuple[Box, ...]]
"""Boxes by the span that they show."""


def locate(paper: Paper, quote: str, page: int | None = None) -> Evidence | None:
    """Finds the quote in the paper, with its boxes; None when it isn't there. Of several exact places the one
    on `page` comes first, then prose, then the earliest."""
    span = find_span(paper, quote, page)
    return boxed(paper, [evidence_at(paper, span)])[0] if span else None


def evidence_at(paper: Paper, span: Span) -> Evidence:
    """The paper's own words at a span, without boxes."""
    touched = paper.sentences_in(span.start, span.end)
    readings = [sentence.reading for sentence in touched]
    return Evidence(
        paper.text[span.start : span.end],
        paper.page_at(span.start),
        span.match,
        span.start,
        span.end,
        score=span.score,
        reading=" ".join(readings) if all(readings) else "",
    )


def closest_to_evidence(passage: Closest, text: str) -> Evidence:
    """A passage that came close as a quote, without boxes; `text` is the paper's."""
    quote = text[passage.start : passage.end]
    reading = "" if passage.text == quote else passage.text
    return Evidence(quote, passage.page, "exact", passage.start, passage.end, reading=reading)


def evidence_to_closest(quote: Evidence, chance: float) -> Closest:
    """A quote as a passage that came close."""
    return Closest(quote.reading or quote.quote, quote.page, chance, quote.start, quote.end)


def with_boxes(
    paper: Paper, answers: Iterable[Answer], worker: Worker | None = None, known: Boxes | None = None
) -> list[Answer]:
    """The answers, their evidence with its boxes: all asked for in one batch, each span once. `known` holds
    what was asked for before, and is added to. Without a `worker`, the one that the program shares."""
    found = list(answers)
    known = {} if known is None else known
    spans = dict.fromkeys((e.start, e.end) for answer in found for e in answer.evidence)
    new = [span for span in spans if span not in known]
    known.update(zip(new, pages.boxes(paper, new, worker), strict=True))
    return [
        replace(answer, evidence=tuple(replace(e, boxes=known[e.start, e.end]) for e in answer.evidence))
        for answer in found
    ]


def boxed(paper: Paper, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence with its boxes, all asked for in one batch."""
    boxes = pages.boxes(paper, [(e.start, e.end) for e in evidence])
    return [replace(e, boxes=some) for e, some in zip(evidence, boxes, strict=True)]
