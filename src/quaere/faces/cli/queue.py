"""``quaere submit``: Queue a question for a worker to answer.

``quaere cancel``: Cancel a submitted run.
``quaere schedule``: Ask a question again and again, at fixed times.
``quaere worker``: Process submitted runs.
``quaere fleet``: See workers, pause or drain them, retry failed runs.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from quaere.domain.value import Outside, Value
from quaere.errors import SettingsError, UsageError, cause_of
from quaere.faces.cli import options
from quaere.faces.cli.groups import (
    Answer,
    Earlier,
    Effort,
    Sources,
    grouped,
    question_of,
    request_fields,
)
from quaere.faces.cli.options import add_commands, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.tables import table
from quaere.faces.cli.terminal import complain, emit, say
from quaere.resilience.timing import begin, end
from quaere.synthesize.wording import counted

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.runtime.metrics import RunMetrics
    from quaere.store.db.database import Database
    from quaere.store.fleet import Fleet, FleetStatus
    from quaere.store.schedules import Schedule, Schedules
    from quaere.store.webhooks import Webhook


MAX_WITHIN_S = 366 * 86_400.0


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    add_commands(app, submit=grouped(submit), cancel=cancel)
    schedules = subcommands(app, "schedule", "Ask a question again and again, at fixed times.")
    add_commands(schedules, add=grouped(add), list=list_, remove=remove)
    add_commands(app, worker=worker)
    fleet = subcommands(app, "fleet", "See workers, pause or drain them, retry failed runs.")
    add_commands(
        fleet,
        status=status,
        pause=pause,
        resume=resume,
        drain=drain,
        failed=failed,
        requeue=requeue,
        webhooks=webhooks,
        redeliver=redeliver,
    )


def submit(
    question: options.QuestionWords,
    *,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    earlier: Earlier,
    priority: Annotated[
        int,
        typer.Option(
            "--priority",
            metavar="N",
            min=-1000,
            max=1000,
            help="Runs with a higher priority start first.",
        ),
    ] = 0,
    within: Annotated[
        float | None,
        typer.Option(
            "--within",
            min=1,
            max=MAX_WITHIN_S,
            metavar="SECONDS",
            help="Give up when the run has not finished within this time.",
        ),
    ] = None,
    webhook: Annotated[
        str | None,
        typer.Option("--webhook", metavar="URL", help="URL to notify when the run has ended."),
    ] = None,
) -> None:
    """Queue a question for a worker to answer.

    The run is saved once its id is printed. `quaere trace show RUN` shows its progress, and
    `quaere cancel RUN` cancels it.
    """
    from quaere.domain.request import Listener, RunRequest, RunSpec
    from quaere.faces.cli.running import in_app, settle

    settings = settle()
    fields = request_fields(question_of(question), sources, answer, effort)
    reuse = "use" if earlier.reuse else "offer"
    fields |= {"continues": earlier.continue_, "reuse": reuse}
    fields["approve_plan"] = False  # nobody waits for what the run may ask
    request = RunRequest.of(**fields)
    spec = RunSpec(request=request, listener=Listener(url=webhook) if webhook else None)
    deadline = timedelta(seconds=within) if within else None
    run = in_app(settings, lambda app: app.submit(spec, priority=priority, deadline=deadline))
    emit(f"{run.id}\n")


def cancel(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run, or its beginning.")],
    *,
    finish: Annotated[
        bool,
        typer.Option("--finish", help="Only end the search; answer with what has been found."),
    ] = False,
) -> None:
    """Cancel a submitted run.

    It may still be waiting or already be running. Its trace is kept.
    """
    from quaere.faces.cli.running import in_app, settle

    async def told(app: App) -> None:
        asked = await app.run(run)
        await (asked.finish if finish else asked.cancel)()

    in_app(settle(), told)
    emit("Finishing with what has been found.\n" if finish else "Cancelled.\n")


T = TypeVar("T")


def add(
    timing: Annotated[
        str,
        typer.Argument(
            metavar="TIMES",
            help="When: 'every monday 8:00', 'every weekday 8:00', 'every 6 hours', or a line of "
            "cron such as '0 8 * * 1'.",
        ),
    ],
    question: options.QuestionWords,
    *,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    zone: Annotated[
        str, typer.Option("--zone", metavar="NAME", help="Time zone, such as Europe/Berlin.")
    ] = "UTC",
    webhook: Annotated[
        str | None,
        typer.Option(
            "--webhook",
            metavar="URL",
            help="URL to notify when a run finds something other than the run before it.",
        ),
    ] = None,
) -> None:
    """Ask a question again and again, at fixed times.

    Workers and servers submit it when its times come. `quaere trace diff` compares two of its runs.
    """
    from quaere.domain.request import RunRequest
    from quaere.domain.trace import Owner
    from quaere.faces.cli.running import in_app, settle
    from quaere.runtime.schedules import add_schedule
    from quaere.store.schedules import Timing

    times = Timing.of(timing, zone)
    fields = request_fields(question_of(question), sources, answer, effort)
    request = RunRequest.of(**fields)

    made = in_app(
        settle(),
        lambda app: add_schedule(app, Owner(), request, times, webhook=webhook),
    )
    emit(f"{made.id}\n")
    say(f"It will first be asked at {made.next_at:%Y-%m-%d %H:%M} UTC, if a worker is running.\n")


class Scheduled(Value):
    """A question that is asked again and again, as the service tells it."""

    id: str
    question: Outside
    times: str
    zone: str
    next_at: datetime
    last_run: str | None
    baseline: str | None
    """Id of the last run before it that came to an answer."""
    error: str | None
    """Why nothing was begun the last time."""


class ScheduledList(Value):
    """The schedules, the oldest first."""

    schedules: tuple[Scheduled, ...]


def list_(*, form: options.Form = ShortFormat.TEXT) -> None:
    """List the scheduled questions, with their next times and last runs."""
    from quaere.domain.trace import Owner
    from quaere.faces.cli.output import json

    found = _with_schedules(lambda schedules: schedules.listed(Owner()))
    if form is ShortFormat.JSON:
        emit(json(ScheduledList(schedules=tuple(map(_scheduled, found)))))
        return
    rows = [_row(each) for each in found]
    heads = ("schedule", "times", "next (UTC)", "last run", "before it", "question")
    emit(table(rows, heads=heads) or "No question is scheduled.\n")


def remove(
    schedule: Annotated[str, typer.Argument(metavar="SCHEDULE", help="Id of a schedule.")],
) -> None:
    """Stop asking a question; its runs stay."""
    from quaere.domain.trace import Owner

    _with_schedules(lambda schedules: schedules.remove(Owner(), schedule))
    emit("Removed.\n")


def _scheduled(each: Schedule) -> Scheduled:
    return Scheduled(
        id=each.id,
        question=each.request.question,
        times=each.timing.text,
        zone=each.timing.zone,
        next_at=each.next_at,
        last_run=each.last_run,
        baseline=each.baseline,
        error=each.error,
    )


def _row(each: Schedule) -> tuple[str, ...]:
    return (
        each.id,
        f"{each.timing.text} {each.timing.zone}",
        f"{each.next_at:%Y-%m-%d %H:%M}",
        each.error or each.last_run or "-",
        each.baseline or "-",
        each.request.question,
    )


def _with_schedules(work: Callable[[Schedules], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has the schedules in the database of the settings."""
    from quaere.store.schedules import Schedules

    return _in_database(lambda database, _: work(Schedules(database)))


MAX_LEASE_S = 86_400.0
MISSING = "`quaere worker --metrics` needs more libraries: pip install 'quaere[server]'."


def worker(
    *,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency",
            metavar="N",
            min=1,
            max=100,
            help="Number of runs processed at the same time.",
        ),
    ] = 2,
    lease: Annotated[
        float,
        typer.Option(
            "--lease",
            min=1,
            max=MAX_LEASE_S,
            metavar="SECONDS",
            help="Time without a sign of life after which another worker takes over a run.",
        ),
    ] = 15.0,
    per_user: Annotated[
        int | None,
        typer.Option(
            "--per-user",
            metavar="N",
            min=1,
            help="Runs of one user at the same time, across all workers. Default: no limit.",
        ),
    ] = None,
    drain: Annotated[bool, typer.Option("--drain", help="Exit when the queue is empty.")] = False,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="HOST:PORT",
            help="Where Prometheus can read what the worker does, such as 127.0.0.1:9000.",
        ),
    ] = None,
) -> None:
    """Process submitted runs.

    The worker runs until it is interrupted. Any number of workers can share a database
    (QUAERE_DATABASE_URL). If a worker dies, another one continues its runs where they stopped; a
    worker that is stopped returns its unfinished runs to the queue.
    """
    from quaere.errors import StoreUnavailable
    from quaere.faces.cli.running import settle
    from quaere.resilience.thread import keep_responsive
    from quaere.runtime.app import App
    from quaere.runtime.schedules import ask_scheduled
    from quaere.runtime.worker import WorkerPolicy
    from quaere.store.jobs import Jobs

    settings = settle()
    logging.getLogger("quaere.runtime.worker").setLevel(logging.INFO)
    policy = WorkerPolicy(concurrency=concurrency, lease_s=lease, per_user=per_user, drain=drain)
    counted = _counted(metrics) if metrics else None

    async def work() -> None:
        async with App.open(settings) as app:
            database = await app.database()
            try:
                await Jobs(database).waiting()
            except StoreUnavailable as error:  # tables of another version are not waited for
                complain(f"warning: {error.message} The worker waits for it.")
            worker = await app.worker(policy, counted.watch if counted else None)
            if counted:
                counted.follow(worker)
            working = asyncio.ensure_future(worker.run())
            for signum in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):  # on Windows, where Python's own handling stays
                    asyncio.get_running_loop().add_signal_handler(signum, working.cancel)
            keep_responsive()
            chores = asyncio.gather(begin(app.tell_webhooks()), begin(ask_scheduled(app)))
            say(f"Processing runs from {database.name}, up to {concurrency} at a time.\n")
            try:
                await working
            except asyncio.CancelledError:
                say("Stopped; unfinished runs returned to the queue.\n")
            finally:
                await end(chores)

    asyncio.run(work())


def _counted(address: str) -> RunMetrics:
    """Return what counts the events of runs, for Prometheus to read at ``address``."""
    try:
        from prometheus_client import CollectorRegistry, start_http_server

        from quaere.runtime.metrics import RunMetrics
    except ModuleNotFoundError as error:
        raise SettingsError(MISSING) from error
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise UsageError(f"--metrics takes HOST:PORT, not {address!r}.")
    registry = CollectorRegistry()
    try:
        start_http_server(int(port), host.strip("[]"), registry)
    except (OSError, OverflowError) as error:
        raise UsageError(f"Cannot listen on {address}: {cause_of(error)}.") from error
    return RunMetrics(registry)


def status(*, form: options.Form = ShortFormat.TEXT) -> None:
    """Show the workers, how many runs are waiting, and for how long."""
    from quaere.faces.cli.output import json

    now = _with_fleet(lambda fleet, _: fleet.status())
    emit(json(now) if form is ShortFormat.JSON else _fleet_told(now))


def pause() -> None:
    """Stop the workers from taking further runs.

    Runs in progress continue.
    """
    _with_fleet(lambda fleet, _: fleet.pause())
    emit("Paused.\n")


def resume() -> None:
    """Let the workers take runs again."""
    _with_fleet(lambda fleet, _: fleet.resume())
    emit("Resumed.\n")


def drain(
    worker: Annotated[
        str, typer.Argument(metavar="WORKER", help="Name of the worker, as the status shows it.")
    ],
) -> None:
    """Have a worker finish the runs that it has, then exit."""
    _with_fleet(lambda fleet, _: fleet.drain(worker))
    emit("It exits when its runs have ended.\n")


def failed(*, form: options.Form = ShortFormat.TEXT) -> None:
    """List runs that were given up after several attempts, and why."""
    from quaere.faces.cli.output import json
    from quaere.store.fleet import GivenUpList

    found = _with_fleet(lambda fleet, _: fleet.given_up())
    if form is ShortFormat.JSON:
        emit(json(GivenUpList(runs=found)))
        return
    rows = [(run.run_id, run.user, f"{run.at:%Y-%m-%d %H:%M}", run.reason) for run in found]
    emit(table(rows) or "No run was given up.\n")


def requeue(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run that was given up.")],
) -> None:
    """Requeue a run that was given up; recorded answers are reused."""
    _with_fleet(lambda _, app: app.requeue(run))
    emit("Queued again.\n")


class Undelivered(Value):
    """A webhook that could not be delivered yet."""

    id: str
    run_id: str
    host: str
    """Of its address; the rest of it may be a secret, and is not shown."""
    attempts: int
    next_at: datetime | None
    """When it is delivered next; null when it was given up."""
    error: str | None
    """Why it could not be delivered the last time."""


class UndeliveredList(Value):
    """Webhooks that could not be delivered yet, the newest first."""

    webhooks: tuple[Undelivered, ...]


def webhooks(*, form: options.Form = ShortFormat.TEXT) -> None:
    """List the webhooks that could not be delivered yet, and why."""
    from quaere.faces.cli.output import json
    from quaere.store.webhooks import Webhooks

    waiting = _with_fleet(lambda fleet, _: Webhooks(fleet.database).undelivered())
    found = tuple(map(_undelivered, waiting))
    if form is ShortFormat.JSON:
        emit(json(UndeliveredList(webhooks=found)))
        return
    rows = [
        (
            each.id,
            each.run_id,
            each.host,
            f"{each.next_at:%Y-%m-%d %H:%M}" if each.next_at else "given up",
            each.error or "",
        )
        for each in found
    ]
    emit(table(rows) or "All webhooks were delivered.\n")


def _undelivered(each: Webhook) -> Undelivered:
    return Undelivered(
        id=each.id,
        run_id=each.run_id,
        host=each.host,
        attempts=each.attempts,
        next_at=each.next_at,
        error=each.error,
    )


def redeliver(
    webhook: Annotated[str, typer.Argument(metavar="WEBHOOK", help="Id of a webhook.")],
) -> None:
    """Deliver a webhook again, now."""
    from quaere.store.webhooks import Webhooks

    _with_fleet(lambda fleet, _: Webhooks(fleet.database).redeliver(webhook))
    emit("It will be delivered in the next round.\n")


def _with_fleet(work: Callable[[Fleet, App], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has the fleet of the settings, and an App of them."""
    from quaere.store.fleet import Fleet

    return _in_database(lambda database, app: work(Fleet(database), app))


def _in_database(work: Callable[[Database, App], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has the database of the settings, and an App of them."""
    from quaere.faces.cli.running import in_app, settle

    async def worked(app: App) -> T:
        return await work(await app.database(), app)

    return in_app(settle(), worked)


def _fleet_told(now: FleetStatus) -> str:
    oldest_s = now.oldest_waiting_s
    waited = "" if oldest_s is None else f", the oldest for {oldest_s:.0f} s"
    paused = " Paused." if now.paused else ""
    heads = ("worker", "version", "busy", "ended", "takeovers", "since", "")
    rows = [
        (
            each.name,
            each.version,
            f"{each.busy}/{each.places}",
            str(each.ended),
            str(each.takeovers),
            f"{each.started_at:%Y-%m-%d %H:%M}",
            "drains" if each.drain else "",
        )
        for each in now.workers
    ]
    unfinished = counted(now.unfinished, "unfinished run")
    return f"{unfinished}{waited}; {now.given_up} given up.{paused}\n" + (
        table(rows, heads=heads) or "No worker has reported.\n"
    )
