"""The value types that move through the stages: frozen, comparable, with no storage identity.

A `Paper` is one text with its sentences; everything else points into that text by character span.
`paper.text[s.start:s.end] == s.text` holds for every sentence, and spans never overlap. Places on the
page are not stored character by character: the paper keeps a few anchors per line, and the name of the
file whose pages show it. `papers.pages` turns these into rectangles and pictures; nothing here opens a file.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

Kind = Literal["title", "front", "heading", "prose", "caption", "footnote", "table", "figure", "reference"]
"""What a sentence is: `front` is authors, affiliations and journal boilerplate; `table` one row of a
table; `figure` lettering inside a figure; `reference` one entry of the reference list."""

Match = Literal["exact", "close"]

Status = Literal["reported", "not_reported", "unsupported", "unreadable", "failed", "not_applicable"]
"""What became of a question: `not_reported` was read in full and nothing was found; `unsupported` was
claimed by a reader but no quote for it is in the paper; `unreadable` is a paper without usable text;
`failed` is an error, tried again on the next run; `not_applicable` failed the set's screening question."""

DECIDABLE: tuple[Status, ...] = tuple(status for status in get_args(Status) if status != "failed")
"""What a person may decide: all but that something went wrong."""

DoubtKind = Literal[
    "tie",
    "conflict",
    "mostly_unsupported",
    "reviewers_disagree",
    "values_differ",
    "fact_not_in_paper",
    "fact_not_in_quotes",
    "quote_not_found",
    "no_quote",
    "no_file",
    "injected_orders",
    "sentences_left_out",
    "other",
]
"""Why a person should look at an answer. `tie`: as many readers say yes as no; `conflict`: readers that are
sure contradict each other; `mostly_unsupported`: most readers claim it, without a quote;
`reviewers_disagree`: an adjudication is needed; `values_differ`: readers that report it give different
codes; `fact_not_in_paper`, `fact_not_in_quotes`: a name or number
of the answer that nothing proves; `quote_not_found`: some quotes are not in the paper; `no_quote`: there is
none at all; `no_file`: nothing was checked, for there is only an entry of the paper; `injected_orders`: the
paper gives orders to language models; `sentences_left_out`: the reader was not shown all of the paper;
`other`: anything else, and answers of versions that kept no kind."""

WarningKind = Literal[
    "correction",
    "retraction",
    "concern",
    "landing_page",
    "search_results",
    "script_page",
    "no_full_text",
    "little_text",
    "other_language",
    "not_prose",
    "lost_letters",
    "scanned",
    "read_by_ocr",
    "text_layer",
    "garbled_pages",
    "damaged_pages",
    "hidden_text",
    "injected_orders",
    "wrong_ending",
    "retrieved_pieces",
    "other_articles",
    "own_entities",
    "other",
]
"""What there is to know about a paper before its answers are believed. `correction`, `retraction`,
`concern`: the
file is a notice about another paper; `landing_page`, `search_results`, `script_page`: a web page without the
paper; `no_full_text`, `little_text`: an abstract, or hardly any text; `other_language`: readable, in a
language
that the built-in reader doesn't know; `not_prose`: tables, slides, lists; `lost_letters`: some letters are
not in
the file's text; `scanned`: pages that nobody read; `read_by_ocr`, `text_layer`: by OCR, ours or that of
whoever
made the file; `garbled_pages`, `damaged_pages`: left out; `hidden_text`: text that nobody sees was set aside;
`injected_orders`: the paper gives orders to language models; `wrong_ending`: the file is not what its name
says;
`retrieved_pieces`: pieces of a paper, in a prompt; `other_articles`: the file also holds other people's text;
`own_entities`: XML entities that were not read; `other`: anything else, and warnings of versions that kept
no kind."""

AnsweredBy = Literal["reader", "panel", "person"]
"""Whose an answer is: one reader's, what a panel of readers comes to, or a person's."""

DecisionKind = Literal["review", "adjudication"]
"""One reviewer's own word; or the last word, where reviewers disagree."""

PictureFormat = Literal["png", "jpeg"]

QuestionKind = Literal["text", "list", "link", "number", "date", "yes_no", "choice", "software", "hardware"]
"""What an answer to a question looks like."""


class Box(NamedTuple):
    """A rectangle on a page, in points (1/72 inch) from the page's top left corner, y downwards."""

    page: int
    """Counts from 1."""
    x0: float
    y0: float
    x1: float
    y1: float


class Anchor(NamedTuple):
    """Where a stretch of the paper's text comes from in the file: a run of characters of one page."""

    start: int
    """Offset in `Paper.text`."""
    end: int
    page: int
    char: int
    """Index of the first source character in that page's text layer; -1 where the file has no such index."""
    width: int
    """How many source characters: `end - start` when they map one to one, else the stretch maps as a whole
    (a ligature, a hyphen at a line's end)."""


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    """Counts from 1."""
    width: float
    """In points; 0 for formats without pages."""
    height: float


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    """As it is in the paper, lines joined and hyphens at line ends resolved."""
    start: int
    """Span in `Paper.text`."""
    end: int
    page: int
    """The page it begins on; counts from 1."""
    kind: Kind = "prose"
    section: str = ""
    """The nearest heading above it."""
    reading: str = ""
    """How to read it with what it needs from elsewhere: for a table row, each cell with its column's
    header. Empty when `text` says it all."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Text that is in the file but that nobody sees on the page; it is never read as part of the paper."""

    page: int
    text: str
    reason: str


class ScanLine(NamedTuple):
    """A stretch of text that was read by OCR, and its place on the page in points."""

    page: int
    start: int
    """Span in the page's recognised text."""
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PageSource:
    """The file that a paper's pages can be drawn from."""

    path: str
    """Absolute. What lies there now may be another version of the file: whoever opens it compares its hash
    with the paper's id."""
    scan_lines: tuple[ScanLine, ...] = ()
    """The text that was read by OCR, in order of page and `start`; the file itself has no places for it."""


class PaperWarning(str):
    """What a reader of the results should know about a paper: a sentence, and its kind for programs. It
    prints, joins and compares as its text."""

    __slots__ = ("kind",)
    kind: WarningKind

    def __new__(cls, kind: WarningKind, text: str) -> "PaperWarning":
        warning = super().__new__(cls, text)
        warning.kind = kind
        return warning

    def __reduce__(self) -> "tuple[type[PaperWarning], tuple[WarningKind, str]]":
        return PaperWarning, (self.kind, str(self))


def warning_kind(warning: str) -> WarningKind:
    """The kind of a warning; of a plain text, as formats of other packages may give it, `other`."""
    return warning.kind if isinstance(warning, PaperWarning) else "other"


@dataclass(frozen=True, slots=True)
class Paper:
    id: str
    """SHA-256 of the file's bytes, in hex: the same bytes under two names are one paper."""
    file: str
    """The path it was loaded from."""
    format: str
    """The name of one of the formats: pdf, jats, html, docx, ..."""
    text: str
    sentences: tuple[Sentence, ...]
    pages: tuple[Page, ...]
    title: str = ""
    doi: str = ""
    year: int | None = None
    unreadable: str = ""
    """Why there is no usable text (a scan, garbled letters); empty when the paper can be read."""
    warnings: tuple[PaperWarning, ...] = ()
    """What a reader of the results should know: it is a correction, OCR was used, hidden text was found,
    ..."""
    hidden: tuple[Hidden, ...] = ()
    anchors: tuple[Anchor, ...] = field(default=(), repr=False)
    """In order of `start`; empty for formats without places on a page."""
    parsed_by: str = field(default="", compare=False)
    """Which version of its format's reader read it, such as "pdf 1"; empty when that is not known."""
    page_source: PageSource | None = field(default=None, repr=False, compare=False)
    """None for formats without pages."""
    journal: str = ""
    """Where it was published, as the file says; empty when it doesn't."""

    def page_at(self, offset: int) -> int:
        """The page on which the character at `offset` of the text is."""
        if self.anchors:
            return self.anchors[max(0, bisect_right(self.anchors, offset, key=lambda a: a.start) - 1)].page
        index = max(0, bisect_right(self.sentences, offset, key=lambda s: s.start) - 1)
        return self.sentences[index].page if self.sentences else 1

    def sentences_in(self, start: int, end: int) -> tuple[Sentence, ...]:
        """The sentences that the span touches."""
        first = bisect_right(self.sentences, start, key=lambda s: s.end)
        last = first
        while last < len(self.sentences) and self.sentences[last].start < end:
            last += 1
        return self.sentences[first:last]


@dataclass(frozen=True, slots=True)
class Passage:
    """A window of consecutive sentences, long enough to be understood by itself."""

    text: str
    start: int
    """Span in `Paper.text`."""
    end: int
    page: int
    section: str
    first: int
    """Index of its first sentence in `Paper.sentences`."""
    last: int
    """Index of its last sentence."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that was found in the paper."""

    quote: str
    """The paper's own words: `paper.text[start:end]`."""
    page: int
    """The page it begins on; counts from 1."""
    match: Match
    """`exact`: the same words, whatever the typesetting; `close`: some characters differ."""
    start: int
    """Span in `Paper.text`."""
    end: int
    boxes: tuple[Box, ...] = ()
    score: float = 1.0
    """How close, from 0 to 1: the share of characters that agree; 1 when exact."""
    reading: str = ""
    """For a table row, each cell with its column's header, as in `Sentence`."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Things of one kind under their names, each with its other spellings: a file of the vocabulary."""

    kind: str
    """software, architecture, optimiser, ..."""
    asked: tuple[str, ...] = ()
    """Words of a question that ask for such things."""
    terms: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Each name with its spellings."""
    ids: tuple[tuple[str, str], ...] = ()
    """What some of the names are elsewhere: a Wikidata or ROR id."""
    hosts: tuple[str, ...] = ()
    """Of repositories: hosts whose addresses papers give without `https://`."""
    accessions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of repositories: the forms of their accession numbers, as regular expressions."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    """As it is asked."""
    id: str = ""
    """Short and unique in its set; empty for a question asked by itself."""
    hints: str = ""
    """Examples of what an answer may look like, kept apart from the text because they leak into answers."""
    topic: str = ""
    """The heading under which a set shows it."""
    kind: QuestionKind = "text"
    """What an answer looks like."""
    choices: tuple[str, ...] = ()
    """The codes that can be answered, for the kind `choice`."""
    screen: bool = False
    """To a paper that clearly fails it the set's other questions don't apply."""
    meanings: tuple[str, ...] = ()
    """What each choice means, in words; empty when the choices speak for themselves. A choice with an empty
    meaning is what remains when no other fits."""
    several: bool = False
    """May several choices hold at once?"""
    absent: str = ""
    """The code of a paper that says nothing of it, such as `not_stated`; none of the choices."""
    also: tuple[str, ...] = ()
    """The question in other words, for readers that can use them."""
    cues: tuple[tuple[str, ...], ...] = ()
    """Phrases that speak for each choice, in the order of the choices: see `evidence.cues`."""
    vocabulary: tuple[Terms, ...] = ()
    """Terms of one's own, besides those that ship."""


@dataclass(frozen=True, slots=True)
class Variable:
    """Something that a study wants to know of each paper, from the answers to one question or several."""

    name: str
    category: str
    questions: tuple[str, ...]
    """Ids of the questions it comes from."""
    need: Literal["any", "all"] = "any"
    """Is it given when one of them is reported, or only when all are?"""
    values: tuple[str, ...] = ()
    """Only these values count; any when there are none."""


@dataclass(frozen=True, slots=True)
class Level:
    """A grade that a paper reaches when it gives every variable of some categories."""

    number: int
    name: str
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    name: str
    questions: tuple[Question, ...]
    title: str = ""
    about: str = ""
    """What the set is for."""
    source: str = ""
    """Where its questions come from."""
    variables: tuple[Variable, ...] = ()
    levels: tuple[Level, ...] = ()
    """In the order of their numbers; a paper may reach one and not the one before."""


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of the evidence that a program can use: a link, a version, a fact that a model named."""

    kind: Literal["link", "version", "fact"]
    text: str
    """As it is used: a link without the line break that the page put into it."""


@dataclass(frozen=True, slots=True)
class Coded:
    """One value of an answer, in a form that can be counted, and the words of a quote that say so."""

    value: str | int | float
    """The code of a choice, "yes" or "no", a number, or the paper's words, without what the page did to
    them."""
    unit: str = ""
    """Of a number, such as "mg" or "%"."""
    of: str = ""
    """What a number counts or measures, in the quote's words."""
    name: str = ""
    """What it is counted under, where that differs from `value`: the vocabulary's name for it ("stochastic
    gradient descent" for "SGD"), or a date in ISO 8601."""
    quote: int | None = None
    """Which of the answer's quotes it stands in, from 0; none for a person's word without one."""
    start: int = 0
    """Span in that quote."""
    end: int = 0


@dataclass(frozen=True, slots=True)
class Closest:
    """A passage that came close to answering, and how close."""

    text: str
    page: int
    score: float
    """The reader's probability, from 0 to 1, that this passage answers the question."""
    start: int
    """Span in `Paper.text`."""
    end: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was read before saying "not reported", so that a person can check it."""

    pages: int
    sentences: int
    closest: tuple[Closest, ...] = ()
    """The passages that came closest, best first; at most three."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer took of a language model. Of questions that were asked together, each has its share."""

    calls: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """Of those sent, how many the provider had kept from a call before."""
    seconds: float = 0.0
    """From asking to having the reply."""
    dollars: float | None = None
    """By the provider's public prices; none when they are not known."""

    def __add__(self, other: "Cost") -> "Cost":
        known = self.dollars is not None and other.dollars is not None
        return Cost(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached + other.tokens_cached,
            self.seconds + other.seconds,
            (self.dollars or 0.0) + (other.dollars or 0.0) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why a person should look at an answer."""

    kind: DoubtKind
    text: str
    """The reason in words."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a language model was sent for one answer, and what it replied, word for word."""

    prompt: str
    reply: str
    chunks: tuple[tuple[int, int], ...] = ()
    """Spans in `Paper.text` of the pieces that were sent, nearest to the question first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One reader's reply to one question of one paper."""

    question: Question
    reader: str
    """Its name, as `--reader` takes it."""
    version: str
    """Another version may answer differently."""
    status: Status
    text: str = ""
    """The answer in words; empty unless `status` is `reported`, or `unsupported`."""
    confidence: float = 0.0
    """How sure the reader is of the status, from 0 to 1."""
    evidence: tuple[Evidence, ...] = ()
    """Best first."""
    values: tuple[Value, ...] = ()
    """Links and versions in the evidence; from a language model, also short facts that are in it."""
    receipt: Receipt | None = None
    """For `not_reported`."""
    reason: str = ""
    """Why, for `unreadable`, `failed` and `not_applicable`; of a decision, who made it and why; of a status
    that calibrating turned around, what the reader itself says."""
    paper: str = ""
    """The paper's id, in a study."""
    doubts: tuple[Doubt, ...] = ()
    """Why a person should look at it: a tie, a conflict, facts that are in no quote."""
    cost: Cost | None = None
    """What it took; none when no language model was asked."""
    by: AnsweredBy = "reader"
    """Whose it is; of a verdict `person` when people decided it, else `panel`."""
    offset: float = 0.0
    """How far the study's calibration moved the log-odds that it is reported; 0 when it is the reader's
    own."""
    seen: Seen | None = None
    """What a model that replies in words was sent, and what it replied; none of any other reader."""
    coded: tuple[Coded, ...] = ()
    """The answer as values, by the question's kind; best first. Empty unless `status` is `reported`."""

    @property
    def value(self) -> str | int | float | list[str | int | float] | None:
        """The answer as one value, or a list of several; none where there is none. A paper that says nothing
        has the question's code for that."""
        if self.status == "not_reported":
            return self.question.absent or None
        found = [coded.value for coded in self.coded]
        return found[0] if len(found) == 1 else found or None

    @property
    def unit(self) -> str:
        """The unit of its values; empty when they have none, or different ones."""
        units = {coded.unit for coded in self.coded}
        return units.pop() if len(units) == 1 else ""


@dataclass(frozen=True, slots=True)
class PaperInfo:
    """A paper as results speak of it: without its text."""

    id: str
    """SHA-256 of the file's bytes; empty when the file could not even be opened."""
    file: str
    """As it was named when it came into the study."""
    title: str = ""
    doi: str = ""
    year: int | None = None
    pages: int = 0
    warnings: tuple[PaperWarning, ...] = ()
    """What to know about the paper before its answers are believed."""
    journal: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word on one question of one paper."""

    reviewer: str
    """The person's name."""
    status: Status
    """One of `DECIDABLE`."""
    text: str = ""
    """The answer in the person's words."""
    evidence: tuple[Evidence, ...] = ()
    """Quotes that the person chose; best first."""
    reason: str = ""
    at: str = ""
    """When, in UTC (ISO 8601); the store writes it down."""
    kind: DecisionKind = "review"
    values: tuple[str | int | float, ...] = ()
    """The codes or values that the person chose; none when the decision is about the status alone."""


@dataclass(frozen=True, slots=True)
class QuestionCalibration:
    """How far a reader's confidences in its answers to one question are moved in a study, and what that
    gains on decisions that it was not fitted on."""

    reader: str
    version: str
    """It counts for answers of this version alone."""
    question: str
    """The question's key in the store."""
    offset: float
    """Added to the log-odds that the paper reports an answer; 0 when that gains nothing."""
    decisions: int
    """How many it was fitted on."""
    accuracy_before: float
    """The share of the decisions that the reader's own answers agree with."""
    accuracy_after: float
    log_loss_before: float
    """The mean of the negative logarithm of the chance that the reader gives to what people decided."""
    log_loss_after: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What people's decisions taught the readers of a study."""

    questions: tuple[QuestionCalibration, ...]
    """For each reader and question with enough decisions, whether it is moved or not."""
    at: str = ""
    """When, in UTC (ISO 8601); empty while it isn't recorded."""
    undone: bool = False
    """Was it taken back?"""


@dataclass(frozen=True, slots=True)
class Cell:
    """A paper and a question: what each reader answered, what people decided, and what that comes to."""

    paper: PaperInfo
    question: Question
    answers: tuple[Answer, ...]
    """One for each reader that has answered or failed, in the order of the study's readers."""
    verdict: Answer
    """What it comes to in the end: people's decision, else the vote. Its reader is `verdict`."""
    vote: Answer
    """What the readers' answers come to, whatever people decided."""
    decisions: tuple[Decision, ...] = ()
    """Those that count, oldest first: each reviewer's last one that was not undone, and an adjudication."""
    screened_out: bool = False
    """Does the paper fail the screening question? Then this one is not applicable; decisions on it wait."""
