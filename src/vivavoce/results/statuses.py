"""What each status is called and how it looks: on the page, in the report, in the workbook, on the terminal.

A status is recognised by its sign where there is no colour. Colours are light
enough, or dark enough, that one ink is easy to read on all of them.
"""

from dataclasses import dataclass

from vivavoce.panel.voting import MIN_CONFIDENCE
from vivavoce.records import Answer, Status

LIGHT_INK, DARK_INK = "#1d2530", "#f2f4f6"
"""The text on a light and on a dark status colour."""


@dataclass(frozen=True, slots=True)
class CellLook:
    name: str
    """Also the class of a style sheet."""
    code: str
    """One letter, for long lists of cells."""
    sign: str
    words: str


@dataclass(frozen=True, slots=True)
class StatusLook(CellLook):
    name: Status
    meaning: str
    light: str
    """Its colour in a light page and in a workbook, as six hexadecimal digits."""
    dark: str
    """Its colour in a dark page."""
    terminal: str
    """Its colour in a terminal, by name."""


STATUSES: dict[Status, StatusLook] = {
    look.name: look
    for look in (
        StatusLook(
            "reported",
            "r",
            "●",
            "reported",
            "the paper says it",
            *("C6EFCE", "1F4D36", "green"),
        ),
        StatusLook(
            "not_reported",
            "n",
            "○",
            "not reported",
            "the paper was read to its end and nothing was found",
            *("FFEB9C", "554517", "yellow"),
        ),
        StatusLook(
            "unsupported",
            "u",
            "?",
            "unsupported",
            "a reader claimed it, but no quote for it stands in the paper",
            *("F8CBAD", "6A3A20", "magenta"),
        ),
        StatusLook(
            "unreadable",
            "x",
            "×",
            "unreadable",
            "the paper has no usable text",
            *("D0CECE", "434A54", "bright_black"),
        ),
        StatusLook(
            "failed",
            "f",
            "!",
            "failed",
            "an error; tried again on the next run",
            *("FF9999", "732B2B", "red"),
        ),
        StatusLook(
            "not_applicable",
            "a",
            "–",
            "not applicable",
            "the paper failed the screening question",
            *("DDEBF7", "2A3D54", "blue"),
        ),
    )
}
"""In the order in which they are listed."""

NOT_ASKED = CellLook("not-asked", ".", "·", "no answer yet")
"""A cell that nobody has tried yet: no status, but shown beside them."""


def what_was_found(answer: Answer) -> str:
    """What a receipt says of an answer "not reported": a reader that is unsure says so."""
    if answer.confidence < MIN_CONFIDENCE:
        return "what came closest may answer it"
    return "nothing answers it"


def status_words(status: Status) -> str:
    """The status as people read it."""
    return STATUSES[status].words


def status_css() -> str:
    """Rules of a style sheet: a class for each status, named after it, that follows the page into the dark;
    and the sign before a `chip`, which is not read aloud since the chip has the words."""

    def colours(ink: str, of: dict[str, str]) -> str:
        return " ".join(
            [f"--on-status: {ink};", *(f"--{name}: #{colour.lower()};" for name, colour in of.items())]
        )

    light = colours(LIGHT_INK, {name: look.light for name, look in STATUSES.items()})
    dark = colours(DARK_INK, {name: look.dark for name, look in STATUSES.items()})
    rules = [
        f":root {{ {light} }}",
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}",
    ]
    for name, look in STATUSES.items():
        rules.append(f".{name} {{ background: var(--{name}); color: var(--on-status); }}")
        rules.append(f'.chip.{name}::before {{ content: "{look.sign}"; content: "{look.sign}" / ""; }}')
    return "\n".join(rules) + "\n"
