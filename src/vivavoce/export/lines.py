"""An answer as the JSON that people script against: one object per paper, question and reader."""

from dataclasses import asdict
from typing import Any

from vivavoce.panel.voting import needs_review
from vivavoce.records import Answer, Paper, PaperInfo


def line(paper: Paper | PaperInfo, answer: Answer, reader: str = "") -> dict[str, Any]:
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
        "doubts": [doubt.text for doubt in answer.doubts],
        "needs_review": needs_review(answer),
        "cost": asdict(answer.cost) if answer.cost else None,
    }


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
