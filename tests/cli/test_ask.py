"""`viva ask`: for people, as JSON, and when the call is wrong."""

import json
from pathlib import Path

import pytest

from tests.commands import viva
from tests.conftest import EXAMPLES

BIRDS = EXAMPLES / "papers" / "bird-songs.pdf"
CODE = "Where is the authors' code?"
LINK = "https://github.com/example-org/dawn-chorus-eleven"


def test_for_people() -> None:
    done = viva("ask", BIRDS, CODE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("bird-songs.pdf · Hearing the dawn")
    assert lines[1] == CODE
    assert lines[3].startswith("reported (confidence ")
    assert f"  link: {LINK}" in lines
    assert "     p. 3, Availability" in lines


def test_json_is_the_contract() -> None:
    done = viva("ask", BIRDS, CODE, "--json")
    document = json.loads(done.stdout)
    assert set(document) == {"paper", "question", "answers", "verdict"}
    assert set(document["paper"]) == {"id", "file", "title", "doi"}
    (answer,) = document["answers"]
    contract = {"paper", "question", "reader", "status", "answer", "confidence", "evidence", "needs_review"}
    assert contract <= set(answer)
    assert (answer["reader"], document["verdict"]["reader"]) == ("builtin", "verdict")
    assert answer["status"] == "reported"
    evidence = answer["evidence"][0]
    assert {"quote", "page", "match", "start", "end", "boxes"} <= set(evidence)
    assert LINK in evidence["quote"]
    assert evidence["page"] == 3
    assert all(len(box) == 5 and box[0] == 3 for box in evidence["boxes"])


def test_not_reported_shows_its_receipt() -> None:
    done = viva("ask", BIRDS, "Who paid for the work?")
    assert done.returncode == 0
    assert "not reported (confidence " in done.stdout
    assert "Read 3 pages and " in done.stdout
    assert "Closest, with the chance that it answers:" in done.stdout
    receipt = json.loads(viva("ask", BIRDS, "Who paid for the work?", "--json").stdout)["answers"][0][
        "receipt"
    ]
    assert receipt["pages"] == 3
    assert len(receipt["closest"]) == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.pdf", "Why?"], "nowhere.pdf"),
        ([BIRDS, "  "], "the question is empty"),
        ([BIRDS, "Why?", "--reader", "oracle"], "there is no reader 'oracle'"),
        ([BIRDS], "Missing argument"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: list[object], says: str) -> None:
    done = viva("ask", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_unreadable_is_exit_1_and_never_not_reported(tmp_path: Path) -> None:
    scan = tmp_path / "scan.txt"
    scan.write_text(" \n", encoding="utf-8")
    done = viva("ask", scan, "Why?")
    assert done.returncode == 1
    assert "unreadable" in done.stderr
    assert "not reported" not in done.stdout
    assert json.loads(viva("ask", scan, "Why?", "--json").stdout)["answers"][0]["status"] == "unreadable"
