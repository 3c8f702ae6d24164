"""A study to review, and the page that serves it: what the tests of the review page share."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.conftest import EXAMPLES
from tests.timing import PATIENCE, wait_until
from vivavoce.records import Cell
from vivavoce.results.cells import Results
from vivavoce.store import Store
from vivavoce.study.study import Study
from vivavoce.web.index import Reviewer
from vivavoce.web.security import Access
from vivavoce.web.serving import listen, server
from vivavoce.web.session import ReviewSession

SET = """name: five
questions:
  - {id: CODE, text: "In which repository is the authors' code available?", kind: link}
  - {id: AUG, text: "Which data augmentation was applied?"}
  - {id: HARD, text: "Which hardware was the model trained on?"}
  - {id: OPT, text: "Which optimiser was used for training?"}
  - {id: "SPLIT/1 ü", text: "How was the data split into training, validation and test sets?"}
"""
SCRIPT = (
    "<script>window.owned = 1</script><svg onload='window.owned = 2'><img src=x onerror='window.owned=3'>"
)
RLO = "\u202e"
OWLS = f"owls<img src=x onerror=window.owned=5>{RLO}.txt"
HOSTILE = f"""Owls {SCRIPT} and more

We trained with the Adam optimiser {SCRIPT} for ninety epochs on one graphics card in our cellar.

The pictures were flipped and rotated </script><script>window.owned = 4</script> to augment the data.

""" + "\n\n".join(
    f"Owl number {n} sat on a branch in the old oak and was looked at for a long time." for n in range(20)
)
PEOPLE = """file,question_id,reported,answer
camera-traps.pdf,OPT,no,
camera-traps.pdf,HARD,no,
bird-songs.pdf,HARD,no,
"""


def make(folder: Path) -> Path:
    """Five papers, one of them hostile, one broken; two readers that do not always agree."""
    papers = folder / "papers"
    papers.mkdir(parents=True)
    for name in ("bird-songs.pdf", "camera-traps.pdf", "coral-survey.html"):
        (papers / name).write_bytes((EXAMPLES / "papers" / name).read_bytes())
    (papers / OWLS).write_text(HOSTILE, encoding="utf-8")
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing of use")
    (folder / "set.yaml").write_text(SET, encoding="utf-8")
    (folder / "people.csv").write_text(PEOPLE)
    readers = ["builtin", f"table:{folder / 'people.csv'}"]
    study = Study.create(folder / "study", str(folder / "set.yaml"), readers)
    try:
        study.run([papers], workers=1)
    finally:
        study.close()
    return folder / "study"


@dataclass
class Served:
    session: ReviewSession
    access: Access

    @property
    def url(self) -> str:
        """With the token."""
        return self.access.url

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.access.port}"

    @contextmanager
    def client(self, enter: bool = True) -> Iterator[httpx.Client]:
        """Somebody with a browser; one who has opened the printed address, or not."""
        with httpx.Client(base_url=self.base, trust_env=False, timeout=PATIENCE) as client:
            if enter:
                assert client.get(self.url).status_code == 303
            yield client


@contextmanager
def served(
    study: Path | str, name: str = "ada", blind: bool = False, adjudicate: bool = False, password: str = ""
) -> Iterator[Served]:
    """The page, served from a thread."""
    session = ReviewSession(study, Reviewer(name, blind, adjudicate))
    listener = listen("127.0.0.1", 0)
    access = Access("127.0.0.1", listener.getsockname()[1], password)
    serving = server(session, access)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: serving.started)
        yield Served(session, access)
    finally:
        serving.should_exit = True
        thread.join(PATIENCE)
        listener.close()
        session.close()


def cells(study: Path) -> dict[tuple[str, str], Cell]:
    """What the study has come to, by file name and question."""
    store = Store.open(study, readonly=True)
    try:
        return {(Path(c.paper.file).name, c.question.id): c for c in Results.of(store).cells()}
    finally:
        store.close()


def csrf_of(client: httpx.Client) -> str:
    page = client.get("/").text
    return page.split('name="csrf" content="')[1].split('"')[0]
