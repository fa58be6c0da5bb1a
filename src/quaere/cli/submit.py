"""``quaere submit``: asks for a run that a worker makes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, cast

import typer

from quaere.cli import options
from quaere.cli.terminal import emit


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("submit", no_args_is_help=True)(submit)


def submit(
    context: typer.Context,
    question: options.QuestionText,
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    model: options.Model = None,
    need: options.Need = "",
    profile: options.Profile = None,
    priority: Annotated[int, typer.Option("--priority", help="Higher ones go first.")] = 0,
    within: Annotated[
        float | None,
        typer.Option("--within", min=1, metavar="SECONDS", help="Give it up after so long."),
    ] = None,
) -> None:
    """Ask a question for a worker to answer.

    The run is on the disk when its name is printed. `quaere trace show RUN` shows how it stands,
    and `quaere cancel RUN` ends it.
    """
    from quaere.build_store import build_database
    from quaere.cli.environment import settle
    from quaere.domain.trace import Owner
    from quaere.engine import checked_question
    from quaere.store.jobs import Jobs
    from quaere.store.run_file import RunRequest

    settings = settle(debug=bool(context.obj))
    asked = checked_question(question, need)
    request = RunRequest(
        question=asked.text,
        context=need,
        profile=profile or settings.profile,
        limits=dict(cast("Mapping[str, float | None]", settings.limits)),
        docs=tuple(path.absolute() for path in docs or settings.docs),
        providers=tuple(provider or settings.providers),
        model=model,
    )
    params = request.model_dump(mode="json", exclude={"run_id", "marks"}, exclude_defaults=True)
    deadline = datetime.now(UTC) + timedelta(seconds=within) if within else None

    async def accepted() -> str:
        async with build_database(settings) as database:
            trace = await Jobs(database).submit(
                Owner(), request, params=params, priority=priority, deadline=deadline
            )
            return trace.id

    emit(f"{asyncio.run(accepted())}\n")
