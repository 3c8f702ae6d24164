"""The search on the review page; and the page of a study that is kept on a PostgreSQL server."""

from dataclasses import replace
from pathlib import Path

from tests.postgres import FreshURL
from tests.store.sample import CODE, ID, PAPER, SET, filled
from tests.web.served import csrf_of, served
from vivavoce.store import Store, question_key

HOSTILE = "We counted <script>window.owned = 1</script> bees."


def made(place: "Path | str") -> None:
    store = Store.open(place, create=True)
    store.set_asked(SET)
    store.set_readers([("builtin", "1")])
    filled(store)
    store.close()


def test_papers_are_found_by_what_they_say(tmp_path: Path) -> None:
    made(tmp_path)
    with served(tmp_path) as page, page.client() as client:
        assert "No paper says" not in client.get("/search").text
        found = client.get("/search", params={"q": "counting bees"}).text
        assert "We counted bees." in found
        assert f'href="/cell/{ID}/Q1"' in found
        assert "No paper says anything like it." in client.get("/search?q=elephants").text
        assert client.get("/search?q=%22%27)").status_code == 200


def test_what_a_paper_says_is_not_obeyed(tmp_path: Path) -> None:
    store = Store.open(tmp_path, create=True)
    store.set_asked(SET)
    sentence = replace(PAPER.sentences[0], text=HOSTILE, start=0, end=len(HOSTILE))
    filled(store)
    store.replace_paper(replace(PAPER, text=HOSTILE, sentences=(sentence,), anchors=()))
    store.close()
    with served(tmp_path) as page, page.client() as client:
        found = client.get("/search", params={"q": "bees </input><script>alert(1)</script>"}).text
    assert "counted &lt;script&gt;" in found
    assert "<script>window" not in found
    assert "<script>alert" not in found


def test_two_reviewers_of_a_study_on_a_server(fresh_url: FreshURL) -> None:
    url = fresh_url()
    made(url)
    with served(url, "ada") as first, served(url, "ben") as second:
        with first.client() as client:
            assert url.replace("&", "&amp;") in client.get("/").text
            decided = client.post(
                f"/cell/{ID}/Q2", json={"action": "accept"}, headers={"X-CSRF-Token": csrf_of(client)}
            )
            assert decided.status_code == 200, decided.text
        (decision,) = second.session.store.decisions(ID)[question_key(CODE)]
        assert (decision.reviewer, decision.status) == ("ada", "reported")
        assert second.session.index().rows[0].cells[1].flags & 8
