"""What a worker process does for a study. It keeps its readers from one paper to the next."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from vivavoce.readers import Reader, StatesReader, reader
from vivavoce.readers.llm.chunks import Retrieval, nearest_chunks
from vivavoce.readers.ranking import rank_sentences
from vivavoce.records import Answer, Paper, Question


def answer(
    name: str, paper: Paper, questions: Sequence[Question], made: Reader | None = None
) -> list[Answer]:
    """What the reader says to each question. `made`: the reader, if it is not to be made by its name here."""
    answers = (made or _reader(name)).read(paper, questions)
    return [replace(answer, reader=name) for answer in answers]


def answer_from(
    name: str, paper: Paper, questions: Sequence[Question], kept: bytes, keep: bool
) -> tuple[list[Answer], bytes, bytes]:
    """The same from what the reader kept of the paper before; or what it is to keep now."""
    voice = _reader(name)
    assert isinstance(voice, StatesReader)
    answers, states, vectors = voice.read_from(paper, questions, kept, keep)
    return [replace(answer, reader=name) for answer in answers], states, vectors


def rank(paper: Paper, questions: Sequence[Question], retrieval: Retrieval | None = None) -> list[list[int]]:
    """For each question the numbers of the sentences that may answer it, best first: a language
    model is shown these. With `retrieval`, where the chunks nearest to it begin and end."""
    if retrieval is not None:
        return nearest_chunks(paper, questions, retrieval)
    return rank_sentences(paper, questions, threads=1)


@cache
def _reader(name: str) -> Reader:
    return reader(name, threads=1)
