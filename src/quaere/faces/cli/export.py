"""``quaere export``: Export the report of an earlier run in another format."""

from __future__ import annotations

import asyncio

import typer

from quaere.domain.events import RunFinished
from quaere.domain.report import Report
from quaere.errors import TraceNotFound
from quaere.faces.cli import options
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.output import check_writable, choose_format
from quaere.faces.cli.trace import ME, TraceId, found, opened


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("export", cls=PlainCommand)(export)


def export(
    trace: TraceId = None,
    *,
    form: options.ReportFormat = None,
    output: options.Output = None,
) -> None:
    """Export the report of an earlier run in another format."""
    from quaere.faces.cli.output import deliver

    if output:
        check_writable(output)
    form = choose_format(form, output)
    report = asyncio.run(_report(trace))
    deliver(report, form, output)


async def _report(wanted: str | None) -> Report:
    async with opened() as traces:
        trace = await found(traces, wanted)
        events = await traces.events(ME, trace.id)
    for event in reversed(events):
        if isinstance(event, RunFinished):
            return event.report
    raise TraceNotFound(
        f"The run {trace.id} has no report; its status is {trace.status}. "
        f"To continue it, try: quaere resume {trace.id}"
    )
