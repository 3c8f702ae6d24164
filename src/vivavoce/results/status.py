"""How far a study is: what is done, what failed and why, what a person should review."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from vivavoce.panel.decisions import is_decided, reviewers_disagree
from vivavoce.panel.voting import needs_review
from vivavoce.papers.entries import PREFIX
from vivavoce.papers.files import exists
from vivavoce.papers.remote import is_url
from vivavoce.records import Cost, PaperWarning
from vivavoce.results.calibration import calibration_lines
from vivavoce.results.cells import Results
from vivavoce.results.costs import add_costs
from vivavoce.results.energy import Energy, total_energy
from vivavoce.store import File, Store, file_id


@dataclass(frozen=True, slots=True)
class StudyStatus:
    papers: int
    questions: int
    readers: tuple[str, ...]
    cells: int
    """Papers x questions."""
    statuses: dict[str, int]
    """How many cells have each status, by their verdict."""
    waiting: int
    """Cells that nobody has tried yet."""
    review: int
    """Cells that a person should review."""
    failed: tuple[tuple[str, str], ...]
    """Files of which some cell failed, with the reason."""
    same: tuple[tuple[str, str], ...]
    """Files that are another name for a paper: that file, and the one that counts."""
    costs: dict[str, Cost]
    """What the answers of each language model took."""
    energy: dict[str, Energy]
    """What each reader used, in the runs that were measured."""
    runs: int
    last: str
    """When something was last logged."""
    decided: int = 0
    """Cells that people decided."""
    reviewers: dict[str, int] = field(default_factory=dict)
    """How many cells each person has decided, by name; adjudications, too."""
    disagreements: int = 0
    """Cells that reviewers disagree on, which need an adjudication; they are in `review`, too."""
    calibrated: tuple[str, ...] = ()
    """What people's decisions taught the readers, a line for each."""
    warned: tuple[tuple[str, tuple[PaperWarning, ...]], ...] = ()
    """Files with something to know about them, and what."""


def study_status(store: Store) -> StudyStatus:
    found = Results.of(store)
    statuses: Counter[str] = Counter()
    reviewers: Counter[str] = Counter()
    review = decided = disagreements = 0
    failed: dict[str, str] = {}
    spent: dict[str, Cost] = {}
    for cell in found.cells():
        add_costs(spent, cell)
        statuses[cell.verdict.status] += 1
        review += needs_review(cell.verdict)
        decided += is_decided(cell)
        disagreements += reviewers_disagree(cell)
        reviewers.update({decision.reviewer for decision in cell.decisions})
        for answer in cell.answers:
            if answer.status == "failed":
                failed.setdefault(cell.paper.file, answer.reason)
    runs = store.runs()
    return StudyStatus(
        papers=len(found.papers),
        questions=len(found.questions.questions),
        readers=found.readers,
        cells=len(found),
        statuses=dict(statuses),
        waiting=len(found) - sum(statuses.values()),
        review=review,
        decided=decided,
        reviewers=dict(sorted(reviewers.items())),
        disagreements=disagreements,
        calibrated=calibration_lines(store),
        failed=tuple(failed.items()),
        warned=tuple((paper.file, paper.warnings) for paper in found.papers if paper.warnings),
        same=_same(store, {paper.id: paper.file for paper in found.papers}),
        costs=spent,
        energy=total_energy(runs),
        runs=max((run["run"] for run in runs), default=0),
        last=runs[-1]["at"] if runs else "",
    )


def _same(store: Store, first: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (file.name, first[file.paper])
        for file in store.files()
        if file.paper and first.get(file.paper, file.name) != file.name
    )


def faults(store: Store) -> list[str]:
    """What is wrong with a study: in its database, or with the files behind its papers."""
    found = list(store.problems())
    for file in store.files():
        if file.path.startswith(PREFIX):  # there never was a file
            continue
        if not exists(file.path):
            found.append(f"{file.name}: the file is gone; its answers are kept, its pages can't be shown")
        elif file.paper and store.has_paper(file.paper) and not _unchanged(file):
            found.append(f"{file.name}: the file has changed since it was read; run the study again")
    return found


def _unchanged(file: File) -> bool:
    try:
        return is_url(file.path) or file_id(Path(file.path)) == file.paper
    except OSError:  # a folder by now, or nobody may read it
        return False
