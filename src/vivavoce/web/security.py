"""Who may see and change the study through a browser.

The page listens on this machine alone, but every web site that the same browser has open can send requests
there. So: the `Host` header must be ours (a name that an attacker's DNS points here is not); whoever knows
the token that was printed gets a session cookie that scripts can't read and other sites can't send; every
change carries a second token that only our own pages know. The headers let a page load nothing but our own
files and run nothing inside the page itself.
"""

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
MOST_BYTES = 1_000_000
"""A request with a larger body is refused; the longest decision has some thousand."""
SAFE = ("GET", "HEAD")
OPEN_PATHS = ("/open", "/login")
"""With everything under `/static/`, what can be had without a session."""
SESSIONS = 1000
"""More than this are not kept: the oldest is forgotten."""


@dataclass
class Access:
    """Who has access: by the printed token or by a password, then by a session cookie."""

    host: str
    port: int
    password: str = ""
    """When it is given, it is asked for; else the token that was printed opens the access."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _sessions: "OrderedDict[str, None]" = field(default_factory=OrderedDict, repr=False)

    @property
    def cookie(self) -> str:
        """Cookies know no ports: two studies on one machine must not share one."""
        return f"viva-{self.port}"

    @property
    def url(self) -> str:
        """The address to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/" + ("" if self.password else f"open?token={self.token}")

    def admits(self, token: str) -> bool:
        return not self.password and _same(token, self.token)

    def knows(self, password: str) -> bool:
        return bool(self.password) and _same(password, self.password)

    def session(self) -> str:
        """A new one."""
        made = secrets.token_urlsafe(32)
        self._sessions[made] = None
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        return made

    def csrf(self, session: str) -> str:
        """The token that changes within this session must carry; empty when there is no such session."""
        if session not in self._sessions:
            return ""
        return hmac.new(self._secret, session.encode(), hashlib.sha256).hexdigest()

    def let_in(self, to: str = "/") -> Response:
        """Starts a session: sets its cookie, and redirects away from the address that has the token."""
        response = RedirectResponse(to, 303)
        response.set_cookie(self.cookie, self.session(), httponly=True, samesite="strict", path="/")
        return response

    def is_us(self, header: str) -> bool:
        """Does a `Host` header mean this server? An address can't be pointed elsewhere by DNS, a name can:
        the only names that count are `localhost` and the one that was given to listen on."""
        try:
            parts = urlsplit(f"//{header}")
            name, port = (parts.hostname or "").lower(), parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.username is not None or parts.path:
            return False
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Does only this machine reach it?"""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _same(a: str, b: str) -> bool:
    """Compares in constant time, so that timing does not reveal a partly right guess."""
    return hmac.compare_digest(hashlib.sha256(a.encode()).digest(), hashlib.sha256(b.encode()).digest())


class LoginThrottle:
    """Passwords that were wrong, by address: after each the next one has to wait twice as long."""

    FIRST, LONGEST = 1.0, 300.0
    """Seconds."""
    KEPT = 10_000

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """For how many seconds nothing is taken from that address."""
        return max(0.0, self._wrong.get(address, (0, 0.0))[1] - self._clock())

    def wrong(self, address: str) -> None:
        count = self._wrong.pop(address, (0, 0.0))[0] + 1
        delay = min(self.FIRST * 2 ** (count - 1), self.LONGEST)
        self._wrong[address] = (count, self._clock() + delay)
        while len(self._wrong) > self.KEPT:
            self._wrong.popitem(last=False)

    def right(self, address: str) -> None:
        self._wrong.pop(address, None)


class SecurityMiddleware:
    """Lets requests through to `app` that may come through, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access, refuse: Callable[[int, str], Response]) -> None:
        """`refuse` makes the page that says why something is refused."""
        self.app, self.access, self.refuse = app, access, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self.app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path, method = Headers(scope=scope), scope["path"], scope["method"]
        if not self.access.is_us(headers.get("host", "")):
            return self.refuse(
                421, "This server has another name; open the address that `viva review` printed."
            )
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BYTES or "transfer-encoding" in headers:
            return self.refuse(413, "The request is too large.")
        if method not in SAFE and not self._own(headers):
            return self.refuse(403, "This came from another site.")
        if path.startswith("/static/") or path in OPEN_PATHS:
            return None
        csrf = self.access.csrf(_cookie(headers, self.access.cookie))
        if not csrf:
            if self.access.password and method in SAFE:
                return RedirectResponse("/login", 303)
            return self.refuse(401, "Open the address that `viva review` printed: it ends in a token.")
        if method not in SAFE and not _same(headers.get("x-csrf-token", ""), csrf):
            return self.refuse(403, "This page is out of date; reload it.")
        scope.setdefault("state", {})["csrf"] = csrf
        return None

    def _own(self, headers: Headers) -> bool:
        """Does a change come from one of our own pages, as far as the browser says?"""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or origin == f"http://{headers.get('host', '')}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
