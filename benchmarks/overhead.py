"""What a call to a language model costs on our side: everything but the server.

The same prompts go to the same server (a process of its own that answers at once) through a bare HTTP client
and through the reader, with its schema, checks, budget, retries and records; in turn, 64 at a time.

    python benchmarks/overhead.py [--calls 2000] [--at-a-time 64] [--pdf FILE]

With `--pdf`, the prompts are about this paper, each reply has two quotes of it, and their boxes on its pages
are found as in a study: for 28 calls at a time, in the process that reads files, whose processor time counts.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from vivavoce.evidence.locating import with_boxes
from vivavoce.papers import load
from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.context import Prompt, make_prompts
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM, PromptResult, Reply
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import Answer, Paper, Question, Sentence

SENTENCE = "The network of plot {n} was trained for {n} epochs on {n} pictures that two experts had labelled."
QUESTIONS = 28
"""Asked of one paper: those of the set `dl-methods`."""


def made_up() -> Paper:
    """As long as what a model is shown of a paper in the context `evidence`."""
    text, sentences = "", []
    for n in range(40):
        said = SENTENCE.format(n=n)
        sentences.append(Sentence(said, len(text), len(text) + len(said), 1))
        text += said + " "
    return Paper("id", "paper.txt", "text", text, tuple(sentences), ())


def questions(many: int) -> list[Question]:
    return [Question(f"On how many pictures was network {n} trained?", f"Q{n}") for n in range(many)]


def prose(paper: Paper) -> list[int]:
    return [n for n, s in enumerate(paper.sentences) if s.kind == "prose" and len(s.text) > 40]


async def bare(url: str, asked: Sequence[Prompt], at_a_time: int) -> None:
    """The same requests with a plain client: sent, received, read as JSON."""
    gate = asyncio.Semaphore(at_a_time)
    schema = {"type": "json_schema", "json_schema": {"name": "Reply", "schema": Reply.model_json_schema()}}
    limits = httpx.Limits(max_connections=at_a_time, max_keepalive_connections=at_a_time)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:

        async def call(prompt: Prompt) -> None:
            body = {
                "model": "m",
                "temperature": 0.0,
                "max_tokens": 700,
                "response_format": schema,
                "messages": [
                    {"role": "system", "content": prompts.INSTRUCTIONS},
                    {"role": "user", "content": prompts.text(prompt.sentences, prompt.questions)},
                ],
            }
            async with gate:
                said = (await client.post(f"{url}/chat/completions", json=body)).json()
            json.loads(said["choices"][0]["message"]["content"])

        await asyncio.gather(*map(call, asked))


async def ours(
    url: str, shown: Paper, asked: Sequence[Question], ranked: Sequence[list[int]], at_a_time: int
) -> None:
    """Through the reader, as many papers at a time as there are calls to be under way."""
    model = LLM(f"{url}#m", ModelSession(RunLimits(ModelSettings("evidence", at_a_time))))
    papers = asyncio.Semaphore(-(-at_a_time // QUESTIONS))

    async def ask(first: int) -> list[Answer]:
        results: list[PromptResult] = []
        some = slice(first, first + QUESTIONS)
        async with papers:
            failed = await model.ask(shown, asked[some], ranked[some], results.append)
            assert not failed, failed[0].reason
            answers = [answer for result in results for answer in result.answers]
            return await asyncio.to_thread(with_boxes, shown, answers)

    if shown.page_source is None:  # no boxes to be had: all at once
        results: list[PromptResult] = []
        failed = await model.ask(shown, asked, ranked, results.append)
        assert not failed, failed[0].reason
        assert len(results) == len(asked)
        return
    found = await asyncio.gather(*(ask(first) for first in range(0, len(asked), QUESTIONS)))
    boxed = [bool(e.boxes) for answers in found for answer in answers for e in answer.evidence]
    assert len(boxed) >= len(asked)
    assert all(boxed)


def processor_time(server: int) -> float:
    """Of this process and of those that it has started, but for the server."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for process in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            fields = process.read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid() and process.parent.name != str(server):
                ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--at-a-time", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pause", type=float, default=0.0, help="Seconds that the server thinks.")
    parser.add_argument("--pdf", type=Path, help="Ask about this paper, and find boxes on its pages.")
    return parser.parse_args()


def main() -> None:
    given = options()
    shown = load(given.pdf) if given.pdf else made_up()
    chosen = prose(shown)
    asked = questions(given.calls)
    ranked = [[chosen[(n + step) % len(chosen)] for step in (0, 11, 23, 31)] for n in range(given.calls)]
    made = make_prompts(shown, asked, "evidence", ranked)
    rows: list[tuple[float, float, float, float]] = []
    with TemporaryDirectory() as folder:
        quotes = Path(folder, "quotes.json")
        quotes.write_text(json.dumps([shown.sentences[n].text for n in chosen] if given.pdf else []))
        script = Path(__file__).with_name("fast_server.py")
        server = subprocess.Popen(
            [sys.executable, str(script), str(given.pause), str(quotes)], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
            for _ in range(given.rounds):
                took = []
                for run in (
                    lambda: bare(url, made, given.at_a_time),
                    lambda: ours(url, shown, asked, ranked, given.at_a_time),
                ):
                    began, busy = time.perf_counter(), processor_time(server.pid)
                    asyncio.run(run())
                    took += [time.perf_counter() - began, processor_time(server.pid) - busy]
                rows.append((took[0], took[1], took[2], took[3]))
        finally:
            server.kill()
    report(given, rows)


def report(given: argparse.Namespace, rows: Sequence[tuple[float, float, float, float]]) -> None:
    each = [[1000 * value / given.calls for value in column] for column in zip(*rows, strict=True)]
    medians = [statistics.median(column) for column in each]
    what = f", boxes on the pages of {given.pdf.name}" if given.pdf else ""
    print(
        f"{given.calls} calls, {given.at_a_time} under way{what}; median of {given.rounds} rounds; ms a call"
    )
    print("| | by the clock | of the processor |\n|---|---|---|")
    print(f"| bare client | {medians[0]:.2f} | {medians[1]:.2f} |")
    print(f"| ours | {medians[2]:.2f} | {medians[3]:.2f} |")
    print(f"| **overhead** | {medians[2] - medians[0]:.2f} | {medians[3] - medians[1]:.2f} |")


if __name__ == "__main__":
    main()
