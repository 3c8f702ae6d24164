"""Do the reproducibility variables that a study comes to agree with people's?

    python benchmarks/variables.py

Asks the eight papers of `../shared/papers` the set `dl-methods`, and compares its ten variables and five
levels with those that people took from the same papers by hand (`../shared/data/human_variables.csv`).
"""

import csv
import tempfile
from pathlib import Path

from gold import SHARED, agreement

from vivavoce.results.summary import cells_by_paper, summarise_paper
from vivavoce.study.study import Study


def main() -> None:
    with (SHARED / "data" / "human_variables.csv").open(encoding="utf-8", newline="") as file:
        people = {row["no"]: [row[name] == "y" for name in list(row)[3:18]] for row in csv.DictReader(file)}
    with tempfile.TemporaryDirectory() as scratch:
        study = Study.create(Path(scratch) / "study", "dl-methods")
        study.run([SHARED / "papers"])
        results = study.results()
        asked = results.questions
        names = [v.name for v in asked.variables] + [f"level {level.number}" for level in asked.levels]
        pairs: list[list[tuple[bool, bool]]] = [[] for _ in names]
        for paper, cells in cells_by_paper(results):
            found = summarise_paper(asked, paper, cells)
            said = [*found.variables, *found.levels]
            for n, truth in enumerate(people.get(Path(paper.file).stem, ())):
                pairs[n].append((truth, bool(said[n])))
        study.close()
    print(f"{'':40}{'papers':>8}{'people':>8}{'study':>8}{'agree':>8}")
    for name, some in zip(names, pairs, strict=True):
        yes, claimed = sum(a for a, _ in some), sum(b for _, b in some)
        print(f"{name:40}{len(some):8}{yes:8}{claimed:8}{sum(a == b for a, b in some):8}")
    variables = [pair for some in pairs[: len(asked.variables)] for pair in some]
    figures = agreement([a for a, _ in variables], [b for _, b in variables])
    print(f"\nall variables: accuracy {figures['accuracy']:.3f}, kappa {figures['kappa']:.3f}")


if __name__ == "__main__":
    main()
