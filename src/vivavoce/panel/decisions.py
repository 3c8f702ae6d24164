"""From people's decisions to the final verdict of a cell.

A person's word takes precedence over the readers' vote, which stays beside it. One reviewer decides; several
decide when they give the same status; when they do not, the vote stays, in doubt, until somebody adjudicates.
In a blind review, each reviewer sees the cells as if nobody else had decided anything: `seen_by`.
"""

from collections.abc import Sequence
from dataclasses import replace

from vivavoce.evidence.coding import code, said_values
from vivavoce.evidence.values import values
from vivavoce.panel.voting import DECIDED, PERSON, VERDICT
from vivavoce.records import Answer, Cell, Coded, Decision, Doubt, Status

PANEL = "panel"
"""The name under which results speak of the vote, where people have decided."""


def final_verdict(vote: Answer, decisions: Sequence[Decision]) -> Answer:
    """The final verdict: an adjudication, else what the reviewers agree on, else the vote. `decisions` are
    those that count, oldest first."""
    deciding = _deciding(decisions)
    if not deciding:
        return vote
    if decided_status(decisions) is None or _codes_differ(deciding):
        return replace(vote, doubts=(_disagreement(deciding), *vote.doubts))
    # Of several that agree the newest is shown, but one with a quote before one without.
    best = max(enumerate(deciding), key=lambda item: (bool(item[1].values), bool(item[1].evidence), item[0]))[
        1
    ]
    both = best.status == vote.status == "not_reported"
    return replace(
        _answer(vote, best),
        reader=VERDICT,
        version=DECIDED,
        receipt=vote.receipt if both else None,
        reason=_why(deciding, best),
    )


def decided_status(decisions: Sequence[Decision]) -> Status | None:
    """The status that people decided; none while nobody has, or they disagree."""
    statuses = {decision.status for decision in _deciding(decisions)}
    return statuses.pop() if len(statuses) == 1 else None


def _codes_differ(said: Sequence[Decision]) -> bool:
    """Do reviewers that agree on the status choose different codes?"""
    return len({frozenset(map(str, d.values)) for d in said if d.values}) > 1


def _deciding(decisions: Sequence[Decision]) -> list[Decision]:
    """An adjudication alone, else every review."""
    return [decision for decision in decisions if decision.kind == "adjudication"][-1:] or list(decisions)


def as_answer(vote: Answer, decision: Decision) -> Answer:
    """A decision as an answer, for results: of `person:NAME`, its version the kind of decision."""
    answer = _answer(vote, decision)
    bare = "without a quote" if _bare(decision) else ""
    return replace(answer, reason=": ".join(part for part in (bare, decision.reason) if part))


def all_answers(cell: Cell) -> tuple[Answer, ...]:
    """Every answer that results list for a cell: each reader's; where people decided, the panel's vote and
    each decision; last the verdict."""
    if not cell.decisions:
        return (*cell.answers, cell.verdict)
    people = (as_answer(cell.vote, decision) for decision in cell.decisions)
    return (*cell.answers, replace(cell.vote, reader=PANEL), *people, cell.verdict)


def is_decided(cell: Cell) -> bool:
    """Have people decided it?"""
    return cell.verdict.by == "person"


def reviewers_disagree(cell: Cell) -> bool:
    """Does it wait for an adjudication?"""
    return any(doubt.kind == "reviewers_disagree" for doubt in cell.verdict.doubts)


def seen_by(cell: Cell, reviewer: str) -> Cell:
    """The cell as a blind reviewer sees it: nobody else has decided anything. What others made of the
    screening question shows in the paper's other cells; `Results.of(store, seen_by=NAME)` leaves that out,
    too."""
    own = tuple(d for d in cell.decisions if d.reviewer == reviewer and d.kind == "review")
    verdict = cell.verdict if cell.screened_out else final_verdict(cell.vote, own)
    return replace(cell, decisions=own, verdict=verdict)


def _answer(vote: Answer, decision: Decision) -> Answer:
    return Answer(
        question=vote.question,
        reader=PERSON + decision.reviewer,
        version=decision.kind,
        status=decision.status,
        text=decision.text,
        confidence=1.0,
        evidence=decision.evidence,
        values=values(e.reading or e.quote for e in decision.evidence),
        coded=_coded(vote, decision),
        reason=decision.reason,
        paper=vote.paper,
        by="person",
    )


def _coded(vote: Answer, decision: Decision) -> tuple[Coded, ...]:
    """The codes that the person chose; else what stands in the quotes, as for any reader."""
    if decision.status != "reported":
        return ()
    if decision.values:
        return said_values(vote.question, decision.values, decision.evidence, vote.coded)
    return code(vote.question, decision.evidence)


def _bare(decision: Decision) -> bool:
    """Without a quote? A person's word counts all the same, but exports say so."""
    return decision.status == "reported" and not decision.evidence


def _why(deciding: Sequence[Decision], best: Decision) -> str:
    """Who decided, and why."""
    names = " and ".join(sorted(decision.reviewer for decision in deciding))
    verb = "adjudicated" if best.kind == "adjudication" else "decided"
    who = f"{verb} by {names}{', without a quote' if _bare(best) else ''}"
    return f"{who}: {best.reason}" if best.reason else who


def _in_words(decision: Decision) -> str:
    status = decision.status.replace("_", " ")
    return f"{status} ({', '.join(map(str, decision.values))})" if decision.values else status


def _disagreement(deciding: Sequence[Decision]) -> Doubt:
    ordered = sorted(deciding, key=lambda decision: decision.reviewer)
    who = ", ".join(f"{d.reviewer} says {_in_words(d)}" for d in ordered)
    return Doubt("reviewers_disagree", f"reviewers disagree: {who}")
