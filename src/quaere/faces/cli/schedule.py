"""``quaere schedule``: Ask a question again and again, at fixed times."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

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

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "schedule", "Ask a question again and again, at fixed times.")
    group.command("add", cls=PlainCommand, no_args_is_help=True)(grouped(add))
    group.command("list", cls=PlainCommand)(list_)
    group.command("remove", cls=PlainCommand, no_args_is_help=True)(remove)


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
    from quaere.faces.cli.environment import in_app, settle
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
    say(f"It is first asked at {made.next_at:%Y-%m-%d %H:%M} UTC, if a worker is running.\n")


def list_() -> None:
    """List the scheduled questions, with their next times and last runs."""
    from quaere.domain.trace import Owner

    found = _with_schedules(lambda schedules: schedules.listed(Owner()))
    rows = [_row(each) for each in found]
    head = ("schedule", "times", "next (UTC)", "last run", "before it", "question")
    emit(columns([head, *rows]) if rows else "No question is scheduled.\n")


def remove(
    schedule: Annotated[str, typer.Argument(metavar="SCHEDULE", help="Id of a schedule.")],
) -> None:
    """Stop asking a question; its runs stay."""
    from quaere.domain.trace import Owner

    _with_schedules(lambda schedules: schedules.remove(Owner(), schedule))
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


def _with_schedules(work: Callable[[Schedules], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has the schedules in the database of the settings."""
    from quaere.faces.cli.environment import in_app, settle
    from quaere.store.schedules import Schedules

    async def worked(app: App) -> T:
        return await work(Schedules(await app.database()))

    return in_app(settle(), worked)
