"""The research tool for programs that call tools by schema (R4.1)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from quaere.domain.tool import ToolDefinition, ToolInput, ToolOutput
from quaere.domain.trace import TOOL
from quaere.faces.server.access import Reading, Running
from quaere.faces.server.asking import masked_report
from quaere.faces.server.context import Shared
from quaere.faces.server.feed import RUN_ID
from quaere.faces.tool import request_of, result_of

router = APIRouter(prefix="/v1/tools", tags=["tools"])


@router.get("")
async def tools(caller: Reading) -> list[ToolDefinition]:
    """Return the tools that can be called."""
    del caller
    return [ToolDefinition()]


@router.post(f"/{TOOL}")
async def deep_research(
    form: ToolInput, context: Shared, caller: Running, response: Response
) -> ToolOutput:
    """Research, and return the result of the tool when it is over: one to three minutes."""
    request = request_of(form, caller.limits)
    trace = await context.app.submit(request, caller.owner, limits=caller.limits)
    response.headers[RUN_ID] = trace.id
    run = await context.app.run_of(trace, caller.owner)
    return result_of(await masked_report(context, run)).payload
