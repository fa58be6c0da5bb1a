"""``quaere cancel``: ends a run that was submitted."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from quaere.faces.cli.terminal import emit


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("cancel", no_args_is_help=True)(cancel)


def cancel(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Its name, or how its name begins.")],
) -> None:
    """End a run that was submitted.

    It may wait still, or a worker may be making it. Its trace stays.
    """
    from quaere.domain.trace import Owner
    from quaere.faces.cli.environment import settle
    from quaere.runtime.wiring_store import build_database
    from quaere.store.jobs import Jobs

    settings = settle(debug=bool(context.obj))

    async def cancelled() -> None:
        async with build_database(settings) as database:
            await Jobs(database).cancel(Owner(), run)

    asyncio.run(cancelled())
    emit("Cancelled.\n")
