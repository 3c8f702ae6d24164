"""A published study from its own files: every figure that it reports, beside what its data comes to.

    python benchmarks/published_study.py [FOLDER]

Kommineni et al. (2025), PeerJ Computer Science 11:e3204: five language models answered 28 questions about
464 papers in words, a language model turned each reply into yes or no, and the five voted. The files are
read by the product's own tables, and a study of papers without files is made of them (`--without-files`);
the vote, the filter and the agreement are the product's. They are not part of the repository; they are
looked for in ../shared/data/published.
"""

import csv
import gzip
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.gold import SHARED
from vivavoce.evidence.replies import reported
from vivavoce.evidence.tables.parsing import TableContents, read_table
from vivavoce.results.agreement import agreement
from vivavoce.results.evaluation import evaluate
from vivavoce.results.labels import read_labels
from vivavoce.results.screening import screening
from vivavoce.study.study import Study

MODELS = ("gemma2-9b-it_groq", "llama-3.1_70b_groq", "llama-3_70b_groq", "mixtral_8_22b", "mixtral_8_7b_groq")
SHORT = {
    "gemma2-9b-it_groq": "gemma2-9b",
    "llama-3.1_70b_groq": "llama3.1-70b",
    "llama-3_70b_groq": "llama3-70b",
    "mixtral_8_22b": "mixtral-8x22b",
    "mixtral_8_7b_groq": "mixtral-8x7b",
}
Row = tuple[str, str, str]
"""What, as published, as it comes out here."""


def binary(folder: Path, model: str) -> Path:
    """The yes/no table of a model that the published figures use: the one after a second pass, if there is
    one."""
    updated = folder / "binary" / f"{model}_updated.csv"
    return updated if updated.exists() else folder / "binary" / f"{model}.csv"


def rows(folder: Path) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        readers = [f"table:{binary(folder, model)}" for model in MODELS]
        tables = [*readers, f"table:{folder / 'DL_methods_identify.csv'}"]
        study = Study.create(Path(scratch) / "study", "dl-methods", tables)
        study.run(without_files=True)
        yield from _votes(study)
        yield from _kappas(study)
        yield from _variables(study, folder)
        study.close()
    yield from _cosines()
    yield from _conversion(folder)


def _votes(study: Study) -> Iterator[Row]:
    """The hard vote, before and after the filter."""
    found = screening(study.results())
    yes = sum(question.before.reported for question in found.questions)
    cells = sum(question.before.papers for question in found.questions)
    # A tie is for a person; until then the verdict is "reported", which the published vote does not count.
    ties = sum(
        cell.verdict.status == "reported" and any(doubt.kind == "tie" for doubt in cell.verdict.doubts)
        for cell in study.results(screened=False).cells()
        if not cell.question.screen
    )
    yield "papers", "464", f"{found.papers}"
    yield "answers positive by hard vote", "3,524 of 12,992", f"{yes - ties:,} of {cells:,} (and {ties} ties)"
    yield "papers that pass the filter", "257", f"{found.passed}"
    by_id = {question.question.id: question for question in found.questions}
    for id, published in (("CQ1", "215 -> 109"), ("CQ25", "345 -> 247"), ("CQ27", "6 -> 6")):
        one = by_id[id]
        yield (
            f"{id} positive before and after the filter",
            published,
            f"{one.before.reported} -> {one.after.reported}",
        )


def _kappas(study: Study) -> Iterator[Row]:
    """Of each pair of models, over all papers."""
    found = agreement(study.results(screened=False))
    kappas = [
        (pair.kappa.value, [SHORT[_model(name)] for name in pair.readers])
        for pair in found.overall.pairs
        if pair.kappa.value is not None and all(_model(name) in SHORT for name in pair.readers)
    ]
    low, high = min(kappas), max(kappas)
    yield "kappa by pair of models", "0.53 to 0.79", f"{low[0]:.2f} to {high[0]:.2f}"
    yield "  least", "", " / ".join(low[1])
    yield "  most", "", " / ".join(high[1])


def _model(reader: str) -> str:
    """The model whose table it is."""
    return Path(reader.removeprefix("table:")).stem.removesuffix("_updated")


def _variables(study: Study, folder: Path) -> Iterator[Row]:
    """People's variables against the vote. The published figure is of six variables; which questions it
    took for each is not in the files, and different choices come to the same sum, so it is not claimed to
    come out here."""
    file = folder / "Final_data.csv"
    with file.open(encoding="utf-8-sig", newline="") as opened:
        numbers = {
            row["DOI"].strip() or row["Article_name"].strip(): row["no"] for row in csv.DictReader(opened)
        }
    # The study knows these papers by their numbers.
    named = [replace(label, file=f"{numbers[label.file]}.pdf") for label in read_labels(file)]
    found = evaluate(study.results(screened=False), named)
    scores = [one for one in found.variables if not one.name.startswith("level")]
    agreed, all_ = sum(one.score.tp + one.score.tn for one in scores), sum(one.score.n for one in scores)
    yield "agreement with people's variables", "417 of 600 (six)", f"{agreed} of {all_} (our ten)"


def _cosines() -> Iterator[Row]:
    """The likeness of the models' words: TF-IDF over all replies, on a sample of every tenth cell."""
    file = SHARED / "data" / "answers.jsonl.gz"
    if not file.exists():
        return
    from vivavoce.results.agreement import _Words

    words = _Words()
    names = list(SHORT.values())
    cells = 0
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        for number, row in enumerate(map(json.loads, opened)):
            if number % 10:
                continue
            for model, text in row["answers"].items():
                if model in names and text:
                    words.add(cells, names.index(model), text)
            cells += 1
    pairs = list(combinations(range(len(names)), 2))
    found = words.cosines(pairs, cells)
    means = [float(some[some == some].mean()) for some in found]
    low, high = (pairs[means.index(edge)] for edge in (min(means), max(means)))
    yield "cosine by pair of models (TF-IDF)", "in the figures", f"{min(means):.2f} to {max(means):.2f}"
    yield "  least", "", f"{names[low[0]]} / {names[low[1]]}"
    yield "  most", "", f"{names[high[0]]} / {names[high[1]]}"


def _conversion(folder: Path) -> Iterator[Row]:
    """Text to yes or no, against people's decisions: the published conversion by a model, and ours without
    one."""
    counts: Counter[str] = Counter()
    for file in sorted((folder / "human").glob("CQs_answer_*_random_sample_GT.csv")):
        model = file.name.removeprefix("CQs_answer_").removesuffix("_random_sample_GT.csv")
        theirs = _yes(read_table(binary(folder, model)))
        with file.open(encoding="utf-8-sig", newline="") as opened:
            for row in csv.DictReader(opened):
                if row["decision"] not in ("Yes", "No"):
                    continue
                paper, question = (
                    row["Unique_ID"].removeprefix("Publication_").removesuffix(".txt").rsplit("_", 1)
                )
                truth = row["decision"] == "Yes"
                counts["all"] += 1
                counts["theirs"] += theirs.get((paper, question), False) == truth
                counts["ours"] += reported(None, row["CQ_Answer"]) == truth
    three = f"of {counts['all']:,} (three models)"
    yield "conversion against people, by a model", "3,566 of 4,194 (five)", f"{counts['theirs']:,} {three}"
    yield "conversion against people, ours (learned on these)", "", f"{counts['ours']:,} {three}"


def _yes(table: TableContents) -> dict[tuple[str, str], bool]:
    return {
        (paper, cell[0].question): bool(cell[0].reported)
        for paper, cells in table.cells.items()
        for cell in cells
    }


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "data" / "published"
    if not (folder / "binary").is_dir():
        print(f"{folder} is not there: the published files are not part of the repository.", file=sys.stderr)
        return 1
    began = time.perf_counter()
    print(f"{'':52}{'published':>24}  {'from the files':>30}")
    for what, published, here in rows(folder):
        print(f"{what:52}{published:>24}  {here:>30}", flush=True)
    print(f"\n{time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
