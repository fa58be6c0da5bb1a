"""The endpoints of R0.5 and R0.10, whose older clients go on working."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Response
from starlette.responses import JSONResponse

from quaere.faces.server.access import Caller, Reading, Running
from quaere.faces.server.asking import (
    accepted,
    job_of,
    masked_report,
    paths_of,
    response_of,
    run_form,
    state_of,
)
from quaere.faces.server.context import Context, Shared
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.forms import AgentResponse, JobAccepted, RunState, SearchForm, TaskForm
from quaere.faces.server.stream import stream
from quaere.runtime.search import SearchResult

router = APIRouter(tags=["answers"])

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="A request that is sent again with the same key begins no second run.",
    ),
]
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

    Closing the connection does not end the run: it can be read under its id.
    """
    return await _answered(form, context, caller, response, key)


@router.post("/run-simple", response_model=AgentResponse, responses=STREAMED)
async def run_simple(
    form: TaskForm, context: Shared, caller: Running, response: Response, key: Key = None
) -> Response | AgentResponse:
    """Research a question under the tier `simple`."""
    simple = form.model_copy(update={"complexity_tier": "simple"})
    return await _answered(simple, context, caller, response, key)


@router.post("/search")
async def search(form: SearchForm, context: Shared, caller: Running) -> SearchResult:
    """Return what folders and search services find for one query; nothing is read or answered."""
    found = await context.app.search(
        form.query,
        docs=await paths_of(context, caller, form.folders),
        providers=form.providers,
        limit=form.limit,
    )
    return SearchResult.model_validate_json(context.places.masked(found.model_dump_json()))


@router.get("/jobs/{run_id}")
async def job(run_id: str, context: Shared, caller: Reading) -> RunState:
    """Return how a run stands."""
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
