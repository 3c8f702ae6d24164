"""Five real contexts about training hardware: a small model with the published prompt, and our way.

    python benchmarks/seeds.py --model FILE.gguf | smollm2 [--full]

Each of `../shared/seeds` is a prompt of the published pipeline: retrieved chunks, and the question which
hardware the model was trained on. It is sent as it is, with a bare client at temperature 0. Then the chunks
are loaded as a paper, and the same model is asked as a reader, with the context `evidence`. What is right is
decided by what the reply names (`TRUTH`), and for ours also by where it stands: in quotes that were located.
"""

import argparse
import re
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import published
from benchmarks.gold import SHARED
from benchmarks.servers.llama import Llama, serving, smollm2
from vivavoce import load
from vivavoce.errors import VivaError
from vivavoce.evidence.replies import says_nothing
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.llm.facts import appears_in, unproven_facts
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import Answer

QUESTION = "CQ20"
LONGEST = 600
"""Tokens of a reply to the published prompt, which asks for less than 400 words."""


@dataclass(frozen=True)
class Truth:
    named: str
    """What a right reply names; empty when the context does not say."""
    denied: str = ""
    """What it does not claim to have been used."""


TRUTH = {
    "000": Truth(r"\b32\b[^.]{0,20}CPUs?|CPUs?\b[^.]{0,20}\b32\b", r"GPUs?|TPUs?"),
    "001": Truth(r"EPYC|CPUs?\b", r"GPUs?|TPUs?"),
    "002": Truth(r"GPUs?|graphical processing unit", r"TPUs?|\bCPUs?"),
    "003": Truth(r"TITAN\s+Xp", r"TPUs?|\bCPUs?"),
    "004": Truth(""),
}
_NOT = re.compile(r"\b(?:no|not|nor|neither|without|instead of|rather than|than)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Row:
    reply: str
    right: bool
    tokens_in: int
    tokens_out: int
    seconds: float


def right(truth: Truth, reply: str, proof: str | None = None) -> bool:
    """Does the reply name what it should, and claim nothing that it should not? With `proof`, what it names
    must stand there, too."""
    if not truth.named:
        return says_nothing(reply)
    if says_nothing(reply) or not re.search(truth.named, reply if proof is None else proof, re.IGNORECASE):
        return False
    return not any(_claims(reply, truth.denied))


def _claims(reply: str, what: str) -> Iterator[str]:
    """Sentences that name it, and don't deny it."""
    for sentence in re.split(r"(?<=[.;!?])\s+|\n", reply):
        if what and re.search(what, sentence, re.IGNORECASE) and not _NOT.search(sentence):
            yield sentence


def bare(server: Llama, seed: published.Seed) -> Row:
    began = time.perf_counter()
    said = server.post(
        "/v1/chat/completions",
        {
            "messages": [{"role": "user", "content": seed.prompt()}],
            "temperature": 0,
            "max_tokens": LONGEST,
        },
    )
    seconds = time.perf_counter() - began
    reply = said["choices"][0]["message"]["content"].strip()
    used = said["usage"]
    return Row(
        reply, right(TRUTH[seed.name], reply), used["prompt_tokens"], used["completion_tokens"], seconds
    )


def ours(server: Llama, seed: published.Seed) -> tuple[Row, Answer]:
    (question,) = (q for q in asked(load_set("dl-methods")) if q.id == QUESTION)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{seed.name}.txt"
        file.write_text(re.sub(r" {2,}", " ", seed.context), encoding="utf-8")
        paper = load(file)
    model = LLM(f"{server.url}#model", ModelSession(RunLimits(ModelSettings("evidence", timeout=900))))
    began = time.perf_counter()
    try:
        (answer,) = model.read(paper, [question])
    except VivaError as error:
        answer = Answer(question, model.name, model.version, "failed", str(error))
    seconds = time.perf_counter() - began
    truth = TRUTH[seed.name]
    quotes = " ".join(e.quote for e in answer.evidence)
    if truth.named:
        good = answer.status == "reported" and right(truth, answer.text, quotes)
    else:
        good = answer.status == "not_reported"
    spent = model.session.spending.by_reader[model.name]
    return Row(_told(answer), good, spent.tokens_in, spent.tokens_out, seconds), answer


def _told(answer: Answer) -> str:
    parts = [f"{answer.status}: {answer.text}"]
    parts += [f"“{' '.join(e.quote.split())}”" for e in answer.evidence]
    parts += [f"({doubt.text})" for doubt in answer.doubts]
    return " ".join(parts)


def proven(answer: Answer) -> bool:
    """Do all facts of the answer stand in its quotes?"""
    quotes = " ".join(f"{e.quote} {e.reading}" for e in answer.evidence)
    pieces = [
        word for value in answer.values for word in value.text.split()
    ]  # "Linux release 7" is "Linux 7"
    return not unproven_facts(answer.text, answer.evidence) and all(
        appears_in(piece, quotes) for piece in pieces
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True, help="a GGUF file, or smollm2")
    parser.add_argument("--full", action="store_true", help="replies in full")
    parser.add_argument("--ours", action="store_true", help="our way alone")
    options = parser.parse_args()
    prompts = published.seeds(SHARED)
    if not prompts:
        sys.exit(f"no seeds in {SHARED}")
    rows: dict[str, list[Row]] = {"published": [], "ours": []}
    answers = []
    with serving(smollm2() if options.model == "smollm2" else Path(options.model)) as server:
        for seed in prompts:
            row, answer = ours(server, seed)
            answers.append(answer)
            rows["ours"].append(row)
            if not options.ours:
                rows["published"].append(bare(server, seed))
            for way in rows:
                if rows[way]:
                    _print(seed.name, way, rows[way][-1], options.full)
    print()
    for way, some in rows.items():
        if some:
            print(
                f"{way:10} right {sum(row.right for row in some)} of {len(some)}; tokens in "
                f"{sum(row.tokens_in for row in some):,}, out {sum(row.tokens_out for row in some):,}; "
                f"{sum(row.seconds for row in some):.1f} s"
            )
    claimed = [answer for answer in answers if answer.status == "reported"]
    print(f"ours: all facts stand in located quotes: {sum(map(proven, claimed))} of {len(claimed)} answers")


def _print(name: str, way: str, row: Row, full: bool) -> None:
    reply = " ".join(row.reply.split())
    figures = f"{row.tokens_in:6}{row.tokens_out:5}{row.seconds:7.1f}s  "
    head = f"{name} {way:10}{'right' if row.right else 'wrong':6}{figures}"
    shown = reply if full else textwrap.shorten(reply, 400, placeholder=" …")
    print(textwrap.fill(shown, 110, initial_indent=head, subsequent_indent=" " * 8), flush=True)


if __name__ == "__main__":
    main()
