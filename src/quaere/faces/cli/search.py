"""``quaere search``: Run one query and list the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import importing, watching
from quaere.faces.cli.help_text import PlainCommand
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import complain, emit
from quaere.synthesize.inert import visible

if TYPE_CHECKING:
    from quaere.runtime.search import FoundHit, SearchResult


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("search", cls=PlainCommand, no_args_is_help=True)(search)


def search(
    text: Annotated[str, typer.Argument(metavar="QUERY", help="What to search for.")],
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", min=1, max=1000, metavar="N", help="Number of results to show."
        ),
    ] = 10,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Run one query and list the results.

    Folders and search services are searched in parallel, and their results are merged into one
    list. Providers that failed are named on standard error; the exit code is 1 when all of them
    failed.
    """
    query = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    with watching(f"searching {query}", quiet=quiet) as watcher:
        with importing():
            from quaere.errors import named
            from quaere.faces.cli.environment import in_app, settle
            from quaere.faces.cli.output import json

        result = in_app(
            settle(),
            lambda app: app.search(
                query,
                docs=docs or (),
                providers=provider or (),
                limit=limit,
                told=watcher.show,
            ),
        )
    for failure in result.failures:
        complain(named(failure.provider, failure.message))
    for warning in result.warnings:
        if warning.kind == "search":  # those of indexing were shown when they occurred
            complain(warning.message)
    emit(json(result) if form is ShortFormat.JSON else told(result))
    raise typer.Exit(ExitCode.ERROR if result.all_failed else ExitCode.ANSWERED)


def told(result: SearchResult) -> str:
    """Return ``result`` as text that is safe to print on a terminal."""
    if not result.hits:
        return "" if result.all_failed else "No results.\n"
    return "\n".join(_told(hit) for hit in result.hits)


def _told(hit: FoundHit) -> str:
    seen = ", ".join(f"{each.provider} {each.rank}" for each in hit.seen)
    facts = (part for part in (seen, hit.kind, hit.published) if part)
    lines = (hit.url, " · ".join(facts), hit.snippet)
    indented = "".join(f"    {visible(line)}\n" for line in lines if line)
    return f"{hit.rank:>2}  {visible(hit.title) or '(no title)'}\n{indented}"
