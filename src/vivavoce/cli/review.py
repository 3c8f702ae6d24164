"""`viva review`: open the review page."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vivavoce.cli.options import StudyPlace, whole
from vivavoce.cli.output import clean, count
from vivavoce.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

    from vivavoce.web.security import Access
    from vivavoce.web.session import ReviewSession

SHORTEST_PASSWORD = 8
"""Characters of a password."""
LONGEST_NAME = 100
WEB_PACKAGES = ("fastapi", "starlette", "jinja2", "uvicorn", "pydantic")


@dataclass(frozen=True, slots=True)
class ReviewerOptions:
    """Who reviews, and how."""

    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Who makes the decisions. Default: your login name."),
    ] = None
    blind: Annotated[bool, typer.Option("--blind", help="Hide what other reviewers decided.")] = False
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide where reviewers disagree; this decision is final.")
    ] = False

    def name(self) -> str:
        if self.blind and self.adjudicate:
            raise InputError(
                "--blind hides what others decided, and --adjudicate decides between them; give one."
            )
        name = " ".join((self.reviewer if self.reviewer is not None else _login()).split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError(f"--reviewer takes a name of 1 to {LONGEST_NAME} letters; give one.")
        return name


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the page is served, and to whom."""

    port: Annotated[
        int,
        typer.Option(
            "--port",
            parser=whole("--port", "a number", 0),
            metavar="N",
            help="The port to listen on; 0 takes any free port.",
        ),
    ] = 8765
    host: Annotated[
        str | None,
        typer.Option(
            "--host",
            metavar="H",
            help="The address to listen on. Default: this machine only. Any other needs --password-file.",
        ),
    ] = None
    password_file: Annotated[
        Path | None,
        typer.Option(
            "--password-file", metavar="FILE", help="Ask for the password that is this file's first line."
        ),
    ] = None
    no_open: Annotated[bool, typer.Option("--no-open", help="Don't open the browser.")] = False


def review(
    study: StudyPlace,
    who: ReviewerOptions = ReviewerOptions(),
    server: ServerOptions = ServerOptions(),
) -> None:
    """Open the review page: look at a study, check it against the papers, decide.

    The page is served on this machine only, and opened in the browser; Ctrl-C stops it. Nothing is sent
    anywhere, and no model is called. Decisions are saved in the study at once, with name, time and reason,
    and take precedence in verdicts and exports. Needs `pip install 'vivavoce[web]'`.
    """
    name = who.name()
    try:
        from vivavoce.web.security import is_loopback
        from vivavoce.web.serving import serve
    except ImportError as error:
        if (error.name or "").split(".")[0] not in WEB_PACKAGES:
            raise
        raise MissingExtra("the review page is not installed: pip install 'vivavoce[web]'.") from None
    from vivavoce.web.index import Reviewer
    from vivavoce.web.session import ReviewSession

    host = server.host or "127.0.0.1"
    password = _password(server.password_file) if server.password_file else ""
    if not is_loopback(host) and not password:
        raise InputError(
            f"--host {host}: others could reach it, so it needs a password: give --password-file FILE."
        )
    from vivavoce.cli.search import meaning_in

    session = ReviewSession(study, Reviewer(name, who.blind, who.adjudicate), meaning_in(study))
    try:
        address = "127.0.0.1" if host.lower() == "localhost" else host
        serve(session, address, server.port, password, _opened(session, server.no_open))
    finally:
        session.close()


def _login() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError):  # a container's user without a name
        raise InputError("your login has no name here; give one with --reviewer NAME.") from None


def _password(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the password can't be read ({error}).") from None
    password = lines[0].strip() if lines else ""
    if len(password) < SHORTEST_PASSWORD:
        raise InputError(
            f"{path}: the password has fewer than {SHORTEST_PASSWORD} letters; choose a longer one."
        )
    return password


def _opened(session: "ReviewSession", no_open: bool) -> "Callable[[Access], None]":
    """What happens when the page can be had: the address is printed, and opened."""

    def say(access: "Access") -> None:
        index = session.index()
        size = f"{count(len(index.rows), 'paper')} × {count(len(index.questions), 'question')}"
        who = f"{session.reviewer.name}{', blind' if session.reviewer.blind else ''}"
        waiting = len(index.waiting())
        print(f"{clean(str(session.folder))}: {size}; {waiting:,} await {clean(who)}.", file=sys.stderr)
        print(access.url, flush=True)
        print("Ctrl-C stops it.", file=sys.stderr)
        if not no_open:
            import threading
            import webbrowser

            # In a thread: a browser that hangs must not keep the page from being served.
            threading.Thread(target=webbrowser.open, args=(access.url,), daemon=True).start()

    return say
