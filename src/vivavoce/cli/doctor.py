"""`viva doctor`: show what is installed, and check a study."""

import sys
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from vivavoce.cli.options import Json, reader_option
from vivavoce.cli.output import clean, count, print_json

EXTRAS = {
    "energy": ("codecarbon", "measures energy"),
    "llm": ("pydantic_ai", "language models as readers"),
    "ocr": ("rapidocr", "reads scans"),
    "pandas": ("pandas", "`Study.to_pandas()`"),
    "report": ("matplotlib", "`viva export --to report.html`"),
    "stats": ("krippendorff", "`viva agreement`"),
    "web": ("fastapi", "`viva review`"),
}
"""What may be installed besides: the module that shows it, and what it is for."""


def doctor(
    study: Annotated[
        str | None, typer.Argument(metavar="DIR", help="A study to check. Default: only the installation.")
    ] = None,
    reader: Annotated[
        list[str] | None,
        reader_option(
            "Check whether this reader can be asked. A language model is called once, with a few words. "
            "Repeat it for several readers."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what is installed, whether readers can be reached, and whether a study is intact.

    For a study, the database is checked, the hash of every text is compared, every quote is looked up in its
    text, and every file is compared with what was read. Papers that an older version read are listed. The
    exit code is 1 when something is wrong.
    """
    found = _installation()
    reached = {name: _reached(name) for name in dict.fromkeys(reader or ())}
    problems: list[str] = []
    checked: dict[str, Any] = {}
    if study is not None:
        checked = _check_study(study)
        problems = checked["problems"]
    if json:
        print_json({**found, **checked, **({"reached": reached} if reached else {})})
    elif study is None and not reached:
        _show(found)
    for name, reason in reached.items() if not json else ():
        print(f"reader {clean(name)}: {clean(reason) or 'ready'}")
    if study is not None and not json:
        _show_study(study, checked)
    if problems or any(reached.values()):
        raise typer.Exit(1)


def _check_study(study: str) -> dict[str, Any]:
    from vivavoce.results.papers import outdated_papers
    from vivavoce.results.status import faults
    from vivavoce.store import Store

    store = Store.open(study)
    try:
        papers = store.sources()
        outdated = outdated_papers(store)
        return {
            "study": str(study),
            "papers": len(papers),
            "problems": faults(store),
            "outdated": [
                {"file": paper.file, "parsed_by": outdated[paper.id]}
                for paper in papers
                if paper.id in outdated
            ],
        }
    finally:
        store.close()


def _show_study(study: str, checked: dict[str, Any]) -> None:
    for problem in checked["problems"]:
        print(clean(problem))
    for paper in checked["outdated"]:
        by = f" ({paper['parsed_by']})" if paper["parsed_by"] else ""
        print(f"{clean(paper['file'])}: was read by an older version{clean(by)}")
    if checked["outdated"]:
        print(f"`viva run --study {clean(str(study))} --reread` reads these papers again.")
    verdict = count(len(checked["problems"]), "problem") if checked["problems"] else "no problems"
    print(f"{clean(str(study))}: {count(checked['papers'], 'paper')}, {verdict}.")


def _reached(name: str) -> str:
    """Why the reader can't be asked; empty when it can."""
    from vivavoce.errors import VivaError
    from vivavoce.readers import is_language_model, reader

    try:
        found = reader(name)
        if is_language_model(name):
            from vivavoce.readers.llm.reader import LLM

            assert isinstance(found, LLM)
            found.reach()
        else:
            found.ready()
    except VivaError as error:
        return str(error).removeprefix(f"{name}: ")
    return ""


def _installation() -> dict[str, Any]:
    import os

    from vivavoce import __version__
    from vivavoce.questions import shipped
    from vivavoce.readers import reader

    return {
        "version": __version__,
        "python": sys.version.split()[0],
        "cores": len(os.sched_getaffinity(0)),
        "readers": {"builtin": reader("builtin").version},
        "question_sets": list(shipped()),
        "extras": {name: find_spec(module) is not None for name, (module, _) in EXTRAS.items()},
    }


def _show(found: dict[str, Any]) -> None:
    print(f"vivavoce {found['version']}, Python {found['python']}, {count(found['cores'], 'core')}")
    for name, version in found["readers"].items():
        print(f"reader {name}: ready, version {version}")
    print(f"question sets: {', '.join(found['question_sets'])}")
    for name, there in found["extras"].items():
        purpose = EXTRAS[name][1]
        state = "installed" if there else f"not installed: pip install 'vivavoce[{name}]'"
        print(f"extra {name} ({purpose}): {state}")
