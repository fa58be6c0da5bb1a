"""``quaere worker``: Process submitted runs."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.errors import SettingsError, UsageError
from quaere.faces.cli.help_text import PlainCommand
from quaere.faces.cli.terminal import say
from quaere.resilience.timing import end

if TYPE_CHECKING:
    from quaere.runtime.metrics import RunMetrics

MAX_LEASE_S = 86_400.0
MISSING = "`quaere worker --metrics` needs more libraries: pip install 'quaere[server]'."


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("worker", cls=PlainCommand)(worker)


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
    from quaere.faces.cli.environment import settle
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
            with suppress(StoreUnavailable):  # that is waited for; tables of another version not
                await Jobs(database).waiting()
            worker = await app.worker(policy, counted.watch if counted else None)
            if counted:
                counted.follow(worker)
            working = asyncio.ensure_future(worker.run())
            for signum in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):  # on Windows, where Python's own handling stays
                    asyncio.get_running_loop().add_signal_handler(signum, working.cancel)
            keep_responsive()
            chores = asyncio.gather(app.tell_webhooks(), ask_scheduled(app))
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
        raise UsageError(f"Cannot listen on {address}: {error}.") from error
    return RunMetrics(registry)
