"""Text to yes or no: learns which replies people take for an answer, and measures that.

    python -m training.replies            # cross-validate by model, then write the weights
    python -m training.replies --check    # cross-validate only

People judged 840 replies of each of three language models (`../shared/data/published/human`). That is
little, so the published yes and no of 50,696 replies, made by a language model, count a little, too. Only
replies that both deny and tell are learned from; the others are decided by rule. A model's replies are
judged by what was learned from the other models' alone. Intervals are of 95%, by drawing papers with
replacement. Needs `pip install -e '.[stats]'`.
"""

import argparse
import csv
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vivavoce.evidence.mixed_replies import features
from vivavoce.evidence.replies import LONGEST_REPLY, clauses, is_mixed, plain_words, says_nothing

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
OUT = Path(__file__).resolve().parents[1] / "src" / "vivavoce" / "evidence" / "weights" / "replies.json"
MODELS = {
    "gemma2-9b-it_groq": "gemma2-9b",
    "llama-3_70b_groq": "llama3-70b",
    "mixtral_8_22b": "mixtral-8x22b",
}
"""Whose replies people judged, by the names of the two sets."""
SOFT_WEIGHT = 0.04
"""How much a language model's yes or no counts, where a person's counts 1."""
STRENGTH = 0.1
"""The inverse of the regularisation."""
MOST_SEEN, MOST_QUESTIONS = 100, 12
"""A feature is in at least that many replies, to that many different questions of the 28."""
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Reply:
    model: str
    paper: str
    question: str
    yes: bool
    by_person: bool
    mixed: bool
    rule: bool
    """What it comes to if it is not mixed."""
    features: frozenset[str]


def reply(model: str, paper: str, question: str, text: str, yes: bool, by_person: bool) -> Reply:
    text = text[:LONGEST_REPLY]
    sentences, kinds = clauses(plain_words(text))
    mixed = is_mixed(kinds)
    found = features(text, sentences, kinds) if mixed else ()
    rule = not mixed and not says_nothing(text)
    return Reply(model, paper, question, yes, by_person, mixed, rule, frozenset(found))


def judged() -> Iterator[Reply]:
    """Replies whose yes or no people decided."""
    for file, model in MODELS.items():
        path = SHARED / "published" / "human" / f"CQs_answer_{file}_random_sample_GT.csv"
        with path.open(encoding="utf-8-sig", newline="") as opened:
            for row in csv.DictReader(opened):
                paper, question = row["Unique_ID"].removesuffix(".txt").rsplit("_", 1)
                if row["decision"] in ("Yes", "No"):
                    yes = row["decision"] == "Yes"
                    yield reply(model, paper, question, row["CQ_Answer"], yes, True)


def converted() -> Iterator[Reply]:
    """Replies whose yes or no a language model decided, of the papers that may be learned from."""
    with gzip.open(SHARED / "answers.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            for model, text in row["answers"].items():
                vote = row["votes"].get(model)
                if row["paper"].startswith("10.1016_") and vote in ("yes", "no") and text and text.strip():
                    yield reply(model, row["paper"], row["question"], text, vote == "yes", False)


def vocabulary(replies: Sequence[Reply]) -> list[str]:
    seen: Counter[str] = Counter()
    questions: defaultdict[str, set[str]] = defaultdict(set)
    for one in replies:
        for feature in one.features:
            seen[feature] += 1
            questions[feature].add(one.question)
    return sorted(f for f, n in seen.items() if n >= MOST_SEEN and len(questions[f]) >= MOST_QUESTIONS)


def matrix(replies: Sequence[Reply], known: Sequence[str]) -> Any:
    from scipy.sparse import csr_matrix

    number = {feature: n for n, feature in enumerate(known)}
    places: list[int] = []
    ends = [0]
    for one in replies:
        places += [number[feature] for feature in one.features if feature in number]
        ends.append(len(places))
    return csr_matrix((np.ones(len(places)), places, ends), shape=(len(replies), len(known)))


def fit(replies: Sequence[Reply], known: Sequence[str]) -> Any:
    from sklearn.linear_model import LogisticRegression

    weights = [1.0 if one.by_person else SOFT_WEIGHT for one in replies]
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    return model.fit(matrix(replies, known), [one.yes for one in replies], sample_weight=weights)


def cross_validated(replies: Sequence[Reply], known: Sequence[str], threshold: float = 0.0) -> list[bool]:
    """What each reply comes to, by what was learned from the other models'."""
    said = [one.rule for one in replies]
    for model in sorted({one.model for one in replies}):
        learned = fit([one for one in replies if one.mixed and one.model != model], known)
        own = [n for n, one in enumerate(replies) if one.mixed and one.model == model]
        scores = learned.decision_function(matrix([replies[n] for n in own], known))
        for n, score in zip(own, scores, strict=True):
            said[n] = bool(score > threshold)
    return said


def report(title: str, replies: Sequence[Reply], said: Sequence[bool]) -> None:
    from sklearn.metrics import cohen_kappa_score

    yes, given = np.array([one.yes for one in replies]), np.array(said)
    papers = [one.paper for one in replies]
    names = {paper: n for n, paper in enumerate(dict.fromkeys(papers))}
    of = np.array([names[paper] for paper in papers])
    sums = np.zeros((len(names), 4))
    np.add.at(sums, (of, 2 * yes + given), 1)
    drawn = np.random.default_rng(7).multinomial(len(names), [1 / len(names)] * len(names), size=DRAWS) @ sums
    no_no, no_yes, yes_no, yes_yes = drawn.T
    kappas = (
        2
        * (yes_yes * no_no - no_yes * yes_no)
        / ((yes_yes + no_yes) * (no_yes + no_no) + (yes_yes + yes_no) * (yes_no + no_no))
    )
    low, high = np.quantile(kappas, [0.025, 0.975])
    agreed, kappa = int((yes == given).sum()), cohen_kappa_score(yes, given)
    share = f"{agreed:,} of {len(replies):,} ({agreed / len(replies):.3f})"
    print(f"{title:40} {share:28} kappa {kappa:.3f} ({low:.3f} to {high:.3f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="don't write the weights")
    options = parser.parse_args()
    replies = [*judged(), *converted()]
    known = vocabulary([one for one in replies if one.mixed])
    said = cross_validated(replies, known)
    for model in (*MODELS.values(), ""):
        some = [n for n, one in enumerate(replies) if one.by_person and model in ("", one.model)]
        report(f"people, {model or 'all'}", [replies[n] for n in some], [said[n] for n in some])
    some = [n for n, one in enumerate(replies) if not one.by_person]
    report("the published conversion", [replies[n] for n in some], [said[n] for n in some])
    if not options.check:
        learned = fit([one for one in replies if one.mixed], known)
        weights = {f: round(float(w), 3) for f, w in zip(known, learned.coef_[0], strict=True)}
        kept = {feature: weight for feature, weight in weights.items() if weight}
        document = {"bias": round(float(learned.intercept_[0]), 3), "weights": kept}
        text = json.dumps(document, ensure_ascii=False, indent=0, sort_keys=True)
        OUT.write_text(text + "\n", encoding="utf-8")
        print(f"{len(kept):,} weights in {OUT}")


if __name__ == "__main__":
    main()
