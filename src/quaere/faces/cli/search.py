"""``quaere search``: Run one query and list the results."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.domain.events import WarningRaised
from quaere.domain.question import MAX_QUESTION_CHARS, Query
from quaere.domain.report import RunWarning
from quaere.domain.value import Outside, Value
from quaere.errors import QuestionError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import Watcher, importing, watching
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import complain, emit
from quaere.ports.search import Preparable
from quaere.search.plain import shortened
from quaere.search.prepare import prepare
from quaere.synthesize.inert import visible
from quaere.view.reduce import Progress

if TYPE_CHECKING:
    from quaere.runtime.wiring import Sources
    from quaere.search.fanout import Failure
    from quaere.search.merge import Merged

SEARCH_S = 30.0
"""Seconds for all searches together, after folders have been indexed."""
SNIPPET_CHARS = 300


class Seen(Value):
    """A provider that found a source, and its rank there, from 1."""

    provider: str
    rank: int


class FoundHit(Value):
    """A source that one provider or several found."""

    rank: int
    """Rank in the merged list, from 1."""
    provider: str
    """The provider that title and snippet come from."""
    seen: tuple[Seen, ...]
    kind: str
    url: Outside
    title: Outside
    snippet: Outside
    published: Outside


class FailedProvider(Value):
    """A provider that failed, which is not the same as finding nothing."""

    provider: str
    error: str
    message: Outside
    retryable: bool


class SearchResult(Value):
    """The outcome of one query."""

    query: str
    hits: tuple[FoundHit, ...]
    failures: tuple[FailedProvider, ...]
    warnings: tuple[RunWarning, ...]
    asked: int
    """Number of providers that were queried."""

    @property
    def all_failed(self) -> bool:
        """Whether this is an outage and not an empty result."""
        return len(self.failures) == self.asked


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("search", no_args_is_help=True)(search)


def search(
    context: typer.Context,
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
    query, debug = _query(text), bool(context.obj)
    with watching(f"searching {query.text}", quiet=quiet, logging=debug) as watcher:
        with importing():
            from quaere.faces.cli.deliver import json
            from quaere.faces.cli.environment import settle
            from quaere.runtime.wiring import build_sources

        sources = build_sources(settle(debug=debug), docs=docs or (), providers=provider or ())
        result = asyncio.run(_search(sources, query, limit, watcher))
    for failure in result.failures:
        complain(f"{failure.provider}: {failure.message}")
    emit(json(result) if form is ShortFormat.JSON else told(result))
    raise typer.Exit(ExitCode.ERROR if result.all_failed else ExitCode.ANSWERED)


def _query(text: str) -> Query:
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not text.strip():
        raise QuestionError("The query is empty.")
    if len(text) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The query has {len(text):,} characters; the limit is {MAX_QUESTION_CHARS:,}."
        )
    return Query(text=text)


async def _search(sources: Sources, query: Query, limit: int, watcher: Watcher) -> SearchResult:
    from quaere.search.fanout import Answer, Failure, fan_out
    from quaere.search.merge import merge

    async with sources:
        warnings = [
            warning
            for provider in sources.providers
            if isinstance(provider, Preparable)
            for warning in await _prepared(provider, provider.name, watcher)
        ]
        outcomes = await fan_out([query], sources.providers, limit=limit, timeout_s=SEARCH_S)
    merged = merge([query], [each for each in outcomes if isinstance(each, Answer)])
    return SearchResult(
        query=query.text,
        hits=tuple(_hit(rank, each) for rank, each in enumerate(merged[:limit], 1)),
        failures=tuple(_failure(each) for each in outcomes if isinstance(each, Failure)),
        warnings=tuple(warnings),
        asked=len(outcomes),
    )


async def _prepared(provider: Preparable, name: str, watcher: Watcher) -> list[RunWarning]:
    """Prepare ``provider`` while ``watcher`` shows its progress, and return the warnings."""
    progress = Progress()
    warnings: list[RunWarning] = []
    async for event in prepare(provider, name, math.inf):
        progress = progress.after(event)
        watcher.show(event, progress)
        if isinstance(event, WarningRaised):
            warnings.append(event.warning)
    return warnings


def _hit(rank: int, merged: Merged) -> FoundHit:
    hit = merged.hit
    snippet = hit.snippet or (hit.passage.text if hit.passage else "")
    return FoundHit(
        rank=rank,
        provider=hit.provider,
        seen=tuple(Seen(provider=each.provider, rank=each.rank + 1) for each in merged.sightings),
        kind=hit.kind,
        url=hit.url,
        title=hit.title,
        snippet=shortened(" ".join(snippet.split()), SNIPPET_CHARS),
        published=hit.published,
    )


def _failure(failure: Failure) -> FailedProvider:
    return FailedProvider(
        provider=failure.provider,
        error=failure.error_type,
        message=failure.message,
        retryable=failure.retryable,
    )


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
