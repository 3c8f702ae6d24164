"""`viva run`: ask many papers a question set, and keep the answers in a study."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import (
    EnergyOptions,
    Json,
    PaperLimits,
    RunModelOptions,
    WorkOptions,
    questions_option,
    reader_option,
)
from vivavoce.cli.output import clean, count, print_json
from vivavoce.cli.run_progress import show_progress, stoppable
from vivavoce.cli.status import document, show
from vivavoce.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vivavoce.results.status import StudyStatus
    from vivavoce.study.energy import Meter
    from vivavoce.study.progress import Summary


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Which study, what is asked, and who answers."""

    study: Annotated[
        Path | None,
        typer.Option("--study", metavar="DIR", help="The study's folder; it is created if there is none."),
    ] = None
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="URL",
            help="Keep papers and answers in this database instead of a file in the folder, such as "
            "postgresql://HOST/NAME?schema=my_study. Several runs may work on it at once. Needs `pip install "
            "'vivavoce[postgres]'`.",
        ),
    ] = None
    questions: Annotated[str | None, questions_option("the study's questions, or dl-methods")] = None
    reader: Annotated[
        list[str] | None,
        reader_option(
            "Who answers, in addition to the study's readers: builtin, table:FILE for answers from "
            "elsewhere, or a language model such as openai:gpt-5-mini or http://localhost:8080/v1#model. "
            "Repeat it for several readers, which then vote."
        ),
    ] = None


KeepStates = Annotated[
    bool,
    typer.Option(
        "--keep-states",
        help="Keep what the built-in reader made of each paper (3 to 4 MB), so that new questions are asked "
        "much faster later, and `viva search` finds what is meant as well as what is said.",
    ),
]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is made of tables."""

    without_files: Annotated[
        bool,
        typer.Option(
            "--without-files",
            help="Let papers that a table has answers about, and that have no file here, join the study with "
            "their metadata alone. Their answers count and vote, and nothing claims that quotes were "
            "checked.",
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class AgainOptions:
    """What is done again that was done before."""

    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="Recompute every answer without calling any model, those of language models from their "
            "stored replies, and list the answers that differ.",
        ),
    ] = False
    reread: Annotated[
        bool,
        typer.Option(
            "--reread",
            help="Read papers again that an older version of Vivavoce read, and ask those again whose text "
            "has changed. `viva doctor DIR` lists them.",
        ),
    ] = False


def run(
    papers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PAPERS...",
            help="Files and folders, or URLs that fsspec can read, such as s3://BUCKET/FOLDER (needs `pip "
            "install 'vivavoce[ray]' s3fs`). Default: the study's papers.",
        ),
    ] = None,
    asked: StudyOptions = StudyOptions(),
    work: WorkOptions = WorkOptions(),
    models: RunModelOptions = RunModelOptions(),
    tables: TableOptions = TableOptions(),
    again: AgainOptions = AgainOptions(),
    energy: EnergyOptions = EnergyOptions(),
    keep_states: KeepStates = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait while another run is working on the study.")
    ] = False,
    json: Json = False,
    limits: PaperLimits = PaperLimits(),
) -> None:
    """Ask every paper the same questions, and keep the answers in a study.

    Stop it at any moment and give the same command again: only what is missing is done. Papers, questions
    and readers may be added later. Ctrl-C stops within three seconds, a second one at once. The exit code is
    1 when a paper failed: it is listed with its reason, and tried again on the next run.
    """
    if asked.study is None:
        raise InputError("say where to keep the answers: --study DIR.")
    from vivavoce.readers.llm.limits import Budget
    from vivavoce.results.status import study_status
    from vivavoce.study.engines import find_engine
    from vivavoce.study.study import Study

    engine = find_engine(work.engine or "local", work.workers, work.ray_address)
    study, readers = asked.study, asked.reader or ()
    if not papers and not Study.exists(asked.store or study) and not tables.without_files:
        raise InputError(f"{study}: there is no study here; name the papers to ask.")
    files = _files(papers or ())  # before anything is created
    meter = _meter(energy, readers)
    opened = Study.create(
        study,
        asked.questions or "",
        readers,
        models=models.settings(),
        store=asked.store or "",
        wait=wait,
    )
    try:
        with stoppable() as stop, show_progress() as progress:
            summary = opened.run(
                files,
                on=engine,
                limits=limits.limits(),
                progress=progress,
                stop=stop,
                wait=wait,
                budget=Budget(models.max_tokens, models.max_cost),
                replay=again.replay,
                reread=again.reread,
                without_files=tables.without_files,
                keep_states=keep_states,
                meter=meter,
            )
        status = study_status(opened.store)
    finally:
        opened.close()
    _print(study, status, summary, json=json, replay=again.replay)
    _leave(status, summary, again)


def _leave(status: "StudyStatus", summary: "Summary", again: AgainOptions) -> None:
    """Exits with the code of what happened, if it is not 0."""
    if summary.stopped:
        print("viva: stopped; give the same command again to continue.", file=sys.stderr)
        raise typer.Exit(130)
    if again.reread:
        listed = dict(status.failed)
        for file, reason in summary.failed:
            if file not in listed:
                print(f"viva: {clean(file)}: not read again: {clean(reason)}", file=sys.stderr)
    if status.failed or summary.differ or ((again.replay or again.reread) and summary.failed):
        raise typer.Exit(1)


def _files(papers: "Sequence[str]") -> "list[str | Path]":
    from vivavoce.papers.discovery import ENDINGS
    from vivavoce.study.pending import find_papers

    files = find_papers(papers)
    if papers and not files:
        raise InputError(f"{papers[0]}: there is no paper in it; papers end in {', '.join(ENDINGS)}.")
    return files


def _meter(options: EnergyOptions, readers: "Sequence[str]") -> "Meter | None":
    if not options.energy and not options.country:
        return None
    from vivavoce.readers import runs_here
    from vivavoce.study.energy import Meter

    # A model server was not started by this process: only the whole machine's energy includes it.
    served = any(runs_here(name) for name in readers)
    return Meter(options.country, whole_machine=served)


def _print(study: Path, status: "StudyStatus", summary: "Summary", *, json: bool, replay: bool) -> None:
    if json:
        differ = [{"file": file, "question": id, "reader": name} for file, id, name in summary.differ]
        done = {"done": summary.cells, "stopped": summary.stopped}
        print_json({**document(study, status), **done, **({"differ": differ} if replay else {})})
    elif replay:
        _show_replay(summary)
    else:
        show(study, status)
        print(f"Next: viva export {clean(str(study))} --to answers.xlsx")


def _show_replay(summary: "Summary") -> None:
    """What a replay found, in words."""
    same = "all the same as before." if not summary.differ else f"{len(summary.differ):,} of them differ:"
    print(f"{count(summary.cells, 'answer')} recomputed, {same}")
    for file, question, reader in summary.differ:
        print(f"  {clean(file)}: {clean(question)}, {clean(reader)}")
    for file, reason in summary.failed:
        print(f"could not be replayed: {clean(file)}: {clean(reason)}")
