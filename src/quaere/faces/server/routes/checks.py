"""Checks of anybody's text against what it cites: answered at once, or made like runs."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, File, Response, UploadFile
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from quaere.audit.cited_text import cited_text
from quaere.audit.sources import AuditLimits
from quaere.domain.audit import Audit
from quaere.domain.events import TextChecked
from quaere.domain.trace import CHECK_TOOL, Owner, TraceStatus
from quaere.errors import FileRefused, ReadError, TraceNotFound
from quaere.faces.server.access import Caller, Checking, Context, KnownFirst, Shared
from quaere.faces.server.asking import accepted_check, folders_of, job_of, unreported
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.forms import MAX_CHECKED_CHARS, CheckForm, JobAccepted, Key
from quaere.faces.server.uploads import name_of
from quaere.ports.read import Body
from quaere.runtime.check import CheckOptions, Payer, text_of
from quaere.text.sanitize import quoted

router = APIRouter(prefix="/v1/checks", tags=["checks"], route_class=KnownFirst)

BEGUN: dict[int | str, dict[str, object]] = {
    202: {"model": JobAccepted, "description": "With `async`: where the check can be followed."}
}


@router.post("", response_model=Audit, responses=BEGUN)
async def check(form: CheckForm, context: Shared, caller: Checking, key: Key = None) -> Response:
    """Check every sentence of a text against its sources; return verdicts and the words found.

    Web pages are read as in a run; documents are read if they are in one of the folders. With
    `look_up`, the folders are searched for sentences that cite nothing. With `async`, the check is
    queued like a run: it survives the connection and a restart of the server, and
    `GET /v1/runs/{run_id}` and its events show its progress.
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
    return await _told(await context.app.check(text, options), context)


class DocumentText(BaseModel):
    """The text of a document, as it can be checked."""

    text: str


@router.post("/text")
async def text_of_document(
    context: Shared, caller: Checking, document: Annotated[UploadFile, File(alias="file")]
) -> DocumentText:
    """Return the text of a document in any supported format, with its citations as Markdown.

    The document is not stored. Send the text to be checked; verdicts refer to its lines.
    """
    del caller  # whose right to check is all it takes
    resources = context.app.resources
    most = resources.settings.max_file_bytes
    name = quote(name_of(document) or "document", safe="", errors="replace")
    data = await document.read(most + 1)
    if len(data) > most:
        raise FileRefused(f"A document may have {most:,} bytes at most.", status="too_large")
    body = Body(data=data, url=f"file:///{name}", content_type=document.content_type or "")
    try:
        text = await text_of(resources.extractor, body)
    except ReadError as error:
        raise FileRefused(f"{error.message}.", status=error.status) from error
    if len(text) > MAX_CHECKED_CHARS:
        message = f"A text may have {MAX_CHECKED_CHARS:,} characters at most."
        raise FileRefused(message, status="too_large")
    return DocumentText(text=text)


@router.get("/{run_id}", response_model=Audit)
async def one(run_id: str, context: Shared, caller: Checking) -> Response:
    """Return the verdicts of a check that was queued like a run and has ended."""
    return await _told(await _found(context, caller.owner, run_id), context)


async def verdicts(context: Context, owner: Owner, run_id: str) -> Audit:
    """Return what a check that was made like a run has found; `_found` tells what it raises."""
    audit = await _found(context, owner, run_id)
    return await asyncio.to_thread(lambda: Audit.model_validate_json(_masked(audit, context)))


async def _found(context: Context, owner: Owner, run_id: str) -> Audit:
    """Return the same with the paths of folders in it.

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
    return next(each.audit for each in told if isinstance(each, TextChecked))


async def _begun(form: CheckForm, context: Context, caller: Caller, key: str | None) -> Response:
    job = job_of(await accepted_check(context, caller, form, key))
    told = {"Location": f"/v1/checks/{job.run_id}", "Retry-After": "1", RUN_ID: job.run_id}
    return JSONResponse(job.model_dump(mode="json"), HTTPStatus.ACCEPTED, headers=told)


async def _told(audit: Audit, context: Context) -> Response:
    """Return the answer that tells ``audit``, written in a thread: it may be long."""
    written = await asyncio.to_thread(_masked, audit, context)
    return Response(written, media_type="application/json")


def _masked(audit: Audit, context: Context) -> str:
    """Return ``audit`` as JSON, with the names of folders in place of their paths."""
    return context.places.masked(audit.model_dump_json(by_alias=True))
