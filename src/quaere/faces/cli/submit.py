"""``quaere submit``: Queue a question for a worker to answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

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
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.terminal import emit

MAX_WITHIN_S = 366 * 86_400.0


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("submit", cls=PlainCommand, no_args_is_help=True)(grouped(submit))


def submit(
    question: options.QuestionWords,
    *,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    priority: Annotated[
        int,
        typer.Option(
            "--priority",
            metavar="N",
            min=-1000,
            max=1000,
            help="Runs with a higher priority start first.",
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
    webhook: Annotated[
        str | None,
        typer.Option("--webhook", metavar="URL", help="URL to notify when the run has ended."),
    ] = None,
    continue_: options.Continue = None,
    reuse: options.Reuse = False,
) -> None:
    """Queue a question for a worker to answer.

    The run is saved once its id is printed. `quaere trace show RUN` shows its progress, and
    `quaere cancel RUN` cancels it.
    """
    from quaere.domain.request import Listener, RunRequest, RunSpec
    from quaere.faces.cli.running import in_app, settle

    settings = settle()
    fields = request_fields(question_of(question), sources, answer, effort)
    fields |= {"continues": continue_, "reuse": "use" if reuse else "offer"}
    fields["approve_plan"] = False  # nobody waits for what the run may ask
    request = RunRequest.of(**fields)
    spec = RunSpec(request=request, listener=Listener(url=webhook) if webhook else None)
    deadline = timedelta(seconds=within) if within else None
    run = in_app(settings, lambda app: app.submit(spec, priority=priority, deadline=deadline))
    emit(f"{run.id}\n")
