"""Answers as the JSON that people script against: one object per paper, question and reader.

Every text is as it is: what could be a formula in a spreadsheet is none here.
"""

import json
from dataclasses import asdict
from typing import Any, BinaryIO

from vivavoce.panel.decisions import all_answers
from vivavoce.panel.voting import needs_review
from vivavoce.records import Answer, Paper, PaperInfo, warning_kind
from vivavoce.results.cells import Results
from vivavoce.results.papers import with_calibrated_boxes

_LINE_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Not the end of a line to JSON, but to some programs that split a file into lines."""


def write_jsonl(results: Results, file: BinaryIO) -> None:
    """A JSON object per line, in UTF-8."""
    for cell in results.cells():
        for answer in with_calibrated_boxes(results.store, all_answers(cell)):
            text = json.dumps(json_line(cell.paper, answer), ensure_ascii=False).translate(_LINE_BREAKS)
            # Half a character can't be UTF-8; written as \\udc80 it is JSON's own escape for it.
            file.write(text.encode("utf-8", "backslashreplace") + b"\n")


def json_line(paper: Paper | PaperInfo, answer: Answer, reader: str = "") -> dict[str, Any]:
    """The answer's line; `reader` overrides the reader's name (`verdict` for a panel's verdict)."""
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
        "warnings": [{"kind": warning_kind(warning), "text": str(warning)} for warning in paper.warnings],
        "value": answer.value,
        "unit": answer.unit,
        "coded": [asdict(coded) for coded in answer.coded],
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
