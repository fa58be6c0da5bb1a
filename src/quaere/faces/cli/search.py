"""``quaere search``: one query, and what all that are asked find for it."""

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
from quaere.search.markup import shortened
from quaere.search.prepare import prepare
from quaere.synthesize.inert import visible
from quaere.view.reduce import Progress

if TYPE_CHECKING:
    from quaere.runtime.wiring import Sources
    from quaere.search.fanout import Failure
    from quaere.search.merge import Merged

SEARCH_S = 30.0
"""Time for all searches together, after folders have been indexed."""
SNIPPET_CHARS = 300


class Seen(Value):
    """Who found a source, and at which place of its own list, from 1."""

    provider: str
    rank: int


class FoundHit(Value):
    """A source that was found, once for all that found it."""

    rank: int
    """Place in the merged list, from 1."""
    provider: str
    """Whose words these are."""
    seen: tuple[Seen, ...]
    kind: str
    url: Outside
    title: Outside
    snippet: Outside
    published: Outside


class FailedProvider(Value):
    """A provider that could not answer: not one that found nothing."""

    provider: str
    error: str
    message: Outside
    retryable: bool


class SearchResult(Value):
    """What came of one query."""

    query: str
    hits: tuple[FoundHit, ...]
    failures: tuple[FailedProvider, ...]
    warnings: tuple[RunWarning, ...]
    asked: int
    """Providers that were asked."""

    @property
    def nobody_answered(self) -> bool:
        """Whether this is an outage, and not an empty result."""
        return len(self.failures) == self.asked


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("search", no_args_is_help=True)(search)


def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, metavar="N", help="Hits shown.")
    ] = 10,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Ask one query, and show what is found.

    Folders and search services are asked side by side, and their hits merged into one list. Who
    could not answer is named on standard error; the exit code is 1 when nobody could.
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
    raise typer.Exit(ExitCode.ERROR if result.nobody_answered else ExitCode.ANSWERED)


def _query(text: str) -> Query:
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not text.strip():
        raise QuestionError("The query is empty. Name something to look for.")
    if len(text) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The query has {len(text):,} characters; {MAX_QUESTION_CHARS:,} is the most."
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
    """Let ``provider`` get ready while ``watcher`` shows it, and return what went wrong."""
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
    """Return ``result`` as lines that a terminal can be trusted with."""
    if not result.hits:
        return "" if result.nobody_answered else "Nothing was found.\n"
    return "\n".join(_told(hit) for hit in result.hits)


def _told(hit: FoundHit) -> str:
    seen = ", ".join(f"{each.provider} {each.rank}" for each in hit.seen)
    facts = (part for part in (seen, hit.kind, hit.published) if part)
    lines = (hit.url, " · ".join(facts), hit.snippet)
    indented = "".join(f"    {visible(line)}\n" for line in lines if line)
    return f"{hit.rank:>2}  {visible(hit.title) or '(no title)'}\n{indented}"
