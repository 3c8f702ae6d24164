"""The published pipeline's prompts, as they were sent: instructions, four retrieved chunks, one question.

Used by `seeds.py` and `tokens.py`. The words are not part of the repository: they are taken from `../shared`.
"""

import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

_PARTS = re.compile(
    r"(?P<before>.*?make up an answer\.\s*\n)(?P<context>.*?)"
    r"(?P<between>\n\s*Question: %INSTRUCTIONS.*?Query: \")"
    r"(?P<question>[^\"]*)(?P<after>\".*?Helpful Answer:)(?P<reply>.*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Seed:
    """One prompt that was sent, and what one model said to it."""

    name: str
    before: str
    context: str
    between: str
    question: str
    after: str
    reply: str

    def prompt(self, context: str | None = None, question: str | None = None) -> str:
        """As it was sent, or with another context and question in it."""
        context = self.context if context is None else context
        return f"{self.before}{context}{self.between}{question or self.question}{self.after}"


def seeds(shared: Path) -> list[Seed]:
    found = []
    for file in sorted((shared / "seeds").glob("*.txt")):
        parts = _PARTS.fullmatch(file.read_text(encoding="utf-8"))
        if parts is None:
            raise ValueError(f"{file} is not such a prompt")
        found.append(Seed(file.stem.split("_")[0], **parts.groupdict()))
    return found


def questions(shared: Path) -> list[str]:
    """The 28, in their published words."""
    return (shared / "data" / "questions.txt").read_text(encoding="utf-8").splitlines()


def contexts(shared: Path, papers: set[str]) -> dict[str, list[str]]:
    """Of each of these papers the retrieved chunks, question by question."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    with gzip.open(shared / "data" / "answers.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["paper"] in papers:
                found[row["paper"]][int(row["question"].removeprefix("CQ"))] = row["context"]
    return {paper: [by_number[n] for n in sorted(by_number)] for paper, by_number in found.items()}
