"""How well `evidence.replies.says_nothing` agrees with a published conversion of replies to yes and no.

Five language models answered 28 questions about 454 papers in words, and each reply was turned into yes or no
by a language model. This compares: a reply that says nothing with "no", any other with "yes". The papers on
which the rules were made (`10.1016_*`) and the others are shown apart.

    python benchmarks/replies.py [ANSWERS.jsonl.gz]

The data is not part of the repository; it is looked for in ../shared.
"""

import gzip
import json
import sys
from collections import Counter
from pathlib import Path

from vivavoce.evidence.replies import says_nothing

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "answers.jsonl.gz"
MADE_ON = "10.1016_"


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not path.is_file():
        print(f"{path} is not there: the published answers are not part of the repository.", file=sys.stderr)
        return 1
    counts: Counter[tuple[str, str, bool, bool]] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            side = "made on" if row["paper"].startswith(MADE_ON) else "others"
            for model, text in row["answers"].items():
                vote = row["votes"].get(model)
                if vote in ("yes", "no") and text and text.strip():
                    nothing = says_nothing(text)
                    for name in (model, "all"):
                        counts[side, name, nothing, vote == "no"] += 1
    print("papers    model           replies  agreement  kappa  nothing/no  nothing/yes  said/no  said/yes")
    for side, name in sorted({key[:2] for key in counts}):
        a, b, c, d = (counts[side, name, said, no] for said in (True, False) for no in (True, False))
        n = a + b + c + d
        agreed, chance = (a + d) / n, ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
        kappa = (agreed - chance) / (1 - chance)
        print(f"{side:8}  {name:14} {n:8,} {agreed:10.3f} {kappa:6.2f} {a:11,} {b:12,} {c:8,} {d:9,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
