"""The MCP server as an ASGI application, for a service that knows its users."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import ASGIApp

from quaere.faces.mcp.runs import Runs
from quaere.faces.mcp.server import Context, ResearchServer
from quaere.faces.mcp.visitor import Visitor


@asynccontextmanager
async def serving(runs: Runs, visitor_of: Callable[[Request], Visitor]) -> AsyncGenerator[ASGIApp]:
    """Yield the application, which serves ``runs`` by streamable HTTP as long as this is open.

    No session is kept: every request stands for itself, and any process can serve it. Host and
    Origin are for the service to check.
    """

    def by_call(call: Context) -> Visitor:
        if call.request is None:
            raise TypeError("a call over HTTP carries its request")
        return visitor_of(call.request)

    server = ResearchServer(runs, by_call).server
    manager = StreamableHTTPSessionManager(app=server, stateless=True)
    async with manager.run():
        yield manager.handle_request
