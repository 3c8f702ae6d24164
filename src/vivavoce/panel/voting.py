"""Several readers' answers to one question of one paper -> what they come to.

A vote: who reports it against who does not. `unsupported` (a claim without a quote) votes that it is not
reported, and is never certain of it. Who could not read or was not asked has no vote. The side with more
votes wins, or with more weight when weights are given. Text and evidence are those of the best-supported
answer on the winning side. Nothing depends on the order of the readers, but for which of two equally good
answers is shown. A vote without a clear outcome is decided all the same, and its `doubts` say that a person
should look.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum, isclose

from vivavoce.records import Answer, Doubt, Status

VERDICT = "verdict"
"""The name under which results speak of it."""
DECIDED = "decided"
"""The version of a verdict that people decided."""
PERSON = "person:"
"""Results name a person by this and the name."""
MIN_CONFIDENCE = 0.7
"""An answer that its reader is less sure of goes to a person."""

SCREENING_CONFIDENCE = 0.95
"""A paper fails the screening question only when the readers' verdict is that sure of it."""
SCREENING_SHARE = 0.5
"""A paper that answers this share of the other questions can't fail the screening question, unless a person
says so."""
CONFLICT_CONFIDENCE = 0.9
"""Voters on both sides that are that sure are in conflict."""
VOTE_TOLERANCE = 1e-9
"""Two sums that differ by less are equal."""
CODED_KINDS = ("choice", "yes_no")
"""Kinds of questions whose values are codes, on which readers vote as they do on the status."""
NO_VOTE: tuple[Status, ...] = ("failed", "unreadable", "not_applicable")
"""Statuses that say nothing of the paper. When there are only such, the most frequent counts; of two that are
as frequent the first one here, for what failed is tried again and may become something else."""


def verdict(answers: Sequence[Answer], weights: Mapping[str, float] | None = None) -> Answer:
    """What the answers come to. With `weights`, by the readers' names, a vote counts that much; each counts 1
    without, and a reader that has none counts 1, too."""
    voters = [answer for answer in answers if vote_of(answer) is not None]
    if len(voters) < 2:
        return replace(
            voters[0] if voters else _without_votes(answers), reader=VERDICT, cost=None, by="panel"
        )
    yes, no = [v for v in voters if vote_of(v)], [v for v in voters if not vote_of(v)]
    count = {v.reader: 1.0 if weights is None else weights.get(v.reader, 1.0) for v in voters}
    lead = fsum(count[v.reader] for v in yes) - fsum(count[v.reader] for v in no)
    tie = isclose(lead, 0.0, abs_tol=VOTE_TOLERANCE)
    if tie:
        lead = _chance(yes, "reported", count) - _chance(no, "not_reported", count)
    # Of two sides that are as many and as sure, the one with a quote that a person can look at.
    status: Status = "reported" if yes and lead > -VOTE_TOLERANCE else _not_reported(no)
    agreed, differing = _value_vote([v for v in voters if v.status == status], count)
    best = max(agreed, key=_support)
    return replace(
        best,
        reader=VERDICT,
        version="hard" if weights is None else "weighted",
        confidence=round(_chance(voters, status, count), 4),
        doubts=tuple(dict.fromkeys([*_disagreements(yes, no, tie, status), *differing, *best.doubts])),
        cost=None,  # each voter's is its own
        by="panel",
    )


def vote_of(answer: Answer) -> bool | None:
    """What the answer says of the paper; none when it says nothing."""
    if answer.status in ("not_reported", "unsupported"):
        return False
    return True if answer.status == "reported" else None


def fails_screening(screening: Answer, others: Sequence[Answer] = ()) -> bool:
    """Does a paper clearly fail the screening question? One that is in doubt is let through, and so is one
    that answers the `others` that stand behind it. A person's word counts by itself."""
    if screening.status != "not_reported" or screening.doubts:
        return False
    if screening.by == "person":
        return True
    answered = sum(answer.status == "reported" for answer in others)
    return screening.confidence >= SCREENING_CONFIDENCE and answered <= SCREENING_SHARE * len(others)


def needs_review(answer: Answer) -> bool:
    """Is this one for a person? What could not be read or asked is, what is in doubt, and what its reader is
    unsure of. What people decided is not."""
    if answer.by == "person":
        return False
    if answer.status in ("reported", "not_reported"):
        return bool(answer.doubts) or answer.confidence < MIN_CONFIDENCE
    return answer.status != "not_applicable"


# How it is done


def _without_votes(answers: Sequence[Answer]) -> Answer:
    counts = Counter(answer.status for answer in answers)
    status = max(NO_VOTE, key=lambda status: (counts[status], -NO_VOTE.index(status)))
    return next(answer for answer in answers if answer.status == status)


def _value_vote(voters: Sequence[Answer], count: Mapping[str, float]) -> tuple[list[Answer], list[Doubt]]:
    """Of voters that agree on the status, those with the code that has most votes; and a doubt where they
    give different ones. Of codes with as many votes the first in the order of the set is shown."""
    coded = [voter for voter in voters if voter.coded and voter.question.kind in CODED_KINDS]
    sums: dict[str, float] = {}
    for voter in coded:
        sums[_code_of(voter)] = sums.get(_code_of(voter), 0.0) + count[voter.reader]
    if len(sums) < 2:
        return coded or list(voters), []
    order = (*coded[0].question.choices, "yes", "no")
    winner = max(sums, key=lambda code: (round(sums[code], 9), -order.index(code) if code in order else -99))
    said = ", ".join(f"{v.reader} says {_code_of(v)}" for v in sorted(coded, key=lambda v: v.reader))
    doubt = Doubt("values_differ", f"readers give different codes: {said}")
    return [voter for voter in coded if _code_of(voter) == winner], [doubt]


def _code_of(voter: Answer) -> str:
    return "; ".join(sorted(str(coded.value) for coded in voter.coded))


def _not_reported(no: Sequence[Answer]) -> Status:
    """Is it not reported, or only claimed without proof?"""
    return "unsupported" if all(voter.status == "unsupported" for voter in no) else "not_reported"


def _chance(voters: Sequence[Answer], status: Status, count: Mapping[str, float]) -> float:
    """The chance that the voters give to the status, on average."""
    total = fsum(count[voter.reader] for voter in voters)
    return fsum(_chance_by(voter, status) * count[voter.reader] for voter in voters) / total if total else 0.0


def _chance_by(voter: Answer, status: Status) -> float:
    if voter.status == status:
        return voter.confidence
    # A claim without a quote speaks for both sides.
    return 0.5 if voter.status == "unsupported" else 1 - voter.confidence


def _support(answer: Answer) -> tuple[int, bool, float]:
    """How well an answer is supported: by exact quotes, by close ones; by a receipt; by its confidence."""
    match = max((2 if e.match == "exact" else 1 for e in answer.evidence), default=0)
    return match, answer.receipt is not None, answer.confidence


def _disagreements(yes: Sequence[Answer], no: Sequence[Answer], tie: bool, status: Status) -> list[Doubt]:
    found = []
    if tie:
        found.append(Doubt("tie", f"tie: {_who_says(yes, no)}"))
    sure_yes = [voter for voter in yes if voter.confidence >= CONFLICT_CONFIDENCE]
    sure_no = [
        voter for voter in no if voter.status != "unsupported" and voter.confidence >= CONFLICT_CONFIDENCE
    ]
    if sure_yes and sure_no:
        found.append(Doubt("conflict", f"conflict: {_who_says(sure_yes, sure_no)}"))
    if status == "unsupported" and yes:
        text = f"claimed without a quote by most: {_who_says(yes, no)}"
        found.append(Doubt("mostly_unsupported", text))
    return found


def _who_says(yes: Sequence[Answer], no: Sequence[Answer]) -> str:
    parts = []
    for status in ("reported", "not_reported", "unsupported"):
        if names := sorted(voter.reader for voter in (*yes, *no) if voter.status == status):
            verb = "says" if len(names) == 1 else "say"
            parts.append(f"{' and '.join(names)} {verb} {status.replace('_', ' ')}")
    return ", ".join(parts)
