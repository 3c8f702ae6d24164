"""Papers that tables have answers about, and that have no file: they join a study with their metadata alone.

A paper that any table names is one entry, whatever the others call it, if its file, DOI or title is the
same. Once a file of the paper is in the study, the entry is not: tables answer about the file then, and its
quotes are looked up. What people decided on the entry stays in the store.
"""

from collections.abc import Iterable

from vivavoce.evidence.file_names import FileNames
from vivavoce.evidence.tables.naming import doi_key, title_key
from vivavoce.evidence.tables.parsing import PaperName
from vivavoce.papers.entries import PREFIX, entry
from vivavoce.readers import NamesPapers, Reader
from vivavoce.store import File, Store


def is_entry_file(file: File) -> bool:
    return file.path.startswith(PREFIX)


def lookup_name(file: File) -> str:
    """What tables may know a file by: its path; of an entry, its name."""
    return file.name if is_entry_file(file) else file.path


def join_entries(store: Store, readers: Iterable[Reader]) -> None:
    """Adds an entry for each paper that a table names and that is not in the study."""
    known = _Known(store)
    for reader in readers:
        if not isinstance(reader, NamesPapers):
            continue
        for name, about in reader.named_papers().items():
            if not known.has(name, about):
                known.add(name, about)
                _write(store, name, about)


def drop_entries(store: Store) -> None:
    """Takes out the entries of papers that have a file in the study by now."""
    files = store.files()
    if not any(map(is_entry_file, files)):
        return
    known = _Known(store, without_entries=True)
    about = {paper.id: PaperName(paper.doi, paper.title, paper.year) for paper in store.sources()}
    for file in files:
        if is_entry_file(file) and known.has(file.name, about.get(file.paper or "", PaperName())):
            store.remove_file(file.path)


def _write(store: Store, name: str, about: PaperName) -> None:
    paper = entry(name, title=about.title, doi=doi_key(about.doi or name), year=about.year)
    store.add_paper(paper)
    store.set_file(File(f"{PREFIX}{name}", name, paper.id, "", 0, 0))


class _Known:
    """The papers of a study, by all their names."""

    def __init__(self, store: Store, without_entries: bool = False) -> None:
        files = [file for file in store.files() if not (without_entries and is_entry_file(file))]
        papers = {file.paper for file in files}
        self._names = [lookup_name(file) for file in files]
        self._files: FileNames[str] = FileNames((name, name) for name in self._names)
        infos = [paper for paper in store.sources() if paper.id in papers]
        self._dois = {key for paper in infos if (key := doi_key(paper.doi or paper.file))}
        self._titles = {key for paper in infos if (key := title_key(paper.title))}
        self._added: set[str] = set()

    def has(self, name: str, about: PaperName) -> bool:
        doi, title = doi_key(about.doi or name), title_key(about.title)
        return bool(
            name in self._added
            or self._files.of_row(name)
            or (doi and doi in self._dois)
            or (title and title in self._titles)
        )

    def add(self, name: str, about: PaperName) -> None:
        self._added.add(name)
        self._dois.add(doi_key(about.doi or name))
        self._titles.add(title_key(about.title))
