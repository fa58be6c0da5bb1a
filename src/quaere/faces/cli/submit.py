"""``quaere submit``: Queue a question for a worker to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, cast

import typer

from quaere.faces.cli import options
from quaere.faces.cli.terminal import emit

MAX_WITHIN_S = 366 * 86_400.0


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
    strategy: options.Strategy = None,
    priority: Annotated[
        int,
        typer.Option(
            "--priority", min=-1000, max=1000, help="Runs with a higher priority start first."
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
) -> None:
    """Queue a question for a worker to answer.

    The run is saved once its id is printed. `quaere trace show RUN` shows its progress, and
    `quaere cancel RUN` cancels it.
    """
    from quaere.domain.trace import Owner
    from quaere.faces.cli.environment import settle
    from quaere.runtime.engine import checked_question
    from quaere.runtime.redact import privacy_of
    from quaere.runtime.wiring_store import build_database
    from quaere.store.jobs import Jobs
    from quaere.store.recording.run_file import RunRequest

    settings = settle(debug=bool(context.obj))
    asked = checked_question(question, need)
    request = RunRequest(
        question=asked.text,
        context=need,
        profile=profile or settings.profile,
        strategy=strategy or settings.strategy,
        limits=dict(cast("Mapping[str, float | None]", settings.limits)),
        docs=tuple(path.absolute() for path in docs or settings.docs),
        providers=tuple(provider or settings.providers),
        model=model,
    )
    params = privacy_of(settings).params(request.asking)
    deadline = datetime.now(UTC) + timedelta(seconds=within) if within else None

    async def accepted() -> str:
        async with build_database(settings) as database:
            trace = await Jobs(database).submit(
                Owner(), request, params=params, priority=priority, deadline=deadline
            )
            return trace.id

    emit(f"{asyncio.run(accepted())}\n")
