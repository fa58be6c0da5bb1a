"""HTTP connections that hold no more of a request than they may before it can be looked at.

Nor do they wait longer for its head, or for its body, than they may.
"""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from quaere.faces.server.guard import MAX_HEAD_BYTES

HEAD_S = 30.0
"""How long a head may take to come, from the connection or its own first byte on."""
BODY_S, BODY_RATE = 30.0, 10_000
"""How long a body may take to come: so many seconds, and one more for each so many bytes of it."""


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a head, or what follows a body, that does not end, and what does not come.

    The parser gathers headers, trailers and the address without any limit, before there is a
    request that could be refused, and waits for them as long as the client likes.
    """

    _without_end = 0
    """Bytes since the last whole head or piece of a body."""
    _waiting: asyncio.TimerHandle | None = None
    """What ends the connection if no head comes, or not the rest of a body."""
    _due = 0.0
    """When the rest of a body must have come, by the clock of the loop."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        if self._waiting is None:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in ``data``, as long as something comes of it."""
        self._without_end += len(data)
        super().data_received(data)
        if self._without_end > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        """Begin to serve a request whose head is whole, and wait for its body."""
        self._without_end = 0
        self._wait_no_longer()
        super().on_headers_complete()
        self._wait_for_body()

    def on_body(self, body: bytes) -> None:
        """Hand on a piece of the body."""
        self._without_end = 0
        self._due += len(body) / BODY_RATE
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for nothing: the body, if there is one, is whole."""
        self._wait_no_longer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Wait for nothing more: another protocol has the connection."""
        self._wait_no_longer()
        super().handle_websocket_upgrade()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_S, self._give_up)

    def _wait_no_longer(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        """End the connection, unless a request before this one is still being answered."""
        latest = cast("RequestResponseCycle | None", self.cycle)
        if latest is None or latest.response_complete:
            self.transport.close()
        else:
            self._wait()

    def _wait_for_body(self) -> None:
        self._due = self.loop.time() + BODY_S
        self._waiting = self.loop.call_at(self._due, self._look_at_body)

    def _look_at_body(self) -> None:
        """End the connection, unless enough of the body has come, or the service holds it up."""
        if self.flow.read_paused:
            self._wait_for_body()
        elif self.cycle.response_complete or self.loop.time() >= self._due:
            self.transport.close()
        else:
            self._waiting = self.loop.call_at(self._due, self._look_at_body)
