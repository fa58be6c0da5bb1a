"""HTTP connections that hold no more of a request than they may before it can be looked at."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quaere.faces.server.guard import MAX_HEAD_BYTES


class BoundedProtocol(HttpToolsProtocol):
    """Refuses a head, or what follows a body, that does not end.

    The parser gathers headers, trailers and the address without any limit, before there is a
    request that could be refused.
    """

    _without_end = 0
    """Bytes since the last whole head or piece of a body."""

    def data_received(self, data: bytes) -> None:
        """Take in ``data``, as long as something comes of it."""
        self._without_end += len(data)
        super().data_received(data)
        if self._without_end > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        """Begin to serve a request whose head is whole."""
        self._without_end = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand on a piece of the body."""
        self._without_end = 0
        super().on_body(body)
