"""``quaere resume``: Continue a run that was stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.errors import QuaereError, StoreUnavailable
from quaere.faces.cli import options
from quaere.faces.cli.exits import BY_STATUS
from quaere.faces.cli.follow import follow, importing, journal, watching
from quaere.faces.cli.output import check_writable, choose_format
from quaere.faces.cli.terminal import columns, complain, counted, emit, say

if TYPE_CHECKING:
    from quaere.domain.events import Event
    from quaere.domain.report import Report
    from quaere.faces.cli.follow import Watcher
    from quaere.runtime.recorder import Tracing, Untraced
    from quaere.runtime.resumable import ResumableRun
    from quaere.runtime.settings import Settings
    from quaere.store.recording.run_file import RunFile, RunRequest

MAX_QUESTION_CHARS = 60
DO_WITHOUT = "Set QUAERE_RESUMABLE=off to run without resume files."

RunId = Annotated[
    str | None,
    typer.Argument(
        metavar="[RUN]",
        help="Id of the run, or its beginning; lists the stopped runs when left out.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("resume")(resume)


def resume(
    context: typer.Context,
    run: RunId = None,
    *,
    form: options.ReportFormat = None,
    output: options.Output = None,
    events: options.Events = None,
    no_trace: options.NoTrace = False,
    quiet: options.Quiet = False,
) -> None:
    """Continue a run that was stopped.

    It continues where it was stopped: searches, pages and model calls that were already made are
    not repeated.
    """
    with importing():
        from quaere.faces.cli.deliver import deliver
        from quaere.faces.cli.environment import settle
        from quaere.runtime.recorder import hand_in, tracing
        from quaere.runtime.resumable import ResumableRun

    settings = settle(debug=bool(context.obj))
    if run is None:
        _list(settings)
        return
    for path in (output, events):
        if path:
            check_writable(path)
    form = choose_format(form, output)
    resumed = ResumableRun.resume(settings, run)
    request = resumed.file.request
    with (
        journal(events) as note,
        watching(request.question, quiet=quiet) as watcher,
        tracing(settings, request, note, wanted=not no_trace) as trace,
    ):
        report = finish(resumed, watcher, trace)
    with handing_over(resumed):
        deliver(report, form, output)
    hand_in(settings, wanted=not no_trace)
    raise typer.Exit(BY_STATUS[report.status])


def begin(settings: Settings, request: RunRequest, *, quiet: bool) -> ResumableRun | None:
    """Return a new run that can be resumed; None, with a message, where it cannot be saved.

    Raises:
        UsageError: when the request is not valid.
    """
    from quaere.runtime.resumable import ResumableRun

    if not settings.stores_all:
        if not quiet:
            withheld = "QUESTIONS" if settings.store_pages else "PAGES"
            say(f"This run cannot be resumed, because QUAERE_STORE_{withheld}=false.")
        return None
    try:
        return ResumableRun.begin(settings, request)
    except StoreUnavailable as error:
        complain(f"warning: this run cannot be resumed: {error.message} {DO_WITHOUT}")
        return None


def finish(run: ResumableRun, watcher: Watcher, trace: Tracing | Untraced) -> Report:
    """Return the report of ``run``; if it is stopped, print how to resume it."""
    watched = replace(run, engine=trace.watch(run.engine))

    async def followed() -> Report:
        async with watched.engine:
            return await follow(_warning(watched), watcher, trace.note)

    with _told(run.file):
        return asyncio.run(followed())


async def _warning(run: ResumableRun) -> AsyncGenerator[Event]:
    """Yield the events of ``run``; warn once if its answers can no longer be saved."""
    told = False
    async with aclosing(run.stream()) as events:
        async for event in events:
            if run.file.trouble and not told:
                told = True
                complain(
                    f"warning: a resumed run would repeat this: {run.file.trouble} {DO_WITHOUT}"
                )
            yield event


@contextmanager
def handing_over(run: ResumableRun | None) -> Generator[None]:
    """Keep the file of ``run``, if it has one, until its report has been written within."""
    if run is None:
        yield
        return
    try:
        yield
    except BrokenPipeError:  # the reader closed the pipe
        run.done()
        raise
    except BaseException:
        run.file.close()
        say(f"To get the report again, run: quaere resume {run.file.request.run_id}\n")
        raise
    run.done()


@contextmanager
def _told(file: RunFile) -> Generator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit, QuaereError):
        if file.path.exists():
            say(f"The run was stopped. To continue it, run: quaere resume {file.request.run_id}\n")
        raise


def _list(settings: Settings) -> None:
    from quaere.runtime.resumable import stopped_runs

    rows = [
        (
            stopped.request.run_id,
            stopped.stopped.strftime("%Y-%m-%d %H:%M"),
            counted(stopped.answers, "answer"),
            " ".join(stopped.request.question.split())[:MAX_QUESTION_CHARS],
        )
        for stopped in stopped_runs(settings)
    ]
    emit(columns(rows) if rows else "There are no stopped runs.\n")
