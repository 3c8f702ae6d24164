"""How many sentences of real papers are taken for orders to language models (`vivavoce.papers.injection`).

    python benchmarks/orders.py [--shared ../shared]

In the extracts of 264 papers, and in eight papers in full; each one that is found is printed.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from vivavoce import load
from vivavoce.papers.injection import speaks


def extracts(shared: Path) -> Iterator[str]:
    with gzip.open(shared / "data" / "sentences.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            for sentence in json.loads(line)["sentences"]:
                yield sentence if isinstance(sentence, str) else sentence["text"]


def papers(shared: Path) -> Iterator[str]:
    for file in sorted((shared / "papers").glob("*.pdf")):
        yield from (sentence.text for sentence in load(file).sentences)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    shared = options.parse_args().shared
    print("| where | sentences | taken for orders |\n|---|---|---|")
    for name, sentences in (("extracts of 264 papers", extracts(shared)), ("eight papers", papers(shared))):
        all_of_them = list(sentences)
        found = [sentence for sentence in all_of_them if speaks(sentence)]
        print(f"| {name} | {len(all_of_them):,} | {len(found)} |")
        for sentence in found:
            print(f"    {sentence}")


if __name__ == "__main__":
    main()
