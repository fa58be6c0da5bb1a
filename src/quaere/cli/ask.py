"""``quaere ask``: one question, one report."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from quaere.cli.exits import BY_STATUS
from quaere.cli.follow import follow, journal, watching
from quaere.cli.output import Format, check_writable, choose_format, deliver
from quaere.domain.budget import Limits, merge_limits
from quaere.domain.profile import ProfileName

STDIN_BYTES = 4_000_000
"""So much of standard input is taken as a question, enough to be told that it is too long."""


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("ask", no_args_is_help=True)(ask)


def ask(  # noqa: PLR0913 - Typer takes the options from the signature
    context: typer.Context,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="The question, in any language; - reads it from standard input.",
        ),
    ],
    docs: Annotated[
        list[Path] | None,
        typer.Option(
            "--docs",
            "-d",
            metavar="PATH",
            help="A file or folder to search; repeat it for more. Default: QUAERE_DOCS.",
        ),
    ] = None,
    *,
    need: Annotated[
        str, typer.Option("--context", metavar="TEXT", help="What the answer is needed for.")
    ] = "",
    profile: Annotated[
        ProfileName | None,
        typer.Option(help="A named budget. Default: chosen by planning, else standard."),
    ] = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="Form of the report. Default: text."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the report to a file; .md, .json or .txt chooses the format.",
        ),
    ] = None,
    events: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the events of the run to a file, as JSON lines."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Nothing on standard error but errors.")
    ] = False,
    max_iters: Annotated[
        int | None, typer.Option(metavar="N", help="Loops of search, read and evaluate.")
    ] = None,
    max_queries: Annotated[int | None, typer.Option(metavar="N", help="Queries asked.")] = None,
    max_sources: Annotated[
        int | None, typer.Option(metavar="N", help="Sources kept as evidence.")
    ] = None,
    max_reads: Annotated[int | None, typer.Option(metavar="N", help="Pages opened.")] = None,
    max_time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time for the whole run.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens of language models.")
    ] = None,
    max_cost: Annotated[float | None, typer.Option(metavar="USD", help="Cost of models.")] = None,
    max_citations: Annotated[
        int | None, typer.Option(metavar="N", help="Citations in the answer.")
    ] = None,
    words: Annotated[
        int | None, typer.Option(metavar="N", help="Length of the answer aimed at.")
    ] = None,
) -> None:
    """Answer a question from your documents, every sentence cited.

    The folders are indexed first, as far as anything in them is new. The report goes to standard
    output, progress to standard error.
    """
    asked = _asked(question)
    for path in filter(None, (output, events)):
        check_writable(path)
    limits = Limits(
        max_iters=max_iters,
        max_queries=max_queries,
        max_sources=max_sources,
        max_reads=max_reads,
        max_execution_time_s=max_time,
        token_budget=max_tokens,
        max_cost_usd=max_cost,
        max_citations=max_citations,
        answer_words=words,
    )
    debug = bool(context.obj)
    with journal(events) as note, watching(asked, quiet=quiet, logging=debug) as watcher:
        # A second of imports, with something to look at already.
        from quaere.build import build_engine  # noqa: PLC0415
        from quaere.cli.logs import configure_logs  # noqa: PLC0415
        from quaere.settings import load_settings  # noqa: PLC0415

        settings = load_settings()
        configure_logs(settings, debug=debug)
        engine = build_engine(settings, docs=docs or ())
        run = engine.stream(
            asked,
            context=need,
            profile=profile or settings.profile,
            limits=merge_limits(settings.limits, limits),
        )
        report = asyncio.run(follow(run, watcher, note))
    deliver(report, choose_format(form, output), output)
    raise typer.Exit(BY_STATUS[report.status])


def _asked(question: str) -> str:
    """Return the question, from standard input if need be, as text that can be encoded."""
    if question == "-":
        return sys.stdin.buffer.read(STDIN_BYTES).decode("utf-8", "replace")
    return question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
