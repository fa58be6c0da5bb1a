"""The server process: it listens, and stops in time."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.config import HTTPProtocolType

from quaere.errors import QuaereError, UsageError, cause_of
from quaere.resilience.thread import keep_responsive

STOPS_S = 8
"""How long requests are given to end when the server stops."""


def _nobody() -> None:
    """Tell nobody."""


class Server(uvicorn.Server):
    """Ends its streams when it is told to stop, so that they do not hold it back."""

    def __init__(
        self, config: uvicorn.Config, stop: Callable[[], None], ready: Callable[[], None] = _nobody
    ) -> None:
        super().__init__(config)
        self._stop = stop
        self._ready = ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal, at once at the second Ctrl-C.

        uvicorn's own would raise the signal once more when all is stopped, and the process would
        end as one that was killed. A server that stops as it is told to has done what it should.
        """
        del frame
        if self._running is not None:
            self._running.call_soon_threadsafe(self._stop)
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True

    _running: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped."""
        self._running = asyncio.get_running_loop()
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen once all is loaded."""
        await super().startup(sockets)
        keep_responsive()
        if self.started:
            self._ready()


def listen(host: str, port: int) -> socket.socket:
    """Return the socket of the server.

    Raises:
        UsageError: when it cannot listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host.strip("[]"), port))
    except (OSError, OverflowError) as error:
        opened.close()
        raise UsageError(
            f"Cannot listen on {host}:{port}: {cause_of(error)}. "
            "--port names another, 0 any free one."
        ) from error
    opened.set_inheritable(True)
    return opened


def config(service: FastAPI) -> uvicorn.Config:
    """Return how ``service`` is served."""
    return uvicorn.Config(
        service,
        http=_protocol(),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOPS_S,
        timeout_keep_alive=30,
        ws_max_size=64_000,
        lifespan="on",
    )


def _protocol() -> type[asyncio.Protocol] | HTTPProtocolType:
    """Return how requests are read; h11, which is used on Windows, has a bound of its own."""
    try:
        from quaere.faces.server.bounded import BoundedProtocol  # noqa: PLC0415 (not everywhere)
    except ImportError:
        return "auto"
    return BoundedProtocol


def serve(service: FastAPI, opened: socket.socket, ready: Callable[[], None]) -> None:
    """Serve ``service`` on ``opened`` until the process is told to stop.

    ``ready`` is called once it answers: until then, connections are refused.

    Raises:
        QuaereError: when it cannot begin.
    """
    try:
        Server(config(service), service.state.stop, ready).run(sockets=[opened])
    except SystemExit:
        if isinstance(failed := service.state.failed, QuaereError):
            raise failed from None
        raise
