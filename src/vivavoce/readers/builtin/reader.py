"""The built-in reader: ranks every sentence of a paper for every question, decides, and quotes.

A paper is encoded once, whatever the number of questions, and every sentence is compared with every question
(`scoring`). From these scores comes the probability that the paper reports an answer (`deciding`), and from
the sentences the quotes (`quoting`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vivavoce.errors import InputError
from vivavoce.evidence.coding import code
from vivavoce.evidence.signals import Signals
from vivavoce.evidence.values import values
from vivavoce.readers.builtin import quoting
from vivavoce.readers.builtin.citing import PLACE, cited
from vivavoce.readers.builtin.deciding import Settings, probability, settings
from vivavoce.records import Answer, Closest, Evidence, Paper, Question, Receipt, Sentence

if TYPE_CHECKING:
    from vivavoce.readers.builtin.network import Network
    from vivavoce.readers.builtin.scoring import PaperScores, Scored
    from vivavoce.readers.builtin.states import States

NAME = "builtin"
CLOSEST = 3
"""Passages in a receipt."""


class Builtin:
    """One network, any number of papers; safe to keep for as long as the process lives."""

    name = NAME

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads
        self._settings: Settings = settings()
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
        from vivavoce.readers.builtin.asking import asked_texts, cue_gains, take_means
        from vivavoce.readers.builtin.scoring import PaperScores

        texts = asked_texts(questions)
        gains = cue_gains(questions, texts)
        scores = PaperScores(self._network, self._settings, paper, texts, gains, states)
        take_means(scores, questions)
        return scores

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
        scores = self.score(paper, questions)
        return [self._signals(scores, q, found) for q, found in zip(questions, evidence, strict=True)]

    def _signals(self, scores: "PaperScores", question: Question, found: Sequence[Evidence]) -> Signals:
        """What the network says of an answer's quotes."""
        from vivavoce.readers.builtin.asking import choice_signals

        return choice_signals(scores, question, found)

    def _answer(self, scores: "PaperScores", n: int, question: Question) -> Answer:
        best = scores.best(n)
        chance = probability(self._settings, [scored.score for scored in best])
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
            text=self._words(scores, n, best, chosen[0]),
            confidence=round(chance, 4),
            evidence=found,
            values=values(e.reading or e.quote for e in found),
            coded=code(question, found, self._signals(scores, question, found)),
        )

    def _words(self, scores: "PaperScores", n: int, best: Sequence["Scored"], first: quoting.Quote) -> str:
        """The sentences of the first quote, and others that answer about as well, in their best parts."""
        top = max(self._settings.evidence(scored.score) for scored in best)
        main = [
            scored
            for scored in best
            if scored.sentence in first or self._settings.evidence(scored.score) >= 0.75 * top
        ][: quoting.MAX_SENTENCES_IN_ANSWER]
        kept = quoting.distinct([(scored.sentence,) for scored in main])
        parts = [(scores.trimmed(n, s), s.sentence.page) for s in main if (s.sentence,) in kept]
        return quoting.words(scores.paper, parts)

    def _receipt(self, scores: "PaperScores", best: Sequence["Scored"]) -> Receipt:
        """What was read, and what came closest."""
        by_score = sorted(best, key=lambda scored: (-scored.score, scored.number))
        chances = {scored.sentence.start: self._settings.evidence(scored.score) for scored in best}
        nearest = quoting.distinct([(scored.sentence,) for scored in by_score], CLOSEST)
        return Receipt(
            pages=len(scores.paper.pages),
            sentences=len(scores),
            closest=tuple(
                Closest(s.reading or s.text, s.page, round(chances[s.start], 4), s.start, s.end)
                for (s,) in nearest
            ),
        )


def quotes(best: Sequence["Scored"], settings: Settings) -> list[quoting.Quote]:
    """What to quote, best first: likely sentences, neighbours together."""
    if not best:
        return []
    likely = [
        scored
        for scored in best
        if scored.order >= best[0].order - settings.quote_margin and scored.score >= settings.min_quote_score
    ]
    joined = quoting.joined([(x.number, x.sentence, x.score) for x in likely or best[:1]])
    return quoting.distinct(joined)


def with_links(paper: Paper, question: Question, chosen: Sequence[quoting.Quote]) -> list[quoting.Quote]:
    """For a question that asks for a place on the web: each quote followed by the deposits it cites."""
    if not PLACE.search(question.text):
        return list(chosen)
    both: list[tuple[Sentence, ...]] = []
    for quote in chosen:
        both.append(quote)
        both.extend((entry,) for sentence in quote for entry in cited(paper, sentence))
    return list(dict.fromkeys(both))[: quoting.MAX_QUOTES]
