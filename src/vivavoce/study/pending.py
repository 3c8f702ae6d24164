"""Which cells of a study are missing: its files -> jobs for an engine."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from vivavoce.errors import InputError
from vivavoce.papers.discovery import find
from vivavoce.papers.limits import Limits
from vivavoce.readers import Reader, SharedReader, absolute_name
from vivavoce.records import Question
from vivavoce.results.papers import paper_of
from vivavoce.store import File, Store, file_id, question_key
from vivavoce.study.engines import Job
from vivavoce.study.entries import drop_entries, is_entry_file, lookup_name
from vivavoce.study.progress import Progress


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
    for path in find(papers):
        place = os.path.abspath(path)
        if place not in known:
            name = str(path) if str(path) not in names else place
            names.add(name)
            known[place] = File(place, name, None, "", 0, 0)
            store.set_file(known[place])


def pending_jobs(
    store: Store,
    folder: Path,
    files: Sequence[File],
    made: Mapping[str, Reader],
    limits: Limits,
    progress: Callable[[Progress], None],
    again: bool = False,
) -> Iterator[Job]:
    """A job for each paper with missing answers, with the questions that each reader is still to be asked;
    with `again`, for every paper with all questions. `made`: the study's readers, by name."""
    questions, readers = store.asked().questions, store.readers()
    shared = {
        absolute_name(name, folder): reader.for_papers([lookup_name(file) for file in files])
        for name, reader in made.items()
        if isinstance(reader, SharedReader)
    }
    seen: dict[str, str] = {}
    may_be_known = _may_be_known(store, files)
    for file in files:
        file = with_current_hash(file, may_be_known)
        if file.paper in seen and not file.reason:
            store.set_file(file)
            progress(Progress("same", file.name, reason=seen[file.paper]))
            continue
        done: set[tuple[str, str, str]] = set()
        known = file.paper is not None and (is_entry_file(file) or store.has_paper(file.paper))
        if file.paper is not None:
            seen[file.paper] = file.name
            done = set() if again else store.done(file.paper)
        if known:
            file = file._replace(reason="")
            store.set_file(file)
        asks = tuple(
            (absolute_name(name, folder), missing)
            for name, version in readers
            if (missing := _missing(questions, name, version, done))
        )
        if asks:
            paper = paper_of(store, file.paper, file) if known and file.paper else None
            own = {name: shared[name][lookup_name(file)] for name, _ in asks if name in shared}
            yield Job(file.path, file.name, asks, paper, limits, own, (file.size, file.changed))
        else:
            progress(Progress("done", file.name))


def with_current_hash(file: File, needed: Callable[[int], bool] = lambda _: True) -> File:
    """The file with its paper's id as it is now; one that can't be opened keeps what is known of it. It is
    hashed only if its size says that this is `needed`; else it has no paper until it has been read, which
    hashes it anyway."""
    try:
        status = os.stat(file.path)
        stamp = (status.st_size, status.st_mtime_ns)
        if file.paper and (file.size, file.changed) == stamp:
            return file
        id = file_id(Path(file.path)) if needed(status.st_size) else None
    except OSError:
        return file
    reason = file.reason if id == file.paper else ""
    return File(file.path, file.name, id, reason, *stamp)


def _may_be_known(store: Store, files: Sequence[File]) -> Callable[[int], bool]:
    """May a file of this size be one that the study has under another name, or has read before?"""
    sizes = Counter[int]()
    for file in files:
        with suppress(OSError):
            sizes[os.stat(file.path).st_size] += 1
    read = {file.size for file in files if file.paper}
    everything_has_its_size = store.parsers().keys() <= {file.paper for file in files if file.size}
    return lambda size: not everything_has_its_size or sizes[size] > 1 or size in read


def _missing(
    questions: Sequence[Question], reader: str, version: str, done: set[tuple[str, str, str]]
) -> tuple[Question, ...]:
    return tuple(q for q in questions if (question_key(q), reader, version) not in done)
