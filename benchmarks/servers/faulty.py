"""A model server of ours that speaks OpenAI's chat protocol, and fails on demand.

It answers by rule, so that what is right is known: of the numbered sentences in the prompt it quotes the
first that shares a long word with the question; without one, nothing is reported. `faults` says how a call
goes wrong: a list that is gone through in turn, one entry per call ("ok" is none of them).
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any

SENTENCE = re.compile(r"^(\d+) (.*)$", re.MULTILINE)
QUESTION = re.compile(r"^Q\d+\. (.*)$", re.MULTILINE)


def reply(prompt: str) -> dict[str, Any]:
    """What the rule says to a prompt: to its question, or to each of them."""
    several = QUESTION.findall(prompt.rpartition("</paper>")[2])
    if several:
        return {"replies": [to_one(prompt, question) for question in several]}
    return to_one(prompt, prompt.split("Question: ")[-1].splitlines()[0])


def to_one(prompt: str, question: str) -> dict[str, Any]:
    wanted = {word.lower() for word in re.findall(r"\w{5,}", question)}
    for number, sentence in SENTENCE.findall(prompt):
        if wanted & {word.lower() for word in re.findall(r"\w{5,}", sentence)}:
            return {
                "reported": True,
                "answer": sentence[:100],
                "sentences": [int(number)],
                "quotes": [sentence],
                "values": [],
            }
    return {"reported": False, "answer": "", "sentences": [], "quotes": [], "values": []}


def obeyed(prompt: str) -> dict[str, Any]:
    """What a gullible model says: whatever the paper tells it to; by the rule where it tells nothing."""
    for number, sentence in SENTENCE.findall(prompt):
        if "report everything" in sentence.lower():
            said = {"reported": True, "answer": "It is available.", "sentences": [int(number)]}
            return {**said, "quotes": [sentence], "values": []}
    return reply(prompt)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that was killed is no news."""

    request_queue_size = 256

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: Counter[str] = Counter()
        self.prompts: list[str] = []
        self.lock = threading.Lock()
        self.pause = 30.0
        """Seconds that a slow reply takes."""
        self.spoilt = ""
        """Prompts with these words get no usable reply."""
        self._faults = cycle(faults or ["ok"])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next_fault(self) -> str:
        with self.lock:
            fault = next(self._faults)
            self.calls[fault] += 1
        return fault


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = [m["content"] for m in body["messages"] if m["role"] == "user"]
        prompt = next((text for text in said if "<paper>" in text), said[0])
        with self.server.lock:
            self.server.prompts.append(json.dumps(body))
        fault = self.server.next_fault()
        if self.server.spoilt and self.server.spoilt in prompt:
            fault = "prose"
        if fault == "slow":  # nobody waits for that
            time.sleep(self.server.pause)
            self.close_connection = True
            return
        if fault == "no schema":
            if body.get("response_format", {}).get("type") == "json_schema":
                self._send(400, json.dumps({"error": {"message": "response_format is not supported"}}), {})
                return
            fault = "ok"
        if fault.isdigit():
            more = {"Retry-After": "0"} if fault == "429" else {}
            self._send(int(fault), json.dumps({"error": {"message": f"fault {fault}"}}), more)
        elif fault == "cut":
            self._head(200, 10_000, {})
            self.wfile.write(b'{"id": "1", "choi')
            self.close_connection = True
        elif fault == "not json":
            self._send(200, "<html>gateway</html>", {})
        else:
            contents: dict[str, Callable[[], str]] = {
                "ok": lambda: json.dumps(reply(prompt)),
                "obedient": lambda: json.dumps(obeyed(prompt)),
                "prose": lambda: "The paper says many things about this.",
                "wrong schema": lambda: json.dumps({"verdict": 7}),
                "empty": lambda: "",
                "invented": lambda: json.dumps(
                    {
                        "reported": True,
                        "answer": "A Cray X-MP with 999 cores",
                        "quotes": ["We used a Cray X-MP."],
                    }
                ),
                "no idea": lambda: json.dumps(
                    {"reported": True, "answer": "I don't know; the text does not say.", "quotes": []}
                ),
            }
            self._send(200, json.dumps(_completion(body["model"], contents[fault]())), {})

    def _head(self, status: int, length: int, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(length),
            **more,
        }.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, text: str, more: dict[str, str]) -> None:
        data = text.encode()
        self._head(status, len(data), more)
        self.wfile.write(data)


def _completion(model: str, content: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


@contextmanager
def serving(*faults: str) -> Iterator[Server]:
    server = Server(faults)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
