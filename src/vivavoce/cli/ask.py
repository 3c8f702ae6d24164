"""`viva ask`: ask one paper one question."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import Json, ModelOptions, PaperLimits, reader_option
from vivavoce.cli.output import clean, console, count, print_json
from vivavoce.errors import InputError
from vivavoce.results.statuses import STATUSES, status_words, what_was_found
from vivavoce.results.values import value_words

if TYPE_CHECKING:
    from rich.console import Console

    from vivavoce.records import Answer, Paper

WIDTH = 100


def ask(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The paper.")],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Your question, in quotation marks.")],
    reader: Annotated[
        list[str] | None,
        reader_option(
            "Who answers: builtin (the default), table:FILE for answers from elsewhere, or a language model "
            "such as openai:gpt-5-mini or http://localhost:8080/v1#model. Repeat it for several readers, "
            "which then vote."
        ),
    ] = None,
    models: ModelOptions = ModelOptions(),
    json: Json = False,
    limits: PaperLimits = PaperLimits(),
) -> None:
    """Ask one paper one question. The answer comes with quotes and pages, or is "not reported".

    The built-in reader reads the whole paper, offline. "Not reported" comes with what was read and the
    closest sentences. The confidence says how sure the reader is of "reported" or "not reported". The exit
    code is 1 when the paper has no usable text.
    """
    if not any(c.isalnum() for c in question):
        raise InputError("the question is empty; ask something, for example 'Where is the code?'")
    from vivavoce.evidence.locating import with_boxes
    from vivavoce.export.json_lines import json_line
    from vivavoce.panel.voting import verdict
    from vivavoce.papers import load
    from vivavoce.readers import reader as find_reader
    from vivavoce.readers.llm.limits import ModelSettings, RunLimits
    from vivavoce.readers.llm.session import ModelSession
    from vivavoce.records import Question

    session = ModelSession(RunLimits(ModelSettings(models.context)))
    readers = [find_reader(name, session=session) for name in dict.fromkeys(reader or ["builtin"])]
    paper = load(file, limits=limits.limits())
    asked = Question(" ".join(question.split()))
    answers = with_boxes(paper, [answer for voice in readers for answer in voice.read(paper, [asked])])
    if not answers:
        raise InputError(
            f"{readers[0].name} has no answer to this question about this paper; ask another reader."
        )
    came_to = verdict(answers)
    if json:
        lines = [json_line(paper, answer) for answer in answers]
        head = {"paper": lines[0]["paper"], "question": lines[0]["question"]}
        print_json({**head, "answers": lines, "verdict": json_line(paper, came_to)})
    elif not paper.unreadable:
        _show(paper, came_to, console(), answers)
    silent = [voice.name for voice in readers if voice.name not in {answer.reader for answer in answers}]
    for name in silent:
        print(f"viva: {clean(name)} has no answer to this question about this paper.", file=sys.stderr)
    if paper.unreadable:
        reason = clean(paper.unreadable).rstrip(".")
        print(f"viva: {clean(paper.file)}: unreadable: {reason}.", file=sys.stderr)
        raise typer.Exit(1)


def _show(paper: "Paper", answer: "Answer", screen: "Console", voters: "Sequence[Answer]") -> None:
    from rich.text import Text

    width = min(WIDTH, screen.width) if screen.is_terminal else WIDTH
    for style, indent, text in (*_lines(paper, answer), *_votes(answer, voters)):
        for part in wrap(clean(text), width - indent, break_on_hyphens=False) or [""]:
            screen.print(Text(" " * indent).append(part, style=style), soft_wrap=True)


def _votes(answer: "Answer", voters: "Sequence[Answer]") -> Iterator[tuple[str, int, str]]:
    """What each reader answered, when there are several; and why a person should review it."""
    if len(voters) > 1:
        yield "", 0, ""
        yield "dim", 0, "The readers:"
        for voter in voters:
            yield (
                "",
                2,
                f"{voter.reader}: {status_words(voter.status)} (confidence {voter.confidence:.2f})",
            )
    for doubt in answer.doubts:
        yield "yellow", 0, f"To review: {doubt.text}"


def _lines(paper: "Paper", answer: "Answer") -> Iterator[tuple[str, int, str]]:
    """What to show: a style, an indent, a line."""
    paged = bool(paper.pages[0].width)
    yield "dim", 0, f"{Path(paper.file).name} · {paper.title or 'no title found'}"
    yield "bold", 0, answer.question.text
    yield "", 0, ""
    look = STATUSES[answer.status]
    yield f"bold {look.terminal}", 0, f"{look.words} (confidence {answer.confidence:.2f})"
    if words := value_words(answer):
        yield "bold cyan", 2, words
    if answer.text:
        yield "", 2, answer.text
    for value in answer.values:
        yield "cyan", 2, f"{value.kind}: {value.text}"
    if answer.evidence:
        yield "", 0, ""
        yield "dim", 0, "In the paper:" if len(answer.evidence) == 1 else "In the paper, best first:"
    for number, found in enumerate(answer.evidence, 1):
        where = f"p. {found.page}" if paged else ""
        section = paper.sentences_in(found.start, found.end)[0].section
        place = ", ".join(part for part in (where, section) if part)
        yield "", 2, f"{number}. “{found.reading or found.quote}”"
        if place:
            yield "dim", 5, place
    if receipt := answer.receipt:
        read = f"{count(receipt.pages, 'page')} and " if paged else ""
        yield (
            "",
            2,
            f"Read {read}{count(receipt.sentences, 'sentence')} to the end; {what_was_found(answer)}.",
        )
        if receipt.closest:
            yield "", 0, ""
            yield "dim", 0, "Closest, with the chance that it answers:"
        for close in receipt.closest:
            page = f"p. {close.page}: " if paged else ""
            yield "", 2, f"{close.score:.2f}  {page}“{close.text}”"
