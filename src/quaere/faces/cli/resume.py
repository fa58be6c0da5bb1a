"""``quaere resume``: Continue a run that was stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli import options
from quaere.faces.cli.exits import ending
from quaere.faces.cli.follow import importing, journal, watching
from quaere.faces.cli.groups import Output, grouped
from quaere.faces.cli.help_text import PlainCommand
from quaere.faces.cli.terminal import at_terminal, emit
from quaere.view.layout import columns, counted, headline

if TYPE_CHECKING:
    from quaere.runtime.settings import Settings


RunId = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="Id of the run, or its beginning; without one, the stopped runs are listed.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("resume", cls=PlainCommand)(grouped(resume))


def resume(
    run: RunId = None,
    *,
    output: Output,
    strict: options.Strict = False,
) -> None:
    """Continue a run that was stopped.

    It continues where it was stopped: searches, pages and model calls that were already made are
    not repeated.
    """
    with importing():
        from quaere.domain.trace import Owner
        from quaere.faces.cli.environment import settle
        from quaere.faces.cli.output import deliver
        from quaere.faces.cli.running import (
            AtTerminal,
            NobodyThere,
            hand_in,
            handing_over,
            run_to_report,
        )
        from quaere.runtime.stored_runs import stopped_run

    settings = settle()
    if run is None:
        _list(settings)
        return
    form = output.checked_format()
    stopped = stopped_run(settings, Owner(), run)
    stopped.close()
    resumed, title = stopped.spec.run_id, stopped.spec.request.question
    with journal(output.events) as note, watching(title, quiet=output.quiet) as watcher:
        human = AtTerminal(watcher.aside) if at_terminal() else NobodyThere()
        made, report = run_to_report(
            settings, lambda app: app.resume(resumed, human=human), watcher, note
        )
    with handing_over(made):
        deliver(report, form, output.output)
    hand_in(settings, wanted=made.spec.request.traced)
    raise typer.Exit(ending(report, strict=strict))


def _list(settings: Settings) -> None:
    from quaere.domain.trace import Owner
    from quaere.runtime.stored_runs import stopped_runs

    rows = [
        (
            stopped.spec.run_id,
            stopped.stopped.strftime("%Y-%m-%d %H:%M"),
            counted(stopped.answers, "answer"),
            headline(stopped.spec.request.question),
        )
        for stopped in stopped_runs(settings, Owner())
    ]
    emit(columns(rows) if rows else "There are no stopped runs.\n")
