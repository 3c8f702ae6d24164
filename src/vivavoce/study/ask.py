"""Ask one paper one question."""

from pathlib import Path

from vivavoce.errors import ReaderError
from vivavoce.evidence.locating import with_boxes
from vivavoce.papers import load
from vivavoce.readers import reader as find_reader
from vivavoce.records import Answer, Paper, Question


def ask(paper: Paper | str | Path, question: str | Question, reader: str = "builtin") -> Answer:
    """Asks the paper (or the file) the question."""
    if isinstance(question, str):
        question = Question(" ".join(question.split()))
    voice = find_reader(reader)
    paper = paper if isinstance(paper, Paper) else load(paper)
    answers = with_boxes(paper, voice.read(paper, [question]))
    if not answers:
        raise ReaderError(f"{reader} has no answer to this question about this paper; ask another reader.")
    return answers[0]
