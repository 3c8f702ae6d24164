"""Writes what each question set asks into its page, `docs/sets/NAME.md`, between two marks; the rest of a
page, how well the set was measured, is written by hand. `--check` only says whether the pages are current."""

import sys
from pathlib import Path

from vivavoce.questions import load, shipped
from vivavoce.records import Question, QuestionSet

FOLDER = Path(__file__).parent / "sets"
BEGIN, END = "<!-- questions: made by docs/make_set_pages.py -->", "<!-- /questions -->"


def table(some: QuestionSet) -> str:
    """The questions, and the variables and levels, as Markdown."""
    lines = [
        some.about,
        "",
        f"Where it comes from: {some.source}",
        "",
        "| id | question | answer |",
        "|---|---|---|",
    ]
    lines += [f"| `{q.id}` | {_safe(q.text)} | {_form(q)} |" for q in some.questions]
    if some.variables:
        lines += ["", "| variable | category | given when |", "|---|---|---|"]
        for variable in some.variables:
            joined = f" {'and' if variable.need == 'all' else 'or'} ".join(
                f"`{id}`" for id in variable.questions
            )
            values = (
                f" is {' or '.join(f'`{v}`' for v in variable.values)}" if variable.values else " is reported"
            )
            lines.append(f"| {_safe(variable.name)} | {_safe(variable.category)} | {joined}{values} |")
    if some.levels:
        lines += ["", "| level | | needs all variables of |", "|---|---|---|"]
        lines += [f"| {v.number} | {_safe(v.name)} | {_safe(', '.join(v.categories))} |" for v in some.levels]
    return "\n".join(lines)


def _form(question: Question) -> str:
    if question.screen:
        return "screening question"
    if not question.choices:
        return question.kind
    codes = ", ".join(f"`{code}`" for code in (*question.choices, question.absent) if code)
    return f"{'some' if question.several else 'one'} of {codes}"


def _safe(text: str) -> str:
    return text.replace("|", "\\|")


def page(name: str, now: str) -> str:
    """The page with its questions as the set has them."""
    some = load(name)
    before, _, rest = now.partition(BEGIN)
    _, _, after = rest.partition(END)
    head = before or f"# {some.title} (`{name}`)\n\n"
    return f"{head}{BEGIN}\n{table(some)}\n{END}{after or chr(10)}"


def main(arguments: list[str]) -> int:
    old = []
    for name in shipped():
        file = FOLDER / f"{name}.md"
        now = file.read_text(encoding="utf-8") if file.exists() else ""
        made = page(name, now)
        if made != now:
            old.append(name)
            if "--check" not in arguments:
                file.write_text(made, encoding="utf-8")
    if old and "--check" in arguments:
        print(f"docs/sets is not current ({', '.join(old)}); run `make docs`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
