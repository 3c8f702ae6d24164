"""A file with a language model's reply, with or without the prompt that it was given -> the reply alone.

Pipelines that send a filled-in prompt often store what went in together with what came out. The reply is
what follows the last mark at which the model was to begin (`Helpful Answer:`, `Answer:::`). What was asked
is in the prompt, too, behind `Query:` or `Question:`.
"""

import re
from typing import NamedTuple

_MARK = re.compile(r"(?:Helpful Answer:|Answer:::)[ \t]*")
_ASKED = re.compile(
    r"^[ \t]*(?:Query|Question):[ \t]*[\"“]?(?P<asked>[^\n%\"”]*[^\s\"”])[\"”]?[ \t]*$", re.MULTILINE
)

_LABEL = re.compile(r"^Answer:\s*")
"""Models repeat it from the prompt."""


class FileReply(NamedTuple):
    """What a file of one reply holds."""

    text: str
    """The model's words, and none of the prompt's."""
    asked: str = ""
    """The question, if the prompt is there."""


def split_reply(text: str) -> FileReply:
    """The reply in a file, and what was asked. Text without such a mark is a reply as a whole."""
    marks = list(_MARK.finditer(text))
    if not marks:
        return FileReply(text.strip())
    before, reply = text[: marks[-1].start()], _LABEL.sub("", text[marks[-1].end() :].strip())
    questions = _ASKED.findall(before)
    if not questions and not before.strip():
        return FileReply(reply)
    return FileReply(reply, questions[-1].strip() if questions else "")
