"""A run with everything that is stored about it, as one value."""

from __future__ import annotations

from quaere.domain.events import RunEvent, RunFinished
from quaere.domain.report import Report
from quaere.domain.trace import Owner, Source, Trace
from quaere.domain.value import Value
from quaere.store.traces.traces import Traces


class ExportedRun(Value):
    """All that is stored about a run."""

    trace: Trace
    events: tuple[RunEvent, ...]
    sources: tuple[Source, ...]
    report: Report | None


async def export_run(traces: Traces, owner: Owner, trace_id: str) -> ExportedRun:
    """Return all that is stored about a run.

    Raises:
        TraceNotFound: when ``owner`` has no such run.
        StoreError: when the database cannot be used.
    """
    trace = await traces.get_trace(owner, trace_id)
    events = await traces.events(owner, trace.id)
    reports = [event.report for event in events if isinstance(event, RunFinished)]
    return ExportedRun.model_construct(
        trace=trace,
        events=events,
        sources=await traces.sources(owner, trace.id),
        report=reports[-1] if reports else None,
    )
