"""What can be read of a run by its URI: the report, the way to it, and each source."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import unquote

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from quaere.domain.access import Right
from quaere.domain.events import Event, RunFinished
from quaere.domain.report import Citation, Report
from quaere.domain.trace import TOOL, Owner, TraceStatus
from quaere.errors import QuaereError, TraceNotFound, UsageError
from quaere.faces.mcp.forms import report_uri
from quaere.faces.mcp.runs import Runs, Visitor
from quaere.runtime.run import Run
from quaere.synthesize.inert import escaped, link, literal, one_line, plain
from quaere.synthesize.wording import verdict_in_words
from quaere.text.sanitize import quoted
from quaere.view.export.markdown import markdown
from quaere.view.trace_graph import trace_graph

MAX_LISTED = 20
MARKDOWN = "text/markdown"
JSON = "application/json"

_URI = re.compile(
    r"quaere://runs/(?P<run>[^/?#]{1,200})/(?P<part>report|trace|sources/src_(\d{1,6}))"
)

TEMPLATES = (
    ResourceTemplate(
        name="report",
        title="Report of a run",
        uri_template="quaere://runs/{run_id}/report",
        description="The answer with its verdicts, quotes, coverage, method and sources",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        name="trace",
        title="Trace of a run",
        uri_template="quaere://runs/{run_id}/trace",
        description="Which query found which page, and which words of it carry which sentence",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="source",
        title="Source of an answer",
        uri_template="quaere://runs/{run_id}/sources/{source_id}",
        description="A cited source, such as src_1: its passage, and the sentences that rest on it",
        mime_type=MARKDOWN,
    ),
)


@dataclass(frozen=True, slots=True)
class Place:
    """What a URI names."""

    run_id: str
    part: str
    """``report``, ``trace`` or ``sources``."""
    source: int = 0


def place_of(uri: str) -> Place:
    """Return what ``uri`` names.

    Raises:
        UsageError: when it names no resource of this server.
    """
    match = _URI.fullmatch(uri)
    if match is None:
        raise UsageError(
            f"There is no resource {quoted(uri)}; the resources are quaere://runs/RUN/report, "
            "quaere://runs/RUN/trace and quaere://runs/RUN/sources/src_N."
        )
    part = match["part"].partition("/")[0]
    return Place(unquote(match["run"]), part, int(match[3] or 0))


async def list_resources(runs: Runs, visitor: Visitor) -> ListResourcesResult:
    """Return the reports of the visitor's latest runs, the last one first."""
    visitor.need(Right.READ)
    traces = await runs.app.traces()
    listed = await traces.list_traces(
        visitor.owner, tool=TOOL, status=TraceStatus.COMPLETED, limit=MAX_LISTED
    )
    return ListResourcesResult(
        resources=[
            Resource(
                name=f"report-{trace.id}",
                title=plain(trace.question)[:200] or "Report",
                uri=report_uri(trace.id),
                description=f"Report of {trace.created_at:%Y-%m-%d %H:%M} UTC",
                mime_type=MARKDOWN,
            )
            for trace in listed.traces
        ]
    )


async def list_templates() -> ListResourceTemplatesResult:
    """Return the forms of the URIs."""
    return ListResourceTemplatesResult(resource_templates=[*TEMPLATES])


async def read_resource(runs: Runs, visitor: Visitor, uri: str) -> ReadResourceResult:
    """Return what ``uri`` names.

    Raises:
        MCPError: when the visitor has no such resource.
    """
    try:
        visitor.need(Right.READ)
        text, kind = await _read(runs, visitor.owner, place_of(uri))
    except QuaereError as error:
        message = visitor.masked(error.message)
        raise MCPError(code=INVALID_PARAMS, message=message, data={"uri": uri}) from error
    content = TextResourceContents(uri=uri, text=visitor.masked(text), mime_type=kind)
    return ReadResourceResult(contents=[content])


async def _read(runs: Runs, owner: Owner, place: Place) -> tuple[str, str]:
    run = await runs.find(place.run_id, owner)
    events = await run.so_far()
    if place.part == "trace":
        graph = await asyncio.to_thread(trace_graph, events)
        return graph.model_dump_json(), JSON
    report = _report(run, events)
    if place.part == "report":
        return await asyncio.to_thread(markdown, report), MARKDOWN
    return await _source(runs, owner, report, place.source), MARKDOWN


def _report(run: Run, events: tuple[Event, ...]) -> Report:
    """Return the report of ``run``.

    Raises:
        UsageError: when it has none.
    """
    match events[-1:]:
        case (RunFinished(report=report),):
            return report
        case _:
            raise UsageError(f"The run {run.id} has no report; research_status shows its status.")


async def _source(runs: Runs, owner: Owner, report: Report, number: int) -> str:
    citation = next((each for each in report.citations if each.id == number), None)
    if citation is None:
        raise UsageError(
            f"The run {report.run_id} cites no source src_{number}; it cites "
            f"{len(report.citations)}, from src_1 on."
        )
    passage = await _passage(runs, owner, report.run_id, citation)
    return _source_markdown(report, citation, passage)


async def _passage(runs: Runs, owner: Owner, run_id: str, citation: Citation) -> str:
    """Return the passage that was read; the quote alone where no more is kept."""
    try:
        kept = await (await runs.app.traces()).sources(owner, run_id)
    except TraceNotFound:  # the run is not traced
        kept = ()
    found = (each.text for each in kept if each.evidence.id == citation.evidence and each.text)
    return next(found, citation.quote.text)


def _source_markdown(report: Report, citation: Citation, passage: str) -> str:
    href = link(citation.url)
    title = literal(citation.title)
    facts = (plain(citation.locator), plain(citation.retrieved_at))
    lines = [f"# {f'[{title}](<{href}>)' if href else title}"]
    lines += [", ".join(filter(None, (escaped(fact) for fact in facts)))]
    lines += [f"> {escaped(one_line(passage))}"]
    lines += ["## Sentences that rest on it"]
    lines += [
        f"- {escaped(sentence.text)} "
        f"({escaped(verdict_in_words(sentence.support, sentence.by, sentence.reason))})"
        for sentence in report.sentences
        if citation.evidence in sentence.evidence
    ]
    return "\n\n".join(filter(None, lines)) + "\n"
