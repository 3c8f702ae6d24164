"""A review session: the index, what others decide, what a blind reviewer must not see."""

import threading
import time
from functools import partial
from pathlib import Path

import pytest

from tests.timing import PATIENCE
from tests.web.served import OWLS, cells, served
from vivavoce.errors import VivaError
from vivavoce.records import Paper, PaperInfo, Question
from vivavoce.web.cache import Cache
from vivavoce.web.index import DECIDED, DISAGREEMENT, MINE, REVIEW, Index, Reviewer, address
from vivavoce.web.page_pictures import PagePictures
from vivavoce.web.paper_text import lines_of
from vivavoce.web.session import Position, ReviewSession

SECRET = "the secret reason of the other reviewer"


def session_of(
    study: Path, name: str = "ada", blind: bool = False, adjudicate: bool = False
) -> ReviewSession:
    return ReviewSession(study, Reviewer(name, blind, adjudicate))


def position(session: ReviewSession, file: str, question: str) -> Position:
    index = session.index()
    row = next(n for n, row in enumerate(index.rows) if row.paper.file.endswith(file))
    return Position(row, [q.id for q in index.questions].index(question))


def flags(session: ReviewSession, file: str, question: str) -> int:
    at = position(session, file, question)
    return session.index().rows[at.row].cells[at.column].flags


def test_the_index_says_what_the_results_say(study: Path) -> None:
    session = session_of(study)
    codes = {"reported": "r", "not_reported": "n", "unsupported": "u", "failed": "f"}
    for (file, question), cell in cells(study).items():
        at = position(session, file, question)
        entry = session.index().rows[at.row].cells[at.column]
        assert entry.code == codes[cell.verdict.status]
        assert entry.sure == round(cell.verdict.confidence * 100)
        assert bool(entry.flags & DISAGREEMENT) == (len({a.status for a in cell.answers}) > 1)
    column = session.index().document()["questions"][0]
    verdicts = [c.verdict.status for (_, q), c in cells(study).items() if q == "CODE"]
    assert column["reported"] == verdicts.count("reported")
    assert column["read"] == verdicts.count("reported") + verdicts.count("not_reported")
    assert 0 < column["low"] < column["reported"] / column["read"] < column["high"] <= 1
    session.close()


def test_search_wants_every_word_in_the_cell_or_its_paper(study: Path) -> None:
    session = session_of(study)
    index = session.index()
    width = len(index.questions)

    def found(text: str) -> set[tuple[str, str]]:
        return {
            (Path(index.rows[n // width].paper.file).name, index.questions[n % width].id)
            for n in index.search(text)
        }

    assert found("dawn-chorus-eleven") == {("bird-songs.pdf", "CODE")}
    assert found("DAWN-chorus  GITHUB") == {("bird-songs.pdf", "CODE")}
    assert found("dawn-chorus-eleven zebra") == set()
    assert found("camera-traps.pdf") == {("camera-traps.pdf", q.id) for q in index.questions}
    assert ("bird-songs.pdf", "OPT") in found("bird-songs adam")
    assert ("camera-traps.pdf", "OPT") not in found("bird-songs adam")
    session.close()


def test_a_decision_counts_at_once_and_so_does_another_s(study: Path) -> None:
    mine, other = session_of(study, "ada"), session_of(study, "ben")
    assert not flags(mine, "bird-songs.pdf", "OPT") & DECIDED
    mine.correct(position(mine, "bird-songs.pdf", "OPT"), "not_reported")
    assert flags(mine, "bird-songs.pdf", "OPT") & (DECIDED | MINE) == DECIDED | MINE
    assert flags(other, "bird-songs.pdf", "OPT") & (DECIDED | MINE) == DECIDED
    other.correct(position(other, "bird-songs.pdf", "OPT"), "reported")
    assert flags(mine, "bird-songs.pdf", "OPT") & (DISAGREEMENT | REVIEW) == DISAGREEMENT | REVIEW
    cell = mine.cell(position(mine, "bird-songs.pdf", "OPT"))
    assert cell is not None
    assert [entry.decision.reviewer for entry in mine.history(cell)] == ["ada", "ben"]
    for session in (mine, other):
        session.close()


def test_the_queue_goes_round_and_loses_what_is_decided(study: Path) -> None:
    session = session_of(study)
    waiting = [Position(*at) for at in session.index().waiting()]
    priorities = [session.index().rows[s.row].cells[s.column].priority for s in waiting]
    assert priorities == sorted(priorities, reverse=True)
    assert session.after(waiting[0])[:2] == (waiting[-1], waiting[1])
    session.accept(waiting[0])
    assert [Position(*at) for at in session.index().waiting()] == waiting[1:]
    assert session.index().progress().left == len(waiting) - 1
    session.undo(waiting[0])
    assert [Position(*at) for at in session.index().waiting()] == waiting
    assert not session.undo(waiting[0])
    session.close()


def test_what_can_t_be_decided(study: Path) -> None:
    session = session_of(study)
    with pytest.raises(VivaError, match="can't be accepted"):
        session.accept(position(session, "broken.pdf", "OPT"))
    nothing = next(
        (file, question)
        for (file, question), cell in cells(study).items()
        if all(answer.status == "not_reported" for answer in cell.answers)
    )
    with pytest.raises(VivaError, match="select the words"):
        session.correct(position(session, *nothing), "reported")
    session.close()


@pytest.mark.parametrize("adjudicated", [False, True])
def test_a_blind_reviewer_learns_nothing_of_the_other(study: Path, adjudicated: bool) -> None:
    other = session_of(study, "ben", adjudicate=adjudicated)
    at = position(other, "bird-songs.pdf", "OPT")
    quote = other.find(other.index().rows[at.row].slug, "We hung four autonomous sound recorders", None)
    other.decide(at, "not_reported", "words of ben", [(quote.start, quote.end)], SECRET)
    other.close()
    with served(study, "ada", blind=True) as page, page.client() as client:
        slug = page.session.index().rows[at.row].slug
        document = client.get("/api/matrix").json()
        assert not any(f & DECIDED for row in document["flags"] for f in row)
        assert document["status"][at.row][at.column] == "r"
        assert client.get("/api/search", params={"q": "secret"}).json() == []
        for path in (f"/cell/{slug}/OPT", "/agreement", "/", "/done"):
            html = client.get(path).text
            assert SECRET not in html
            assert "ben" not in html.replace("benchmark", "")
            assert "recorders" not in html
    with served(study, "ada") as page, page.client() as client:
        assert SECRET in client.get(f"/cell/{slug}/OPT").text


def test_addresses_are_safe_whatever_a_question_is_called(study: Path) -> None:
    with served(study) as page, page.client() as client:
        for row in page.session.index().rows:
            for question in page.session.index().questions:
                assert client.get(address(row.paper, question)).status_code == 200
    assert (
        "/" not in address(PaperInfo("", "a/../b"), Question("Why?", "a/b")).removeprefix("/cell/file-")[16:]
    )


def test_a_text_is_shown_whole_with_its_quotes_marked(study: Path) -> None:
    session = session_of(study)
    cell = cells(study)[OWLS, "OPT"]
    paper = session.paper(cell.paper.id)
    quote = cell.verdict.evidence[0]
    lines = lines_of(paper, [(quote.start, quote.end), (quote.start + 3, quote.end + 2)])
    assert ["".join(piece.text for piece in line.pieces) for line in lines] == [
        s.text for s in paper.sentences
    ]
    for n, span in enumerate([(quote.start, quote.end)]):
        marked = "".join(piece.text for line in lines for piece in line.pieces if n in piece.at)
        assert marked == "".join(s.text for s in paper.sentences_in(*span))
    session.close()


def test_an_index_of_nothing() -> None:
    index = Index([], [])
    assert index.document()["papers"] == []
    assert index.waiting() == []
    assert index.search("a") == []


# Keeping things


def test_the_last_things_are_kept_and_made_once() -> None:
    made: list[int] = []
    kept = Cache[int, str](3)

    def make(n: int) -> str:
        made.append(n)
        return str(n)

    for n in (1, 2, 3, 1, 4, 1, 2):
        assert kept.get(n, partial(make, n)) == str(n)
    assert made == [1, 2, 3, 4, 2]
    kept.clear()
    assert 1 not in kept
    heavy = Cache[int, str](5, len)
    for n in (1, 2, 3):
        heavy.get(n, lambda: "xxx")
    assert [n in heavy for n in (1, 2, 3)] == [False, False, True]


def test_two_who_ask_at_once_wait_for_one_making() -> None:
    kept = Cache[int, int](3)
    made: list[int] = []

    def slow() -> int:
        time.sleep(0.1)
        made.append(1)
        return 7

    threads = [threading.Thread(target=lambda: kept.get(1, slow)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_what_was_begun_before_all_was_forgotten_is_not_kept() -> None:
    kept = Cache[int, int](3)

    def make() -> int:
        kept.clear()  # meanwhile the study has changed
        return 1

    assert kept.get(1, make) == 1
    assert 1 not in kept


def test_pages_are_drawn_ahead(study: Path) -> None:
    session = session_of(study)
    row = next(row for row in session.index().rows if row.paper.file.endswith("bird-songs.pdf"))
    pictures = PagePictures()
    pages = [(row.paper.id, 1), (row.paper.id, 99), ("nobody", 1), (row.paper.id, 2)]
    pictures.ahead(session.paper, pages).join(PATIENCE)

    def never(paper: Paper, page: int) -> bytes:
        raise AssertionError(f"page {page} of {paper.file} was not there")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vivavoce.web.page_pictures.draw", never)
        for page in (1, 2):
            assert pictures.get(session.paper(row.paper.id), page).startswith(b"\xff\xd8\xff")  # a JPEG
    pictures.close()
    session.close()
