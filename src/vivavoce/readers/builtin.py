"""The built-in reader: ranks every sentence of a paper for every question, decides, and quotes.

A paper is encoded once, whatever the number of questions. The scorer compares every sentence with every
question; the judge reads the best few of each question together with it. From these scores comes the
probability that the paper reports an answer (`deciding`), and from the sentences the quotes (`quoting`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vivavoce.errors import VivaError
from vivavoce.readers import quoting
from vivavoce.readers.citing import PLACE, cited
from vivavoce.readers.deciding import Settings, probability, settings
from vivavoce.readers.windows import LONGEST, windows
from vivavoce.records import Answer, Closest, Evidence, Paper, Question, Receipt, Sentence
from vivavoce.values import values

if TYPE_CHECKING:
    from vivavoce.readers.network import Asked, Floats, Network

NAME = "builtin"
BATCH = 8
"""Windows that go through the encoder together."""
CLOSEST = 3


class Builtin:
    """One network, any number of papers; safe to keep for as long as the process lives."""

    name = NAME

    def __init__(self, threads: int | None = None) -> None:
        from vivavoce.readers.network import network

        self._network: Network = network(threads)
        self._settings: Settings = settings()
        self.version = self._settings.version

    def read(self, paper: Paper, questions: Sequence[Question]) -> list[Answer]:
        """An answer to each question, in their order."""
        for question in questions:
            if not any(c.isalnum() for c in question.text):
                raise VivaError("the question is empty; ask something, for example 'Where is the code?'")
        if paper.unreadable:
            return [
                Answer(q, self.name, self.version, "unreadable", reason=paper.unreadable) for q in questions
            ]
        read = self.rank(paper, questions)
        return [self._answer(read, n, question) for n, question in enumerate(questions)]

    def rank(self, paper: Paper, questions: Sequence[Question]) -> "PaperScores":
        """The paper's sentences, scored for each question."""
        return PaperScores(
            self._network, self._settings, paper, [" ".join(q.text.split()) for q in questions]
        )

    def _answer(self, read: "PaperScores", n: int, question: Question) -> Answer:
        ranked = read.judged(n)
        chance = probability(self._settings, [score for _, score in ranked])
        shown = [(sentence, self._settings.evidence(score)) for sentence, score in ranked]
        paper = read.paper
        if chance < 0.5:
            return Answer(
                question,
                self.name,
                self.version,
                "not_reported",
                confidence=round(1 - chance, 4),
                receipt=read.receipt(shown),
            )
        chosen = quotes(ranked)
        found = tuple(quoting.evidence(paper, s) for s in with_links(paper, question, chosen))
        return Answer(
            question,
            self.name,
            self.version,
            "reported",
            text=self._words(read, n, chosen, dict(shown)),
            confidence=round(chance, 4),
            evidence=found,
            values=values(_said(e) for e in found),
        )

    def _words(
        self, read: "PaperScores", n: int, chosen: Sequence[Sentence], chances: dict[Sentence, float]
    ) -> str:
        best = max(chances[s] for s in chosen)
        main = [s for s in chosen if chances[s] >= best / 2][: quoting.IN_ANSWER]
        return quoting.words(read.paper, ((read.trimmed(n, s), s.page) for s in main))


class PaperScores:
    """A paper's sentences, scored for some questions."""

    def __init__(
        self, network: "Network", settings: Settings, paper: Paper, questions: Sequence[str]
    ) -> None:
        import numpy as np

        from vivavoce.readers.wording import coverage

        self.paper = paper
        self._network = network
        self._settings = settings
        self._asked: list[Asked] = [network.question(question) for question in questions]
        self._sentences = [s for s in paper.sentences if s.kind not in settings.unread]
        self._states: dict[int, dict[int, tuple[Floats, Floats]]] = {}
        """Half-way and last states of each sentence that may yet be quoted, by the window they come from."""
        self._scores = np.full((len(questions), len(self._sentences)), -np.inf, np.float32)
        texts = [s.reading or s.text for s in self._sentences]
        tokens = network.tokens(texts)
        rows = {n for n, sentence in enumerate(self._sentences) if sentence.kind == "table"}
        # Windows of a length go together: no padding. The order is the paper's alone.
        cut = sorted(enumerate(windows(tokens, rows)), key=lambda pair: len(pair[1].tokens))
        self._long = {i for i, some in enumerate(tokens) if len(some) > LONGEST}
        self._extra = settings.words * coverage(questions, texts)
        self._extra -= np.array([settings.penalty.get(s.kind, 0.0) for s in self._sentences], np.float32)
        for at in range(0, len(cut), BATCH):
            some = cut[at : at + BATCH]
            half, last, starts, which = network.encode([window for _, window in some])
            origin = [index for index, window in some for _ in window.pieces]
            scores = network.score(last, starts, self._asked)
            ends = [*starts[1:], len(last)]
            for column, (a, b, sentence) in enumerate(zip(starts, ends, which, strict=True)):
                self._states.setdefault(sentence, {})[origin[column]] = (half[a:b], last[a:b])
                self._scores[:, sentence] = np.maximum(
                    self._scores[:, sentence], scores[:, column] + self._extra[:, sentence]
                )
            self._forget()

    def _top(self, n: int) -> list[int]:
        """The best sentences for question `n` by the scorer, best first; ties in the paper's order."""
        import numpy as np

        order = np.argsort(-self._scores[n], kind="stable")[: self._settings.judged]
        return [int(i) for i in order if np.isfinite(self._scores[n, i])]

    def _forget(self) -> None:
        """Drops the states of sentences that are not among any question's best. A long sentence, of which
        a better part may follow, is kept."""
        keep = self._long | {i for n in range(len(self._asked)) for i in self._top(n)}
        for sentence in [i for i in self._states if i not in keep]:
            del self._states[sentence]

    def _pieces(self, sentence: int) -> list[tuple["Floats", "Floats"]]:
        """The states of a sentence's pieces, in the order of its words."""
        return [states for _, states in sorted(self._states[sentence].items(), key=lambda item: item[0])]

    def judged(self, n: int) -> list[tuple[Sentence, float]]:
        """The best sentences for question `n` with their scores (logits), best first."""
        top = self._top(n)
        if not top:
            return []
        if not self._settings.mix:
            return [(self._sentences[i], float(self._scores[n, i])) for i in top]
        pieces = [(i, half) for i in top for half, _ in self._pieces(i)]
        raw = [float(self._scores[n, i] - self._extra[n, i]) for i, _ in pieces]
        judged = self._network.judge(self._asked[n], [half for _, half in pieces], raw)
        scores: dict[int, float] = {}
        for (i, _), first, second in zip(pieces, raw, judged, strict=True):
            both = self._settings.mix * float(second) + (1 - self._settings.mix) * first
            scores[i] = max(scores.get(i, -1e9), both + float(self._extra[n, i]))
        best = sorted(scores, key=lambda i: (-scores[i], i))
        return [(self._sentences[i], scores[i]) for i in best]

    def receipt(self, shown: Sequence[tuple[Sentence, float]]) -> Receipt:
        """What was read, and what came closest."""
        chances = {s.start: p for s, p in shown}
        nearest = quoting.distinct((s for s, _ in shown), CLOSEST)
        return Receipt(
            pages=len(self.paper.pages),
            sentences=len(self._sentences),
            closest=tuple(
                Closest(s.reading or s.text, s.page, round(chances[s.start], 4), s.start, s.end)
                for s in nearest
            ),
        )

    def trimmed(self, n: int, sentence: Sentence) -> str:
        """What of the sentence answers question `n`."""

        def rate(spans: Sequence[tuple[int, int]]) -> list[float]:
            return self.rate(n, sentence, spans)

        return quoting.trim(sentence.reading or sentence.text, rate)

    def rate(self, n: int, sentence: Sentence, spans: Sequence[tuple[int, int]]) -> list[float]:
        """How well parts of a sentence (spans of its text) answer question `n` by themselves."""
        import numpy as np

        last = np.concatenate([last for _, last in self._pieces(self._sentences.index(sentence))])
        places = self._network.places(sentence.reading or sentence.text)
        rated = []
        for start, end in spans:
            inside = [i for i, (a, b) in enumerate(places) if a >= start and b <= end and i < len(last)]
            if inside:
                rated.append(float(self._network.score(last[inside], [0], [self._asked[n]])[0, 0]))
            else:
                rated.append(-1e9)
        return rated


def quotes(ranked: Sequence[tuple[Sentence, float]]) -> list[Sentence]:
    """Which of the scored sentences to quote, best first."""
    rule = settings()
    likely = [sentence for sentence, score in ranked if rule.evidence(score) >= rule.floor]
    return quoting.distinct(likely or [sentence for sentence, _ in ranked[:1]])


def with_links(paper: Paper, question: Question, chosen: Sequence[Sentence]) -> list[Sentence]:
    """For a question that asks for a place on the web: each quote followed by the deposits it cites."""
    if not PLACE.search(question.text):
        return list(chosen)
    both = [s for quote in chosen for s in (quote, *cited(paper, quote))]
    return list(dict.fromkeys(both))[: quoting.MOST]


def _said(found: Evidence) -> str:
    return found.reading or found.quote
