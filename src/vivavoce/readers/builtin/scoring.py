"""A paper's sentences, scored for some questions: all of them by the scorer, the best of them by the judge.

Besides its words the network sees how many of the question's own words a sentence has (`wording`) and where
it stands in the paper (`places`). A question may be asked in several wordings: their scores are averaged.
What else is asked (`asking`) is scored with the questions.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vivavoce.papers.injection import addressed
from vivavoce.readers.builtin import quoting
from vivavoce.readers.builtin.deciding import Settings
from vivavoce.readers.builtin.network import Asked, Floats, Halves, Judged, Network
from vivavoce.readers.builtin.places import place
from vivavoce.readers.builtin.states import States
from vivavoce.readers.builtin.windows import windows
from vivavoce.readers.builtin.wording import Lexicon
from vivavoce.records import Paper, Sentence

BATCH = 8
"""Windows that go through the encoder together."""
PHASE = 160
"""Windows that are encoded before their sentences are scored: most papers have fewer. Encoder and scorer each
have threads that linger when they have done, and would be in each other's way if they took turns."""
READ = ("title", "front", "prose", "caption", "footnote", "table")
"""Kinds of sentences that may answer. Headings are read as context; lettering in figures and the list of
references are not read."""


class Scored(NamedTuple):
    """A sentence that may answer a question."""

    sentence: Sentence
    number: int
    """Its place among the paper's sentences."""
    score: float
    """How far the scorer puts it above the question's level."""
    judged: Judged | None
    """What the judge says of it."""
    first: int
    """Which token of the sentence the judge's marks begin with: of a long one, a part was judged."""
    logit: float
    """How well it answers, in all."""


class PaperScores:
    def __init__(
        self,
        network: Network,
        settings: Settings,
        paper: Paper,
        questions: Sequence[Sequence[str]],
        more: Sequence[str] = (),
        gains: Sequence[Sequence[float]] = (),
        states: States | None = None,
    ) -> None:
        """`questions` has the wordings of each question, the main one first; `more` are other texts by which
        sentences can be weighed. `gains`: what each of the paper's sentences gains for each question.
        `states`: those of the paper's windows; computed when there are none."""
        self.paper = paper
        self._network, self._settings = network, settings
        self._source = states or States(network)
        orders = addressed(paper)
        self._numbers = [
            n for n, s in enumerate(paper.sentences) if s.kind in (*READ, "heading") and n not in orders
        ]
        self._sentences = [paper.sentences[n] for n in self._numbers]
        texts = [s.reading or s.text for s in self._sentences]
        self._wordings = [list(dict.fromkeys(some)) for some in questions]
        self._gains = gains
        flat = [text for some in self._wordings for text in some]
        flat += list(dict.fromkeys(more))
        self._rows = {text: n for n, text in enumerate(flat)}
        self._asked: list[Asked] = [network.question(text) for text in flat]
        self._firsts = np.cumsum([0, *map(len, self._wordings)])[:-1].tolist()
        lexicon = Lexicon(texts)
        self._matches = (
            np.stack([lexicon.match(text) for text in flat]) if flat else np.zeros((0, 0, 3), np.float32)
        )
        sectioned = any(s.section for s in self._sentences)
        self._places = np.array(
            [place(s.kind, s.section if sectioned else None) for s in self._sentences], np.float32
        )
        self._pieces: list[_Piece] = []
        self._scores: Floats = np.zeros((len(questions), 0), np.float32)
        self._each: Floats = np.zeros((len(flat), 0), np.float32)
        """The scores of each wording, and of each further text."""
        if self._sentences:
            self._read(texts, sectioned)
        self.best = cache(self._best)
        """The sentences that may answer a question (its number), best first."""

    def __len__(self) -> int:
        """How many sentences were read."""
        return sum(s.kind in READ for s in self._sentences)

    def vectors(self) -> bytes:
        """Of each of the paper's sentences its direction, to search by; where states are kept."""
        return self._source.vectors(self._numbers, len(self.paper.sentences))

    def _read(self, texts: Sequence[str], sectioned: bool) -> None:
        """Encodes the paper, and scores every sentence for every question."""
        tokens = self._source.tokens(texts)
        rows = {n for n, sentence in enumerate(self._sentences) if sentence.kind == "table"}
        headings = self._network.tokens([s.section for s in self._sentences]) if sectioned else None
        # Windows of a length go together: no padding. The order is the paper's alone.
        cut = sorted(enumerate(windows(tokens, rows, headings)), key=lambda pair: len(pair[1].tokens))
        batches = [cut[at : at + BATCH] for at in range(0, len(cut), BATCH)]
        scores = []
        for at in range(0, len(batches), PHASE // BATCH):
            some = batches[at : at + PHASE // BATCH]
            encoded = [self._source.encode([window for _, window in batch]) for batch in some]
            for batch, part in zip(some, encoded, strict=True):
                order = [(index, p.first) for index, window in batch for p in window.pieces]
                ends = [*part.starts[1:], len(part.last)]
                for where, n, a, b in zip(order, part.sentences, part.starts, ends, strict=True):
                    self._pieces.append(_Piece(n, where, part.states[a:b]))
                scores.append(
                    self._network.score(
                        part.last,
                        part.starts,
                        self._asked,
                        self._matches[:, part.sentences],
                        self._places[part.sentences],
                    )
                )
        each = self._each = np.concatenate(scores, axis=1)
        self._scores = np.stack([each[a : a + len(some)].mean(0) for a, some in self._by_question()])
        sentences = [self._numbers[piece.sentence] for piece in self._pieces]
        for n, gains in enumerate(self._gains):
            if gains:
                self._scores[n] += np.array(gains, np.float32)[sentences]
        for column, piece in enumerate(self._pieces):
            if self._sentences[piece.sentence].kind == "heading":
                self._scores[:, column] = -np.inf

    def _by_question(self) -> list[tuple[int, list[str]]]:
        return list(zip(self._firsts, self._wordings, strict=True))

    def _top(self, question: int) -> list[int]:
        """The columns of the best sentences by the scorer, best first, one of each sentence; ties in the
        paper's order."""
        row = self._scores[question]
        keys: NDArray[np.int64] = np.lexsort(([p.sentence for p in self._pieces], -row)) if len(row) else row
        taken: dict[int, int] = {}
        for column in keys:
            if not np.isfinite(row[column]) or len(taken) == self._settings.candidates:
                break
            taken.setdefault(self._pieces[column].sentence, int(column))
        return list(taken.values())

    def _best(self, question: int) -> list[Scored]:
        return self._judged(question, self._top(question))

    def of_sentences(self, question: int, numbers: Sequence[int]) -> list[Scored]:
        """These of the paper's sentences, as far as they were read, best first."""
        return self._judged(question, self._columns(self._scores[question], numbers))

    def weigh(self, text: str, numbers: Sequence[int]) -> list[float]:
        """How well each of these sentences, as far as they were read, fits one of the further texts; as
        logits."""
        row = self._each[self._rows[text]]
        columns = self._columns(row, numbers)
        verdicts = self._verdicts(self._asked[self._rows[text]], row, columns)
        return [
            self._settings.sentence_logit(float(row[column]), verdict.score if verdict else None)
            for column, verdict in zip(columns, verdicts, strict=True)
        ]

    def _columns(self, row: Floats, numbers: Sequence[int]) -> list[int]:
        """Of each of these sentences the column of its best part."""
        best: dict[int, int] = {}
        for column, piece in enumerate(self._pieces):
            number = self._numbers[piece.sentence]
            better = number not in best or row[column] > row[best[number]]
            if number in numbers and np.isfinite(row[column]) and better:
                best[number] = column
        return [best[number] for number in dict.fromkeys(numbers) if number in best]

    def _verdicts(self, asked: Asked, row: Floats, columns: Sequence[int]) -> list[Judged | None]:
        if not self._settings.judges or not columns:
            return [None] * len(columns)
        states = [self._pieces[column].states for column in columns]
        return list(self._network.judge(asked, states, [float(row[column]) for column in columns]))

    def _judged(self, question: int, columns: Sequence[int]) -> list[Scored]:
        row = self._scores[question]
        verdicts = self._verdicts(self._asked[self._firsts[question]], row, columns)
        found = []
        for column, verdict in zip(columns, verdicts, strict=True):
            piece, score = self._pieces[column], float(row[column])
            logit = self._settings.sentence_logit(score, verdict.score if verdict else None)
            found.append(
                Scored(
                    self._sentences[piece.sentence],
                    self._numbers[piece.sentence],
                    score,
                    verdict,
                    self._first(piece),
                    logit,
                )
            )
        return sorted(found, key=lambda scored: (-scored.logit, scored.number))

    def _first(self, piece: "_Piece") -> int:
        """How many tokens of its sentence stand before a piece."""
        return sum(
            len(p.states) for p in self._pieces if p.sentence == piece.sentence and p.where < piece.where
        )

    def marks(self, scored: Scored) -> list[tuple[int, int, float]]:
        """The spans of a judged sentence's tokens, each with the chance that it belongs to the answer."""
        if scored.judged is None:
            return []
        text = scored.sentence.reading or scored.sentence.text
        places = self._network.places(text)[scored.first : scored.first + len(scored.judged.marks)]
        return [(a, b, float(m)) for (a, b), m in zip(places, scored.judged.marks, strict=False)]

    def kinds(self, question: int) -> dict[str, float]:
        """How likely it is that the question asks for a number, a link, a yes or no, ..."""
        return self._network.kinds(self._asked[self._firsts[question]])

    def trimmed(self, scored: Scored) -> str:
        """What of the sentence answers the question."""
        return quoting.trim(scored.sentence.reading or scored.sentence.text, self.marks(scored))


class _Piece(NamedTuple):
    sentence: int
    where: tuple[int, int]
    """The window it stands in, and its place there."""
    states: Halves
