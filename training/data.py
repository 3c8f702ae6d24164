"""The labelled papers, as training takes them.

A row is a paper: its sentences cut into windows, what is known of each sentence besides its words, and its
questions with the sentences that answer them (`evidence`) and those that only seem to (`near`). Every source
is read into the same form; `Question.wordings` are different ways to ask the same.
"""

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.labelled import held_out
from training.coded import coded, with_end_matter
from training.wordings import WORDINGS
from vivavoce.readers.builtin.places import PLACES, place
from vivavoce.readers.builtin.windows import LONGEST, Window, windows
from vivavoce.readers.builtin.wording import Lexicon

KINDS = ("text", "number", "yes_no", "list", "link", "date")
UNREAD = ("reference", "figure")
ANY_OF = ("qasper-full-text", "qasper-cut-text", "evidence-inference-2")
"""Sources whose evidence is whole paragraphs: one of its sentences is enough."""


@dataclass(frozen=True)
class Question:
    wordings: tuple[str, ...]
    evidence: tuple[int, ...]
    near: tuple[int, ...]
    kind: str = ""
    """One of KINDS; empty where the source doesn't say."""
    values: tuple[str, ...] = ()
    """The words that answer; of a yes/no question "yes" or "no"."""


@dataclass
class Row:
    paper: str
    source: str
    sentences: list[str]
    windows: list[Window]
    places: NDArray[np.float32]
    """What is known of each sentence besides its words: see `readers.builtin.places`."""
    readable: frozenset[int]
    """The sentences that may answer; headings and references may not."""
    questions: tuple[Question, ...]
    lexicon: Lexicon
    seen: dict[tuple[int, int], float] = field(default_factory=dict)
    """How close the best wrong sentence of a window came, by question and window: what the network mistakes
    for an answer."""


LABELS = Path(__file__).with_name("labels") / "questions.jsonl"


class Sources:
    """Reads every file of labels under a folder like ../shared/data."""

    def __init__(self, folder: Path, tokenizer: Tokenizer) -> None:
        self.folder, self.tokenizer = folder, tokenizer

    def rows(self) -> Iterator[Row]:
        more = self._more()
        known = set()
        for raw in self._lines("fields.jsonl.gz"):
            known.add(raw["paper"])
            questions = [
                *(_free(q, q["value"]) for q in raw["questions"]),
                *(_ours(q, raw) for q in more.get(raw["paper"], ())),
            ]
            yield self._row(raw, "fields", raw["kinds"], questions)
        for raw in self._lines("open-science.jsonl.gz"):
            whole = with_end_matter(raw)
            asked = [
                Question(wordings, evidence, near, "text" if values else "", values)
                for wordings, evidence, near, values in coded(raw)
            ]
            yield self._row(whole, "open-science", whole["kinds"], asked)
        yield from self._extracts()
        for name in (
            "spirit-consort-tm",
            "consort-tm",
            "somesci",
            "sofc-exp",
            "covid-qa",
            "qasper-full-text",
            "qasper-cut-text",
            "evidence-inference-2",
            "scirex",
        ):
            for raw in self._lines(f"human/{name}.jsonl.gz"):
                headings = set(raw["headings"])
                kinds = ["heading" if n in headings else "prose" for n in range(len(raw["sentences"]))]
                if raw["paper"] in more and raw["paper"] not in known:
                    known.add(raw["paper"])
                    yield self._row(raw, "fields", kinds, [_ours(q, raw) for q in more[raw["paper"]]])
                if name == "scirex":
                    continue
                asked = [
                    Question((q["question"],), tuple(q["evidence"]), ())
                    for q in raw["questions"]
                    if q["answerable"] is not None
                    and bool(q["evidence"]) == q["answerable"]
                    and not re.match(r"(1[a-g]|2)_", q["id"])
                ]
                if asked:
                    yield self._row(raw, name, kinds, asked)

    def _extracts(self) -> Iterator[Row]:
        """The papers on deep learning: 28 fixed questions, and free ones."""
        published = _published(self.folder / "questions.txt")
        free = {raw["paper"]: raw["questions"] for raw in self._lines("free.jsonl.gz")}
        for raw in self._lines("sentences.jsonl.gz"):
            asked = [
                Question(
                    (*WORDINGS[id], *published[id]),
                    tuple(raw["evidence"].get(id, ())),
                    tuple(raw["near"].get(id, ())),
                )
                for id in WORDINGS
            ]
            asked += [
                Question((q["question"],), tuple(q["evidence"]), tuple(q["near"]))
                for q in free.get(raw["paper"], ())
            ]
            yield self._row(raw, "deep-learning", ["prose"] * len(raw["sentences"]), asked, ordered=False)

    def _more(self) -> dict[str, list[dict[str, Any]]]:
        """Our own questions about the same papers, by paper."""
        with LABELS.open(encoding="utf-8") as file:
            return {row["paper"]: row["questions"] for row in map(json.loads, file)}

    def _lines(self, name: str) -> list[dict[str, Any]]:
        with gzip.open(self.folder / name, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def _row(
        self,
        raw: dict[str, Any],
        source: str,
        kinds: list[str],
        questions: list[Question],
        ordered: bool = True,
    ) -> Row:
        sentences = raw["sentences"]
        readable = [n for n, kind in enumerate(kinds) if kind not in UNREAD]
        section, sections = "", []
        for text, kind in zip(sentences, kinds, strict=True):
            section = text if kind == "heading" else section
            sections.append(section)
        tokens = [e.ids for e in self.tokenizer.encode_batch(list(sentences), add_special_tokens=False)]
        heads = [e.ids for e in self.tokenizer.encode_batch(sections, add_special_tokens=False)]
        rows = {at for at, n in enumerate(readable) if kinds[n] == "table"}
        cut = windows([tokens[n] for n in readable], rows, [heads[n] for n in readable] if ordered else None)
        cut = [Window(w.tokens, [p._replace(sentence=readable[p.sentence]) for p in w.pieces]) for w in cut]
        sectioned = ordered and any(sections)
        places = np.stack([place(k, s if sectioned else None) for k, s in zip(kinds, sections, strict=True)])
        return Row(
            raw["paper"],
            source,
            sentences,
            cut,
            places,
            frozenset(n for n in readable if kinds[n] != "heading"),
            tuple(questions),
            Lexicon([s if kind not in UNREAD else "" for s, kind in zip(sentences, kinds, strict=True)]),
        )


def _free(q: dict[str, Any], values: Sequence[str]) -> Question:
    return Question(
        (q["question"], *q["also"]), tuple(q["evidence"]), tuple(q["near"]), q["kind"], tuple(values)
    )


def _ours(q: dict[str, Any], raw: dict[str, Any]) -> Question:
    """Values are kept as places in the paper's sentences."""
    spans = [v if isinstance(v, str) else raw["sentences"][v[0]][v[1] : v[2]] for v in q["value"]]
    return _free(q, spans)


def _published(path: Path) -> dict[str, tuple[str, str]]:
    """Each of the 28 as it was published, without and with its examples."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {f"CQ{n}": (re.sub(r"\s*\(e\.g\.,.*\)", "", line), line) for n, line in enumerate(lines, 1)}


def draw(question: Question, many: int, chance: random.Random) -> list[str]:
    """Some wordings of a question."""
    return chance.sample(question.wordings, min(many, len(question.wordings)))


__all__ = ["ANY_OF", "KINDS", "LONGEST", "PLACES", "Question", "Row", "Sources", "draw", "held_out"]
