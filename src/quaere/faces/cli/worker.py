"""``quaere worker``: Process submitted runs."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from typing import Annotated

import typer

from quaere.faces.cli.terminal import say

MAX_LEASE_S = 86_400.0


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("worker")(worker)


def worker(
    context: typer.Context,
    *,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", min=1, max=100, help="Number of runs processed at the same time."
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
            "--per-user", min=1, help="Runs of one user at the same time, across all workers."
        ),
    ] = None,
    drain: Annotated[bool, typer.Option("--drain", help="Exit when the queue is empty.")] = False,
) -> None:
    """Process submitted runs.

    The worker runs until it is interrupted. Any number of workers can share a database
    (QUAERE_DATABASE_URL). If a worker dies, another one continues its runs where they stopped; a
    worker that is stopped returns its unfinished runs to the queue.
    """
    from quaere.errors import StoreUnavailable
    from quaere.faces.cli.environment import settle
    from quaere.runtime.app import App
    from quaere.runtime.worker import WorkerPolicy
    from quaere.store.jobs import Jobs

    settings = settle(debug=bool(context.obj))
    logging.getLogger("quaere.runtime.worker").setLevel(logging.INFO)
    policy = WorkerPolicy(concurrency=concurrency, lease_s=lease, per_user=per_user, drain=drain)

    async def work() -> None:
        async with App.open(settings) as app:
            database = await app.database()
            with suppress(StoreUnavailable):  # that is waited for; tables of another version not
                await Jobs(database).waiting()
            working = asyncio.ensure_future((await app.worker(policy)).run())
            for signum in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(signum, working.cancel)
            say(f"Processing runs from {database.name}, up to {concurrency} at a time.\n")
            try:
                await working
            except asyncio.CancelledError:
                say("Stopped; unfinished runs returned to the queue.\n")

    asyncio.run(work())
