"""Who may come in, who may change something, and what a hostile paper can do: nothing."""

import socket
from pathlib import Path

import httpx
import pytest

from tests.web.served import OWLS, RLO, Served, cells, csrf_of, served
from vivavoce.web.invisible import meant, shown
from vivavoce.web.security import CSP, Access, LoginThrottle, is_loopback
from vivavoce.web.serving import listen


def first_cell(page: Served) -> str:
    """The address of a cell that can be decided."""
    index = page.session.index()
    row = next(row for row in index.rows if row.paper.file.endswith("bird-songs.pdf"))
    return f"/cell/{row.slug}/OPT"


# The token and the session


def test_nothing_is_shown_without_the_token(study: Path) -> None:
    with served(study) as page, page.client(enter=False) as stranger:
        index = page.session.index()
        slug = index.rows[0].slug
        for path in (
            "/",
            "/queue",
            "/agreement",
            "/api/matrix",
            "/api/search?q=a",
            f"/cell/{slug}/OPT",
            f"/paper/{slug}/page/1.jpg",
            f"/paper/{slug}/page/1.json",
            "/nowhere",
        ):
            reply = stranger.get(path)
            assert reply.status_code == 401, path
            assert "bird" not in reply.text.lower()
        wrong = stranger.get("/open", params={"token": page.access.token[:-1] + "x"})
        assert wrong.status_code == 401
        assert not stranger.cookies


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(study: Path) -> None:
    with served(study) as page, page.client(enter=False) as client:
        reply = client.get(page.url)
        assert reply.status_code == 303
        assert reply.headers["location"] == "/"
        cookie = reply.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert page.access.token not in cookie
        assert client.get("/").status_code == 200
        assert page.access.token not in client.get("/").text


def test_each_review_has_a_token_and_a_cookie_of_its_own(study: Path) -> None:
    with served(study) as one, served(study, "ben") as other:
        assert one.access.token != other.access.token
        assert len(one.access.token) >= 43
        with other.client() as client:
            stolen = {one.access.cookie: client.cookies[other.access.cookie]}
        with httpx.Client(base_url=one.base, cookies=stolen, trust_env=False) as client:
            assert client.get("/").status_code == 401


# Changes


def test_a_change_needs_the_csrf_token(study: Path) -> None:
    with served(study) as page, page.client() as client:
        address = first_cell(page)
        right = csrf_of(client)
        for headers in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": right[:-1] + "0"}):
            if headers.get("X-CSRF-Token") == right:
                headers = {"X-CSRF-Token": "0" * 64}
            reply = client.post(address, json={"action": "accept"}, headers=headers)
            assert reply.status_code == 403
        assert not cells(study)["bird-songs.pdf", "OPT"].decisions
        reply = client.post(address, json={"action": "accept"}, headers={"X-CSRF-Token": right})
        assert reply.status_code == 200
        assert cells(study)["bird-songs.pdf", "OPT"].decisions


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_change_from_another_site_is_refused(study: Path, headers: dict[str, str]) -> None:
    with served(study) as page, page.client() as client:
        token = {"X-CSRF-Token": csrf_of(client)}
        reply = client.post(first_cell(page), json={"action": "accept"}, headers={**token, **headers})
        assert reply.status_code == 403
        assert not cells(study)["bird-songs.pdf", "OPT"].decisions


def test_nothing_is_changed_by_looking(study: Path) -> None:
    with served(study) as page, page.client() as client:
        reply = client.get(first_cell(page), params={"action": "accept"})
        assert reply.status_code == 200
        assert not any(cell.decisions for cell in cells(study).values())


# The Host header


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "10.1.2.3:{port}",
        "user@127.0.0.1:{port}",
        "",
        "localhost:{port}x",
    ],
)
def test_a_name_that_is_not_ours_gets_nothing(study: Path, host: str) -> None:
    with served(study) as page, page.client() as client:
        reply = client.get("/", headers={"Host": host.format(port=page.access.port)})
        assert reply.status_code in (400, 421)
        assert "csrf" not in reply.text


def test_our_own_names_are_let_through(study: Path) -> None:
    with served(study) as page, page.client() as client:
        for name in ("127.0.0.1", "localhost", "[::1]"):
            assert client.get("/", headers={"Host": f"{name}:{page.access.port}"}).status_code == 200


def test_a_server_for_others_goes_by_addresses_and_its_own_name() -> None:
    access = Access("review.lab.example", 8765, "a long password")
    assert access.is_us("review.lab.example:8765")
    assert access.is_us("10.1.2.3:8765")
    assert not access.is_us("other.example:8765")
    assert [
        is_loopback(h) for h in ("127.0.0.1", "::1", "localhost", "127.9.9.9", "0.0.0.0", "::", "a.b")
    ] == [
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_answers_are_sent_at_once() -> None:
    """Without its protocol's name a socket waits 40 ms before each answer's second piece."""
    with listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


# Headers


def test_every_answer_has_the_headers(study: Path) -> None:
    with served(study) as page, page.client() as client, page.client(enter=False) as stranger:
        slug = next(r.slug for r in page.session.index().rows if r.paper.file.endswith("bird-songs.pdf"))
        replies = [
            client.get(path)
            for path in (
                "/",
                "/agreement",
                "/api/matrix",
                "/static/app.js",
                "/nowhere",
                f"/paper/{slug}/page/1.jpg",
                f"/cell/{slug}/OPT",
            )
        ]
        replies += [stranger.get("/"), stranger.get("/", headers={"Host": "evil.example"}), client.post("/")]
        for reply in replies:
            headers = reply.headers
            assert headers["content-security-policy"] == CSP
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-frame-options"] == "DENY"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers
            if "html" in headers.get("content-type", ""):
                assert headers["cache-control"] == "no-store"


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in CSP.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert {rules[name] for name in ("script-src", "style-src", "img-src", "connect-src", "form-action")} == {
        "'self'"
    }


def test_pages_have_no_script_and_no_style_of_their_own(study: Path) -> None:
    with served(study) as page, page.client() as client:
        for path in ("/", first_cell(page), "/agreement", "/done"):
            html = client.get(path).text
            assert " style=" not in html
            assert "<style" not in html
            assert " onclick=" not in html
            for script in html.split("<script ")[1:]:
                assert script.startswith(('type="module" src="/static/', 'type="application/json"'))
            assert "//" not in html.split("<body>")[0].replace("http://www.w3.org", "")


# What a request can name


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static//etc/passwd",
        "/paper/..%2f..%2fetc%2fpasswd/page/1.jpg",
        "/paper/{slug}/page/0.jpg",
        "/paper/{slug}/page/999.jpg",
        "/paper/{slug}/page/-1.jpg",
        "/paper/{slug}/page/1.jpg/../../../viva.db",
        "/cell/{slug}/..%2f..%2fviva.db",
        "/viva.db",
        "/study.toml",
        "/cell/nobody/OPT",
        "/cell/{slug}/NONE",
        "/paper/nobody/page/1.json",
        "/docs",
        "/redoc",
        "/openapi.json",
    ],
)
def test_no_path_leads_out_of_the_study(study: Path, path: str) -> None:
    with served(study) as page, page.client() as client:
        slug = next(r.slug for r in page.session.index().rows if r.paper.file.endswith("bird-songs.pdf"))
        request = f"GET {path.format(slug=slug)} HTTP/1.1\r\nHost: 127.0.0.1:{page.access.port}\r\n"
        cookie = (
            f"Cookie: {page.access.cookie}={client.cookies[page.access.cookie]}\r\nConnection: close\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", page.access.port)) as raw:  # httpx would tidy the path
            raw.sendall((request + cookie).encode())
            reply = b"".join(iter(lambda: raw.recv(65536), b""))
        assert reply.split(b" ")[1] in (b"404", b"422"), reply[:200]
        assert b"root:" not in reply
        assert b"SQLite" not in reply
        assert b"Traceback" not in reply


def test_a_body_has_a_limit(study: Path) -> None:
    with served(study) as page, page.client() as client:
        token = {"X-CSRF-Token": csrf_of(client)}
        assert client.post(first_cell(page), content=b"x" * 1_000_001, headers=token).status_code == 413
        streamed = client.post(first_cell(page), content=iter([b"x" * 10]), headers=token)
        assert streamed.status_code == 413


def test_what_makes_no_sense_is_refused_and_not_repeated(study: Path) -> None:
    with served(study) as page, page.client() as client:
        token = {"X-CSRF-Token": csrf_of(client)}
        body: object
        for body in ({"action": "<b>drop</b>"}, {"action": "correct", "status": "failed<i>"}, [], "x", {}):
            reply = client.post(first_cell(page), json=body, headers=token)
            assert reply.status_code == 422
            assert "<b>" not in reply.text
        for spans in ([[-5, 10]], [[10, 5]], [[0, 10**9]]):
            body = {"action": "decide", "status": "reported", "spans": spans}
            assert client.post(first_cell(page), json=body, headers=token).status_code == 409
        failed = {"action": "correct", "status": "failed"}
        assert client.post(first_cell(page), json=failed, headers=token).status_code == 409
        assert not any(cell.decisions for cell in cells(study).values())


# Passwords


def test_a_password_opens_the_door_and_the_token_does_not(study: Path) -> None:
    with served(study, password="correct horse") as page, page.client(enter=False) as client:
        assert "token" not in page.url
        assert client.get("/open", params={"token": page.access.token}).status_code == 401
        assert client.get("/").headers["location"] == "/login"
        assert client.post("/login", data={"password": "battery"}).status_code == 401
        slow = client.post("/login", data={"password": "correct horse"})
        assert slow.status_code == 429  # too soon after a wrong one, even when it is right
        assert int(slow.headers["retry-after"]) >= 0
        assert client.get("/").status_code == 303


def test_the_right_password(study: Path) -> None:
    with served(study, password="correct horse") as page, page.client(enter=False) as client:
        assert client.post("/login", data={"password": "correct horse"}).headers["location"] == "/"
        assert client.get("/").status_code == 200


def test_each_wrong_password_makes_the_next_wait_twice_as_long() -> None:
    now = [0.0]
    throttle = LoginThrottle(lambda: now[0])
    waits = []
    for _ in range(12):
        throttle.wrong("a")
        waits.append(throttle.wait("a"))
        now[0] += waits[-1]
        assert throttle.wait("a") == 0
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert waits[-1] == LoginThrottle.LONGEST
    assert throttle.wait("b") == 0
    throttle.right("a")
    throttle.wrong("a")
    assert throttle.wait("a") == 1


# Hostile text


def test_a_paper_s_words_are_never_markup(study: Path) -> None:
    with served(study) as page, page.client() as client:
        row = next(r for r in page.session.index().rows if r.paper.file.endswith(OWLS))
        for question in ("OPT", "AUG"):
            html = client.get(f"/cell/{row.slug}/{question}").text
            assert "window.owned" in html  # it is shown ...
            assert "<script>window" not in html  # ... and is nothing but letters
            assert "<svg onload" not in html
            assert "<img src=x" not in html
            assert RLO not in html
            assert "⟦RLO⟧" in html


def test_marks_that_reorder_letters_are_shown_by_name() -> None:
    text = f"a{RLO}b\u2066c\u200bd\x07e\ud800"
    assert shown(text) == "a⟦RLO⟧b⟦LRI⟧c⟦ZWSP⟧d\ufffde\ufffd"
    assert meant(shown(f"a{RLO}b\u2069")) == f"a{RLO}b\u2069"
