"""An answer as the JSON that people script against: one object per paper, question and reader."""

from typing import Any

from vivavoce.records import Answer, Paper

SURE = 0.7
"""An answer that its reader is less sure of goes to a person."""


def line(paper: Paper, answer: Answer, reader: str = "") -> dict[str, Any]:
    """The answer's line; `reader` overrides the reader's name (`verdict` for what a panel comes to)."""
    return {
        "paper": {"id": paper.id, "file": paper.file, "title": paper.title, "doi": paper.doi},
        "question": {"id": answer.question.id, "text": answer.question.text},
        "reader": reader or answer.reader,
        "version": answer.version,
        "status": answer.status,
        "answer": answer.text,
        "confidence": answer.confidence,
        "evidence": [
            {
                "quote": e.quote,
                "page": e.page,
                "match": e.match,
                "start": e.start,
                "end": e.end,
                "boxes": [list(box) for box in e.boxes],
                "reading": e.reading,
            }
            for e in answer.evidence
        ],
        "values": [{"kind": v.kind, "text": v.text} for v in answer.values],
        "receipt": _receipt(answer),
        "reason": answer.reason,
        "needs_review": needs_review(answer),
    }


def needs_review(answer: Answer) -> bool:
    """Is this one for a person? What could not be read or asked is, and what its reader is unsure of."""
    if answer.status in ("reported", "not_reported"):
        return answer.confidence < SURE
    return answer.status != "not_applicable"


def _receipt(answer: Answer) -> dict[str, Any] | None:
    if answer.receipt is None:
        return None
    return {
        "pages": answer.receipt.pages,
        "sentences": answer.receipt.sentences,
        "closest": [
            {"text": c.text, "page": c.page, "score": c.score, "start": c.start, "end": c.end}
            for c in answer.receipt.closest
        ],
    }
