"""``quaere cancel``: Cancel a submitted run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.terminal import emit

if TYPE_CHECKING:
    from quaere.runtime.app import App


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("cancel", cls=PlainCommand, no_args_is_help=True)(cancel)


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
