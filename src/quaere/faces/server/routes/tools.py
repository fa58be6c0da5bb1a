"""The research tool for programs that call tools by schema (R4.1)."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import BaseModel, JsonValue

from quaere.domain.tool import ToolInput, ToolOutput
from quaere.domain.trace import TOOL
from quaere.faces.server.access import Reading, Running
from quaere.faces.server.asking import masked_report
from quaere.faces.server.context import Shared
from quaere.faces.tool import request_of, result_of

router = APIRouter(prefix="/v1/tools", tags=["tools"])


class ToolSchema(BaseModel):
    """A tool, with the JSON schemas of what it takes and returns."""

    name: str
    description: str
    input_schema: Mapping[str, JsonValue]
    output_schema: Mapping[str, JsonValue]


@router.get("")
async def tools(caller: Reading) -> list[ToolSchema]:
    """Return the tools that can be called."""
    del caller
    return [
        ToolSchema(
            name=TOOL,
            description=(ToolInput.__doc__ or "").strip(),
            input_schema=ToolInput.model_json_schema(),
            output_schema=ToolOutput.model_json_schema(),
        )
    ]


@router.post(f"/{TOOL}")
async def deep_research(form: ToolInput, context: Shared, caller: Running) -> ToolOutput:
    """Research, and return the result of the tool when it is over: one to three minutes."""
    trace = await context.app.submit(request_of(form), caller.owner)
    run = await context.app.run(trace.id, caller.owner)
    return result_of(await masked_report(context, run)).payload
