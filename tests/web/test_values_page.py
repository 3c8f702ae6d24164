"""Codes in the review: chosen from a list, counted, and led back to their cells."""

from pathlib import Path

import pytest

from tests.coded import PAPERS, study
from vivavoce.errors import InputError
from vivavoce.web.index import Reviewer
from vivavoce.web.session import Position, ReviewSession

pytest.importorskip("fastapi", reason="needs vivavoce[web]")


@pytest.fixture
def session(tmp_path: Path) -> ReviewSession:
    study(tmp_path).close()
    return ReviewSession(tmp_path, Reviewer("ada"))


def test_a_code_from_the_list_is_a_decision(session: ReviewSession) -> None:
    at = Position(0, 0)
    session.choose(at, ["request"], "they say so")
    cell = session.cell(at)
    assert cell is not None
    assert (cell.verdict.value, cell.verdict.by, cell.vote.value) == ("request", "person", "repository")
    assert cell.verdict.evidence
    session.choose(at, ["not_stated"])
    cell = session.cell(at)
    assert cell is not None
    assert (cell.verdict.status, cell.verdict.value) == ("not_reported", "not_stated")
    with pytest.raises(InputError, match="Choose one of repository, request"):
        session.choose(at, ["elsewhere"])
    session.close()


def test_accepting_keeps_the_code(session: ReviewSession) -> None:
    session.accept(Position(2, 0))
    cell = session.cell(Position(2, 0))
    assert cell is not None
    assert cell.decisions[0].values == ("request",)
    session.close()


def test_no_code_without_a_quote(session: ReviewSession) -> None:
    with pytest.raises(InputError, match="Nobody has a quote"):
        session.choose(Position(3, 0), ["repository"])
    session.close()


def test_counted_values_lead_to_their_cells(session: ReviewSession) -> None:
    before = {one.question.id: one for one in session.distributions()}["data"]
    assert [(bar.value, bar.papers) for bar in before.bars] == [
        ("repository", 2),
        ("request", 1),
        ("not_stated", 1),
    ]
    session.choose(Position(0, 0), ["request"])
    question, after = session.distribution("data")
    assert question.id == "data"
    request = next(bar for bar in after.bars if bar.value == "request")
    assert [paper.id for paper in request.sources] == [next(iter(PAPERS)), list(PAPERS)[2]]
    session.close()


def test_the_pages(session: ReviewSession) -> None:
    from fastapi.testclient import TestClient

    from vivavoce.web.app import application
    from vivavoce.web.security import Access

    access = Access("127.0.0.1", 8100)
    client = TestClient(application(session, access), base_url="http://127.0.0.1:8100")
    client.get(f"/open?token={access.token}")
    page = client.get("/values").text
    assert "/values/data?value=repository" in page
    listed = client.get("/values/data?value=repository").text
    assert listed.count('href="/cell/') == 2
    assert client.get("/values/data?value=nothing").status_code == 404
    cell = client.get(f"/cell/{next(iter(PAPERS))}/data").text
    assert 'data-code="request"' in cell
    assert 'data-code="not_stated"' in cell
    assert client.get("/api/matrix").json()["values"]["0"] == [
        "repository",
        "repository",
        "request",
        "not_stated",
    ]
    session.close()
