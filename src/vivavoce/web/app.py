"""Requests -> the session -> pages.

Every page is a whole document, or, for a script that asks for it, the part of it that changes.
"""

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import parse_qs, quote

from fastapi import Body, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from vivavoce.errors import VivaError
from vivavoce.records import Status
from vivavoce.results.calibration import calibration_lines
from vivavoce.results.statuses import NOT_ASKED, STATUSES, status_css, status_words
from vivavoce.results.values import value_words
from vivavoce.web.cell_page import cell_page
from vivavoce.web.index import address, question_slug
from vivavoce.web.invisible import meant, shown
from vivavoce.web.security import Access, LoginThrottle, SecurityMiddleware
from vivavoce.web.session import NotFound, Position, ReviewSession

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
LONGEST = 20_000
"""Characters of an answer or a reason."""


class Quote(BaseModel):
    """Words to look up in the paper."""

    words: str = Field(max_length=LONGEST)
    page: int | None = None


class Change(BaseModel):
    """What a reviewer does to a cell."""

    action: str = Field(pattern="^(accept|correct|code|decide|side|undo)$")
    status: Status = "not_reported"
    text: str = Field("", max_length=LONGEST)
    reason: str = Field("", max_length=LONGEST)
    spans: list[tuple[int, int]] = Field(default_factory=list, max_length=100)
    reviewer: str = Field("", max_length=200)
    values: list[Annotated[str, Field(max_length=LONGEST)]] = Field(default_factory=list, max_length=50)
    """Codes, or values in words."""


class Pages:
    """Templates and static files, read once: no request names a file."""

    def __init__(self, session: ReviewSession) -> None:
        self.session = session
        self.static = {
            entry.name: (entry.read_bytes(), TYPES["." + entry.name.rsplit(".", 1)[-1]])
            for entry in (files("vivavoce.web") / "static").iterdir()
            if "." + entry.name.rsplit(".", 1)[-1] in TYPES
        }
        self.static["statuses.css"] = (status_css().encode(), TYPES[".css"])
        every = b"".join(data for data, _ in sorted(self.static.values()))
        self.version = f'"{hashlib.sha256(every).hexdigest()[:20]}"'
        self._templates = Environment(
            loader=PackageLoader("vivavoce.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(
            shown=shown,
            words=status_words,
            value=value_words,
            slug=lambda q: quote(question_slug(q), safe=""),
        )
        self._templates.globals.update(statuses=STATUSES, not_asked=NOT_ASKED)

    def page(self, name: str, request: Request | None = None, status: int = 200, **values: Any) -> Response:
        """A document; its changing part alone when a script of ours asks for it."""
        csrf = getattr(request.state, "csrf", "") if request is not None else ""
        part = request is not None and request.headers.get("x-part") == "1"
        head = self._head() if csrf else None
        html = self._templates.get_template(name).render(
            csrf=csrf, part=part, head=head, reviewer=self.session.reviewer, **values
        )
        return HTMLResponse(html, status)

    def _head(self) -> dict[str, Any]:
        """What the header of every page shows."""
        index = self.session.index()
        return {
            "study": self.session.name,
            "progress": index.progress(),
            "waiting": len(index.waiting()),
        }

    def refuse(self, status: int, why: str) -> Response:
        return self.page(
            "message.html", None, status, title=_TITLES.get(status, "That did not work"), why=why
        )


_TITLES = {
    401: "This page is locked",
    403: "Refused",
    404: "Not here",
    413: "Refused",
    421: "Refused",
    429: "Too many wrong passwords",
}


def application(session: ReviewSession, access: Access) -> Callable[..., Any]:
    """The whole page, guarded."""
    pages = Pages(session)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    _entrances(app, access, pages)
    _views(app, session, pages)
    _data(app, session)
    _changes(app, session)
    _errors(app, pages)
    return SecurityMiddleware(app, access, pages.refuse)


def _entrances(app: FastAPI, access: Access, pages: Pages) -> None:
    throttle = LoginThrottle()

    @app.get("/open")
    def enter(token: str = "") -> Response:
        if access.admits(token):
            return access.let_in()
        return pages.refuse(
            401, "That token is not this server's. Open the address that `viva review` printed."
        )

    @app.get("/login")
    def login() -> Response:
        if not access.password:
            raise NotFound("This server asks for no password.")
        return pages.page("login.html", why="")

    @app.post("/login")
    async def log_in(request: Request) -> Response:
        client = request.client.host if request.client else ""
        wait = throttle.wait(client)
        if wait:
            refused = pages.refuse(429, f"Wait {wait:.0f} s, then try again.")
            refused.headers["Retry-After"] = f"{wait:.0f}"
            return refused
        fields = parse_qs((await request.body()).decode("utf-8", "replace"))
        if access.knows(fields.get("password", [""])[0]):
            throttle.right(client)
            return access.let_in()
        throttle.wrong(client)
        return pages.page("login.html", None, 401, why="That is not the password.")

    @app.get("/static/{name}")
    def static(request: Request, name: str) -> Response:
        if name not in pages.static:
            raise NotFound("There is no such file.")
        data, kind = pages.static[name]
        headers = {"Cache-Control": "no-cache", "ETag": pages.version}
        if request.headers.get("if-none-match") == pages.version:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)


def _views(app: FastAPI, session: ReviewSession, pages: Pages) -> None:
    @app.get("/")
    def matrix(request: Request) -> Response:
        results = session.results()
        lines = calibration_lines(session.store) if results.calibration else ()
        return pages.page("matrix.html", request, results=results, calibrated=lines)

    @app.get("/cell/{paper}/{question}")
    def cell(request: Request, paper: str, question: str, queue: bool = False) -> Response:
        return pages.page(
            "cell.html", request, c=cell_page(session, session.position(paper, question), queue)
        )

    @app.get("/queue")
    def queue() -> Response:
        waiting = session.index().waiting()
        if not waiting:
            return RedirectResponse("/done", 303)
        return RedirectResponse(f"{_address(session, Position(*waiting[0]))}?queue=1", 303)

    @app.get("/done")
    def done(request: Request) -> Response:
        return pages.page("done.html", request, progress=session.index().progress())

    @app.get("/values")
    def values(request: Request) -> Response:
        return pages.page("values.html", request, distributions=session.distributions())

    @app.get("/values/{question}")
    def papers(request: Request, question: str, value: str = "") -> Response:
        column, one = session.distribution(question)
        bar = next((bar for bar in one.bars if bar.value == value), None)
        if bar is None:
            raise NotFound("No paper gives this value any more.")
        cells = [(address(paper, column), paper) for paper in bar.sources]
        return pages.page("value.html", request, one=one, bar=bar, cells=cells)

    @app.get("/agreement")
    def agreement(request: Request) -> Response:
        blind = session.reviewer.blind
        pairs = () if blind else session.pairs()
        disagreements = [] if blind else [(address(c.paper, c.question), c) for c in session.disagreements()]
        return pages.page("agreement.html", request, pairs=pairs, disagreements=disagreements)

    @app.get("/search")
    def find(request: Request, q: str = "") -> Response:
        text = meant(q[:200])
        found = session.search(text) if any(letter.isalnum() for letter in text) else None
        asked = session.index().questions
        papers = (
            [(address(one.paper, asked[0]) if asked else "/", one) for one in found.papers] if found else []
        )
        return pages.page("search.html", request, q=text, found=found, papers=papers)


def _data(app: FastAPI, session: ReviewSession) -> None:
    @app.get("/api/matrix")
    def matrix() -> Response:
        return JSONResponse(session.index().document())

    @app.get("/api/search")
    def search(q: str = "") -> Response:
        return JSONResponse(session.index().search(q[:200]))

    @app.get("/paper/{paper}/page/{page}.jpg")
    def picture(paper: str, page: int) -> Response:
        # Named by the hash of its bytes, a page never changes.
        headers = {"Cache-Control": "private, max-age=3600, immutable"}
        return Response(session.picture(paper, page), media_type="image/jpeg", headers=headers)

    @app.get("/paper/{paper}/page/{page}.json")
    def words(paper: str, page: int) -> Response:
        return JSONResponse(
            [[shown(w.text), w.x0, w.y0, w.x1, w.y1] for w in session.words(paper, page)],
            headers={"Cache-Control": "private, max-age=3600, immutable"},
        )


def _changes(app: FastAPI, session: ReviewSession) -> None:
    @app.post("/cell/{paper}/{question}")
    def change(paper: str, question: str, change: Annotated[Change, Body()]) -> Response:
        position = session.position(paper, question)
        _, following, _ = session.after(position)  # before it is decided, for then it leaves the queue
        message = _apply(session, position, change)
        after = f"{_address(session, following)}?queue=1" if following and following != position else "/done"
        return JSONResponse({"message": message, "next": after})

    @app.post("/paper/{paper}/quote")
    def find_quote(paper: str, wanted: Annotated[Quote, Body()]) -> Response:
        found = session.find(paper, wanted.words, wanted.page)
        return JSONResponse(
            {
                "quote": shown(found.quote),
                "page": found.page,
                "start": found.start,
                "end": found.end,
                "match": found.match,
                "boxes": found.boxes,
            }
        )


def _apply(session: ReviewSession, position: Position, change: Change) -> str:
    """Makes the change; returns what to tell the reviewer."""
    status = status_words(change.status)
    match change.action:
        case "accept":
            session.accept(position, change.reason)
            return "Accepted."
        case "correct":
            session.correct(position, change.status, change.reason)
            return f"Decided: {status}."
        case "code":
            session.choose(position, change.values, change.reason)
            return f"Decided: {', '.join(change.values)}."
        case "decide":
            session.decide(position, change.status, change.text, change.spans, change.reason, change.values)
            return f"Decided: {status}."
        case "side":
            session.side(position, change.reviewer)
            return "Settled."
        case _:
            return "Undone." if session.undo(position) else "There is nothing of yours to undo here."


def _errors(app: FastAPI, pages: Pages) -> None:
    def error_response(request: Request, status: int, why: str) -> Response:
        """For scripts a line, for people a page."""
        if request.method not in ("GET", "HEAD") or request.headers.get("x-part") == "1":
            return JSONResponse({"error": why}, status)
        return pages.page(
            "message.html", request, status, title=_TITLES.get(status, "That did not work"), why=why
        )

    @app.exception_handler(NotFound)
    def missing(request: Request, error: NotFound) -> Response:
        return error_response(request, 404, str(error))

    @app.exception_handler(VivaError)
    def wrong(request: Request, error: VivaError) -> Response:
        return error_response(request, 409, shown(str(error)))

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        del error  # it would repeat what was sent
        return error_response(request, 422, "The request could not be understood; reload the page.")

    @app.exception_handler(HTTPException)
    def other(request: Request, error: HTTPException) -> Response:
        why = "There is nothing at this address." if error.status_code == 404 else str(error.detail)
        return error_response(request, error.status_code, why)


def _address(session: ReviewSession, position: Position) -> str:
    index = session.index()
    return address(index.rows[position.row].paper, index.questions[position.column])
