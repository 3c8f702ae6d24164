"""A paper's sentences, scored for some questions: by the network, and by where a sentence stands.

What helps besides the network is small and plain, and the same for every question: a sentence gains by the
question's own words, loses a little where papers speak of others' work or say things again, and comes earlier
in the order when its neighbours answer, too: evidence stands together.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vivavoce.papers.injection import addressed
from vivavoce.readers.builtin import quoting
from vivavoce.readers.builtin.deciding import Settings
from vivavoce.readers.builtin.network import Asked, Floats, Network
from vivavoce.readers.builtin.states import States
from vivavoce.readers.builtin.windows import LONGEST, windows
from vivavoce.readers.builtin.wording import coverage
from vivavoce.records import Paper, Sentence

BATCH = 8
"""Windows that go through the encoder together."""
PHASE = 160
"""Windows that are encoded before their sentences are scored: most papers have fewer. Encoder and scorer each
have threads that linger when they have done, and would be in each other's way if they took turns."""
SECTIONS = {
    "abstract": re.compile(r"\b(?:abstract|summary|highlights)\b", re.IGNORECASE),
    "introduction": re.compile(
        r"\b(?:introduction|related works?|background|state of the art|literature)\b", re.IGNORECASE
    ),
    "discussion": re.compile(
        r"\b(?:discussions?|conclusions?|limitations?|outlook|recommendations?|future)\b", re.IGNORECASE
    ),
}


class Scored(NamedTuple):
    """A sentence that may answer a question."""

    sentence: Sentence
    number: int
    """Its place among the paper's sentences."""
    score: float
    """How well it answers, as a logit."""
    order: float
    """By what it is put before others."""


class PaperScores:
    def __init__(
        self,
        network: Network,
        settings: Settings,
        paper: Paper,
        questions: Sequence[str],
        gains: Callable[[Sequence[Sentence]], Floats] | None = None,
        states: States | None = None,
    ) -> None:
        """`gains` says what each sentence gains for each question besides: questions x sentences. `states`:
        those of the paper's windows; computed when there are none."""
        self.paper = paper
        self._network = network
        self._source = states or States(network)
        self._settings = settings
        self._asked: list[Asked] = [network.question(question) for question in questions]
        self._texts = {text: n for n, text in reversed(list(enumerate(questions)))}
        unread = addressed(paper)
        self._numbers = [
            n for n, s in enumerate(paper.sentences) if s.kind not in settings.unread and n not in unread
        ]
        self._sentences = [paper.sentences[n] for n in self._numbers]
        texts = [s.reading or s.text for s in self._sentences]
        self._extra = settings.word_weight * coverage(questions, texts) - self._losses()
        if gains is not None:
            self._extra += gains(self._sentences)
        self._scores = np.full((len(questions), len(self._sentences)), -np.inf, np.float32)
        self._states: dict[int, dict[tuple[int, int], Floats]] = {}
        """States of each sentence that may yet be quoted, by window and place in it."""
        self._encode(self._source.tokens(texts))

    def __len__(self) -> int:
        """How many sentences were read."""
        return len(self._sentences)

    def vectors(self) -> bytes:
        """Of each of the paper's sentences its direction, to search by; where states are kept."""
        return self._source.vectors(self._numbers, len(self.paper.sentences))

    def _losses(self) -> Floats:
        """What each sentence loses by its kind and section."""
        loss = self._settings.penalty
        sectioned = any(s.section for s in self._sentences)
        return np.array(
            [
                loss.get(s.kind, 0.0) + (loss.get(_part(s.section), 0.0) if sectioned else 0.0)
                for s in self._sentences
            ],
            np.float32,
        )

    def _encode(self, tokens: list[list[int]]) -> None:
        rows = {n for n, sentence in enumerate(self._sentences) if sentence.kind == "table"}
        long = {n for n, some in enumerate(tokens) if len(some) > LONGEST}
        # Windows of a length go together: no padding. The order is the paper's alone.
        cut = sorted(enumerate(windows(tokens, rows)), key=lambda pair: len(pair[1].tokens))
        batches = [cut[at : at + BATCH] for at in range(0, len(cut), BATCH)]
        for at in range(0, len(batches), PHASE // BATCH):
            some = batches[at : at + PHASE // BATCH]
            encoded = [self._source.encode([window for _, window in batch]) for batch in some]
            for batch, (last, starts, which) in zip(some, encoded, strict=True):
                origin = [(index, piece.first) for index, window in batch for piece in window.pieces]
                scores = self._network.score(last, starts, self._asked)
                ends = [*starts[1:], len(last)]
                for column, (a, b, n) in enumerate(zip(starts, ends, which, strict=True)):
                    self._states.setdefault(n, {})[origin[column]] = last[a:b]
                    self._scores[:, n] = np.maximum(self._scores[:, n], scores[:, column] + self._extra[:, n])
            self._forget(long)

    def _forget(self, long: set[int]) -> None:
        """Drops the states of sentences that are not among any question's best. A long sentence, of which
        a better part may follow, is kept."""
        keep = long | {n for question in range(len(self._asked)) for n in self._top(question)}
        for n in [n for n in self._states if n not in keep]:
            del self._states[n]

    def _top(self, question: int) -> list[int]:
        """The best sentences by the scorer, best first; ties in the paper's order."""
        order = np.argsort(-self._scores[question], kind="stable")[: self._settings.candidates]
        return [int(n) for n in order if np.isfinite(self._scores[question, n])]

    def _pieces(self, n: int) -> list[Floats]:
        """The states of a sentence's pieces, in the order of its words."""
        return [states for _, states in sorted(self._states[n].items(), key=lambda item: item[0])]

    def best(self, question: int) -> list[Scored]:
        """The sentences that may answer a question (its number), best first."""
        chances = 1 / (1 + np.exp(-self._scores[question]))
        found = []
        for n in self._top(question):
            score = float(self._scores[question, n])
            beside = sum(float(chances[m]) for m in (n - 1, n + 1) if 0 <= m < len(chances))
            order = score + self._settings.neighbour_weight * beside
            found.append(Scored(self._sentences[n], self._numbers[n], score, order))
        return sorted(found, key=lambda scored: (-scored.order, scored.number))

    def take_mean(self, question: int, wordings: Sequence[str], shift: float) -> None:
        """Scores a question by the mean of its wordings, which have all been asked."""
        self._scores[question] = self._scores[[self._texts[text] for text in wordings]].mean(0) + shift

    def weigh(self, texts: Sequence[str], spans: Sequence[tuple[int, int]]) -> Floats:
        """How well each span of the paper (a quote) answers each of some other texts, as logits:
        texts x spans, by the best sentence in a span. Minus infinity where the states of its sentences are
        gone."""
        weights = np.full((len(texts), len(spans)), -np.inf, np.float32)
        inside = [
            (at, n)
            for at, (start, end) in enumerate(spans)
            for n, s in enumerate(self._sentences)
            if s.start < end and s.end > start and n in self._states
        ]
        if not inside or not texts:
            return weights
        states = [np.concatenate(self._pieces(n)) for _, n in inside]
        starts = np.cumsum([0, *map(len, states)])[:-1].tolist()
        asked = [self._network.question(text) for text in texts]
        scores = self._network.score(np.concatenate(states), starts, asked)
        for column, (at, _) in enumerate(inside):
            weights[:, at] = np.maximum(weights[:, at], scores[:, column])
        return weights

    def trimmed(self, question: int, scored: Scored) -> str:
        """What of the sentence answers the question."""
        sentence = scored.sentence
        text = sentence.reading or sentence.text
        at = self._numbers.index(scored.number)
        if at not in self._states:  # it came up by another wording or a cue, and its states are gone
            return text
        last = np.concatenate(self._pieces(at))

        def rate(spans: Sequence[tuple[int, int]]) -> list[float]:
            places = self._network.places(text)[: len(last)]
            rated = []
            for start, end in spans:
                inside = [n for n, (a, b) in enumerate(places) if a >= start and b <= end]
                asked = [self._asked[question]]
                rated.append(float(self._network.score(last[inside], [0], asked)[0, 0]) if inside else -1e9)
            return rated

        return quoting.trim(text, rate)


def _part(section: str) -> str:
    """Which part of a paper a section is; what stands before the first heading is the abstract."""
    if not section:
        return "abstract"
    return next((name for name, pattern in SECTIONS.items() if pattern.search(section)), "")
