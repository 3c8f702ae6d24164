"""What a call to a language model costs on our side: everything but the server.

The same prompts go to the same server (a process of its own that answers at once) through a bare HTTP client
and through the reader, with its schema, checks, budget, retries and records; in turn, 64 at a time.

    python benchmarks/overhead.py [--calls 2000] [--at-a-time 64]
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx

from vivavoce.readers.llm import prompts
from vivavoce.readers.llm.context import Prompt, make_prompts
from vivavoce.readers.llm.limits import ModelSettings, RunLimits
from vivavoce.readers.llm.reader import LLM, PromptResult, Reply
from vivavoce.records import Paper, Question, Sentence

SENTENCE = "The network of plot {n} was trained for {n} epochs on {n} pictures that two experts had labelled."


def paper() -> Paper:
    """As long as what a model is shown of a paper in the context `evidence`."""
    text, sentences = "", []
    for n in range(40):
        said = SENTENCE.format(n=n)
        sentences.append(Sentence(said, len(text), len(text) + len(said), 1))
        text += said + " "
    return Paper("id", "paper.txt", "text", text, tuple(sentences), ())


def questions(many: int) -> list[Question]:
    return [Question(f"On how many pictures was network {n} trained?", f"Q{n}") for n in range(many)]


async def bare(url: str, asked: list[Prompt], at_a_time: int) -> None:
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
    url: str, shown: Paper, asked: list[Question], ranked: list[list[int]], at_a_time: int
) -> None:
    told: list[PromptResult] = []
    model = LLM(f"{url}#m", RunLimits(ModelSettings("evidence", at_a_time)))
    failed = await model.ask(shown, asked, ranked, told.append)
    assert not failed, failed[0].reason
    assert len(told) == len(asked)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--calls", type=int, default=2000)
    options.add_argument("--at-a-time", type=int, default=64)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--pause", type=float, default=0.0, help="Seconds that the server thinks.")
    given = options.parse_args()
    script = Path(__file__).with_name("fast_server.py")
    server = subprocess.Popen(
        [sys.executable, str(script), str(given.pause)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        shown, asked = paper(), questions(given.calls)
        ranked = [[n % 40, (n + 11) % 40, (n + 23) % 40, (n + 31) % 40] for n in range(given.calls)]
        made = make_prompts(shown, asked, "evidence", ranked)
        rows: list[tuple[float, float, float, float]] = []
        for _ in range(given.rounds):
            took = []
            for run in (
                lambda: bare(url, made, given.at_a_time),
                lambda: ours(url, shown, asked, ranked, given.at_a_time),
            ):
                began, busy = time.perf_counter(), time.process_time()
                asyncio.run(run())
                took += [time.perf_counter() - began, time.process_time() - busy]
            rows.append((took[0], took[1], took[2], took[3]))
    finally:
        server.kill()
    each = [[1000 * value / given.calls for value in column] for column in zip(*rows, strict=True)]
    medians = [statistics.median(column) for column in each]
    print(f"{given.calls} calls, {given.at_a_time} under way, median of {given.rounds} rounds; ms a call")
    print("| | by the clock | of the processor |\n|---|---|---|")
    print(f"| bare client | {medians[0]:.2f} | {medians[1]:.2f} |")
    print(f"| ours | {medians[2]:.2f} | {medians[3]:.2f} |")
    print(f"| **overhead** | {medians[2] - medians[0]:.2f} | {medians[3] - medians[1]:.2f} |")


if __name__ == "__main__":
    main()
