"""``quaere resume``: goes on with a run that was stopped."""

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
from quaere.faces.cli.terminal import complain, emit, say
from quaere.view.layout import columns, counted

if TYPE_CHECKING:
    from quaere.domain.events import Event
    from quaere.domain.report import Report
    from quaere.faces.cli.follow import Watcher
    from quaere.runtime.recorder import Tracing, Untraced
    from quaere.runtime.resumable import ResumableRun
    from quaere.runtime.settings import Settings
    from quaere.store.recording.run_file import RunFile, RunRequest

MAX_QUESTION_CHARS = 60
DO_WITHOUT = "QUAERE_RESUMABLE=off keeps nothing to resume runs from."

RunId = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="The run; without it, those that can be resumed."),
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
    """Go on with a run that was stopped.

    It goes on where it was stopped: what had been searched, read and asked of models is not asked
    again.
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
    """Return a new run that can be resumed; None, and say so, where it cannot be kept.

    Raises:
        UsageError: when it cannot be asked like this.
    """
    from quaere.runtime.resumable import ResumableRun

    if not settings.stores_all:
        if not quiet:
            withheld = "QUESTIONS" if settings.store_pages else "PAGES"
            say(
                f"This run cannot be resumed: QUAERE_STORE_{withheld}=false keeps nothing for that."
            )
        return None
    try:
        return ResumableRun.begin(settings, request)
    except StoreUnavailable as error:
        complain(f"warning: this run cannot be resumed. {error.message} {DO_WITHOUT}")
        return None


def finish(run: ResumableRun, watcher: Watcher, trace: Tracing | Untraced) -> Report:
    """Return the report of ``run``; when it is stopped, say how it can be resumed."""
    watched = replace(run, engine=trace.watch(run.engine))

    async def followed() -> Report:
        async with watched.engine:
            return await follow(_warning(watched), watcher, trace.note)

    with _told(run.file):
        return asyncio.run(followed())


async def _warning(run: ResumableRun) -> AsyncGenerator[Event]:
    """Yield the events of ``run``; say once that its answers are not kept any more."""
    told = False
    async with aclosing(run.stream()) as events:
        async for event in events:
            if run.file.trouble and not told:
                told = True
                complain(
                    f"warning: a resumed run would repeat this. {run.file.trouble} {DO_WITHOUT}"
                )
            yield event


@contextmanager
def handing_over(run: ResumableRun | None) -> Generator[None]:
    """Keep the file of ``run``, where it has one, until its report is written within."""
    if run is None:
        yield
        return
    try:
        yield
    except BrokenPipeError:  # whoever read it has seen enough
        run.done()
        raise
    except BaseException:
        run.file.close()
        say(f"Have the report again: quaere resume {run.file.request.run_id}\n")
        raise
    run.done()


@contextmanager
def _told(file: RunFile) -> Generator[None]:
    try:
        yield
    except (KeyboardInterrupt, SystemExit, QuaereError):
        if file.path.exists():
            say(f"The run was stopped. Go on with it: quaere resume {file.request.run_id}\n")
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
    emit(columns(rows) if rows else "No run was stopped.\n")
