"""How many of a paper's key facts stand in the answers?

    python -m benchmarks.key_facts [--errors]

The eight papers of `../shared/gold` were read in full; for each reported question its key facts are labelled.
A fact is there when its words (without small ones) all stand in the answer's values, its words, or its
quotes: three shares, each with the ones before it. Links (CQ8 to CQ11) are listed as they come out, to be
looked at.
"""

import argparse
import json
import re

from benchmarks.gold import SHARED
from vivavoce.papers import load
from vivavoce.questions import asked
from vivavoce.questions import load as load_set
from vivavoce.readers.builtin.reader import Builtin
from vivavoce.results.values import value_words

_WORD = re.compile(r"[^\W_]+")
SMALL = frozenset("a an and as at by for from in of on or per the to with x".split())  # noqa: SIM905
LINKS = ("CQ8", "CQ9", "CQ10", "CQ11")


def words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in SMALL]


def there(fact: str, text: str) -> bool:
    known = set(words(text))
    return all(word in known or f"{word}s" in known or word.rstrip("s") in known for word in words(fact))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--errors", action="store_true", help="show the facts that are missing")
    options = parser.parse_args()
    questions = asked(load_set("dl-methods"))
    reader = Builtin()
    total, hits = 0, [0, 0, 0]
    for file in sorted((SHARED / "gold").glob("*.json")):
        labels = json.loads(file.read_text(encoding="utf-8"))
        paper = load(SHARED / "papers" / f"{labels['paper']}.pdf")
        answers = {answer.question.id: answer for answer in reader.read(paper, questions)}
        for label in labels["questions"]:
            answer = answers[label["id"]]
            if label["id"] in LINKS and answer.coded:
                print(f"{labels['paper']} {label['id']}: {value_words(answer)}")
            for fact in label.get("key_facts") or ():
                names = " ".join(f"{coded.value} {coded.name}" for coded in answer.coded)
                said = f"{names} {answer.text}"
                quoted = f"{said} {' '.join(f'{e.quote} {e.reading}' for e in answer.evidence)}"
                found = [there(fact, text) for text in (names, said, quoted)]
                hits = [hit + one for hit, one in zip(hits, found, strict=True)]
                total += 1
                if options.errors and not found[-1]:
                    print(f"- {labels['paper']} {label['id']} ({answer.status}): {fact}")
    shares = ", ".join(
        f"{name} {hit / total:.2f}" for name, hit in zip(("values", "words", "quotes"), hits, strict=True)
    )
    print(f"{total} facts; in {shares}")


if __name__ == "__main__":
    main()
