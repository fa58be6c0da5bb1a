"""An App over a shelf of documents, and the official client connected to its MCP server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp_types import CallToolResult, Implementation, InputRequiredResult, ResourceLink, TextContent
from tests.graphs.world import Shelf

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.domain.value import Value
from quaere.faces.mcp.runs import Pace, Runs
from quaere.faces.mcp.server import ResearchServer, VisitorOf
from quaere.runtime.app import App
from quaere.runtime.settings import Settings

V = TypeVar("V", bound=Value)

ASSISTANT = Implementation(name="an assistant", version="1")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
"""How a client begins."""
ERAS = ("legacy", "2026-07-28")
"""Ways to connect: by the handshake of 2025-11-25, and without one."""


class Gate(Shelf):
    """Answers no search until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.reached.set()
        await self.opened.wait()
        return await super().search(query, limit=limit)


def shelved(folder: Path, shelf: Shelf | None = None, **settings: object) -> App:
    """Return an App over ``shelf`` that keeps what it keeps in ``folder``."""
    own = Settings.model_validate(
        {"cache_dir": folder / "cache", "data_dir": folder / "data", **settings}
    )
    return App(own, providers=[shelf or Shelf()])


@asynccontextmanager
async def connected(
    app: App,
    era: str = "auto",
    *,
    pace: Pace | None = None,
    queued: bool = False,
    visitor_of: VisitorOf | None = None,
    client_info: Implementation | None = ASSISTANT,
    asked: ElicitationFnT | None = None,
) -> AsyncGenerator[Client]:
    """Connect the official client in this process; the App stays open."""
    research = ResearchServer(Runs(app, queued=queued, pace=pace), visitor_of)
    async with Client(
        research.server, mode=era, client_info=client_info, elicitation_callback=asked
    ) as client:
        yield client


def text_of(result: CallToolResult | InputRequiredResult) -> str:
    """Return the text of a result, which comes first."""
    assert isinstance(result, CallToolResult)
    content = result.content[0]
    assert isinstance(content, TextContent)
    return content.text


def links_of(result: CallToolResult | InputRequiredResult) -> list[str]:
    """Return the URIs that a result links to."""
    assert isinstance(result, CallToolResult)
    return [each.uri for each in result.content if isinstance(each, ResourceLink)]


def data_of(result: CallToolResult | InputRequiredResult, kind: type[V]) -> V:
    """Return the data of a result that is no error."""
    assert isinstance(result, CallToolResult)
    assert not result.is_error, result.content
    return kind.model_validate_json(json.dumps(result.structured_content))
