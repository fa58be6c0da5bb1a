"""``quaere fleet``: See workers, pause or drain them, retry failed runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from quaere.faces.cli import options
from quaere.faces.cli.help_text import PlainCommand, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit, say
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.store.fleet import Fleet, FleetStatus

T = TypeVar("T")


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


def status(*, form: options.Form = ShortFormat.TEXT) -> None:
    """Show the workers, how many runs are waiting, and for how long."""
    from quaere.faces.cli.output import json

    now = _with_fleet(lambda fleet, _: fleet.status())
    emit(json(now) if form is ShortFormat.JSON else _told(now))


def pause() -> None:
    """Stop the workers from taking further runs.

    Runs in progress continue.
    """
    _with_fleet(lambda fleet, _: fleet.pause())
    say("Paused.\n")


def resume() -> None:
    """Let the workers take runs again."""
    _with_fleet(lambda fleet, _: fleet.resume())
    say("Resumed.\n")


def drain(
    worker: Annotated[
        str, typer.Argument(metavar="WORKER", help="Name of the worker, as the status shows it.")
    ],
) -> None:
    """Have a worker finish the runs that it has, then exit."""
    _with_fleet(lambda fleet, _: fleet.drain(worker))
    say("It exits when its runs have ended.\n")


def failed() -> None:
    """List runs that were given up after several attempts, and why."""
    found = _with_fleet(lambda fleet, _: fleet.given_up())
    rows = [(run.run_id, run.user, f"{run.at:%Y-%m-%d %H:%M}", run.reason) for run in found]
    emit(columns(rows) or "No run was given up.\n")


def requeue(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run that was given up.")],
) -> None:
    """Requeue a run that was given up; recorded answers are reused."""
    _with_fleet(lambda _, app: app.requeue(run))
    say("Queued again.\n")


def webhooks() -> None:
    """List the webhooks that could not be delivered yet, and why."""
    from urllib.parse import urlsplit

    from quaere.store.webhooks import Webhooks

    rows = [
        (
            each.id,
            each.run_id,
            urlsplit(each.url).hostname or "",
            f"{each.next_at:%Y-%m-%d %H:%M}" if each.next_at else "given up",
            each.error or "",
        )
        for each in _with_fleet(lambda fleet, _: Webhooks(fleet.database).undelivered())
    ]
    emit(columns(rows) or "All webhooks were delivered.\n")


def redeliver(
    webhook: Annotated[str, typer.Argument(metavar="WEBHOOK", help="Id of a webhook.")],
) -> None:
    """Deliver a webhook again, now."""
    from quaere.store.webhooks import Webhooks

    _with_fleet(lambda fleet, _: Webhooks(fleet.database).redeliver(webhook))
    say("It is delivered with the next round.\n")


def _with_fleet(work: Callable[[Fleet, App], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has the fleet of the settings, and an App of them."""
    from quaere.faces.cli.environment import in_app, settle
    from quaere.store.fleet import Fleet

    async def worked(app: App) -> T:
        return await work(Fleet(await app.database()), app)

    return in_app(settle(), worked)


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
