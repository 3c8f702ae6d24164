"""A model server that answers at once, in a process of its own: what remains is ours.

Each reply is the same, "not reported"; or, given a JSON file with a list of quotes, "reported" with the next
two of them, in turn.

    python benchmarks/fast_server.py [SECONDS [QUOTES]]
"""

import asyncio
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def response(quotes: list[str]) -> bytes:
    answer = "It says so." if quotes else ""
    reply = {"reported": bool(quotes), "answer": answer, "sentences": [], "quotes": quotes, "values": []}
    message = {"role": "assistant", "content": json.dumps(reply)}
    body = json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def responses(quotes: list[str]) -> Iterator[bytes]:
    pairs = [quotes[at : at + 2] for at in range(0, len(quotes), 2)]
    return itertools.cycle([response(pair) for pair in pairs] or [response([])])


async def main(pause: float, quotes: list[str]) -> None:
    data = responses(quotes)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                await reader.readexactly(length)
                await asyncio.sleep(pause)
                writer.write(next(data))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    given = sys.argv[1:]
    asyncio.run(
        main(
            float(given[0]) if given else 0.0,
            json.loads(Path(given[1]).read_text(encoding="utf-8")) if len(given) > 1 else [],
        )
    )
