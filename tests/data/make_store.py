"""Made `store-schema-1.db` to `store-schema-3.db`: a study as these versions of the store kept it. They are
not made again.

The files are what people have on their disks. Rows are written as plain SQL, so that nothing of today's store
gets into them. Run: `python tests/data/make_store.py SCHEMA FILE`.
"""

import hashlib
import json
import sqlite3
import sys
import zlib
from pathlib import Path
from typing import Any

from vivavoce.store.migrations import STEPS, migrate
from vivavoce.store.sqlite import SQLiteDatabase

AT = "2026-03-01T10:00:00.000+00:00"
NEWTS = "We caught 40 newts. The code is at https://example.org/newts."
OWLS = "Owls were heard at night. Nobody saw one."
PAPERS = {"aa" * 32: NEWTS, "bb" * 32: OWLS}
QUESTIONS = {"Q1": "Was anything caught?", "Q2": "Where is the code?", "Q3": "Which seed was used?"}
READERS = (("builtin", "1"), ("second", "1"))


def key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def answers() -> list[tuple[Any, ...]]:
    """number, paper, question, reader, version, status, text, confidence, reason, detail, run, at"""
    empty = json.dumps({"values": [], "receipt": None})
    link = json.dumps({"values": [{"kind": "link", "text": "https://example.org/newts"}], "receipt": None})
    closest = {"text": "Nobody saw one.", "page": 1, "score": 0.25, "start": 26, "end": 41}
    receipt = json.dumps(
        {"values": [], "receipt": {"pages": 1, "sentences": 2, "closest": [closest]}}, ensure_ascii=False
    )
    newts, owls = PAPERS
    caught, code, seed = map(key, QUESTIONS.values())
    return [
        (1, newts, caught, "builtin", "1", "reported", "40 newts", 0.97, "", empty, 1, AT),
        (2, newts, code, "builtin", "1", "reported", "https://example.org/newts", 0.99, "", link, 1, AT),
        (3, newts, seed, "builtin", "1", "not_reported", "", 0.9, "", receipt, 1, AT),
        (4, newts, caught, "builtin", "0", "unsupported", "an older version’s", 0.5, "", empty, 1, AT),
        (5, newts, key("An older question?"), "builtin", "1", "reported", "x", 0.5, "", empty, 1, AT),
        (6, owls, caught, "builtin", "1", "not_reported", "", 0.8, "", receipt, 2, AT),
        (7, owls, code, "builtin", "1", "unreadable", "", 0.0, "garbled", empty, 2, AT),
        (8, owls, code, "second", "1", "unsupported", "“somewhere”", 0.4, "", empty, 2, AT),
    ]


def evidence() -> list[tuple[Any, ...]]:
    """answer, rank, quote, page, match, start, end, score, reading, boxes"""
    boxes = json.dumps([[1, 10.5, 20.0, 30.25, 40.0]])
    return [
        (1, 0, NEWTS[:19], 1, "exact", 0, 19, 1.0, "", boxes),
        (2, 0, NEWTS[20:], 1, "exact", 20, len(NEWTS), 1.0, "", boxes),
        (2, 1, NEWTS[24:28], 1, "close", 24, 28, 0.9, "What: code", "[]"),
    ]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    """Of every table, its rows in the order of its columns."""
    newts, owls = PAPERS
    layout = {"pages": [[1, 595.0, 842.0]], "anchors": [[0, 19, 1, 0, 19]], "hidden": [[1, "psst", "white"]]}
    packed = zlib.compress(json.dumps({**layout, "warnings": ["short"], "scanned": []}).encode())
    detail = {"hints": "", "topic": "", "kind": "text", "choices": [], "screen": False}
    variables = [{"name": "code", "category": "open", "questions": ["Q2"], "need": "any"}]
    levels = [{"number": 1, "name": "open", "categories": ["open"]}]
    about = {"name": "newts", "title": "Newts", "about": "", "source": ""}
    return {
        "meta": [("questions", json.dumps({**about, "variables": variables, "levels": levels}))],
        "papers": [
            (
                id,
                "pdf",
                title,
                "10.1/x",
                2020,
                1,
                "",
                text,
                hashlib.sha256(text.encode()).hexdigest(),
                packed,
                "",
            )
            for (id, text), title in zip(PAPERS.items(), ("Newts", "Owls"), strict=True)
        ],
        "sentences": [
            (newts, 0, 0, 19, 1, "prose", "Methods", ""),
            (newts, 1, 20, len(NEWTS), 1, "prose", "Code", ""),
            (owls, 0, 0, 25, 1, "prose", "", ""),
            (owls, 1, 26, len(OWLS), 1, "table", "", "Seen: none"),
        ],
        "files": [
            ("/papers/broken.pdf", "broken.pdf", "cc" * 32, "is damaged", 9, 1),
            ("/papers/newts.pdf", "newts.pdf", newts, "", 1000, 1_700_000_000_000_000_000),
            ("/papers/owls.pdf", "owls.pdf", owls, "", 2000, 1_700_000_000_000_000_000),
        ],
        "questions": [(key(text), text) for text in [*QUESTIONS.values(), "An older question?"]],
        "asked": [(n, key(text), id, json.dumps(detail)) for n, (id, text) in enumerate(QUESTIONS.items())],
        "readers": [(n, *reader) for n, reader in enumerate(READERS)],
        "answers": answers(),
        "evidence": evidence(),
        "failures": [(1, "/papers/broken.pdf", "cc" * 32, None, None, "is damaged", 1, AT)],
        "decisions": [
            (1, newts, key(QUESTIONS["Q3"]), "Ada", "reported", "42", "[]", "it stands in Fig. 2", None, AT)
        ],
        "runs": [
            (1, 1, "begun", '{"files": 3}', AT),
            (2, 1, "ended", '{"cells": 5}', AT),
            (3, 2, "begun", "{}", AT),
        ],
    }


def decisions() -> list[tuple[Any, ...]]:
    """Of schema 2: number, paper, question, reviewer, status, text, evidence, reason, undoes, at, kind"""
    newts, owls = PAPERS
    caught, code, seed = map(key, QUESTIONS.values())
    quote = {"quote": NEWTS[10:18], "page": 1, "match": "exact", "start": 10, "end": 18, "score": 1.0}
    quotes = json.dumps([{**quote, "reading": "", "boxes": [[1, 10.5, 20.0, 30.25, 40.0]]}])
    return [
        (1, newts, seed, "Ada", "reported", "42", "[]", "it stands in Fig. 2", None, AT, "review"),
        (2, newts, caught, "Ada", "not_reported", "", "[]", "", None, AT, "review"),
        (3, newts, caught, "Ada", "not_reported", "", "[]", "", 2, AT, "review"),
        (4, newts, caught, "Ada", "reported", "40", quotes, "", None, AT, "review"),
        (5, newts, caught, "Ben", "unsupported", "“some”", "[]", "how many?", None, AT, "review"),
        (6, owls, code, "Ada", "not_reported", "", "[]", "", None, AT, "review"),
        (7, owls, code, "Ben", "reported", "x", "[]", "", None, AT, "review"),
        (8, owls, code, "Cy", "not_reported", "", "[]", "read it twice", None, AT, "adjudication"),
    ]


def make(path: Path, schema: int) -> None:
    made = SQLiteDatabase(path).engine()
    migrate(made, STEPS[:schema])
    made.dispose()
    connection = sqlite3.connect(path)
    written = rows() if schema == 1 else {**rows(), "decisions": decisions()}
    for table, content in written.items():
        for row in content:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    connection.execute("UPDATE schema_steps SET at = ?", (AT,))
    connection.commit()
    for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 1024", "VACUUM"):
        connection.execute(statement)
    connection.close()


if __name__ == "__main__":
    make(Path(sys.argv[2]), int(sys.argv[1]))
