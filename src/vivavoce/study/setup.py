"""What a study's files say: the questions, the readers and how they vote. They are parsed once per run.

`study.toml` and `questions.yaml` may be edited between two runs, and so may a file that a reader has its
answers from (`table:labels.csv`). A setup is used again as long as none of these has changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from vivavoce.errors import StudyError
from vivavoce.questions import parse
from vivavoce.readers import Reader, absolute_name, is_language_model
from vivavoce.readers import reader as find_reader
from vivavoce.readers.llm.limits import RunLimits
from vivavoce.readers.llm.session import ModelSession
from vivavoce.records import QuestionSet
from vivavoce.store import DEFINITION, Store
from vivavoce.study.folder import QUESTIONS, Definition, read_definition, write_text
from vivavoce.vocabulary import read_terms

OWN_FILES = (DEFINITION, QUESTIONS)
"""The study's own files. The store keeps copies, so that a folder can be made from it."""
VOCABULARY = "vocabulary"
"""The folder of a study in which people put terms of their own."""
Stamp = tuple[str, int, int, int]
"""A file, its inode, its size, and when it was last changed."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a study's files say, parsed."""

    definition: Definition
    questions: QuestionSet
    readers: Mapping[str, Reader]
    """By their names in the definition, in its order."""
    texts: tuple[bytes, ...]
    """What the study's own files held when they were parsed."""
    stamps: tuple[Stamp, ...]
    """The readers' files when they were parsed."""

    def is_current(self, folder: Path) -> bool:
        """Do the files still say the same?"""
        return self.texts == _texts(folder) and self.stamps == _stamps(folder, self.definition)

    def write_to(self, store: Store) -> None:
        """Tells the store what is asked from now on, and by whom."""
        definition = self.definition
        readers = [(name, reader.version) for name, reader in self.readers.items()]
        weights = dict(definition.weights) if definition.vote == "weighted" else None
        # What is said already is not said again: another run may be reading it.
        if store.asked() != self.questions:
            store.set_asked(self.questions)
        if store.readers() != readers:
            store.set_readers(readers)
        if store.weights() != weights:
            store.set_weights(weights)
        for name, text in zip(OWN_FILES, self.texts, strict=False):  # the vocabulary's files come behind
            if store.own_file(name) != (kept := text.decode("utf-8", "replace")):
                store.set_own_file(name, kept)


def read_setup(
    folder: Path,
    definition: Definition | None = None,
    questions: QuestionSet | None = None,
    readers: Mapping[str, Reader] | None = None,
) -> Setup:
    """Parses the study's files, but for what has been parsed already."""
    definition = definition or read_definition(folder)
    texts, stamps = _texts(folder), _stamps(folder, definition)
    session = ModelSession(RunLimits(definition.models))
    known = readers or {}
    made = {
        # How a language model answers depends on the study's settings.
        name: known[name]
        if name in known and not is_language_model(name)
        else find_reader(absolute_name(name, folder), session=session)
        for name in definition.readers
    }
    asked = with_vocabulary(folder, questions or read_questions(folder))
    return Setup(definition, asked, made, texts, stamps)


def with_vocabulary(folder: Path, questions: QuestionSet) -> QuestionSet:
    """The questions, each with the terms in the study's own vocabulary, if it has one."""
    own = tuple(read_terms(file) for file in _vocabulary_files(folder))
    if not own:
        return questions
    return replace(questions, questions=tuple(replace(q, vocabulary=own) for q in questions.questions))


def _vocabulary_files(folder: Path) -> list[Path]:
    place = folder / VOCABULARY
    return sorted(place.glob("*.yaml")) if place.is_dir() else []


def read_questions(folder: Path) -> QuestionSet:
    """The study's copy of its question set."""
    path = folder / QUESTIONS
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(
            f"{path}: the study's questions can't be read ({error}); give --questions."
        ) from None
    return parse(str(path), text)


def write_own_files(store: Store, folder: Path) -> None:
    """Makes a study's own files from the store's copies."""
    for name in OWN_FILES:
        text = store.own_file(name)
        if text is None:
            raise StudyError(
                f"{store.database.name}: an older version made this study; run it once more where it is."
            )
        write_text(folder / name, text)


def _texts(folder: Path) -> tuple[bytes, ...]:
    own = [folder / name for name in OWN_FILES]
    return tuple(_bytes(path) for path in (*own, *_vocabulary_files(folder)))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # whoever parses it says what is wrong
        return b""


def _stamps(folder: Path, definition: Definition) -> tuple[Stamp, ...]:
    """Of the readers that have a file in their names, or a folder of files."""
    found = []
    for name in definition.readers:
        _, _, named = absolute_name(name, folder).partition(":")
        if not named:
            continue
        place = Path(named)
        try:
            for file in (place, *(sorted(place.iterdir()) if place.is_dir() else ())):
                status = file.stat()
                found.append((str(file), status.st_ino, status.st_size, status.st_mtime_ns))
        except (OSError, ValueError):  # there is no such file: it is not that kind of reader
            continue
    return tuple(found)
