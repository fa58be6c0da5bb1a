"""Whole answers to one request: for older clients (R0.5, R0.10), and as a tool (R4.1)."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from quaere.domain.tool import ToolDefinition, ToolInput, ToolOutput
from quaere.domain.trace import TOOL
from quaere.faces.server.access import Caller, Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.asking import (
    accepted,
    job_of,
    masked_report,
    paths_of,
    response_of,
    run_form,
    state_of,
)
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.forms import (
    AgentResponse,
    JobAccepted,
    Key,
    RunState,
    SearchForm,
    TaskForm,
)
from quaere.faces.server.stream import stream
from quaere.faces.tool import request_of, result_of
from quaere.runtime.search import SearchResult

router = APIRouter(tags=["answers"], route_class=KnownFirst)

STREAMED: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The answer; with `stream`, the events of the run as they come.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    },
    202: {"model": JobAccepted, "description": "With `async`: where the run can be followed."},
}


@router.post("/run", response_model=AgentResponse, responses=STREAMED)
async def run(
    form: TaskForm, context: Shared, caller: Running, response: Response, key: Key = None
) -> Response | AgentResponse:
    """Research a question and return the answer with its verified sources.

    Closing the connection does not end the run; its report can be fetched by the id of the run.
    """
    return await _answered(form, context, caller, response, key)


@router.post("/run-simple", response_model=AgentResponse, responses=STREAMED)
async def run_simple(
    form: TaskForm, context: Shared, caller: Running, response: Response, key: Key = None
) -> Response | AgentResponse:
    """Research a question under the profile `simple`."""
    simple = form.model_copy(update={"complexity_tier": "simple"})
    return await _answered(simple, context, caller, response, key)


@router.post("/search")
async def search(form: SearchForm, context: Shared, caller: Running) -> SearchResult:
    """Search folders and search services with one query, without reading or answering anything."""
    found = await context.app.search(
        form.query,
        docs=await paths_of(context, caller, form.folders),
        providers=form.providers,
        limit=form.limit,
    )
    return SearchResult.model_validate_json(context.places.masked(found.model_dump_json()))


@router.get("/jobs/{run_id}")
async def job(run_id: str, context: Shared, caller: Reading) -> RunState:
    """Return the status of a job: of the run that `"async": true` began."""
    traces = await context.app.traces()
    return await state_of(context, await traces.get_trace(caller.owner, run_id))


async def _answered(
    form: TaskForm, context: Context, caller: Caller, response: Response, key: str | None
) -> Response | AgentResponse:
    if form.stream:
        caller.chair.check()
    trace = await accepted(context, caller, run_form(form), key)
    made = await context.app.run_of(trace, caller.owner)
    if form.stream:
        return stream(context, trace, made, 0)
    if form.run_async:
        job = job_of(trace)
        told = {"Location": job.status_url, "Retry-After": "1", RUN_ID: trace.id}
        return JSONResponse(job.model_dump(mode="json"), HTTPStatus.ACCEPTED, headers=told)
    response.headers[RUN_ID] = trace.id
    return response_of(await masked_report(context, made))


tools_router = APIRouter(prefix="/v1/tools", tags=["tools"], route_class=KnownFirst)


@tools_router.get("")
async def tools(caller: Reading) -> list[ToolDefinition]:
    """Return the definitions of the tools."""
    del caller
    return [ToolDefinition()]


@tools_router.post(f"/{TOOL}")
async def deep_research(
    form: ToolInput, context: Shared, caller: Running, response: Response
) -> ToolOutput:
    """Research a question as the tool does; the result comes after one to three minutes."""
    request = request_of(form, caller.limits)
    trace = await context.app.submit(request, caller.owner, limits=caller.limits)
    response.headers[RUN_ID] = trace.id
    run = await context.app.run_of(trace, caller.owner)
    return result_of(await masked_report(context, run)).payload
