"""The Model Context Protocol over streamable HTTP, at ``/mcp``.

Every request stands for itself: it carries its key, and no session is kept between two of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from quaere.domain.access import KeyLimits, Right
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed
from quaere.faces.mcp.runs import Pace, Runs
from quaere.faces.server.access import CALLER, Caller, Context, caller_of
from quaere.faces.server.errors import Refused

_FOLDER = "folder:"


@dataclass(frozen=True, slots=True)
class Remote:
    """A `quaere.faces.mcp.runs.Visitor` who came over HTTP."""

    context: Context
    caller: Caller
    roots: Sequence[Path] = ()

    @property
    def limits(self) -> KeyLimits:
        """What their key allows them."""
        return self.caller.limits

    @property
    def owner(self) -> Owner:
        """Whose key the request carried."""
        return self.caller.owner

    def need(self, right: Right) -> None:
        """Raise NotAllowed where the key lacks ``right``."""
        try:
            self.caller.need(right)
        except Refused as refused:
            raise NotAllowed(refused.message) from refused

    def masked(self, text: str) -> str:
        """Return ``text`` with the names of folders in place of their paths."""
        return self.context.places.masked(text)

    async def searched(self) -> Sequence[Path]:
        """Return the folders of the operator and their own."""
        return [*(await (await self.context.folders()).roots(self.owner)).values()]

    async def located(self, address: str) -> tuple[str, Sequence[Path]]:
        """Return the URL of a page, or of ``folder:ID/path``; no other file can be named.

        Raises:
            FolderNotFound: when the caller has no such folder.
        """
        if not address.startswith(_FOLDER):
            return address, ()
        name, slash, rest = address.removeprefix(_FOLDER).partition("/")
        folder = await (await self.context.folders()).path_of(self.owner, unquote(name))
        return f"{folder.as_uri()}{slash}{rest}", (folder,)


class McpEndpoint:
    """The ASGI application of the route; nothing of the protocol is loaded before it is opened."""

    def __init__(self, pace: Pace | None = None) -> None:
        """Serve nothing before it is opened; ``pace`` says how long calls may take."""
        self._pace = pace
        self._handle: ASGIApp | None = None
        self._runs: Runs | None = None

    @asynccontextmanager
    async def open(self, context: Context) -> AsyncGenerator[None]:
        """Serve the runs of the App, which its workers make."""
        if find_spec("mcp") is None:
            yield
            return
        serving = await asyncio.to_thread(_protocol)
        self._runs = Runs(context.app, queued=True, pace=self._pace)

        def visitor_of(request: Request) -> Remote:
            return Remote(context, request.scope[CALLER])

        async with serving(self._runs, visitor_of) as self._handle:
            yield

    def hand_back(self) -> None:
        """Let calls that wait for a run return what there is, so that the process can stop."""
        if self._runs:
            self._runs.hand_back()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request.

        Raises:
            Refused: when its key is not known, or the protocol is not installed.
        """
        request = Request(scope, receive)
        scope[CALLER] = await caller_of(request)
        if self._handle is None:
            message = 'This needs the package "mcp" on the server: pip install "quaere[mcp]".'
            raise Refused(HTTPStatus.NOT_IMPLEMENTED, "not_installed", message)
        if request.method != "POST":
            # Without sessions there is no stream besides the answers, and nothing to delete.
            message = "The protocol uses POST requests."
            status = HTTPStatus.METHOD_NOT_ALLOWED
            raise Refused(status, "method_not_allowed", message, headers={"Allow": "POST"})
        await self._handle(scope, receive, send)


def _protocol() -> Callable[
    [Runs, Callable[[Request], Remote]], AbstractAsyncContextManager[ASGIApp]
]:
    """Return what serves the protocol, once its modules are loaded: not for the event loop."""
    from quaere.faces.mcp.server import serving_http  # noqa: PLC0415 (optional, and half a second)

    return serving_http
