"""Runs: begun, listed, followed, steered, labelled, exported, shared and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from quaere.audit.report import audit_markdown
from quaere.domain.report import Report
from quaere.domain.trace import CHECK_TOOL, Owner, Source, Trace, TraceStatus
from quaere.errors import RunCancelled, TraceConflict, TraceNotFound
from quaere.faces.server.access import Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.asking import (
    accepted,
    job_of,
    listed_state,
    masked_report,
    state_of,
    unreported,
)
from quaere.faces.server.errors import Refused
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.forms import (
    JobAccepted,
    Key,
    LabelForm,
    ReplyForm,
    RunEvent,
    RunForm,
    RunList,
    RunState,
    SharedLink,
)
from quaere.faces.server.routes.checks import verdicts
from quaere.faces.server.stream import check_place, place_of, stream
from quaere.store.jobs import Jobs
from quaere.view.export.export import Form, export, plugin_forms
from quaere.view.story import Comparison, compare, side
from quaere.view.trace_graph import TraceGraph, trace_graph


class ExportForm(StrEnum):
    """Forms of a report; those of installed plug-ins are among them by their names."""

    JSON = "json"
    MARKDOWN = "md"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    BIBTEX = "bib"
    RIS = "ris"

    @classmethod
    def _missing_(cls, value: object) -> ExportForm | None:
        """Return the form that commands call ``value``, or that of a plug-in."""
        suffixes = next((form.suffixes for form in Form if form == value), ())
        if own := next((each for each in cls if f".{each}" in suffixes), None):
            return own
        if value not in plugin_forms():
            return None
        member = str.__new__(cls, str(value))
        member._name_, member._value_ = str(value).upper(), str(value)
        return member

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema with all forms that can be asked for here."""
        schema = handler(core)
        handler.resolve_ref_schema(schema)["enum"] = [str(each) for each in (*cls, *_brought())]
        return schema


Format = Annotated[ExportForm, Query(alias="format")]

_FORMS: Mapping[ExportForm, Form] = MappingProxyType(
    {
        ExportForm.MARKDOWN: Form.REPORT,
        ExportForm.HTML: Form.HTML,
        ExportForm.PDF: Form.PDF,
        ExportForm.DOCX: Form.DOCX,
        ExportForm.BIBTEX: Form.BIBTEX,
        ExportForm.RIS: Form.RIS,
    }
)


def _brought() -> tuple[Form, ...]:
    """Return the forms of plug-ins, but for those whose names are taken."""
    return tuple(
        each for each in plugin_forms() if str(each) not in ExportForm.__members__.values()
    )


def answers() -> dict[int | str, dict[str, object]]:
    """Return what the OpenAPI document says of the answers."""
    types = {form.media_type.partition(";")[0] for form in (*_FORMS.values(), *_brought())}
    text = {"schema": {"type": "string"}}
    return {
        200: {
            "model": Report,
            "description": "The report, as JSON or as a file.",
            "content": dict.fromkeys(sorted(types), text),
        }
    }


async def exported(report: Report, form: ExportForm) -> Response:
    """Return ``report`` as a download.

    Raises:
        UsageError: when the form needs a library that is not installed.
    """
    if form is ExportForm.JSON:
        return Response(report.model_dump_json(), media_type="application/json")
    brought = {str(each): each for each in _brought()}
    writer = _FORMS.get(form) or brought[form]
    body = await asyncio.to_thread(export, report, writer)
    suffix = form if form in _FORMS else writer.suffixes[0].lstrip(".")
    name = f'attachment; filename="quaere-{report.run_id[:8]}.{suffix}"'
    safe = name.encode("ascii", "replace").decode()
    return Response(body, media_type=writer.media_type, headers={"Content-Disposition": safe})


router = APIRouter(prefix="/v1/runs", tags=["runs"], route_class=KnownFirst)
shared_router = APIRouter(prefix="/v1/shared", tags=["runs"])
"""Reports that their owners have shared, for everybody who has the link."""

After = Annotated[
    int | None, Query(ge=0, le=1_000_000, description="Number of the last event seen.")
]
EVENTS: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The events of the run, as they come or as one JSON list.",
        "model": list[RunEvent],
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.post("", status_code=HTTPStatus.ACCEPTED)
async def create(
    form: RunForm, context: Shared, caller: Running, response: Response, key: Key = None
) -> JobAccepted:
    """Start a run; once this returns, the run is saved and will be processed."""
    job = job_of(await accepted(context, caller, form, key))
    response.headers.update({"Location": job.status_url, "Retry-After": "1", RUN_ID: job.run_id})
    return job


@router.get("")
async def listed(
    context: Shared,
    caller: Reading,
    *,
    status: TraceStatus | None = None,
    q: Annotated[str | None, Query(max_length=200, description="Words in the question.")] = None,
    tag: Annotated[str | None, Query(max_length=50)] = None,
    pinned: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[str | None, Query(max_length=200)] = None,
) -> RunList:
    """Return the caller's runs, the latest first."""
    traces = await context.app.traces()
    page = await traces.list_traces(
        caller.owner, status=status, q=q, tag=tag, pinned=pinned, limit=limit, following=after
    )
    runs = tuple(listed_state(context, trace) for trace in page.traces)
    return RunList(runs=runs, after=page.following)


@router.get("/{run_id}")
async def one(run_id: str, context: Shared, caller: Reading) -> RunState:
    """Return the status of a run."""
    return await state_of(context, await _trace(context, caller.owner, run_id))


@router.patch("/{run_id}")
async def label(run_id: str, form: LabelForm, context: Shared, caller: Running) -> RunState:
    """Change the tags of a run, or whether it is pinned."""
    traces = await context.app.traces()
    trace = await _trace(context, caller.owner, run_id)
    labelled = await traces.label(caller.owner, trace.id, tags=form.tags, pinned=form.pinned)
    return await state_of(context, labelled)


@router.delete("/{run_id}", status_code=HTTPStatus.NO_CONTENT)
async def delete(run_id: str, context: Shared, caller: Running) -> None:
    """Delete a run and everything stored about it; one in progress has to be cancelled first."""
    trace = await _trace(context, caller.owner, run_id)
    if trace.status is TraceStatus.IN_PROGRESS:
        message = "The run is in progress; cancel it first."
        raise Refused(HTTPStatus.CONFLICT, "trace_conflict", message)
    await context.app.delete(trace.id, caller.owner)


@router.get("/{run_id}/events", responses=EVENTS, response_class=Response)
async def events(
    run_id: str, request: Request, context: Shared, caller: Reading, after: After = None
) -> Response:
    """Follow a run by server-sent events; with `Accept: application/json`, list those so far.

    A reader that was cut off continues after `Last-Event-ID`, or `after`. The number of an event
    that does not exist is refused, because its reader would wait in silence.
    """
    trace = await _trace(context, caller.owner, run_id)
    place = place_of(request, after)
    check_place(trace, place)
    if "application/json" in request.headers.get("accept", ""):
        traces = await context.app.traces()
        told = await traces.events(caller.owner, trace.id, after=place)
        body = "[" + ",".join(event.model_dump_json() for event in told) + "]"
        return Response(context.places.masked(body), media_type="application/json")
    run = await context.app.run_of(trace, caller.owner)
    return stream(context, trace, run, place)


@router.get("/{run_id}/report", response_class=Response, responses=answers())
async def report(
    run_id: str, context: Shared, caller: Reading, form: Format = ExportForm.JSON
) -> Response:
    """Return the report of a run that has ended, in one of the export formats.

    The report of a check is available as JSON or Markdown.
    """
    trace = await _trace(context, caller.owner, run_id)
    if trace.tool_name == CHECK_TOOL and form is not ExportForm.JSON:
        if form is not ExportForm.MARKDOWN:
            message = "The report of a check is JSON or Markdown."
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", message)
        name = trace.question.removeprefix("Check: ")
        audit = await verdicts(context, caller.owner, trace.id)
        body = await asyncio.to_thread(audit_markdown, audit, name=name)
        return Response(body, media_type="text/markdown; charset=utf-8")
    return await exported(await report_of(context, caller.owner, run_id), form)


@router.get("/{run_id}/sources")
async def sources(run_id: str, context: Shared, caller: Reading) -> list[Source]:
    """Return the passages that a run used as evidence."""
    traces = await context.app.traces()
    trace = await _trace(context, caller.owner, run_id)
    found = await traces.sources(caller.owner, trace.id)
    masked = context.places.masked
    return [Source.model_validate_json(masked(each.model_dump_json())) for each in found]


@router.get("/{run_id}/trace")
async def graph(run_id: str, context: Shared, caller: Reading) -> TraceGraph:
    """Return how queries led to pages, passages, quotes and claims, as a graph."""
    traces = await context.app.traces()
    trace = await _trace(context, caller.owner, run_id)
    told = await traces.events(caller.owner, trace.id)
    made = await asyncio.to_thread(lambda: trace_graph(told).model_dump_json())
    return TraceGraph.model_validate_json(context.places.masked(made))


@router.post("/{run_id}/cancel")
async def cancel(run_id: str, context: Shared, caller: Running) -> RunState:
    """End a run without a report."""
    trace = await _trace(context, caller.owner, run_id)
    await (await context.app.run_of(trace, caller.owner)).cancel()
    return await state_of(context, await _trace(context, caller.owner, trace.id))


@router.post("/{run_id}/finish")
async def finish(run_id: str, context: Shared, caller: Running) -> RunState:
    """Stop searching, and answer with what was found."""
    trace = await _trace(context, caller.owner, run_id)
    await (await context.app.run_of(trace, caller.owner)).finish()
    return await state_of(context, await _trace(context, caller.owner, trace.id))


@router.post("/{run_id}/resume", status_code=HTTPStatus.ACCEPTED)
async def resume(run_id: str, context: Shared, caller: Running) -> JobAccepted:
    """Continue a stopped run; calls that were already made are not repeated."""
    trace = await _trace(context, caller.owner, run_id)
    waits = await Jobs(await context.app.database()).position(trace.id)
    if waits is None and trace.status is not TraceStatus.IN_PROGRESS:
        try:
            await context.app.resume(trace.id, caller.owner)
        except TraceNotFound as error:  # the run is there, but nothing that it could go on from
            message = f"The run {trace.id} cannot be resumed: it is {trace.status}."
            raise TraceConflict(message) from error
        context.feeds.forget(trace.id)
    return job_of(await _trace(context, caller.owner, trace.id))


@router.post("/{run_id}/reply")
async def reply(run_id: str, form: ReplyForm, context: Shared, caller: Running) -> RunState:
    """Reply to what the run asks its user."""
    trace = await _trace(context, caller.owner, run_id)
    await (await context.app.run_of(trace, caller.owner)).reply(form.inquiry_id, form.reply)
    return await state_of(context, await _trace(context, caller.owner, trace.id))


@router.post("/{run_id}/share")
async def share(run_id: str, request: Request, context: Shared, caller: Running) -> SharedLink:
    """Create a link by which anybody can read the report; off unless QUAERE_SHARING=on."""
    if not context.app.settings.sharing:
        message = "Sharing is off; the operator can switch it on with QUAERE_SHARING=on."
        raise Refused(HTTPStatus.FORBIDDEN, "forbidden", message)
    traces = await context.app.traces()
    trace = await _trace(context, caller.owner, run_id)
    link = context.signer.link(await traces.share(caller.owner, trace.id))
    base = str(request.base_url)
    return SharedLink(url=f"{base}v1/shared/{link}", page_url=f"{base}shared/{link}")


@router.delete("/{run_id}/share", status_code=HTTPStatus.NO_CONTENT)
async def unshare(run_id: str, context: Shared, caller: Running) -> None:
    """Revoke the link to the report."""
    traces = await context.app.traces()
    trace = await _trace(context, caller.owner, run_id)
    await traces.unshare(caller.owner, trace.id)


@router.get("/{first}/diff/{second}")
async def diff(first: str, second: str, context: Shared, caller: Reading) -> Comparison:
    """Return what two runs have in common, and how they differ."""
    traces = await context.app.traces()
    sides = [
        side(trace, await traces.events(caller.owner, trace.id))
        for trace in [await _trace(context, caller.owner, each) for each in (first, second)]
    ]
    told = await asyncio.to_thread(lambda: compare(*sides).model_dump_json())
    return Comparison.model_validate_json(context.places.masked(told))


async def _trace(context: Context, owner: Owner, run_id: str) -> Trace:
    return await (await context.app.traces()).get_trace(owner, run_id)


async def report_of(context: Context, owner: Owner, run_id: str) -> Report:
    """Return the report of a run that is over.

    Raises:
        RunCancelled: when it was cancelled.
        TraceConflict: when it has none.
        Refused: when it has none yet.
    """
    trace = await _trace(context, owner, run_id)
    if trace.status is TraceStatus.CANCELLED:
        raise RunCancelled(f"The run {trace.id} was cancelled.")
    if trace.status is not TraceStatus.COMPLETED:
        raise unreported(trace, f"The run {trace.id} has no report")
    return await masked_report(context, await context.app.run_of(trace, owner))


@shared_router.get("/{link}", response_class=Response, responses=answers())
async def shared(link: str, context: Shared, form: Format = ExportForm.JSON) -> Response:
    """Return a shared report in one of the export formats."""
    nonce = context.signer.nonce_of(link) if context.app.settings.sharing else None
    if nonce is None:
        raise TraceNotFound("There is no such report, or it is no longer shared.")
    trace = await (await context.app.traces()).shared(nonce)
    owner = Owner(user=trace.user_id, org=trace.org_id)
    return await exported(await report_of(context, owner, trace.id), form)
