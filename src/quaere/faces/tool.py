"""The engine as a tool for assistants, with progress while it works (R4.1, R4.4).

`deep_research` is for code that awaits: it yields progress, and the result last. `run_tool` is for
code that does not: it yields progress and returns the result.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import nullcontext
from uuid import uuid4

from pydantic import JsonValue, ValidationError

from quaere.domain.budget import Limits
from quaere.domain.events import (
    Evaluated,
    Event,
    Phase,
    PhaseStarted,
    PlanMade,
    SearchFinished,
    SourceRead,
)
from quaere.domain.profile import ProfileName
from quaere.domain.question import ItemStatus
from quaere.domain.report import Citation, Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.tool import (
    ToolCoverage,
    ToolInput,
    ToolOutput,
    ToolProgress,
    ToolResult,
    ToolSource,
    ToolStatus,
)
from quaere.domain.trace import Owner
from quaere.domain.verdict import StopReason
from quaere.errors import QuaereError, QuestionError
from quaere.runtime.app import LOCAL, App

MAX_SECONDS = 600.0
"""R4.4: ten minutes at most."""
SEARCHING_SHARE = 0.85
"""Share of the progress that the loops make up; the rest is writing and checking."""

_WITHIN_LOOP: Mapping[Phase, float] = {
    Phase.INDEXING: 0.0,
    Phase.SEARCHING: 0.1,
    Phase.ITERATING: 0.1,
    Phase.READING: 0.4,
    Phase.PLANNING: 0.6,
    Phase.EVALUATING: 0.8,
}
_AFTERWARDS: Mapping[Phase, float] = {
    Phase.SYNTHESIZING: SEARCHING_SHARE,
    Phase.VERIFYING: 0.95,
    Phase.FINALIZING: 1.0,
}
_MARKER = re.compile(r"\[(\d+)\]")


async def deep_research(
    params: ToolInput | Mapping[str, JsonValue], *, app: App | None = None, owner: Owner = LOCAL
) -> AsyncGenerator[ToolProgress | ToolResult]:
    """Research and yield progress, then the result.

    Whatever goes wrong is a result with the status ``error``, for the assistant to read.

    Args:
        params: The tool's input.
        app: Used and left open; one by the environment's settings when left out.
        owner: Whose run it is.
    """
    trace_id, reached = str(uuid4()), 0.0
    yield ToolProgress(stage="starting", message="Beginning to research.", progress=0.0)
    try:
        asked = _input(params)
        spec = RunSpec(request=request_of(asked), run_id=trace_id)
        async with nullcontext(app) if app else App.open() as used:
            run = await used.start(spec, owner)
            try:
                async for event in run.events():
                    if progress := _progress(event, reached):
                        reached = progress.progress
                        yield progress
                yield result_of(await run.report())
                run.settle()
            finally:
                if not run.over:
                    await run.stop()
    except QuaereError as error:
        failed = ToolOutput(trace_id=trace_id, answer="", status=ToolStatus.ERROR)
        yield ToolResult(text=f"The research failed: {error.message}", payload=failed)


def run_tool(
    params: ToolInput | Mapping[str, JsonValue],
    *,
    app: Callable[[], App] = App,
    owner: Owner = LOCAL,
) -> Generator[ToolProgress, None, ToolResult]:
    """Research and yield progress; the generator's return value is the result.

    Closing the generator ends the research.

    Args:
        params: The tool's input.
        app: Makes the App that is used, and closed at the end: it belongs to one event loop.
        owner: Whose run it is.

    Raises:
        RuntimeError: when called from a running event loop; use ``deep_research`` there.
    """
    with asyncio.Runner() as runner:
        used = app()
        steps = deep_research(params, app=used, owner=owner)
        try:
            while True:
                step = runner.run(anext(steps))
                if isinstance(step, ToolResult):
                    return step
                yield step
        finally:
            runner.run(steps.aclose())
            runner.run(used.aclose())


def request_of(asked: ToolInput) -> RunRequest:
    """Return the request that the tool makes of its input (R4.2)."""
    return RunRequest.of(
        question=asked.question,
        context=asked.context,
        profile=ProfileName.DEEP,
        limits=Limits(max_iters=asked.max_iterations, max_execution_time_s=MAX_SECONDS),
    )


def result_of(report: Report) -> ToolResult:
    """Return ``report`` as the tool gives it back."""
    items = report.checklist.items
    satisfied = tuple(i.description for i in items if i.status is ItemStatus.SATISFIED)
    partial = tuple(
        f"{i.description} - partial coverage" for i in items if i.status is ItemStatus.PARTIAL
    )
    missing = tuple(i.description for i in items if i.status is ItemStatus.UNSATISFIED)
    limited = report.stop_reason is StopReason.MAX_ITERATIONS
    status = ToolStatus.MAX_ITERATIONS_REACHED if limited else ToolStatus.COMPLETED
    output = ToolOutput(
        trace_id=report.run_id,
        answer=_MARKER.sub(r"[src_\1]", report.answer),
        sources=tuple(_source(citation) for citation in report.citations),
        checklist_coverage=ToolCoverage(satisfied=satisfied, gaps=(*partial, *missing)),
        iterations_used=report.iterations,
        status=status,
    )
    return ToolResult(text=output.answer, payload=output)


def _input(params: ToolInput | Mapping[str, JsonValue]) -> ToolInput:
    if isinstance(params, ToolInput):
        return params
    try:
        return ToolInput.model_validate(params)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'input'}: {fault['msg']}"
            for fault in error.errors()
        )
        raise QuestionError(f"The tool cannot be called like this: {faults}.") from None


def _source(citation: Citation) -> ToolSource:
    return ToolSource(
        id=f"src_{citation.id}",
        type=citation.type,
        title=citation.title,
        url=citation.url,
        snippet=citation.quote.text,
    )


def _progress(event: Event, reached: float) -> ToolProgress | None:
    """Return what ``event`` has to say of the progress, if anything."""
    told = _told(event)
    if told is None:
        return None
    message, data = told
    loops = event.loop and event.phase in _WITHIN_LOOP
    return ToolProgress(
        stage=f"iteration_{event.loop}" if loops else event.phase.value,
        message=message,
        progress=max(reached, _share(event)),
        data=data,
    )


def _share(event: Event) -> float:
    if event.phase in _AFTERWARDS:
        return _AFTERWARDS[event.phase]
    done = max(0, event.loop - 1) + _WITHIN_LOOP.get(event.phase, 0.0)
    return SEARCHING_SHARE * min(1.0, done / max(1, event.max_loops))


def _told(event: Event) -> tuple[str, dict[str, JsonValue]] | None:
    match event:
        case PlanMade():
            items: list[JsonValue] = [item.description for item in event.checklist.items]
            return "Planned what a complete answer must contain.", {"checklist": items}
        case SearchFinished():
            found = f"failed ({event.error})" if event.error else f"{event.hits} found"
            return f"Searched: {event.query!r}, {found}.", {
                "query": event.query,
                "hits": event.hits,
                "new": event.fresh,
            }
        case SourceRead():
            return f"Read {event.url} ({event.status.value}).", {
                "url": event.url,
                "status": event.status.value,
            }
        case Evaluated():
            gaps: list[JsonValue] = list(event.gaps)
            return f"Answered so far: {event.coverage:.0%}.", {
                "coverage": event.coverage,
                "gaps": gaps,
            }
        case PhaseStarted(phase=Phase.SYNTHESIZING):
            return "Writing the answer.", {}
        case PhaseStarted(phase=Phase.VERIFYING):
            return "Checking every sentence against its source.", {}
        case _:
            return None
