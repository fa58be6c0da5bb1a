"""The page in the browser, where it was built; its files are in the wheel."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
ASSETS = "/assets/"
"""Files below it have a hash of what they hold in their names."""
FOR_EVER = b"public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Quaere</title>
<h1>Quaere answers</h1>
<p>This is a checkout of the source, and its page was not built: run <code>make web</code>.</p>
<p>The service is complete without it: see <a href="/openapi.json">openapi.json</a>.</p></html>"""


class Lasting:
    """Lets browsers keep what never changes under its name, and ask anew for the rest."""

    def __init__(self, inner: ASGIApp) -> None:
        """Say how long the answers of ``inner`` last."""
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                names = {name for name, _ in message["headers"]}
                lasts = FOR_EVER if scope["path"].startswith(ASSETS) else b"no-cache"
                if b"cache-control" not in names:
                    message["headers"] = [*message["headers"], (b"cache-control", lasts)]
            await send(message)

        await self._inner(scope, receive, told if scope["type"] == "http" else send)


def install(service: FastAPI) -> None:
    """Let ``service`` show the page at every path that is nothing else."""
    if (STATIC / "index.html").exists():
        service.add_middleware(Lasting)
        service.frontend("/", directory=STATIC)
        return

    async def not_built() -> HTMLResponse:
        return HTMLResponse(NOT_BUILT)

    service.add_api_route("/", not_built, include_in_schema=False)
