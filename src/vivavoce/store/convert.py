"""Records as rows of the store's tables, and back. No SQL here."""

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from vivavoce.records import (
    Anchor,
    Answer,
    Box,
    Closest,
    Coded,
    Cost,
    Decision,
    Doubt,
    Evidence,
    Hidden,
    Page,
    Paper,
    PaperWarning,
    Question,
    Receipt,
    Seen,
    Sentence,
    Terms,
    Value,
    warning_kind,
)
from vivavoce.store.entries import question_key

ColumnValues = dict[str, Any]


def of_paper(paper: Paper) -> ColumnValues:
    layout = {
        "pages": [(p.number, p.width, p.height) for p in paper.pages],
        "anchors": paper.anchors,
        "hidden": [(h.page, h.text, h.reason) for h in paper.hidden],
        "scanned": paper.page_source.scan_lines if paper.page_source else (),
    }
    return {
        "id": paper.id,
        "format": paper.format,
        "title": paper.title,
        "doi": paper.doi,
        "year": paper.year,
        "pages": len(paper.pages),
        "unreadable": paper.unreadable,
        "text": paper.text,
        "text_hash": hash_of(paper.text),
        "layout": zlib.compress(to_json(layout).encode("utf-8", "surrogatepass")),
        "parsed_by": paper.parsed_by,
        "warnings": to_json([(warning_kind(warning), str(warning)) for warning in paper.warnings]),
        "journal": paper.journal,
    }


def warnings(column: str) -> tuple[PaperWarning, ...]:
    """A paper's warnings from their column."""
    return tuple(PaperWarning(kind, text) for kind, text in json.loads(column))


def of_sentences(paper: Paper) -> list[ColumnValues]:
    """Their text is a part of the paper's."""
    return [
        {
            "paper": paper.id,
            "number": number,
            "start": s.start,
            "end": s.end,
            "page": s.page,
            "kind": s.kind,
            "section": s.section,
            "reading": s.reading,
        }
        for number, s in enumerate(paper.sentences)
    ]


def paper(row: Any, sentences: Sequence[Any], layout: dict[str, Any], file: str) -> Paper:
    return Paper(
        id=row.id,
        file=file,
        format=row.format,
        text=row.text,
        sentences=tuple(
            Sentence(row.text[s.start : s.end], s.start, s.end, s.page, s.kind, s.section, s.reading)
            for s in sentences
        ),
        pages=tuple(Page(*page) for page in layout["pages"]),
        title=row.title,
        doi=row.doi,
        year=row.year,
        unreadable=row.unreadable,
        warnings=warnings(row.warnings),
        hidden=tuple(Hidden(*hidden) for hidden in layout["hidden"]),
        anchors=tuple(Anchor(*anchor) for anchor in layout["anchors"]),
        parsed_by=row.parsed_by,
        journal=row.journal,
    )


def of_answer(paper: str, answer: Answer) -> ColumnValues:
    detail = {
        "values": [asdict(value) for value in answer.values],
        "receipt": asdict(answer.receipt) if answer.receipt else None,
        "doubts": [doubt.text for doubt in answer.doubts],
        "doubt_kinds": [doubt.kind for doubt in answer.doubts],
        **({"cost": asdict(answer.cost)} if answer.cost else {}),
        **({"coded": [asdict(coded) for coded in answer.coded]} if answer.coded else {}),
        **({"seen": asdict(answer.seen)} if answer.seen else {}),
    }
    return {
        "paper": paper,
        "question": question_key(answer.question),
        "reader": answer.reader,
        "version": answer.version,
        "status": answer.status,
        "text": answer.text,
        "confidence": answer.confidence,
        "reason": answer.reason,
        "detail": to_json(detail),
    }


def of_evidence(number: int, found: Sequence[Evidence]) -> list[ColumnValues]:
    """The quotes of the answer with that number."""
    return [
        {
            "answer": number,
            "rank": rank,
            "quote": e.quote,
            "page": e.page,
            "match": e.match,
            "start": e.start,
            "end": e.end,
            "score": e.score,
            "reading": e.reading,
            "boxes": to_json(e.boxes),
        }
        for rank, e in enumerate(found)
    ]


def evidence(row: Any) -> Evidence:
    boxes = tuple(Box(*box) for box in json.loads(row.boxes))
    return Evidence(row.quote, row.page, row.match, row.start, row.end, boxes, row.score, row.reading)


@lru_cache(maxsize=1024)  # every answer of a study has one of its few questions
def question(text: str, id: str, detail: str) -> Question:
    more = json.loads(detail)
    lists = {name: tuple(more.get(name, ())) for name in ("choices", "meanings", "also")}
    lists["cues"] = tuple(map(tuple, more.get("cues", ())))
    lists["vocabulary"] = tuple(_terms(terms) for terms in more.get("vocabulary", ()))
    return Question(text, id, **{**more, **lists})


def _terms(raw: dict[str, Any]) -> Terms:
    named = {name: tuple((key, tuple(some)) for key, some in raw[name]) for name in ("terms", "accessions")}
    return Terms(
        raw["kind"],
        tuple(raw["asked"]),
        named["terms"],
        tuple((name, id) for name, id in raw["ids"]),
        tuple(raw["hosts"]),
        named["accessions"],
    )


def answer(row: Any, quotes: tuple[Evidence, ...]) -> Answer:
    detail = json.loads(row.detail)
    receipt = detail["receipt"]
    if receipt:
        closest = tuple(Closest(**c) for c in receipt["closest"])
        receipt = Receipt(receipt["pages"], receipt["sentences"], closest)
    return Answer(
        question=question(row.words, row.id, row.asked),
        reader=row.reader,
        version=row.version,
        status=row.status,
        text=row.text,
        confidence=row.confidence,
        evidence=quotes,
        values=tuple(Value(**value) for value in detail["values"]),
        receipt=receipt,
        reason=row.reason,
        paper=row.paper,
        doubts=_doubts(detail),
        cost=Cost(**detail["cost"]) if "cost" in detail else None,
        coded=tuple(Coded(**coded) for coded in detail.get("coded", ())),
        seen=_seen(detail.get("seen")),
    )


def _seen(raw: dict[str, Any] | None) -> Seen | None:
    return Seen(raw["prompt"], raw["reply"], tuple(map(tuple, raw["chunks"]))) if raw else None


def _doubts(detail: dict[str, Any]) -> tuple[Doubt, ...]:
    """Answers of older versions have no doubts, or doubts without a kind. Their texts are kept by themselves,
    so that older versions can still read an answer of this one."""
    texts = detail.get("doubts", ())
    kinds = detail.get("doubt_kinds") or ["other"] * len(texts)
    return tuple(Doubt(kind, text) for kind, text in zip(kinds, texts, strict=True))


def of_decision(paper: str, question: str, decision: Decision) -> ColumnValues:
    return {
        "paper": paper,
        "question": question,
        "reviewer": decision.reviewer,
        "status": decision.status,
        "text": decision.text,
        "evidence": to_json([asdict(e) for e in decision.evidence]),
        "reason": decision.reason,
        "at": decision.at,
        "kind": decision.kind,
        "value": to_json(decision.values),
    }


def decision(row: Any) -> Decision:
    quotes = tuple(
        Evidence(**{**e, "boxes": tuple(Box(*box) for box in e["boxes"])}) for e in json.loads(row.evidence)
    )
    values = tuple(json.loads(row.value))
    return Decision(row.reviewer, row.status, row.text, quotes, row.reason, row.at, row.kind, values)


def to_json(value: Any) -> str:
    """Letters as they are: of two halves of one, each escaped by itself, the way back would make one."""
    return json.dumps(value, ensure_ascii=False)


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
