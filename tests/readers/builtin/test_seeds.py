"""Five real contexts about training hardware: what the reader must at least find."""

import re
from pathlib import Path

import pytest

import vivavoce
from vivavoce.records import Answer

QUESTION = "Which hardware was the model trained on?"
PUBLISHED = "Which hardware resources are used for training the deep learning model (e.g., GPUs, TPUs)?"


def context(shared: Path, number: str, tmp_path: Path) -> Path:
    """The passages of a seed's prompt, as a text file."""
    (seed,) = (shared / "seeds").glob(f"{number}_*.txt")
    prompt = seed.read_text(encoding="utf-8")
    passages = prompt.split("make up an answer.", 1)[1].split("%Query", 1)[0]
    file = tmp_path / f"{number}.txt"
    file.write_text(re.sub(r" {2,}", " ", passages), encoding="utf-8")
    return file


@pytest.mark.parametrize("question", [QUESTION, PUBLISHED])
@pytest.mark.parametrize(
    ("number", "first"),
    [
        ("000", ["32 CPUs", "CentOS"]),
        ("001", ["Azure", "AMD EPYC"]),
        ("002", ["GPU"]),
        ("003", ["TITAN Xp", "single GPU", "three GPUs"]),
    ],
)
def test_reported(shared: Path, tmp_path: Path, number: str, first: list[str], question: str) -> None:
    answer = vivavoce.ask(context(shared, number, tmp_path), question)
    assert answer.status == "reported"
    where = quotes(answer, 1 if number != "003" else 3)
    assert all(fact in where for fact in first), where


@pytest.mark.parametrize("question", [QUESTION, PUBLISHED])
def test_not_reported(shared: Path, tmp_path: Path, question: str) -> None:
    assert vivavoce.ask(context(shared, "004", tmp_path), question).status == "not_reported"


def quotes(answer: Answer, many: int) -> str:
    return " ".join(" ".join(e.quote.split()) for e in answer.evidence[:many])
