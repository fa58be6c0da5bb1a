"""The server for one client, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import cast

from anyio import create_memory_object_stream
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, RequestId
from pydantic import ValidationError

from quaere.faces.mcp.runs import Runs
from quaere.faces.mcp.server import ResearchServer
from quaere.runtime.app import App

logger = logging.getLogger(__name__)

UNREADABLE = "The message could not be read: {cause}. Send it again as valid JSON."

Message = SessionMessage | Exception
"""What the SDK makes of a line: a message, or why it is none."""


async def serve_stdio(app: App) -> None:
    """Serve one client over standard input and output until it closes them."""
    research = ResearchServer(Runs(app))
    research.cancel_with_requests()
    options = research.server.create_initialization_options()
    # Nothing waits here, so that lines are taken as fast as the SDK deals with them.
    legible, read = create_memory_object_stream[Message](0)
    try:
        async with stdio_server() as (incoming, outgoing), asyncio.TaskGroup() as group:
            group.create_task(_sift(incoming, legible, outgoing.send))
            await research.server.run(read, outgoing, options)
    except* BrokenPipeError:  # it was killed while an answer was on its way
        logger.info("the client is gone")


async def _sift(
    incoming: AsyncIterable[Message],
    legible: MemoryObjectSendStream[Message],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Pass on what can be read, and answer the rest, which the SDK would leave without a word."""
    async with legible:
        async for message in incoming:
            if isinstance(message, ValidationError):
                await answer(SessionMessage(_refusal(message)))
            else:
                await legible.send(message)


def _refusal(error: ValidationError) -> JSONRPCError:
    """Return the answer to a line that is not a message, under its id where it has one."""
    fault = error.errors(include_url=False, include_context=False)[0]
    told = ErrorData(code=PARSE_ERROR, message=UNREADABLE.format(cause=fault["msg"]))
    return JSONRPCError(jsonrpc="2.0", id=_id_in(fault["input"]), error=told)


def _id_in(line: object) -> RequestId | None:
    """Return the id of the request that ``line`` would be, for which its client waits.

    JSON with half of an emoji, as of a text that was cut, is read here nevertheless.
    """
    try:
        asked: object = json.loads(line) if isinstance(line, str) else line
    except (ValueError, RecursionError):
        return None
    found = cast("dict[str, object]", asked).get("id") if isinstance(asked, dict) else None
    return found if isinstance(found, str | int) else None
