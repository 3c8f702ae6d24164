"""Two small papers, and an engine that answers at once."""

import sqlite3
import threading
from collections.abc import Generator, Iterable
from pathlib import Path

from vivavoce import readers
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import read_file
from vivavoce.records import Answer
from vivavoce.study.engines import Job, Outcome
from vivavoce.study.study import Study

NEWTS = """# Counting newts with a network

## Methods
We trained a convolutional network on 4,000 pictures of newts. Training ran on one NVIDIA GTX 1080 graphics
card.

## Availability
The code is at https://github.com/example-org/newts.
"""
OWLS = "Owls at night\n\nMethods\n\nWe listened to owls for three nights. Nobody saw one of them.\n"
CODE = "Where is the code?"
CARD = "Which graphics card was used?"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


class AtOnce:
    """Reads files in this very process, and answers what it is asked without reading."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []
        self.version = readers.reader("builtin").version

    def run(
        self, jobs: Iterable[Job], stop: threading.Event | None = None, _: object = None
    ) -> Generator[Outcome]:
        del stop
        for job in jobs:
            ((reader, questions),) = job.asks
            self.asked.append((Path(job.path).name, [question.text for question in questions]))
            paper = job.paper or read_file(job.path, Limits())
            yield Outcome(
                job, paper, tuple(Answer(q, reader, self.version, "not_reported") for q in questions)
            )


def rows(study: Study, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(study.folder / "viva.db")
    found = connection.execute(query).fetchall()
    connection.commit()
    connection.close()
    return found
