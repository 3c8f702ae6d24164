"""Opens the port, and serves the review page until it is stopped."""

import errno
import socket
from collections.abc import Callable

import uvicorn

from vivavoce.errors import InputError
from vivavoce.web.app import application
from vivavoce.web.security import Access
from vivavoce.web.session import ReviewSession


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; one clear line when that can't be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol by name asyncio sends small pieces at once; without, each answer takes 40 ms longer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(64)
    except (OSError, OverflowError) as error:
        listener.close()
        code = getattr(error, "errno", None)
        if code == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is taken, maybe by another review; give another with --port N, or 0 for any."
            ) from None
        if code == errno.EACCES:
            raise InputError(
                f"port {port} needs special rights; give one above 1023 with --port N."
            ) from None
        raise InputError(f"can't listen on {host}, port {port}: {error}; check --host and --port.") from None
    return listener


def server(session: ReviewSession, access: Access) -> uvicorn.Server:
    """The server, ready to run."""
    session.index()  # while nobody waits for it yet
    return uvicorn.Server(
        uvicorn.Config(
            application(session, access),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
        )
    )


def serve(
    session: ReviewSession, host: str, port: int, password: str, opened: Callable[[Access], None]
) -> None:
    """Serves the session until Ctrl-C; `opened` is called when a browser may come."""
    listener = listen(host, port)
    try:
        access = Access(host, listener.getsockname()[1], password)
        serving = server(session, access)
        session.draw_ahead()
        opened(access)
        serving.run(sockets=[listener])
    except KeyboardInterrupt:  # the usual way to end it
        pass
    finally:
        listener.close()
