"""``quaere trace``: List, show, compare, export and delete the traces of runs.

``quaere export``: Export the report of an earlier run in another format.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.domain.events import RunFinished
from quaere.domain.report import Report
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import TraceConflict, TraceNotFound, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.options import PlainCommand, add_commands, output_option, subcommands
from quaere.faces.cli.output import ShortFormat, check_writable, choose_format, emit_to
from quaere.faces.cli.tables import folded, table
from quaere.faces.cli.terminal import complain, emit
from quaere.synthesize.wording import counted, headline
from quaere.text.sanitize import quoted

if TYPE_CHECKING:
    from quaere.store.traces.traces import Traces


ME = Owner()
"""The owner of the runs of the command line."""
MB = 1_000_000
LISTED = 20
"""Traces on a page, unless another number is asked for."""
_ADVICE = {
    TraceStatus.PENDING: " It waits for a worker; to start one, try: quaere worker",
    TraceStatus.IN_PROGRESS: " To see how far it is, try: quaere trace show {run}",
    TraceStatus.INTERRUPTED: " To continue it, try: quaere resume {run}",
}
"""What helps to a report of a run without one; one that has ended has none to come."""
_AGE = re.compile(r"(\d{1,5})\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}

TraceId = Annotated[
    str | None,
    typer.Argument(
        metavar="TRACE", help="Id of a trace, or its beginning. Default: the latest trace."
    ),
]
Age = Annotated[
    str | None,
    typer.Option("--older-than", metavar="AGE", help="Age in hours, days or weeks: 12h, 30d, 8w."),
]
Size = Annotated[
    float | None,
    typer.Option(
        "--max-size",
        metavar="MB",
        min=0,
        help="Delete the oldest traces until the rest take up at most this many megabytes.",
    ),
]
AllUsers = Annotated[
    bool,
    typer.Option("--all-users", help="Include the runs of users of the service."),
]

Output = Annotated[
    Path | None,
    output_option("Write the JSON to this file."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "trace", "List, show, compare, export and delete the traces of runs.")
    add_commands(group, list=list_, show=show, export=export_trace, diff=diff, delete=delete)
    group.command("prune", cls=PlainCommand, no_args_is_help=True)(prune)
    add_commands(app, export=export)


def list_(
    *,
    status: Annotated[
        TraceStatus | None, typer.Option(help="Show only traces with this status.")
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", metavar="N", min=1, max=200, help="Number of traces to list."
        ),
    ] = LISTED,
    after: Annotated[
        str | None,
        typer.Option(
            metavar="CURSOR", help="Continue from the cursor at the end of the previous page."
        ),
    ] = None,
    all_users: AllUsers = False,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """List traces, latest first."""
    from quaere.faces.cli.output import json

    async def listed() -> None:
        async with opened() as traces:
            owner = None if all_users else ME
            page = await traces.list_traces(owner, status=status, limit=limit, following=after)
        if form is ShortFormat.JSON:
            emit(json(page))
            return
        none = f"No trace has the status {status.value}.\n" if status else "There are no traces.\n"
        emit(table([_row(trace, all_users) for trace in page.traces]) or none)
        if page.following:
            same = _same_list(status, limit, all_users=all_users)
            emit(f"For more, run: quaere trace list {same}--after {page.following}\n")

    asyncio.run(listed())


def _same_list(status: TraceStatus | None, limit: int, *, all_users: bool) -> str:
    """Return the options by which the next page is one of the same list."""
    given = (
        f"--status {status.value} " if status else "",
        f"--limit {limit} " if limit != LISTED else "",
        "--all-users " if all_users else "",
    )
    return "".join(given)


def show(trace: TraceId = None, *, all_users: AllUsers = False) -> None:
    """Show how a run went: plan, queries, pages, decisions and costs."""
    from quaere.view.story import story

    async def shown() -> None:
        async with opened() as traces:
            kept = await found(traces, trace, None if all_users else ME)
            owner = _owner(kept)
            events = await traces.events(owner, kept.id)
            emit(folded(story(kept, events, await traces.sources(owner, kept.id))))

    asyncio.run(shown())


def export_trace(
    trace: TraceId = None, *, all_users: AllUsers = False, output: Output = None
) -> None:
    """Export all that is stored about a run, as JSON.

    Its trace, events, sources and report.
    """
    from quaere.faces.cli.output import json
    from quaere.store.own_data import export_run

    if output:
        check_writable(output)

    async def exported() -> str:
        async with opened() as traces:
            kept = await found(traces, trace, None if all_users else ME)
            return json(await export_run(traces, _owner(kept), kept.id))

    emit_to(output, asyncio.run(exported()))


def diff(
    first: Annotated[str, typer.Argument(metavar="TRACE", help="Id of a trace, or its beginning.")],
    second: Annotated[
        str, typer.Argument(metavar="TRACE", help="Id of a trace, or its beginning.")
    ],
    *,
    all_users: AllUsers = False,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """Compare two runs: queries, sources, answers and costs."""
    from quaere.faces.cli.output import json
    from quaere.view.story import Side, compare, comparison_text, side

    async def compared() -> None:
        async with opened() as traces:
            sides: list[Side] = []
            for wanted in (first, second):
                kept = await found(traces, wanted, None if all_users else ME)
                sides.append(side(kept, await traces.events(_owner(kept), kept.id)))
        outcome = compare(*sides)
        emit(json(outcome) if form is ShortFormat.JSON else folded(comparison_text(outcome)))

    asyncio.run(compared())


def delete(
    trace: Annotated[str, typer.Argument(metavar="TRACE", help="Id of a trace, or its beginning.")],
    *,
    all_users: AllUsers = False,
) -> None:
    """Delete a trace and everything stored about its run."""
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_store import check_not_being_made, forget_run

    settings = settle()

    async def deleted() -> None:
        async with opened() as traces:
            kept = await found(traces, trace, None if all_users else ME)
            check_not_being_made(settings, run_id=kept.id, owner=_owner(kept))
            if not all_users:  # nobody else's can be cancelled here
                _check_not_with_worker(kept)
            await traces.delete(_owner(kept), kept.id)
        forget_run(settings, kept.id)
        emit(f"Deleted {kept.id}.\n")

    asyncio.run(deleted())


def _check_not_with_worker(kept: Trace) -> None:
    """Check that no worker has taken the run: that would end it without a word.

    Raises:
        TraceConflict: when one has.
    """
    if kept.status is TraceStatus.IN_PROGRESS and kept.lease_owner is not None:
        cancel = f"quaere cancel {kept.id}"
        raise TraceConflict(f"A worker is making the run {kept.id}; cancel it first: {cancel}")


def prune(*, older_than: Age = None, max_size: Size = None, all_users: AllUsers = False) -> None:
    """Delete old traces; those that are pinned stay."""
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_store import forget_run

    if older_than is None and max_size is None:
        raise UsageError("Add --older-than AGE or --max-size MB.")
    age = None if older_than is None else _age(older_than)
    most_bytes = None if max_size is None else int(max_size * MB)
    settings = settle()

    async def pruned() -> None:
        async with opened() as traces:
            owner = None if all_users else ME
            gone = await traces.prune(owner, age, most_bytes=most_bytes)
        for trace_id in gone:
            forget_run(settings, trace_id)
        emit(f"Deleted {counted(len(gone), 'trace')}.\n")

    asyncio.run(pruned())


@asynccontextmanager
async def opened() -> AsyncGenerator[Traces]:
    """Yield the traces, after importing what commands have written since; warn of what failed.

    Raises:
        SettingsError: when the database of the settings cannot be used.
        StoreError: when it is not available.
    """
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_store import open_traces

    async with open_traces(settle()) as (traces, problems):
        for problem in problems:
            complain(f"warning: {problem}")
        yield traces


async def found(traces: Traces, wanted: str | None, owner: Owner | None = ME) -> Trace:
    """Return the trace with the ``wanted`` id, or the only one it begins; the latest for None.

    It is one of ``owner``, or anybody's for None.

    Raises:
        TraceNotFound: when there is none, or several ids begin like this.
    """
    if wanted is not None:
        return await traces.get_trace(owner, wanted)
    page = await traces.list_traces(owner, limit=1)
    if not page.traces:
        raise TraceNotFound("There are no traces yet; `quaere ask` records one.")
    return page.traces[0]


def _owner(trace: Trace) -> Owner:
    return Owner(user=trace.user_id, org=trace.org_id)


def _row(trace: Trace, with_user: bool) -> tuple[str, ...]:
    from quaere.store.run_id import SHORT_ID_CHARS

    took = ""
    if trace.started_at and trace.completed_at:
        took = f"{(trace.completed_at - trace.started_at).total_seconds():.1f} s"
    return (
        trace.id[:SHORT_ID_CHARS],
        trace.created_at.strftime("%Y-%m-%d %H:%M"),
        "waits for a reply" if trace.waits_for else str(trace.status),
        *([trace.user_id] if with_user else []),
        took,
        headline(trace.question),
    )


def _age(text: str) -> timedelta:
    match = _AGE.fullmatch(text.strip().lower())
    if not match:
        raise UsageError(f"Invalid age {quoted(text)}; use hours, days or weeks: 12h, 30d or 8w.")
    return timedelta(hours=int(match[1]) * _HOURS[match[2]])


def export(
    trace: TraceId = None,
    *,
    all_users: AllUsers = False,
    form: options.ReportFormat = None,
    output: options.Output = None,
) -> None:
    """Export the report of an earlier run in another format."""
    from quaere.faces.cli.output import deliver

    if output:
        check_writable(output)
    form = choose_format(form, output)
    report = asyncio.run(_report(trace, None if all_users else ME))
    deliver(report, form, output)


async def _report(wanted: str | None, owner: Owner | None) -> Report:
    async with opened() as traces:
        trace = await found(traces, wanted, owner)
        events = await traces.events(_owner(trace), trace.id)
    for event in reversed(events):
        if isinstance(event, RunFinished):
            return event.report
    advice = _ADVICE.get(trace.status, "").format(run=trace.id)
    raise TraceNotFound(f"The run {trace.id} has no report; its status is {trace.status}.{advice}")
