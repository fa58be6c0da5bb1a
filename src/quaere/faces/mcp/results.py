"""What a report comes to as the result of a tool: data for programs, and a short text."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.domain.report import Report, Sentence
from quaere.domain.tool import ToolPlace, ToolSource
from quaere.faces.mcp.forms import (
    ResearchOutput,
    ResearchStatus,
    RunStatus,
    SentenceVerdict,
    StatusOutput,
)
from quaere.faces.tool import result_of, where_to_look
from quaere.synthesize.inert import address, file_link, link, plain
from quaere.synthesize.wording import STATUSES, STOP_REASONS

SCHEME = "quaere"


def report_uri(run_id: str) -> str:
    """Return the URI of the report of a run."""
    return f"{SCHEME}://runs/{run_id}/report"


def research_output(report: Report) -> ResearchOutput:
    """Return ``report`` as the output of a research tool."""
    told = result_of(report).payload
    numbers = {citation.evidence: f"src_{citation.id}" for citation in report.citations}
    return ResearchOutput(
        trace_id=told.trace_id,
        run_id=told.trace_id,
        status=ResearchStatus(told.status),
        answer=told.answer,
        sources=tuple(_source(source) for source in told.sources),
        sentences=tuple(_verdict(sentence, numbers) for sentence in report.sentences),
        checklist_coverage=told.checklist_coverage,
        iterations_used=told.iterations_used,
        stop_reason=told.stop_reason,
        earlier_run=told.earlier_run,
        nearest=tuple(_place(place) for place in told.nearest),
        message=f"{STATUSES[report.status]}. Searching ended because "
        f"{STOP_REASONS[report.stop_reason]}.",
    )


def research_text(output: ResearchOutput) -> str:
    """Return ``output`` for an assistant that reads text alone: answer, sources, what is missing.

    The title and the URL of a source are on one line and cannot pass for anything else.
    """
    return "\n".join(_lines(output))


def working(status: StatusOutput) -> ResearchOutput:
    """Return the output for a run that goes on, as it stands."""
    so_far = f" So far: {status.message.rstrip('.')}." if status.message else ""
    line = "It waits for a worker." if status.status is RunStatus.QUEUED else "It goes on."
    return ResearchOutput(
        trace_id=status.run_id,
        run_id=status.run_id,
        status=ResearchStatus.WORKING,
        iterations_used=status.iteration,
        progress=status.progress,
        message=f"The research is not over yet. {line}{so_far} Call research_status with run_id "
        f"{status.run_id} and wait_s 25 until it is completed, then research_result.",
    )


def status_text(status: StatusOutput) -> str:
    """Return ``status`` in one line."""
    said = f": {plain(status.message)}" if status.message else ""
    line = f"Run {status.run_id} is {status.status} ({status.progress:.0%}){said}"
    if status.status is RunStatus.COMPLETED:
        return f"{line}. Call research_result, or read {report_uri(status.run_id)}."
    return line


def _lines(output: ResearchOutput) -> Iterator[str]:
    yield output.answer
    yield ""
    if output.sources:
        yield "Sources:"
        yield from (f"[{each.id}] {each.title} - {each.url}" for each in output.sources)
        yield ""
    if look := where_to_look(output.nearest):
        yield look
        yield ""
    if gaps := output.checklist_coverage.gaps:
        yield f"Not covered: {'; '.join(gaps)}"
    if earlier := output.earlier_run:
        yield f"Run {earlier.run_id} asked nearly the same on {earlier.completed:%Y-%m-%d}."
    yield f"{output.message} The whole report: {report_uri(output.trace_id)}"


def shown_url(url: str) -> str:
    """Return ``url`` encoded for a text; empty if it leads to no source."""
    return link(url) or file_link(url) or plain(address(url))


def _source(source: ToolSource) -> ToolSource:
    shown = {"title": plain(source.title), "url": shown_url(source.url)}
    return source.model_copy(update=shown)


def _place(place: ToolPlace) -> ToolPlace:
    return place.model_copy(update={"url": shown_url(place.url)})


def _verdict(sentence: Sentence, numbers: dict[int, str]) -> SentenceVerdict:
    return SentenceVerdict(
        text=sentence.text,
        verdict=sentence.support,
        probability=sentence.probability,
        sources=tuple(numbers[each] for each in sentence.evidence if each in numbers),
    )
