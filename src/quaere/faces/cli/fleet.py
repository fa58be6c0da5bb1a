"""``quaere fleet``: See workers, pause or drain them, retry failed runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli import options
from quaere.faces.cli.help_text import PlainCommand, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit, say
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.store.fleet import Fleet, FleetStatus


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "fleet", "See workers, pause or drain them, retry failed runs.")
    group.command("status", cls=PlainCommand)(status)
    group.command("pause", cls=PlainCommand)(pause)
    group.command("resume", cls=PlainCommand)(resume)
    group.command("drain", cls=PlainCommand, no_args_is_help=True)(drain)
    group.command("failed", cls=PlainCommand)(failed)
    group.command("requeue", cls=PlainCommand, no_args_is_help=True)(requeue)
    group.command("webhooks", cls=PlainCommand)(webhooks)
    group.command("redeliver", cls=PlainCommand, no_args_is_help=True)(redeliver)


def status(context: typer.Context, *, form: options.Form = ShortFormat.TEXT) -> None:
    """Show the workers, how many runs are waiting, and for how long."""
    from quaere.faces.cli.output import json

    async def found() -> FleetStatus:
        async with _opened(context) as (fleet, _):
            return await fleet.status()

    now = asyncio.run(found())
    emit(json(now) if form is ShortFormat.JSON else _told(now))


def pause(context: typer.Context) -> None:
    """Stop the workers from taking further runs; those in progress continue."""

    async def paused() -> None:
        async with _opened(context) as (fleet, _):
            await fleet.pause()

    asyncio.run(paused())
    say("Paused.\n")


def resume(context: typer.Context) -> None:
    """Let the workers take runs again."""

    async def resumed() -> None:
        async with _opened(context) as (fleet, _):
            await fleet.resume()

    asyncio.run(resumed())
    say("Resumed.\n")


def drain(
    context: typer.Context,
    worker: Annotated[
        str, typer.Argument(metavar="WORKER", help="Name of the worker, as the status shows it.")
    ],
) -> None:
    """Have a worker finish the runs that it has, then exit."""

    async def drained() -> None:
        async with _opened(context) as (fleet, _):
            await fleet.drain(worker)

    asyncio.run(drained())
    say("It exits when its runs have ended.\n")


def failed(context: typer.Context) -> None:
    """List the runs that were given up after several attempts, and why."""

    async def listed() -> list[tuple[str, ...]]:
        async with _opened(context) as (fleet, _):
            found = await fleet.given_up()
        return [(run.run_id, run.user, f"{run.at:%Y-%m-%d %H:%M}", run.reason) for run in found]

    emit(columns(asyncio.run(listed())) or "No run was given up.\n")


def requeue(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run that was given up.")],
) -> None:
    """Requeue a run that was given up; recorded answers are reused."""

    async def queued() -> None:
        async with _opened(context) as (_, app):
            await app.requeue(run)

    asyncio.run(queued())
    say("Queued again.\n")


def webhooks(context: typer.Context) -> None:
    """List the webhooks that could not be delivered yet, and why."""

    async def listed() -> list[tuple[str, ...]]:
        async with _opened(context) as (_, app):
            found = await Webhooks(await app.database()).undelivered()
        return [
            (
                each.id,
                each.run_id,
                urlsplit(each.url).hostname or "",
                f"{each.next_at:%Y-%m-%d %H:%M}" if each.next_at else "given up",
                each.error or "",
            )
            for each in found
        ]

    from urllib.parse import urlsplit

    from quaere.store.webhooks import Webhooks

    emit(columns(asyncio.run(listed())) or "All webhooks were delivered.\n")


def redeliver(
    context: typer.Context,
    webhook: Annotated[str, typer.Argument(metavar="WEBHOOK", help="Id of a webhook.")],
) -> None:
    """Deliver a webhook again, now."""
    from quaere.store.webhooks import Webhooks

    async def again() -> None:
        async with _opened(context) as (_, app):
            await Webhooks(await app.database()).redeliver(webhook)

    asyncio.run(again())
    say("It is delivered with the next round.\n")


@asynccontextmanager
async def _opened(context: typer.Context) -> AsyncGenerator[tuple[Fleet, App]]:
    from quaere.faces.cli.environment import settle
    from quaere.runtime.app import App
    from quaere.store.fleet import Fleet

    async with App.open(settle(debug=bool(context.obj))) as app:
        yield Fleet(await app.database()), app


def _told(now: FleetStatus) -> str:
    oldest_s = now.oldest_waiting_s
    waited = "" if oldest_s is None else f", the oldest for {oldest_s:.0f} s"
    paused = " Paused." if now.paused else ""
    rows = [("worker", "version", "busy", "ended", "takeovers", "since", "")] + [
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
    return f"{now.unfinished} unfinished runs{waited}; {now.given_up} given up.{paused}\n" + (
        columns(rows) if now.workers else "No worker has reported.\n"
    )
