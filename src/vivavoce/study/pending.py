"""Which cells of a study are missing: its files -> jobs for an engine."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.papers.discovery import find
from vivavoce.papers.files import absolute, stamp_of
from vivavoce.papers.limits import Limits
from vivavoce.papers.remote import find_all, is_url
from vivavoce.readers import Reader, SharedReader, StatesReader, absolute_name
from vivavoce.records import Question
from vivavoce.results.papers import paper_of
from vivavoce.store import File, Store, file_id, question_key, states_name
from vivavoce.study.engines import Job
from vivavoce.study.entries import drop_entries, is_entry_file, lookup_name
from vivavoce.study.progress import Progress

Asks = tuple[tuple[str, tuple[Question, ...]], ...]
"""Readers, and the questions that each is to be asked; see `Job.asks`."""


def study_files(store: Store, papers: Iterable[str | Path]) -> list[File]:
    """The study's files, including those that join it now. An entry gives way to a file of its paper."""
    add_files(store, papers)
    drop_entries(store)
    known = store.files()
    if not known:
        raise InputError(
            "there is no paper to ask; name files or folders, or take the papers that tables name with "
            "--without-files."
        )
    return sorted(known, key=lambda file: (file.name, file.path))


def add_files(store: Store, papers: Iterable[str | Path]) -> None:
    """Adds the files that are not in the study yet."""
    known = {file.path: file for file in store.files()}
    names = {file.name for file in known.values()}
    for path in find_papers(papers):
        place = absolute(path)
        if place not in known:
            name = str(path) if str(path) not in names else place
            names.add(name)
            known[place] = File(place, name, None, "", 0, 0)
            store.set_file(known[place])


def find_papers(papers: Iterable[str | Path]) -> list[str | Path]:
    """The papers among and below files, folders and URLs."""
    given = list(papers)
    return [*find([path for path in given if not is_url(path)]), *find_all(map(str, filter(is_url, given)))]


def pending_jobs(
    store: Store,
    folder: Path,
    files: Sequence[File],
    made: Mapping[str, Reader],
    limits: Limits,
    progress: Callable[[Progress], None],
    again: bool = False,
    keep_states: bool = False,
) -> Iterator[Job]:
    """A job for each paper with missing answers, with the questions that each reader is still to be asked;
    with `again`, for every paper with all questions. `made`: the study's readers, by name. With
    `keep_states`, they are to keep what they make of papers. What they kept is used whenever it is there."""
    questions, readers = store.asked().questions, store.readers()
    shared = {
        absolute_name(name, folder): reader.for_papers([lookup_name(file) for file in files])
        for name, reader in made.items()
        if isinstance(reader, SharedReader)
    }
    versions = dict(readers)
    stateful = {
        absolute_name(name, folder): states_name(name, versions[name])
        for name, reader in made.items()
        if isinstance(reader, StatesReader) and name in versions
    }
    seen: dict[str, str] = {}
    elsewhere: dict[str, File] = {}
    may_be_known = _may_be_known(store, files)

    def missing(file: File) -> Asks:
        done = set() if again or file.paper is None else store.done(file.paper)
        return _asks(folder, questions, readers, done)

    for file in _with_abandoned(store, files, elsewhere, progress):
        file = with_current_hash(file, may_be_known)
        if seen.get(file.paper or "", file.name) != file.name and not file.reason:
            store.set_file(file)
            progress(Progress("same", file.name, reason=seen[file.paper or ""]))
            continue
        asks = missing(file)
        if asks and store.several_runs:
            if not store.claim(file.path):
                elsewhere[file.path] = file
                continue
            # Another run may have read and asked it between our look and our claim.
            file = with_current_hash(store.file(file.path) or file, may_be_known)
            asks = missing(file)
        if file.paper is not None:
            seen[file.paper] = file.name
        known = file.paper is not None and (is_entry_file(file) or store.has_paper(file.paper))
        if known:
            file = file._replace(reason="")
            store.set_file(file)
        if asks:
            paper = paper_of(store, file.paper, file) if known and file.paper else None
            own = {name: shared[name][lookup_name(file)] for name, _ in asks if name in shared}
            kept = {} if paper is None or again else _kept(store, paper.id, asks, stateful)
            keep = tuple(name for name, _ in asks if keep_states and name in stateful and name not in kept)
            stamp = (file.size, file.changed)
            yield Job(file.path, file.name, asks, paper, limits, own, keep, kept, stamp)
        else:
            progress(Progress("done", file.name))


def _kept(store: Store, paper: str, asks: Asks, stateful: Mapping[str, str]) -> dict[str, bytes]:
    """What the readers that are asked kept of the paper, by name."""
    found = {name: store.states(paper, stateful[name]) for name, _ in asks if name in stateful}
    return {name: states for name, states in found.items() if states is not None}


def _with_abandoned(
    store: Store, files: Sequence[File], elsewhere: Mapping[str, File], progress: Callable[[Progress], None]
) -> Iterator[File]:
    """The files; then those that were found to be `elsewhere`, claimed by another run, which has died since.
    What a run claims that is alive is left to it."""
    yield from files
    left = store.abandoned(list(elsewhere))
    for path, file in list(elsewhere.items()):
        if path in left:
            yield file
        else:
            progress(Progress("elsewhere", file.name))


def with_current_hash(file: File, needed: Callable[[int], bool] = lambda _: True) -> File:
    """The file with its paper's id as it is now; one that can't be opened keeps what is known of it. It is
    hashed only if its size says that this is `needed`; else it has no paper until it has been read, which
    hashes it anyway."""
    try:
        stamp = stamp_of(file.path)
        if file.paper and (file.size, file.changed) == stamp:
            return file
        id = None if is_url(file.path) or not needed(stamp.size) else file_id(Path(file.path))
    except OSError:
        return file
    reason = file.reason if id == file.paper else ""
    return File(file.path, file.name, id, reason, *stamp)


def _may_be_known(store: Store, files: Sequence[File]) -> Callable[[int], bool]:
    """May a file of this size be one that the study has under another name, or has read before?"""
    sizes = Counter[int]()
    for file in files:
        with suppress(OSError):
            sizes[stamp_of(file.path).size] += 1
    read = {file.size for file in files if file.paper}
    everything_has_its_size = store.parsers().keys() <= {file.paper for file in files if file.size}
    return lambda size: not everything_has_its_size or sizes[size] > 1 or size in read


def _asks(
    folder: Path,
    questions: Sequence[Question],
    readers: Sequence[tuple[str, str]],
    done: set[tuple[str, str, str]],
) -> Asks:
    """What each reader is still to be asked."""
    return tuple(
        (absolute_name(name, folder), missing)
        for name, version in readers
        if (missing := _missing(questions, name, version, done))
    )


def _missing(
    questions: Sequence[Question], reader: str, version: str, done: set[tuple[str, str, str]]
) -> tuple[Question, ...]:
    return tuple(q for q in questions if (question_key(q), reader, version) not in done)
