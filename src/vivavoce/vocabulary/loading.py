"""Loads the files of the vocabulary, finds what is wrong with one, and compiles them into patterns."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from yaml.nodes import MappingNode, Node

from vivavoce.errors import InputError
from vivavoce.questions.yaml_lines import Notes, Problem, compose, node_kind, short
from vivavoce.records import Terms

FIELDS = ("kind", "asked", "terms", "ids", "hosts", "accessions")
MAX_FILE_BYTES = 1_000_000
ANY_CASE = 6
"""Letters from which on a spelling matches in any case: shorter ones are too often other words ("adam",
"caffe", "map")."""


class Mention(NamedTuple):
    """Where a text names something."""

    name: str
    """The vocabulary's name for it."""
    kind: str
    start: int
    end: int


class Vocabulary:
    """Terms, ready to be looked for."""

    def __init__(self, some: Sequence[Terms]) -> None:
        self.files = tuple(some)
        self._patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for file in some:
            known = self._patterns.setdefault(file.kind, [])
            known.extend((name, _pattern(_spellings(name, spellings))) for name, spellings in file.terms)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(self._patterns)

    def asked_for(self, question: str) -> tuple[str, ...]:
        """The kinds of things that a question asks for, by its words."""
        words = set(re.findall(r"[a-z]+", question.lower()))
        joined = " ".join(re.findall(r"[a-z]+", question.lower()))
        found = [
            file.kind
            for file in self.files
            if any(word in words or (" " in word and word in joined) for word in file.asked)
        ]
        return tuple(dict.fromkeys(found))

    def mentions(self, text: str, kinds: Iterable[str] | None = None) -> list[Mention]:
        """What the text names, in its order; of two that overlap, the longer."""
        found: list[Mention] = []
        for kind in self.kinds if kinds is None else kinds:
            for name, pattern in self._patterns.get(kind, ()):
                found.extend(Mention(name, kind, m.start(), m.end()) for m in pattern.finditer(text))
        kept: list[Mention] = []
        for mention in sorted(found, key=lambda m: (m.start - m.end, m.start, m.name)):
            if all(mention.end <= other.start or mention.start >= other.end for other in kept):
                kept.append(mention)
        return sorted(kept, key=lambda m: m.start)

    def ids(self) -> dict[str, str]:
        """What is known elsewhere, by the name here."""
        return {name: id for file in self.files for name, id in file.ids}


@cache
def vocabulary() -> Vocabulary:
    """What ships."""
    return Vocabulary([_valid(name, *_read(_text_of_shipped(name))) for name in shipped()])


@lru_cache(maxsize=16)
def extended(own: tuple[Terms, ...]) -> Vocabulary:
    """What ships, with one's own terms before it."""
    return Vocabulary([*own, *vocabulary().files]) if own else vocabulary()


def shipped() -> tuple[str, ...]:
    """The names of the files that come with the product."""
    folder = files("vivavoce.vocabulary")
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))


def read_terms(path: str | Path) -> Terms:
    """One's own file."""
    return _valid(str(path), *_read(_text(path)))


def check(path: str | Path) -> list[Problem]:
    """Everything wrong with a file, by line."""
    name = str(path)
    return _read(_text_of_shipped(name) if name in shipped() else _text(path))[1]


@cache
def repository_hosts() -> str:
    """The hosts of repositories, as a pattern."""
    hosts = (host for file in vocabulary().files for host in file.hosts)
    return "|".join(re.escape(host) for host in hosts)


@cache
def accession_pattern() -> re.Pattern[str]:
    """Any accession number of a known form."""
    forms = (form for file in vocabulary().files for _, some in file.accessions for form in some)
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(forms)})(?!\w)")


@cache
def repository_of(accession: str) -> str:
    """Whose form the accession number has."""
    for file in vocabulary().files:
        for name, forms in file.accessions:
            if any(re.fullmatch(form, accession) for form in forms):
                return name
    return ""


def _spellings(name: str, others: Sequence[str]) -> tuple[str, ...]:
    """A name is a spelling, too, unless expressions say more exactly where it means the thing: R, Prism."""
    return tuple(others) if any(other.startswith("/") for other in others) else (name, *others)


def _pattern(spellings: Sequence[str]) -> re.Pattern[str]:
    # The first alternative that fits is taken: expressions with more to them first, then longer spellings.
    ordered = sorted(spellings, key=lambda text: (not text.startswith("/"), -len(text)))
    return re.compile("|".join(dict.fromkeys(_spelling(text) for text in ordered)))


def _spelling(text: str) -> str:
    if len(text) > 2 and text.startswith("/") and "/" in text[1:]:
        body, flags = text[1:].rsplit("/", 1)
        return f"(?{flags}:{body})" if flags else f"(?:{body})"
    parts = [re.escape(part) for part in re.split(r"[\s-]+", text) if part]
    joined = r"[\s-]?".join(parts)
    before = r"(?<![\w-])" if text[0].isalnum() else ""
    after = r"s?(?!\w)" if text[-1].isalpha() else r"(?!\w)"
    letters = sum(c.isalpha() for c in text)
    return f"{before}(?{'i' if letters >= ANY_CASE else ''}:{joined}){after}"


def _text_of_shipped(name: str) -> str:
    return (files("vivavoce.vocabulary") / f"{name}.yaml").read_text(encoding="utf-8")


def _text(path: str | Path) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be opened: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise InputError(f"{path}: is larger than {MAX_FILE_BYTES // 1_000_000} MB; is this a vocabulary?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: can't be read as UTF-8 text; save the file as UTF-8.") from error


def _valid(name: str, found: Terms | None, problems: list[Problem]) -> Terms:
    if found is None or problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise InputError(f"{name}:{problems[0].line}: {problems[0].text}{more}")
    return found


def _read(text: str) -> tuple[Terms | None, list[Problem]]:
    """The terms in a YAML text, or everything wrong with it."""
    notes = Notes()
    root = compose(text, notes)
    if notes.problems:
        return None, notes.problems
    if root is None:
        notes.wrong(1, "it is empty; a vocabulary needs `kind` and `terms`")
        return None, notes.problems
    fields = notes.fields(root, "the vocabulary", FIELDS) or {}
    kind = notes.text(fields.get("kind"), "the `kind`")
    if not kind:
        notes.wrong(fields.get("kind", root), "the vocabulary has no `kind`, such as software")
    if "terms" not in fields:
        notes.wrong(root, "the vocabulary has no `terms`: names, each with a list of other spellings")
    terms = _named_lists(fields.get("terms"), "`terms`", notes)
    accessions = _named_lists(fields.get("accessions"), "`accessions`", notes, patterns=True)
    asked = tuple(word.lower() for _, word in notes.texts(fields.get("asked"), "`asked`"))
    hosts = tuple(host for _, host in notes.texts(fields.get("hosts"), "`hosts`"))
    ids = _ids(fields.get("ids"), {name for name, _ in terms}, notes)
    problems = sorted(notes.problems, key=lambda problem: problem.line)
    return Terms(kind, asked, terms, ids, hosts, accessions) if not problems else None, problems


def _named_lists(
    node: Node | None, what: str, notes: Notes, patterns: bool = False
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if node is None:
        return ()
    if not isinstance(node, MappingNode):
        notes.wrong(node, f"{what} is {node_kind(node)}; it needs names, each with a list of spellings")
        return ()
    found: dict[str, tuple[str, ...]] = {}
    for key, value in node.value:
        name = notes.text(key, f"a name in {what}")
        spellings = notes.texts(value, f"the spellings of {short(name)}")
        if name in found:
            notes.wrong(key, f"{short(name)} is there twice; join the two")
        for at, text in spellings:
            try:
                re.compile(text if patterns else _spelling(text))
            except re.error as error:
                notes.wrong(at, f"'{short(text)}' is no regular expression: {error}")
        found[name] = tuple(text for _, text in spellings)
    return tuple(found.items())


def _ids(node: Node | None, names: set[str], notes: Notes) -> tuple[tuple[str, str], ...]:
    if node is None:
        return ()
    if not isinstance(node, MappingNode):
        notes.wrong(node, f"`ids` is {node_kind(node)}; it needs names, each with an id")
        return ()
    found = []
    for key, value in node.value:
        name = notes.text(key, "a name in `ids`")
        if name not in names:
            notes.wrong(key, f"`ids` has {short(name)}, which is not among the terms")
        found.append((name, notes.text(value, f"the id of {short(name)}")))
    return tuple(found)
