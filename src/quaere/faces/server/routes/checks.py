"""Checks of anybody's text against what it cites: answered at once, or made like runs."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from quaere.audit.cited_text import cited_text
from quaere.audit.sources import AuditLimits
from quaere.domain.audit import Audit
from quaere.domain.events import TextChecked
from quaere.domain.trace import CHECK_TOOL, Owner, TraceStatus
from quaere.errors import TraceNotFound
from quaere.faces.server.access import Caller, Checking, Context, Shared
from quaere.faces.server.asking import accepted_check, folders_of, job_of, unreported
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.forms import CheckForm, JobAccepted, Key
from quaere.runtime.check import CheckOptions, Payer
from quaere.text.sanitize import quoted

router = APIRouter(prefix="/v1/checks", tags=["checks"])

BEGUN: dict[int | str, dict[str, object]] = {
    202: {"model": JobAccepted, "description": "With `async`: where the check can be followed."}
}


@router.post("", response_model=Audit, responses=BEGUN)
async def check(
    form: CheckForm, context: Shared, caller: Checking, key: Key = None
) -> Response | Audit:
    """Return a verdict on every sentence of a text, with the words of its sources.

    Web pages are read as in a run; documents are read where they are in one of the folders. With
    `look_up` these are searched for what cites nothing. With `async` the check is made like a run:
    it survives the connection and the server, and `GET /v1/runs/{run_id}` and its events tell how
    it stands.
    """
    if form.run_async:
        return await _begun(form, context, caller, key)
    folders = await folders_of(context, caller, form)
    options = CheckOptions(
        roots=folders,
        looks_up=form.look_up,
        searched=folders,
        model=form.model,
        limits=AuditLimits(max_reads=form.max_reads, max_time_s=form.max_time_s),
        payer=Payer(caller.owner, caller.limits),
    )
    text = await asyncio.to_thread(cited_text, form.text)
    return _masked(await context.app.check(text, options), context)


@router.get("/{run_id}")
async def one(run_id: str, context: Shared, caller: Checking) -> Audit:
    """Return the verdicts of a check that was made like a run and is over."""
    return await verdicts(context, caller.owner, run_id)


async def verdicts(context: Context, owner: Owner, run_id: str) -> Audit:
    """Return what a check that was made like a run has found.

    Raises:
        TraceNotFound: when ``owner`` has no such check.
        TraceConflict: when it came to nothing.
        Refused: when it is not over yet.
    """
    traces = await context.app.traces()
    trace = await traces.get_trace(owner, run_id)
    if trace.tool_name != CHECK_TOOL:
        raise TraceNotFound(f"No check has the id {quoted(run_id)}.")
    if trace.status is not TraceStatus.COMPLETED:
        raise unreported(trace, f"The check {trace.id} has no verdicts")
    told = await traces.events(owner, trace.id)
    return _masked(next(each.audit for each in told if isinstance(each, TextChecked)), context)


async def _begun(form: CheckForm, context: Context, caller: Caller, key: str | None) -> Response:
    job = job_of(await accepted_check(context, caller, form, key))
    told = {"Location": f"/v1/checks/{job.run_id}", "Retry-After": "1", RUN_ID: job.run_id}
    return JSONResponse(job.model_dump(mode="json"), HTTPStatus.ACCEPTED, headers=told)


def _masked(audit: Audit, context: Context) -> Audit:
    return Audit.model_validate_json(context.places.masked(audit.model_dump_json()))
