"""``quaere schedule``: Ask a question again and again, at fixed times."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli import options
from quaere.faces.cli.groups import (
    Answer,
    Effort,
    Sources,
    grouped,
    question_of,
    request_fields,
)
from quaere.faces.cli.help_text import PlainCommand, subcommands
from quaere.faces.cli.terminal import emit, say
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.store.schedules import Schedule, Schedules


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "schedule", "Ask a question again and again, at fixed times.")
    group.command("add", cls=PlainCommand, no_args_is_help=True)(grouped(add))
    group.command("list", cls=PlainCommand)(list_)
    group.command("remove", cls=PlainCommand, no_args_is_help=True)(remove)


def add(
    context: typer.Context,
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
    from quaere.domain.schedule import Timing
    from quaere.domain.trace import Owner
    from quaere.runtime.schedules import add_schedule

    times = Timing.of(timing, zone)
    fields = request_fields(question_of(question), sources, answer, effort)
    request = RunRequest.of(**fields)

    async def added() -> Schedule:
        async with _opened(context) as (_, app):
            return await add_schedule(app, Owner(), request, times, webhook=webhook)

    made = asyncio.run(added())
    emit(f"{made.id}\n")
    say(f"It is first asked at {made.next_at:%Y-%m-%d %H:%M} UTC, if a worker is running.\n")


def list_(context: typer.Context) -> None:
    """List the scheduled questions, with their next times and last runs."""
    from quaere.domain.trace import Owner

    async def listed() -> list[tuple[str, ...]]:
        async with _opened(context) as (schedules, _):
            return [_row(each) for each in await schedules.listed(Owner())]

    rows = asyncio.run(listed())
    head = ("schedule", "times", "next (UTC)", "last run", "before it", "question")
    emit(columns([head, *rows]) if rows else "No question is scheduled.\n")


def remove(
    context: typer.Context,
    schedule: Annotated[str, typer.Argument(metavar="SCHEDULE", help="Id of a schedule.")],
) -> None:
    """Stop asking a question; its runs stay."""
    from quaere.domain.trace import Owner

    async def removed() -> None:
        async with _opened(context) as (schedules, _):
            await schedules.remove(Owner(), schedule)

    asyncio.run(removed())
    say("Removed.\n")


def _row(each: Schedule) -> tuple[str, ...]:
    return (
        each.id,
        f"{each.timing.text} {each.timing.zone}",
        f"{each.next_at:%Y-%m-%d %H:%M}",
        each.error or each.last_run or "-",
        each.baseline or "-",
        each.request.question,
    )


@asynccontextmanager
async def _opened(context: typer.Context) -> AsyncGenerator[tuple[Schedules, App]]:
    from quaere.faces.cli.environment import settle
    from quaere.runtime.app import App
    from quaere.store.schedules import Schedules

    async with App.open(settle(debug=bool(context.obj))) as app:
        yield Schedules(await app.database()), app
