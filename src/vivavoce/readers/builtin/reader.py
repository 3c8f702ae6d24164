"""The built-in reader: ranks every sentence of a paper for every question, decides, and quotes.

A paper is encoded once, whatever the number of questions, and every sentence is compared with every question
(`scoring`). From these scores comes the probability that the paper reports an answer (`deciding`), and from
the sentences the quotes (`quoting`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from vivavoce.errors import InputError
from vivavoce.evidence.coding import code
from vivavoce.evidence.signals import Signals, likeliest_kind
from vivavoce.evidence.values import values
from vivavoce.readers.builtin import quoting
from vivavoce.readers.builtin.asking import cue_gains, further_texts, wordings
from vivavoce.readers.builtin.citing import PLACE, cited
from vivavoce.readers.builtin.deciding import Settings, Variant, probability, settings
from vivavoce.records import (
    Answer,
    Closest,
    Coded,
    Evidence,
    Paper,
    Question,
    QuestionKind,
    Receipt,
    Sentence,
)

if TYPE_CHECKING:
    from vivavoce.readers.builtin.network import Network
    from vivavoce.readers.builtin.scoring import PaperScores, Scored
    from vivavoce.readers.builtin.states import States

NAME = "builtin"
CLOSEST = 3
"""Passages in a receipt."""


class Builtin:
    """One network, any number of papers; safe to keep for as long as the process lives."""

    def __init__(self, threads: int | None = None, variant: Variant = "full") -> None:
        self._threads = threads
        self._settings: Settings = settings(variant)
        self.name = NAME if variant == "full" else f"{NAME}:{variant}"
        self.version = self._settings.version

    @property
    def _network(self) -> "Network":
        """Loaded when it is first needed: who only wants to know the version need not wait."""
        from vivavoce.readers.builtin.network import network

        return network(self._threads)

    def ready(self) -> None:
        """Always: it needs nothing."""

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order."""
        return self.read_from(paper, questions)[0]

    def read_from(
        self, paper: Paper, questions: Sequence[Question], kept: bytes = b"", keep: bool = False
    ) -> tuple[list[Answer], bytes, bytes]:
        """An answer to each question; from the states that were kept of the paper, if there are any. With
        `keep`, also the states to keep, and the sentences' vectors."""
        for question in questions:
            if not any(c.isalnum() for c in question.text):
                raise InputError("the question is empty; ask something, for example 'Where is the code?'")
        if paper.unreadable:
            unread = [
                Answer(q, self.name, self.version, "unreadable", reason=paper.unreadable) for q in questions
            ]
            return unread, b"", b""
        from vivavoce.readers.builtin.states import States

        states = States(self._network, kept, keep)
        scores = self.score(paper, questions, states)
        answers = [self._answer(scores, n, q) for n, q in enumerate(questions)]
        if not keep or kept:
            return answers, b"", b""
        return answers, states.to_keep(), scores.vectors()

    def score(
        self, paper: Paper, questions: Sequence[Question], states: "States | None" = None
    ) -> "PaperScores":
        """The paper's sentences, scored for each question."""
        from vivavoce.readers.builtin.scoring import PaperScores

        return PaperScores(
            self._network,
            self._settings,
            paper,
            [wordings(q) for q in questions],
            further_texts(questions),
            [cue_gains(paper, q) for q in questions],
            states,
        )

    def direction(self, text: str) -> bytes:
        """The direction of a text, to compare with sentences' vectors."""
        from vivavoce.readers.builtin.states import directions

        return directions(self._network.question(" ".join(text.split())).vector[None])

    def rank(self, paper: Paper, questions: Sequence[Question]) -> list[list[int]]:
        """Of each question the numbers of the paper's best sentences, best first."""
        scores = self.score(paper, questions)
        return [[scored.number for scored in scores.best(n)] for n in range(len(questions))]

    def signals(
        self, paper: Paper, questions: Sequence[Question], evidence: Sequence[Sequence[Evidence]]
    ) -> list[Signals]:
        """What the network says of each question and the quotes that answer it."""
        from vivavoce.readers.builtin.signalling import signals

        scores = self.score(paper, questions)
        pairs = zip(questions, evidence, strict=True)
        return [signals(scores, n, question, found) for n, (question, found) in enumerate(pairs)]

    def _coded(
        self, scores: "PaperScores", n: int, question: Question, found: Sequence[Evidence]
    ) -> tuple[Coded, ...]:
        """The values in the quotes. What a question asks for that no set has a kind for, the network says."""
        from vivavoce.readers.builtin.signalling import signals

        if not question.id and question.kind == "text":
            kind = cast(QuestionKind, likeliest_kind(scores.kinds(n), question.kind))
            question = replace(question, kind=kind)
        return code(question, found, signals(scores, n, question, found))

    def _answer(self, scores: "PaperScores", n: int, question: Question) -> Answer:
        best = scores.best(n)
        chance = chance_reported(self._settings, best)
        if chance < 0.5:
            return Answer(
                question,
                self.name,
                self.version,
                "not_reported",
                confidence=round(1 - chance, 4),
                receipt=self._receipt(scores, best),
            )
        chosen = quotes(best, self._settings)
        found = tuple(quoting.evidence(scores.paper, q) for q in with_links(scores.paper, question, chosen))
        return Answer(
            question,
            self.name,
            self.version,
            "reported",
            text=_words(scores, best, chosen),
            confidence=round(chance, 4),
            evidence=found,
            values=values(e.reading or e.quote for e in found),
            coded=self._coded(scores, n, question, found),
        )

    def _receipt(self, scores: "PaperScores", best: Sequence["Scored"]) -> Receipt:
        """What was read, and what came closest."""
        chances = {scored.sentence.start: self._settings.evidence(scored.logit) for scored in best}
        nearest = quoting.distinct([(scored.sentence,) for scored in best], CLOSEST)
        return Receipt(
            pages=len(scores.paper.pages),
            sentences=len(scores),
            closest=tuple(
                Closest(s.reading or s.text, s.page, round(chances[s.start], 4), s.start, s.end)
                for (s,) in nearest
            ),
        )


def chance_reported(settings: Settings, best: Sequence["Scored"]) -> float:
    """The chance that a paper with these best sentences reports an answer."""
    return probability(
        settings,
        [scored.score for scored in best],
        [scored.judged.score for scored in best if scored.judged],
        [scored.logit for scored in best],
    )


def quotes(best: Sequence["Scored"], settings: Settings) -> list[quoting.Quote]:
    """What to quote, best first: likely sentences, neighbours together."""
    if not best:
        return []
    likely = [scored for scored in best if settings.evidence(scored.logit) >= settings.quote_chance]
    joined = quoting.joined([(x.number, x.sentence, x.logit) for x in likely or best[:1]])
    return quoting.distinct(joined)


def with_links(paper: Paper, question: Question, chosen: Sequence[quoting.Quote]) -> list[quoting.Quote]:
    """For a question that asks for a place on the web: each quote followed by the deposits it cites."""
    if not PLACE.search(question.text):
        return list(chosen)
    both: list[tuple[Sentence, ...]] = []
    for quote in chosen:
        both.append(quote)
        both.extend((entry,) for sentence in quote for entry in cited(paper, sentence))
    return list(dict.fromkeys(both))[: quoting.MAX_QUOTES_WITH_LINKS]


def _words(scores: "PaperScores", best: Sequence["Scored"], chosen: Sequence[quoting.Quote]) -> str:
    """The quoted sentences in their best parts, in the paper's order."""
    quoted = {sentence.start for quote in chosen for sentence in quote}
    main = sorted((s for s in best if s.sentence.start in quoted), key=lambda s: s.number)
    return quoting.words(scores.paper, [(scores.trimmed(s), s.sentence.page) for s in main])
